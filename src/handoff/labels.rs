//! What the names of fields and sections mean, in the languages that handoffs are written in.
//!
//! One table serves labels (`**Branch:** x`), headings (`## Next steps`), front matter, JSON and YAML keys.
//! A label must be known as a whole; only headings may say more than the known words.

mod further;
mod nothing;
mod table;

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::LazyLock;

use super::fold::{fold, unaccented, without_number};
use super::time::read::DayOrder;

pub use nothing::is_nothing;
pub(super) use nothing::is_placeholder;
pub(super) use table::{GONE, LEFT};

/// What a field or a section is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Label {
    /// The title, as data files name it.
    Title,
    /// When it was saved or updated last.
    Saved,
    /// A date without saying of what.
    Dated,
    /// When it was begun: the saved time only where nothing better is said.
    Created,
    /// The branch.
    Branch,
    /// The commit that is the state.
    Commit,
    /// Phase or stage.
    Phase,
    /// Status in a word or two.
    Status,
    /// What to do next.
    Next,
    /// What is left to do: the next step where nothing is named so.
    Todo,
    /// What is in the way.
    Blockers,
    /// Troubles: blockers where nothing is named so.
    Trouble,
    /// What was decided.
    Decisions,
    /// Open questions.
    Open,
    /// What is done, logs and lists of the past: no facts about now.
    Past,
    /// A section with facts: git state, metadata, where it stands.
    Facts,
}

/// A known name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Known {
    /// What it means.
    pub label: Label,
    /// How its language writes dates.
    pub order: DayOrder,
}

/// How surely a heading means its label: the smaller the surer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fit {
    /// The known name and nothing else.
    Whole,
    /// The known name and another one beside it (`Blockers / risks`).
    Part,
    /// The known name with more words (`Immediate next steps`).
    Loose,
    /// More words around a name that says when and not what (`Next session start checklist`).
    Vague,
}

static KNOWN: LazyLock<HashMap<String, Known>> = LazyLock::new(|| {
    let mut known = HashMap::new();
    for language in table::LANGUAGES {
        for (label, names) in language.names {
            for name in names.split('|') {
                known.entry(fold(name)).or_insert(Known { label: *label, order: language.order });
            }
        }
    }
    // What one language writes without accents never takes a name from another.
    for language in table::LANGUAGES.iter().filter(|language| language.also_plain) {
        for (label, names) in language.names {
            for name in names.split('|').filter_map(|name| unaccented(&fold(name))) {
                known.entry(name).or_insert(Known { label: *label, order: language.order });
            }
        }
    }
    known
});

/// [`table::LOOSE`], also as it is written without accents.
static LOOSE: LazyLock<Vec<String>> = LazyLock::new(|| {
    let names = || table::LOOSE.iter().map(|name| fold(name));
    names().chain(names().filter_map(|name| unaccented(&name))).collect()
});

/// [`table::PAST_WORDS`] of scripts with blanks, to be looked up word by word.
static PAST: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| table::PAST_WORDS.iter().copied().filter(|word| word.is_ascii()).collect());

/// What a folded name means, when it is known as a whole.
pub(super) fn of_key(key: &str) -> Option<Known> {
    KNOWN
        .get(key)
        .or_else(|| KNOWN.get(without_number(key)))
        .or_else(|| KNOWN.get(without_middle(key)?))
        .copied()
}

/// `next best step` is a next step of some kind: what it is called without the words in the middle.
fn without_middle(key: &str) -> Option<&'static str> {
    let (middle, last) = key.strip_prefix("next ")?.rsplit_once(' ')?;
    let is_kind =
        |word| !matches!(word, "and" | "or" | "to" | "in" | "for" | "of" | "the" | "after" | "session");
    let are_few = middle.split(' ').count() <= 3 && middle.split(' ').all(is_kind);
    table::NEXT_WHAT.iter().find(|name| are_few && name.strip_prefix("next ") == Some(last)).copied()
}

