//! Values out of what stands behind a label: a branch without its remarks, the commit that is the state.
//!
//! When the text does not plainly say it, there is no value: a wrong branch is worse than none.

use super::ident::{BranchName, Revision};
use super::inert;
use super::labels::{is_nothing, is_placeholder};

/// Marks that end a name in a value, also where no blank stands before them.
const ENDS: [char; 16] =
    ['（', '(', '，', '、', '。', '；', '：', '|', '｜', ',', ';', '·', '•', '،', '؛', '「'];

/// Names in a branch field that are no branches.
const NO_BRANCH: [&str; 27] = [
    "detached",
    "unknown",
    "various",
    "multiple",
    "several",
    "none",
    "n/a",
    "na",
    "tbd",
    "see",
    "same",
    "head",
    "null",
    "и",
    "and",
    "y",
    "was",
    "now",
    "is",
    "not",
    "the",
    "still",
    "formerly",
    "previously",
    "currently",
    "merged",
    "deleted",
];

/// The branch that a field's value names: in a code span, or alone before a remark.
pub(super) fn branch_of(value: &str) -> Option<BranchName> {
    let value = unwrap(value);
    if is_nothing(value) && !value.starts_with('`') || is_placeholder(value) {
        return None;
    }
    let name = match code_span(value) {
        Some((_, behind)) if goes_to_another(behind) => return None,
        Some((code, _)) => {
            let (name, rest) = first_word(code);
            // `agent-*` stands for several.
            (stands_alone(name, rest) && !name.contains('*')).then_some(name)?
        }
        None => {
            let (name, rest) = first_word(value);
            let name = name.trim_end_matches('.');
            (stands_alone(name, rest) && !goes_to_another(rest)).then_some(name)?
        }
    };
    branch_name(name)
}

/// Whether an arrow leads on to another branch that is no base to merge into: `old` → `new` names two.
pub(super) fn goes_to_another(behind: &str) -> bool {
    let behind = behind.trim_start();
    let Some(target) = ["→", "->", "=>"].iter().find_map(|arrow| behind.strip_prefix(arrow)) else {
        return false;
    };
    let in_code = code_span(target).map(|(code, _)| code);
    let name = in_code.unwrap_or_else(|| first_word(target).0);
    let is_base = matches!(
        name,
        "main" | "master" | "develop" | "dev" | "trunk" | "staging" | "production" | "prod" | "next"
    ) || ["release", "origin/", "upstream/", "integration", "hotfix"]
        .iter()
        .any(|base| name.starts_with(base));
    (in_code.is_some() || name.contains(['/', '-'])) && !is_base && revision(name).is_none()
}

/// The text as a branch's name, when it can be one.
pub(super) fn branch_name(name: &str) -> Option<BranchName> {
    let name = name.trim_matches(['"', '\'', '*', '_', '“', '”', '«', '»']).trim();
    let name = name.strip_prefix("refs/heads/").unwrap_or(name);
    if NO_BRANCH.contains(&name.to_lowercase().as_str())
        || is_placeholder(name)
        || !name.chars().any(char::is_alphanumeric)
    {
        return None;
    }
    // A name of one script's letters without blanks can be a sentence in another script.
    let is_sentence = name.contains(['。', '，', '」', '《', '<', '>', '`']) || name.starts_with("http");
    (!is_sentence).then(|| BranchName::parse(name).ok()).flatten()
}

/// Whether what follows a bare name is a remark about it and not the rest of a sentence.
fn stands_alone(name: &str, rest: &str) -> bool {
    let rest = rest.trim_start();
    let looks_like_branch = name.contains('/') || name.contains('-') && name.is_ascii();
    rest.is_empty()
        || rest.starts_with(ENDS)
        || rest.starts_with(['[', '—', '–', '@', '→', '.', '⚠', '✅', '*', '_', '!', '/', '"', '`'])
        || rest.starts_with("- ")
        || rest.starts_with("-> ")
        || rest.starts_with("=> ")
        || [
            "at ",
            "is ",
            "ahead ",
            "tracking ",
            "from ",
            "off ",
            "based ",
            "on ",
            "in ",
            "ist ",
            "wurde ",
            "with ",
        ]
        .iter()
        .any(|word| {
            rest.starts_with(word)
                && (looks_like_branch || matches!(name, "main" | "master" | "develop" | "trunk"))
        })
        || rest.chars().next().is_some_and(|c| !c.is_ascii() && !c.is_alphanumeric())
}

/// The first word of a value, and the rest; full-width marks end it too.
fn first_word(value: &str) -> (&str, &str) {
    let value = value.trim();
    let end = value.find(|c: char| c.is_whitespace() || ENDS.contains(&c)).unwrap_or(value.len());
    value.split_at(end)
}

