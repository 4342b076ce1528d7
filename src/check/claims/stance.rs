//! What the words around a name say of it: that it is there, that it is gone, that it is yet to come, or nothing
//! that could be held against the text.
//!
//! Silence is cheap and a false alarm is dear, so only a sentence that plainly speaks of something as being there
//! makes a claim.

use super::sentence::{self, Word, lower};
use super::words::{self, ABSENT, GONE_ANYWHERE, MERGED_ANYWHERE, ONTO_BEFORE, ONTO_BEHIND};
use super::{Kind, past};

/// What a sentence says of something it names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stance {
    /// It is there.
    Claimed,
    /// It is yet to come, or to be done.
    Planned,
    /// Nothing that could be compared.
    Silent,
    /// It is gone, or has another name: no other sentence claims it either.
    Gone,
    /// It was deleted, plainly: a claim of its own.
    Deleted,
    /// A branch that was merged, plainly: a claim too.
    Merged,
}

/// What headings and leads say of everything below them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Under {
    /// A list of what is gone: `Moved or deleted files`.
    pub gone: bool,
    /// A list of what was deleted, and of nothing else: `Deleted files`.
    pub deleted: bool,
    /// Words that are no longer meant: `Old notes (superseded)`.
    pub stale: bool,
    /// About commits.
    pub commits: bool,
    /// A list of what is to be done.
    pub planned: bool,
}

impl Under {
    /// Both.
    pub(super) fn and(self, other: Self) -> Self {
        Self {
            gone: self.gone || other.gone,
            deleted: self.deleted || other.deleted,
            stale: self.stale || other.stale,
            commits: self.commits || other.commits,
            planned: self.planned || other.planned,
        }
    }
}

/// What the sentence that a name stands in says of it. `before` and `after` are the passage on both sides.
pub(super) fn stance(kind: Kind, before: &str, after: &str, under: Under) -> Stance {
    if under.stale {
        return Stance::Silent;
    }
    let (before, after) = sentence::around(before, after);
    let stance = by_phrases(kind, before, after).unwrap_or_else(|| by_words(kind, before, after, under));
    let is_planned = || under.planned || is_yet_to_come(kind, before, after);
    if stance == Stance::Claimed && is_planned() { Stance::Planned } else { stance }
}

/// By phrases, and by the words of scripts that are written without blanks.
fn by_phrases(kind: Kind, before: &str, after: &str) -> Option<Stance> {
    let (before, after) = (lower(before), lower(after));
    // `No longer there: a.rs`.
    let is_led = || before.trim_end_matches([' ', '`', '*', '_']).ends_with([':', '：']);
    if ABSENT.stand_in(&after) || ABSENT.stand_in(&before) && is_led() {
        return Some(Stance::Gone);
    }
    if before.is_ascii() && after.is_ascii() {
        return None;
    }
    let stands = |parts: &words::Parts| parts.stand_in(&before) || parts.stand_in(&after);
    if kind == Kind::Branch && stands(&MERGED_ANYWHERE) {
        return Some(if past::is_taken_back(&before, &after) { Stance::Silent } else { Stance::Merged });
    }
    let near = before.trim_end_matches([' ', '`', '"', '「', '*', '_']);
    let behind = after.trim_start_matches([' ', '`', '"', '」', '*', '_']);
    if ONTO_BEFORE.end(near) || ONTO_BEHIND.begin(behind) {
        return Some(Stance::Claimed);
    }
    // A commit stays where it tells of what it deleted.
    if kind == Kind::Commit || !stands(&GONE_ANYWHERE) {
        return None;
    }
    Some(if past::is_told(&before, &after) { Stance::Deleted } else { Stance::Gone })
}

/// Whether a sentence says that the thing is to be made, or that nothing was made of it so far.
fn is_yet_to_come(kind: Kind, before: &str, after: &str) -> bool {
    let (before, after) = (lower(before), lower(after));
    let stands = |parts: &words::Parts| parts.stand_in(&before) || parts.stand_in(&after);
    match kind {
        // A branch that is not merged yet is there: in a table, its state says whether it was begun.
        Kind::Branch | Kind::Tag => {
            stands(&words::TO_MAKE) || before.trim_start().starts_with('|') && words::NOT_YET.stand_in(&after)
        }
        Kind::Path => stands(&words::TO_MAKE) || stands(&words::NOT_YET),
        Kind::Commit | Kind::Issue | Kind::Box => false,
    }
}

