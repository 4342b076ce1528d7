//! Which words say that the name beside them is a branch, a tag or a commit.

use super::sentence::{self, Word, lower};
use super::stance::Under;
use super::words;

/// The word that says what the name behind it is: the one next to it. Behind a comma it says nothing any more
/// (`the tag, …`), unless it names several things (`branches a, b`).
pub(super) fn word_of(before: &str) -> Option<&str> {
    const ENDS: [char; 8] = [',', ';', '.', ')', '、', '，', '；', '。'];
    let mut in_list = false;
    for token in before.rsplit(char::is_whitespace).filter(|token| !token.is_empty()) {
        let word = token.trim_matches(|c: char| !c.is_alphanumeric());
        if word.is_empty() {
            in_list |= token.contains(ENDS);
            continue;
        }
        let alone = !in_list && !token.ends_with(ENDS);
        // A script without blanks has no plural.
        let may_be_several = words::PLURAL.has(&word.to_lowercase())
            || [&words::BRANCH_ANYWHERE, &words::TAG_ANYWHERE, &words::COMMIT_ANYWHERE]
                .iter()
                .any(|parts| parts.end(word));
        return (alone || in_list && may_be_several).then_some(token);
    }
    None
}

/// Whether a word (in lower case) before a name says that it is a branch.
pub(super) fn names_a_branch(word: &str) -> bool {
    words::BRANCH.has(word) || words::BRANCH_ANYWHERE.end(word)
}

/// Whether a word (in lower case) before a name says that it is a tag.
pub(super) fn names_a_tag(word: &str) -> bool {
    words::TAG.has(word) || words::TAG_ANYWHERE.end(word)
}

/// Whether a word before a name says that it is a commit.
pub(super) fn names_a_commit(word: &str) -> bool {
    is_commit_word(&lower(word.trim_matches(|c: char| !c.is_alphanumeric())))
}

fn is_commit_word(word: &str) -> bool {
    words::COMMIT.has(word) || words::COMMIT_ANYWHERE.end(word)
}

/// A name that a tag could have, and hardly an element of a page, which is called a tag, too.
pub(super) fn is_tag_name(name: &str) -> bool {
    is_version(name) || name.contains(['.', '-', '/', '_'])
}

/// `v1.2`, `1.2.3-rc.1`.
pub(super) fn is_version(name: &str) -> bool {
    let digits = name.strip_prefix('v').unwrap_or(name);
    digits.starts_with(|c: char| c.is_ascii_digit())
}

/// A version as tags are written, which it may be where nothing says so: `v1.2.3`.
pub(super) fn is_release(name: &str) -> bool {
    name.starts_with('v') && is_version(name) && name.contains('.')
}

/// Whether what stands behind a name says that it is a branch: the `else` branch is one of code.
pub(super) fn is_branch_of(name: &str, after: &str) -> bool {
    let after = after.trim_start_matches([' ', '*', '_']);
    let said = follows(after, &["branch", "Branch", "branche"]) || begins_with_branch(after);
    said && (name.contains('/') || words::TRUNKS.has(name)) && super::as_any_path(name).is_none()
}

fn begins_with_branch(after: &str) -> bool {
    // The word stands at the beginning: what is cut off behind it ends with it.
    let end = after.char_indices().map(|(at, c)| at + c.len_utf8()).take(6);
    end.into_iter().any(|end| words::BRANCH_ANYWHERE.end(&after[..end]) && !after[..end].contains(' '))
}

/// Whether what stands behind a name says that it is a tag: `v1.2` was tagged.
pub(super) fn is_tag_of(name: &str, after: &str) -> bool {
    let after = after.trim_start_matches([' ', '*', '_']);
    is_release(name) && follows(after, &["tag", "was tagged", "is tagged", "tagged", "(tag", "(tagged"])
}

/// Whether a text begins with one of these words.
fn follows(after: &str, words: &[&str]) -> bool {
    let ends = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '-');
    words.iter().any(|word| after.strip_prefix(word).is_some_and(ends))
}

/// A name as people give them to branches, which it may be where nothing says so: `feat/login`.
pub(super) fn is_branch_like(name: &str) -> bool {
    name.split_once('/').is_some_and(|(kind, rest)| words::BRANCH_KINDS.has(kind) && rest.len() > 1)
        && super::as_any_path(name).is_none()
}

/// How surely hex digits are a commit, by the words around them; `None` where they are something else.
pub(super) fn commit(before: &str, after: &str, under: Under) -> Option<bool> {
    // A colour, or a part of a longer id.
    if before.ends_with(['#', '-']) || after.starts_with('-') {
        return None;
    }
    let (before, after) = sentence::around(before, after);
    let (ahead, behind) = (sentence::words(before), sentence::words(after));
    // `1a2b3c4 fix: keep the token`: a line of a log, whatever its subject is about.
    let leads = ahead.iter().all(|word| word.is_mark() || word.is_bullet()) && !before.contains('`');
    let leads = leads || before.trim_matches(|c: char| c.is_whitespace() || "-*+|`_".contains(c)).is_empty();
    let is_logged = behind.iter().find(|word| !word.is_mark()).is_some_and(is_subject_kind);
    if is_logged || leads && under.commits {
        return Some(true);
    }
    let nearest = ahead
        .iter()
        .rev()
        .filter(|word| !word.is_mark() && !word.is_name())
        .find(|word| !words::BETWEEN.has(&word.text));
    if nearest.is_some_and(|word| is_commit_word(&word.text)) {
        return Some(true);
    }
    // `Not commits: …`
    let denies = |pair: &[Word<'_>]| matches!(&*pair[0].text, "not" | "no") && is_commit_word(&pair[1].text);
    if ahead.windows(2).any(denies) {
        return None;
    }
    let all = || ahead.iter().chain(&behind);
    let other = |word: &Word<'_>| words::OTHERS.has(&word.text) || word.text.starts_with("sha256");
    if all().any(other) {
        return None;
    }
    // Hex digits alone, or beside nothing but `hash`, may be a digest of anything.
    Some(all().any(|word| is_commit_word(&word.text)) || under.commits)
}

/// `fix:`, `feat(api)!:`: how the subject of a commit begins by a wide convention.
fn is_subject_kind(word: &Word<'_>) -> bool {
    let Some((kind, _)) = word.raw.split_once(['(', ':', '!']) else { return false };
    let is_kind = words::SUBJECTS.has(kind.trim_start_matches(['`', '*', '"']));
    is_kind && word.raw.contains(':')
}

/// What the cells of a column of a table are, by its heading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Column {
    /// Branches.
    Branch,
    /// Tags.
    Tag,
    /// Commits.
    Commit,
    /// Names that are no longer ones: `From`, `Old`.
    Former,
}

impl Column {
    /// By the words of a cell in the first row.
    pub(super) fn of(heading: &str) -> Option<Self> {
        let words = sentence::words(heading);
        let mut told = words.iter().filter(|word| !word.is_mark());
        let (Some(first), rest) = (told.next(), told.next()) else { return None };
        let text = &*first.text;
        if words::FORMER_COLUMNS.has(text) {
            return Some(Self::Former);
        }
        // `Branch name`, and nothing longer: `Branch coverage` is no column of branches.
        if rest.is_some_and(|word| !["name", "id", "hash", "sha"].contains(&&*word.text)) {
            return None;
        }
        if names_a_branch(text) {
            Some(Self::Branch)
        } else if names_a_tag(text) {
            Some(Self::Tag)
        } else if is_commit_word(text) || words::HASH.has(text) && text.starts_with("sha") {
            Some(Self::Commit)
        } else {
            None
        }
    }
}