/// The longest name that is looked up, in bytes; a longer one is a sentence.
pub(super) const LONGEST_NAME: usize = 120;

/// What a label as written means; a remark in brackets behind it does not count.
pub(super) fn of_label(text: &str) -> Option<Known> {
    if text.len() > LONGEST_NAME {
        return None;
    }
    of_key(&fold(before_bracket(text)))
}

/// The part of a heading that is looked up: what stands before a remark in brackets.
fn heading_name(text: &str) -> &str {
    let end = text.char_indices().nth(LONGEST_NAME).map_or(text.len(), |(at, _)| at);
    before_bracket(&text[..end])
}

/// What a heading means that is a known name and nothing else.
pub(super) fn of_whole(text: &str) -> Option<(Known, Fit)> {
    let name = heading_name(text);
    let known = of_key(&fold(name)).filter(|_| !says_over(&text[name.len()..]));
    known.map(|known| (known, Fit::Whole))
}

/// The longest heading that is a list of names, in words.
const MOST_WORDS: usize = 7;

/// A heading, looked up.
#[derive(Debug, Clone)]
pub(super) struct Heading {
    /// Its name as a key.
    pub key: Rc<str>,
    /// What it means, and how surely.
    pub known: Option<(Known, Fit)>,
}

/// How many headings are remembered.
const REMEMBERED: usize = 512;

thread_local! {
    /// Headings that were looked up on this thread: agents write them by template, so that a thousand files have a
    /// few dozen, and a look-up is the dearest thing that is asked of one.
    static HEADINGS: RefCell<HashMap<Box<str>, Heading>> = RefCell::default();
}

/// Looks a heading up.
pub(super) fn heading(text: &str) -> Heading {
    let look_up = || Heading { key: fold(text).into(), known: of_heading(text) };
    if text.len() > LONGEST_NAME {
        return look_up();
    }
    HEADINGS.with_borrow_mut(|known| {
        if let Some(heading) = known.get(text) {
            return heading.clone();
        }
        if known.len() == REMEMBERED {
            known.clear();
        }
        known.entry(text.into()).or_insert(look_up()).clone()
    })
}

/// What a heading means, and how surely.
fn of_heading(text: &str) -> Option<(Known, Fit)> {
    let name = heading_name(text);
    let key = fold(name);
    let past = Some((Known { label: Label::Past, order: DayOrder::Unknown }, Fit::Loose));
    if says_over(&text[name.len()..]) {
        return past;
    }
    if let Some(known) = of_key(&key) {
        let fit = if is_for_another(&text[name.len()..]) { Fit::Loose } else { Fit::Whole };
        return Some((known, fit));
    }
    let is_ascii = name.is_ascii();
    let may_hold = |word: &&&str| !is_ascii || word.is_ascii();
    let words: Vec<&str> = key.split(' ').collect();
    if begins_in_the_past(without_number(&key)) {
        return past;
    }
    let holds = |word: &&str| !word.is_ascii() && key.contains(*word);
    if words.iter().any(|word| PAST.contains(word)) || !is_ascii && table::PAST_WORDS.iter().any(holds) {
        return None;
    }
    let mut parts: Vec<&str> =
        name.split([':', '：', '—', '–', '/', '&', ',', '，', '、', '·', '|', '+', '・']).collect();
    for and in table::AND_WORDS.iter().filter(may_hold).filter(|and| name.contains(**and)) {
        parts = parts.iter().flat_map(|part| part.split(and)).collect();
    }
    // A name that is all one part was looked up as a whole.
    // In a longer heading a known word further on is a word of a sentence.
    let looked_at = if words.len() > MOST_WORDS { 1 } else { parts.len() };
    let known: Vec<Known> = match parts.len() {
        1 => Vec::new(),
        _ => parts.iter().take(looked_at).filter_map(|part| of_key(&fold(part))).collect(),
    };
    let names = |label| known.iter().find(|known| known.label == label);
    // `Progress and next steps` has the steps in it.
    let asked = names(Label::Next).or_else(|| names(Label::Blockers));
    if let Some(known) = asked.or_else(|| known.iter().find(|known| is_section(known.label))) {
        return Some((*known, Fit::Part));
    }
    let first =
        || parts.first().filter(|_| parts.len() > 1).and_then(|part| loose(without_number(&fold(part))));
    loose(without_number(&key))
        .or_else(first)
        .or_else(|| before_more_words(without_number(&key)).map(|known| (known, Fit::Loose)))
}