fn by_words(kind: Kind, before: &str, after: &str, under: Under) -> Stance {
    let ahead: Vec<Word<'_>> = sentence::words(before);
    let behind: Vec<Word<'_>> = sentence::words(after);
    match of_sentence(kind, &ahead, &behind, under) {
        Stance::Gone if kind != Kind::Commit && past::is_deleted(&ahead, &behind, under) => Stance::Deleted,
        Stance::Silent | Stance::Gone if kind == Kind::Branch && past::is_merged(&ahead, &behind) => {
            Stance::Merged
        }
        stance => stance,
    }
}

fn of_sentence(kind: Kind, ahead: &[Word<'_>], behind: &[Word<'_>], under: Under) -> Stance {
    let said = if is_moved_behind(ahead, behind) { Said::NewName } else { spoken_of(ahead) };
    let fate = fate_behind(behind);
    // `- Tag v1.2 and push`: a deed, unless something is said of the tag.
    let mut told = ahead.iter().filter(|word| !(word.is_mark() || word.is_bullet()));
    let is_deed = kind == Kind::Tag
        && told.next().is_some_and(|word| word.text == "tag")
        && told.next().is_none()
        && !behind.iter().find(|word| !word.is_mark()).is_some_and(Word::is_link);
    let claimed = if is_deed || ahead.iter().any(|word| words::PLANNED.has(&word.text)) {
        Stance::Planned
    } else {
        Stance::Claimed
    };
    let speaks_of_gone = ahead.iter().any(|word| word.is_gone() || word.is_soft());
    if kind == Kind::Branch && ahead.iter().chain(behind).any(|word| word.is_soft() || word.is_gone()) {
        return match (said, fate) {
            (Said::Gone, _) | (_, Some(Stance::Gone)) => Stance::Gone,
            // `deleted branch a, kept branch b`
            (Said::Present, None) => claimed,
            _ => Stance::Silent,
        };
    }
    match (said, fate) {
        (Said::NewName, _) => claimed,
        (Said::Gone, _) => Stance::Gone,
        (Said::Soft | Said::Former, _) => Stance::Silent,
        // `the helper in a.rs was removed`: the helper was.
        (Said::Place, Some(_)) => Stance::Silent,
        (_, Some(fate)) => fate,
        (Said::OldPlace, None) => Stance::Silent,
        (Said::Place | Said::Present, None) => claimed,
        (Said::Other, None) if under.gone => {
            if ahead.iter().all(Word::is_filler) {
                Stance::Gone
            } else {
                Stance::Silent
            }
        }
        // `a.rs was deleted, details: commit 1a2b3c4`: the commit is not what was deleted.
        (Said::Other, None) if kind == Kind::Commit && !ahead.iter().any(Word::is_soft) => claimed,
        (Said::Other, None) if speaks_of_gone => Stance::Silent,
        (Said::Other, None) => claimed,
    }
}

/// How the words before a name speak of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Said {
    Gone,
    Soft,
    Former,
    /// Behind an arrow, or `to` after a word of a new name.
    NewName,
    /// `moved the helper from a.rs`: a.rs may be left.
    OldPlace,
    /// Behind a word of a place.
    Place,
    Present,
    Other,
}