/// A value without markup around it: bold, a link's brackets, quotes.
fn unwrap(value: &str) -> &str {
    let value = value.trim().trim_start_matches(['*', '_', '"', '“', '«']).trim_start();
    match value.strip_prefix('[').and_then(|inner| inner.split_once("](")) {
        Some((text, _)) => text,
        None => value,
    }
}

/// The code span that a value begins with, and what follows it.
pub(super) fn code_span(value: &str) -> Option<(&str, &str)> {
    let value = value.trim_start();
    let ticks = value.bytes().take_while(|&b| b == b'`').count();
    if ticks == 0 {
        return None;
    }
    let fence = &value[..ticks];
    let (code, rest) = value[ticks..].split_once(fence)?;
    Some((code.trim(), rest))
}

/// The commit that a field's value names: the hash it begins with, else the only one in it.
pub(super) fn commit_of(value: &str) -> Option<Revision> {
    if is_placeholder(value) {
        return None;
    }
    if let Some(first) = labelled(value) {
        return Some(first);
    }
    let mut hashes = value
        .char_indices()
        .take(600)
        .map(|(at, c)| at + c.len_utf8())
        .last()
        .map_or("", |end| &value[..end])
        .split(|c: char| c.is_whitespace() || "`*_()[]{}<>,;:\"'|@（）：，；、。「」".contains(c))
        .map(|word| word.trim_end_matches(['.', '!']))
        .filter_map(|word| (!inert::is_odd(word.chars().next()?)).then(|| revision(word)).flatten());
    let first = hashes.next()?;
    let begins = value
        .trim_start_matches(|c: char| !c.is_ascii_alphanumeric())
        .to_ascii_lowercase()
        .starts_with(first.as_str());
    // `a1b2c3d..e4f5a6b` is a span of commits.
    let second = hashes.clone().find(|other| *other != first);
    let is_span = ["..", "…", "→", "->"].iter().any(|mark| value.contains(mark));
    if begins && is_span && second.is_some_and(|second| is_behind_mark(value, second.as_str())) {
        return None;
    }
    (begins || hashes.all(|other| other == first)).then_some(first)
}

/// Whether a hash stands right behind the mark of a span.
fn is_behind_mark(value: &str, hash: &str) -> bool {
    let at = value.to_ascii_lowercase().find(hash);
    let before = at.and_then(|at| value.get(..at)).unwrap_or_default();
    let before = before.trim_end_matches(['`', ' ', '*']);
    ["..", "…", "→", "->"].iter().any(|mark| before.ends_with(mark))
}

/// The digits or the letters that a value begins with, where they can be an abbreviation: the field says what they
/// are. Letters that can be a word count only alone: `defaced the wall` is no commit.
fn labelled(value: &str) -> Option<Revision> {
    let text = value.trim_start_matches(|c: char| !c.is_alphanumeric());
    let word = text.split(|c: char| c.is_whitespace() || "`*_()[],;:'\"".contains(c)).next()?;
    let word = word.trim_end_matches(['.', '!']);
    if word.len() >= 40 {
        return None;
    }
    if word.bytes().all(|b| b.is_ascii_digit()) {
        return Revision::parse_labelled(word).ok();
    }
    let rest = text[word.len()..].trim_start_matches(['`', '*', '_', '.', '"', '\'']);
    let alone = rest.is_empty() || rest.starts_with([',', ';', '(']) || rest.starts_with(" (");
    let is_letters = word.len() >= 7 && word.bytes().all(|b| matches!(b, b'a'..=b'f'));
    (is_letters && alone && !Revision::reads_as_word(word)).then(|| Revision::parse(word).ok()).flatten()
}

/// A word that is a hash: hex with at least one digit, so that `defaced` is a word.
pub(super) fn revision(word: &str) -> Option<Revision> {
    let has_digit = word.bytes().any(|b| b.is_ascii_digit());
    (has_digit && (7..=64).contains(&word.len())).then(|| Revision::parse(word).ok()).flatten()
}

/// The commit that stands beside a branch in one value: `main @ 574a4ee`, `main (574a4ee)`.
pub(super) fn commit_beside_branch(value: &str) -> Option<Revision> {
    if let Some((_, rest)) = code_span(value)
        && let Some(hash) = rest.trim_start().strip_prefix("at ").and_then(first_hash)
    {
        return Some(hash);
    }
    let rest =
        value.find(['@', '(', '（', '/']).map(|at| &value[at..]).filter(|rest| rest.is_char_boundary(0))?;
    let after_at =
        value.rsplit_once('@').and_then(|(_, after)| first_hash(after).or_else(|| labelled(after)));
    after_at.or_else(|| {
        let inner = rest.split(['(', '（']).nth(1)?.split([')', '）']).next()?;
        first_hash(inner)
            .or_else(|| inner.bytes().all(|b| b.is_ascii_digit()).then(|| labelled(inner)).flatten())
    })
}