/// A name that goes on (`What is left before the launch`), or a question that asks for it (`What you should do first`).
fn before_more_words(key: &str) -> Option<Known> {
    // `What is next after that` asks for what comes later.
    let known = table::GOES_ON.iter().find_map(|word| {
        let (name, _) = key.split_once(word).filter(|(name, _)| name.contains(' '))?;
        of_key(name).filter(|known| known.label != Label::Next || *word != " after ")
    });
    let asks = || {
        let question = key.starts_with("what ") && (key.ends_with(" next") || key.ends_with(" first"));
        let looks_back = key.split(' ').any(|word| table::ASKS_BACK.contains(&word));
        (question && !looks_back).then(|| of_key("next")).flatten()
    };
    known.filter(|known| matches!(known.label, Label::Next | Label::Todo | Label::Blockers)).or_else(asks)
}

/// Whether the remark behind a heading says whose it is: `(for Ida)`, `(human)`, `(not for the agent)`. The same
/// heading without one is surer.
fn is_for_another(remark: &str) -> bool {
    let inner = remark.trim_start_matches(['(', '（', '[', '【', ' ']);
    let names = inner.strip_prefix("for ").is_some_and(|who| who.starts_with(char::is_uppercase));
    let key = || fold(remark);
    names || !remark.is_empty() && key().split(' ').any(|word| table::PERSONS.contains(&word))
}

/// Whether the remark behind a heading says that what stands below it is over: `(resolved)`, `(superseded)`.
fn says_over(remark: &str) -> bool {
    if remark.is_empty() || remark.len() > LONGEST_NAME {
        return false;
    }
    let key = fold(remark);
    let words: Vec<&str> = key.split(' ').collect();
    words.len() <= 3
        && table::OVER.iter().any(|word| contains_word(&key, &words, word))
        && !words
            .iter()
            .any(|word| matches!(*word, "not" | "after" | "until" | "when" | "be" | "nicht" | "не"))
}

/// Whether the name of something folded away says that it is over: `Old notes`, `Superseded`.
pub(super) fn says_past(name: &str) -> bool {
    let key = fold(name);
    says_over(name)
        || begins_in_the_past(&key)
        || of_key(&key).is_some_and(|known| known.label == Label::Past)
}

/// Whether a heading as written begins with words for what was.
pub(super) fn begins_past(heading: &str) -> bool {
    heading.len() <= LONGEST_NAME && begins_in_the_past(without_number(&fold(heading)))
}

/// Whether a heading begins with words for what was: `What shipped this week`, `Old notes`.
fn begins_in_the_past(key: &str) -> bool {
    table::PAST_STARTS.iter().any(|start| key.strip_prefix(start).is_some_and(|rest| rest.starts_with(' ')))
}

/// A known section name with more words before or after it.
fn loose(key: &str) -> Option<(Known, Fit)> {
    let is_ascii = key.is_ascii();
    LOOSE.iter().filter(|name| !is_ascii || name.is_ascii()).find_map(|name| {
        let before = key
            .strip_prefix(name.as_str())
            .is_some_and(|rest| rest.is_empty() || !name.is_ascii() || rest.starts_with(' '));
        let after = key
            .strip_suffix(name.as_str())
            .is_some_and(|rest| rest.is_empty() || !name.is_ascii() || rest.ends_with(' '));
        let fit = if table::VAGUE.contains(&name.as_str()) { Fit::Vague } else { Fit::Loose };
        (before || after).then(|| Some((of_key(name)?, fit))).flatten()
    })
}