fn spoken_of(ahead: &[Word<'_>]) -> Said {
    for (at, word) in ahead.iter().enumerate().rev().take(16) {
        if word.is_arrow() {
            return Said::NewName;
        }
        let earlier = &ahead[..at];
        let is_label = word.raw.trim_end_matches(['*', '_']).ends_with([':', '：'])
            && words::FORMER_LABELS.has(&word.text);
        if is_label {
            return Said::Former;
        }
        if is_onto(word, earlier) {
            return Said::NewName;
        }
        if word.is_filler() {
            continue;
        }
        let is = |text: &str| word.text == text;
        if word.is_gone() {
            return if is_negated(earlier) { Said::Present } else { Said::Gone };
        }
        if word.is_soft() {
            return Said::Soft;
        }
        if words::FORMER.has(&word.text) || word.raw.eq_ignore_ascii_case("(was") {
            return Said::Former;
        }
        if word.is_porcelain_d() {
            return Said::Gone;
        }
        let names = |text: &str| earlier.iter().rev().take(1).any(|word| word.text == text);
        if is("of") && names("instead") || is("be") && names("to") {
            return Said::Former;
        }
        // `deleted a.rs together with b.rs`: neither is a place of the other.
        if words::WITH.has(&word.text) && earlier.iter().any(Word::is_gone) && !earlier.iter().any(is_swap) {
            return Said::Other;
        }
        if words::PREPOSITIONS.has(&word.text) {
            let moves = || earlier.iter().any(Word::is_move);
            return match &*word.text {
                "from" if earlier.iter().any(|word| word.text.starts_with("renam")) => Said::Gone,
                "from" if moves() => Said::OldPlace,
                _ => Said::Place,
            };
        }
        let present = words::PRESENT.has(&word.text);
        return if present { Said::Present } else { Said::Other };
    }
    Said::Other
}

/// `replaced the parser with a.rs`: what comes with it is there.
fn is_swap(word: &Word<'_>) -> bool {
    ["replac", "ersetz", "rempla", "reempla", "substitu", "sostitu", "замен"]
        .iter()
        .any(|stem| word.text.starts_with(stem))
}

/// Whether a word says that the name behind it is a new one: `to`, after a word of a new name. Some are articles and
/// the like, too: those only say it between two names or behind a word of another language.
fn is_onto(word: &Word<'_>, earlier: &[Word<'_>]) -> bool {
    if !words::ONTO.has(&word.text) || !earlier.iter().any(Word::is_move) {
        return false;
    }
    let is_english = |text: &str| ["ed", "ing", "s", "e"].iter().any(|end| text.ends_with(end));
    !word.is_filler()
        || earlier.last().is_some_and(|last| last.is_name() || last.is_move() && !is_english(&last.text))
}

/// `a.rs nach b.rs verschoben`, where the verb stands at the end: b.rs is the new name.
fn is_moved_behind(ahead: &[Word<'_>], behind: &[Word<'_>]) -> bool {
    let next = behind.iter().find(|word| !word.is_mark());
    let last = ahead.iter().rev().find(|word| !word.is_mark());
    next.is_some_and(Word::is_move) && last.is_some_and(|last| words::ONTO.has(&last.text))
}