fn first_hash(text: &str) -> Option<Revision> {
    let word = text.trim_start_matches(['`', ' ', '*']).split(|c: char| !c.is_ascii_alphanumeric()).next()?;
    revision(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_branch_is_named_plainly_or_not_at_all() {
        for (value, name) in [
            ("`feat/tide-alarm`", "feat/tide-alarm"),
            ("feat/long-cable (⚠ not pushed)", "feat/long-cable"),
            ("`feat/loom` (pushed, level with origin)", "feat/loom"),
            ("`feat/x (ahead 2)`", "feat/x"),
            ("main（已推送）", "main"),
            ("main, clean", "main"),
            ("**`fix/a`**", "fix/a"),
            ("[feat/y](https://host/x)", "feat/y"),
            ("chime-table", "chime-table"),
            ("main @ 574a4ee", "main"),
            ("feat/ü", "feat/ü"),
            ("refs/heads/main", "main"),
            ("`feat/x` → `main` (PR #12)", "feat/x"),
            ("feat/x -> origin/feat/x", "feat/x"),
            ("`feat/x` → PR #21", "feat/x"),
        ] {
            assert_eq!(branch_of(value).map(|b| b.to_string()).as_deref(), Some(name), "{value:?}");
        }
        for value in [
            "and merge strategy can wait",
            "<branch name, or null>",
            "none",
            "detached HEAD at 574a4ee",
            "",
            "TBD",
            "see below",
            "the one from yesterday",
            "was `old/a`, now `new/b`",
            "`old/a` → `new/b`",
            "old/a -> new/b",
            "n/a",
            "无",
            "нет",
            "feat/a\u{200b}b",
            "a..b",
        ] {
            assert_eq!(branch_of(value), None, "{value:?} names no branch");
        }
    }

    #[test]
    fn a_commit_is_the_hash_that_the_value_begins_with() {
        for (value, hash) in [
            ("`76a1999`", "76a1999"),
            ("4cf7b1d feat(replay): compare abcdef1 with last winter", "4cf7b1d"),
            ("`6fbb602 refactor(devices): move`", "6fbb602"),
            ("574a4ee (pushed)", "574a4ee"),
            ("feat: stop early (`a01cb2c`)", "a01cb2c"),
            ("`111f4f4`（まだ送っていない）", "111f4f4"),
            ("3661076", "3661076"),
            ("`3661076` Count the stations", "3661076"),
            ("feat: read 1234567 rows (`a01cb2c`)", "a01cb2c"),
            ("deadbeef", "deadbeef"),
            ("`cafebabe` (pushed)", "cafebabe"),
        ] {
            assert_eq!(commit_of(value).map(|c| c.to_string()).as_deref(), Some(hash), "{value:?}");
        }
        for value in [
            "20260819",
            "read 1234567 rows",
            "effaced wall",
            "deadbeef everywhere",
            "`defaced`",
            "none yet",
            "5b0de1d4-77aa-4c31-9e0f-2a64c8d0b9e3",
            "<hash>",
            "b902b47x",
            "from fee1cff to e51d50a",
            "`fee1cff`..`e51d50a`",
            "fee1cff → e51d50a",
        ] {
            assert_eq!(commit_of(value), None, "{value:?} names no commit");
        }
        assert_eq!(
            commit_beside_branch("main @ 574a4ee").map(|c| c.to_string()).as_deref(),
            Some("574a4ee"),
            "beside a branch"
        );
        assert_eq!(
            commit_beside_branch("`main` at `574a4ee`").map(|c| c.to_string()).as_deref(),
            Some("574a4ee"),
            "in words"
        );
        assert_eq!(
            commit_beside_branch("main (574a4ee)").map(|c| c.to_string()).as_deref(),
            Some("574a4ee"),
            "in brackets"
        );
        for value in ["main @ 3661076", "main (3661076)"] {
            let found = commit_beside_branch(value).map(|c| c.to_string());
            assert_eq!(found.as_deref(), Some("3661076"), "{value:?}: digits beside a branch");
        }
        assert_eq!(commit_beside_branch("main (1234567 rows)"), None, "a number of something");
        assert_eq!(commit_beside_branch("main (ahead of 574a4ee)"), None, "not the commit it is ahead of");
    }
}