fn is_section(label: Label) -> bool {
    !matches!(
        label,
        Label::Title
            | Label::Branch
            | Label::Commit
            | Label::Saved
            | Label::Dated
            | Label::Created
            | Label::Phase
    )
}

/// Whether a word is one of a key's words; in scripts without blanks, whether the key has it anywhere.
fn contains_word(key: &str, words: &[&str], word: &str) -> bool {
    if word.is_ascii() { words.contains(&word) } else { key.contains(word) }
}

/// The text before a remark in brackets, when anything stands before it.
pub(super) fn before_bracket(text: &str) -> &str {
    match text.find(['(', '（', '[', '【']) {
        Some(at) if text[..at].chars().any(char::is_alphanumeric) => &text[..at],
        _ => text,
    }
}

/// Whether a heading names one sitting of a log by number (`Session 41`), and which.
pub(super) fn sitting_number(heading: &str) -> Option<u32> {
    let key: String = heading.chars().take(LONGEST_NAME).collect();
    let key = fold(&key);
    let (words, numbers): (Vec<&str>, Vec<&str>) =
        key.split(' ').partition(|w| !w.bytes().all(|b| b.is_ascii_digit()));
    if let ([word, ..], [number, ..]) = (words.as_slice(), numbers.as_slice()) {
        return table::SITTINGS.contains(word).then(|| number.parse().ok()).flatten();
    }
    // Scripts without blanks: `第41回`, `세션41`, `第12次会话`.
    let digits: String =
        key.chars().skip_while(|c| !c.is_ascii_digit()).take_while(char::is_ascii_digit).collect();
    let number = digits.parse().ok()?;
    table::SITTINGS.iter().any(|word| !word.is_ascii() && key.contains(word)).then_some(number)
}

/// Whether a heading is the name of a table's column that holds a step (`Task`, `任务`).
pub(super) fn is_step_column(text: &str) -> bool {
    table::STEP_COLUMNS.contains(&fold(text).as_str())
}

/// Whether a field among others about the next sitting says what to do in it (`Task`, `Goal`).
pub(super) fn says_what_to_do(name: &str) -> bool {
    let key = fold(before_bracket(name));
    let is_next = || of_key(&key).is_some_and(|known| known.label == Label::Next);
    table::STEP_COLUMNS.contains(&key.as_str()) || table::GOALS.contains(&key.as_str()) || is_next()
}

/// The step that a heading names itself: `Next: mend the parser`, `What's next: phase 4`.
pub(super) fn step_behind(heading: &str) -> Option<&str> {
    let (name, step) = heading.split_once([':', '：'])?;
    let step = step.trim();
    let is_next = of_key(&fold(name)).is_some_and(|known| known.label == Label::Next);
    (is_next && step.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '`' | '*'))).then_some(step)
}

/// What a heading such as `Step 1: Fix the parser` says the step is.
pub(super) fn step_of(heading: &str) -> Option<&str> {
    let at = heading.find([':', '：', '—', '–', '.', '、']).or_else(|| heading.find(" - "))?;
    let (name, rest) = heading.split_at(at);
    let key = fold(name);
    let word = key.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end();
    let is_numbered = word.len() < key.len() && table::STEPS.contains(&word) || numbered_inside(&key);
    let text =
        rest.trim_start_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '`' | '*' | '[' | '"' | '('));
    (is_numbered && !text.is_empty()).then_some(text)
}

/// `第1步`, `第２ステップ`.
fn numbered_inside(key: &str) -> bool {
    key.strip_prefix('第').is_some_and(|rest| {
        let word = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        word.len() < rest.len() && table::STEPS.contains(&word.trim_start())
    })
}

/// Whether a heading names one of several that stand side by side (`Lane A`, `Repo: api`), each with facts of its own.
pub(super) fn is_one_of_row(heading: &str) -> bool {
    let key: String = heading.chars().take(LONGEST_NAME).collect();
    fold(&key).split(' ').next().is_some_and(|word| table::ROWS.contains(&word))
}