/// What the words behind a name say became of it.
fn fate_behind(behind: &[Word<'_>]) -> Option<Stance> {
    let mut passive = false;
    // `a.rs nach b.rs verschoben`: a.rs is the old name.
    let mut told = behind.iter().filter(|word| !word.is_mark());
    if let (Some(onto), Some(name), Some(verb)) = (told.next(), told.next(), told.next())
        && words::ONTO.has(&onto.text)
        && name.is_name()
        && verb.is_move()
    {
        return Some(Stance::Gone);
    }
    for (at, word) in behind.iter().enumerate().take(9) {
        if word.is_arrow() {
            let renamed = behind.iter().any(|word| word.is_gone());
            return Some(if renamed { Stance::Gone } else { Stance::Silent });
        }
        let next = behind.get(at + 1);
        let follows = |texts: &[&str]| next.is_some_and(|next| texts.contains(&next.text.as_ref()));
        if word.text == "no" && follows(&["longer"])
            || word.text == "not" && follows(&["exist", "there", "present", "here", "yet"])
            || ["doesn't", "don't", "didn't", "isn't"].contains(&word.text.as_ref())
                && follows(&["exist", "there", "present", "here"])
            || word.text == "never"
                && follows(&["existed", "landed", "made", "written", "created", "committed"])
        {
            return Some(Stance::Gone);
        }
        if ["does", "do", "did"].contains(&word.text.as_ref()) && follows(&["not"]) {
            continue;
        }
        // `b.rs (moved from a.rs)`: this is the new name.
        if word.is_move() && next.is_some_and(|next| words::OFF.has(&next.text)) {
            return None;
        }
        if word.is_gone() || word.text == "missing" {
            let ends = word.raw.ends_with(['.', ',', ')', ']', ':', '!', '|', '*', '_']);
            let onto = next.is_some_and(|next| is_onto(next, &behind[..=at]));
            return (passive || ends || onto || is_passive_before(next)).then_some(Stance::Gone);
        }
        passive |= words::PASSIVE.has(&word.text);
        if !(word.is_mark() || word.is_name() || word.is_link()) {
            return None;
        }
    }
    None
}

/// Whether a word behind a passive one leaves it passive: `was removed in …`, not `removed the helper`.
pub(super) fn is_passive_before(next: Option<&Word<'_>>) -> bool {
    next.is_none_or(|next| {
        next.is_mark() || next.is_arrow() || next.raw.starts_with('(') || words::AFTER_PASSIVE.has(&next.text)
    })
}

fn is_negated(earlier: &[Word<'_>]) -> bool {
    let near = earlier.iter().rev().take(2);
    near.into_iter().any(|word| {
        ["not", "never", "don't", "didn't", "without", "cannot", "nicht", "не"].contains(&word.text.as_ref())
            || word.text == "of" && earlier.iter().any(|word| word.text == "instead")
    })
}

/// How many letters a heading in a script without blanks has at most that says one thing.
const SHORT_HEADING: usize = 16;

/// What a heading says of what stands below it: only one that says nothing else.
pub(super) fn of_heading(name: &str, level: usize) -> Under {
    let all = sentence::words(name);
    let told: Vec<_> = all.iter().filter(|word| !word.is_mark()).collect();
    let about =
        |word: &&Word<'_>| word.is_gone() || word.is_filler() || word.is_soft() || word.is_of_heading();
    let spelt = lower(name);
    let is_short = name.chars().count() <= SHORT_HEADING;
    let gone = told.iter().any(|word| word.is_gone()) && told.iter().all(about)
        || is_short && GONE_ANYWHERE.stand_in(&spelt);
    let is_stale = |word: &Word<'_>| {
        ["superseded", "obsolete", "outdated", "stale", "archived"].contains(&word.text.as_ref())
    };
    let first = told.first().is_some_and(|word| is_stale(word));
    let remark = all.iter().any(|word| is_stale(word) && word.raw.starts_with(['(', '[', '—', '–']));
    let last = told.last().is_some_and(|word| is_stale(word));
    let commits = told.iter().any(|word| word.text.starts_with("commit"));
    let deleted = gone && (past::names_deleted(&all) || past::is_told(&spelt, ""));
    Under { gone, deleted, stale: level > 1 && (first || remark || last), commits, planned: false }
}

/// What a line that ends in a colon says of the list below it.
pub(super) fn of_lead(line: &str) -> Option<Under> {
    let line = line.trim_end_matches(['*', '_', ' ']);
    // The key of a list of data: `files_deleted:`, `"files_deleted": [`.
    let line = line.strip_suffix('[').map_or(line, str::trim_end);
    let key = line.replace('_', " ");
    let line = if line.contains(' ') { line } else { key.as_str() };
    if line.len() > 160 || !line.ends_with([':', '：']) {
        return None;
    }
    let all = sentence::words(line);
    let stays =
        |word: &Word<'_>| ["kept", "keep", "remaining", "left", "remain"].contains(&word.text.as_ref());
    let gone =
        all.iter().any(Word::is_gone) && !all.iter().any(stays) || GONE_ANYWHERE.stand_in(&lower(line));
    let commits = all.iter().any(|word| word.text.starts_with("commit"));
    let deleted = gone && (past::names_deleted(&all) || past::is_told(&lower(line), ""));
    let planned =
        !gone && words::AHEAD.begin(lower(line.trim_start_matches(|c: char| !c.is_alphanumeric())).as_ref());
    Some(Under { gone, deleted, stale: false, commits, planned })
}