/// Whether a name is one for a day that is still to come: a deadline, a release.
pub(super) fn is_due(name: &str) -> bool {
    let key = fold(name);
    table::DUE.iter().any(|word| key.contains(word))
}

/// Whether the words before a code span say that it names some other branch or commit (`merged into`).
pub(super) fn names_another(text: &str) -> bool {
    let key = fold(text);
    key.split(' ').rev().take(4).any(|word| table::OTHERS.contains(&word))
}

/// Whether a sentence speaks of what may come or must not be: what it names is not where things stand.
pub(super) fn is_to_come(sentence: &str) -> bool {
    fold(sentence).split(' ').any(|word| table::TO_COME.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_mean_what_people_write() {
        for (heading, label) in [
            ("Next", Label::Next),
            ("3. What's next?", Label::Next),
            ("🚀 Immediate next steps (in order)", Label::Next),
            ("Blockers / risks", Label::Blockers),
            ("Nächste Schritte", Label::Next),
            ("۳. گام بعدی", Label::Next),
            ("Próximos pasos recomendados", Label::Next),
            ("下一步计划", Label::Next),
            ("🚧 막힌 점", Label::Blockers),
            ("Progress and next steps", Label::Next),
            ("Top-priority next actions, in order", Label::Next),
            ("Blockers (resolved)", Label::Past),
            ("Next steps (superseded)", Label::Past),
            ("Blockers (not resolved)", Label::Blockers),
            ("Next steps (when that is done)", Label::Next),
            ("What landed this session", Label::Past),
            ("Example output", Label::Past),
            ("Decision ledger (locked)", Label::Decisions),
            ("Next highest-priority tasks", Label::Next),
            ("Immediate next steps for the new agent", Label::Next),
            ("What you should do first", Label::Next),
            ("What's left before the launch", Label::Todo),
            ("What you need to do before the frost", Label::Todo),
            ("Prochaines Etapes", Label::Next),
            ("Proximos passos (em ordem)", Label::Next),
            ("Prossimi passi", Label::Next),
            ("Następne kroki", Label::Next),
            ("Volgende stappen", Label::Next),
            ("Langkah selanjutnya", Label::Next),
            ("الخطوات التالية", Label::Next),
        ] {
            assert_eq!(of_heading(heading).map(|(known, _)| known.label), Some(label), "{heading:?}");
        }
        for heading in [
            "Complete persistence, resume and the screen in step with it",
            "Resolved blockers",
            "Branching strategy",
            "Nextcloud",
            "解決済みの課題",
            "What I did first",
            "What's next after that: a second lamp",
        ] {
            let label = of_heading(heading).map(|(known, _)| known.label);
            assert!(
                !matches!(label, Some(Label::Next | Label::Blockers | Label::Branch)),
                "{heading:?} means something else"
            );
        }
    }

    #[test]
    fn the_heading_that_says_most_plainly_what_it_holds_is_the_surest() {
        let fit = |heading| of_heading(heading).map(|(_, fit)| fit);
        assert!(
            fit("Next steps") < fit("Next steps (for Ida)"),
            "somebody else's steps come behind one's own"
        );
        assert!(fit("Next steps") < fit("Next steps (human)"), "a person's likewise");
        assert_eq!(fit("Next steps (in order)"), fit("Next steps"), "any other remark changes nothing");
        assert!(fit("Exact next actions") < fit("Next session start checklist"), "what comes before when");
    }

    #[test]
    fn sittings_have_numbers() {
        for (heading, number) in [
            ("Session 41", Some(41)),
            ("第12次会话", Some(12)),
            ("세션 7", Some(7)),
            ("Step 3", None),
            ("Session", None),
        ] {
            assert_eq!(sitting_number(heading), number, "{heading:?}");
        }
    }
}
