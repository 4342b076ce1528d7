//! What the words around a name say of it: that it is there, that it is gone, that it is yet to come, or nothing
//! that could be held against the text.
//!
//! Silence is cheap and a false alarm is dear, so only a sentence that plainly speaks of something as being there
//! makes a claim.

use std::borrow::Cow;

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
}

impl Under {
    /// Both.
    pub(super) fn and(self, other: Self) -> Self {
        Self {
            gone: self.gone || other.gone,
            deleted: self.deleted || other.deleted,
            stale: self.stale || other.stale,
            commits: self.commits || other.commits,
        }
    }
}

/// Beginnings of words that say that something went away.
const GONE: &[&str] = &[
    "delet",
    "remov",
    "renam",
    "replac",
    "supersed",
    "retir",
    "purg",
    "eliminat",
    "eliminad",
    "eliminó",
    "suprimid",
    "rimoss",
    "cancellat",
    "silindi",
    "discard",
    "unlink",
    "prun",
    "obsolet",
    "relocat",
    "scrapp",
    "nuked",
    "ditch",
    "trash",
    "dropp",
    "gelöscht",
    "entfern",
    "umbenannt",
    "verschoben",
    "ersetzt",
    "supprim",
    "renomm",
    "déplac",
    "borrad",
    "renombrad",
    "movid",
    "removid",
    "excluíd",
    "apagad",
    "renomead",
    "удал",
    "переимен",
    "перемещ",
    "перенес",
    "замен",
];
/// Such words as a whole.
const GONE_WORDS: &[&str] = &[
    "move",
    "moved",
    "moves",
    "moving",
    "drop",
    "drops",
    "gone",
    "rm",
    "vanished",
    "lost",
    "killed",
    "deletion",
    "deletions",
    "renames",
    "removals",
];
/// The same in scripts without blanks.
const GONE_ANYWHERE: &[&str] = &[
    "删除",
    "刪除",
    "移除",
    "重命名",
    "改名",
    "移动到",
    "已删",
    "削除",
    "リネーム",
    "移動",
    "廃止",
    "삭제",
    "đã xóa",
    "đã xoá",
    "حذف",
    "제거",
    "이름을 변경",
    "이동",
];
/// Words after which the old thing may or may not be left.
const SOFT: &[&str] = &[
    "split",
    "merge",
    "merged",
    "merges",
    "merging",
    "fold",
    "folded",
    "inlined",
    "inline",
    "squashed",
    "squash",
    "amended",
    "amend",
    "rebased",
    "rewritten",
    "rewrote",
    "reverted",
    "revert",
    "reverts",
    "clean",
    "cleaned",
    "cleaning",
    "deprecated",
    "archived",
    "closed",
    "abandoned",
    "orphaned",
];
/// Words of a new name.
const MOVES: &[&str] =
    &["renam", "mov", "relocat", "umbenannt", "verschoben", "переимен", "перемещ", "перенес"];
/// Words that may stand between a verb and what it is about.
const FILLERS: &[&str] = &[
    "the",
    "a",
    "an",
    "its",
    "their",
    "this",
    "that",
    "these",
    "those",
    "file",
    "files",
    "old",
    "stale",
    "dead",
    "unused",
    "legacy",
    "temporary",
    "branch",
    "branches",
    "tag",
    "tags",
    "commit",
    "commits",
    "directory",
    "dir",
    "folder",
    "folders",
    "module",
    "path",
    "paths",
    "both",
    "also",
    "and",
    "or",
    "local",
    "remote",
    "feature",
    "following",
    "all",
    "whole",
    "entire",
    "up",
    "out",
    "x",
    "now-unused",
    "obsolete",
];
/// Words that stand between a thing and what is said of it.
const LINKS: &[&str] = &[
    "was", "were", "is", "are", "has", "have", "had", "been", "being", "be", "got", "it", "which", "that",
    "both", "now", "also", "then", "and", "or", "already", "since", "fully", "finally", "all", "just",
    "merged", "file", "files", "branch", "branches", "local", "remote", "locally", "remotely", "the", "will",
    "should", "can", "wurde", "wurden", "ist", "sind", "fue", "foi", "fueron", "foram", "a", "été", "был",
    "была", "было", "были",
];
/// The ones of those that make the next word a passive one.
const PASSIVE: &[&str] = &[
    "was", "were", "is", "are", "has", "have", "had", "been", "being", "be", "got", "wurde", "wurden", "ist",
    "sind", "fue", "foi", "fueron", "foram", "été", "был", "была", "было", "были",
];
/// What may follow a passive word; anything else is what it is done to.
const AFTER_PASSIVE: &[&str] = &[
    "in",
    "by",
    "from",
    "as",
    "because",
    "since",
    "with",
    "after",
    "before",
    "during",
    "and",
    "or",
    "but",
    "entirely",
    "completely",
    "last",
    "on",
    "at",
    "yesterday",
    "today",
    "to",
    "into",
    "for",
    "earlier",
    "already",
    "upstream",
    "when",
    "too",
    "again",
    "now",
    "locally",
    "remotely",
    "everywhere",
    "per",
    "via",
    "long",
    "this",
];
/// Words of a place, before a name: the sentence is about something else that is there.
const PREPOSITIONS: &[&str] = &[
    "in", "from", "inside", "within", "of", "under", "at", "to", "into", "via", "using", "with", "by", "see",
    "per", "as", "on", "onto", "against", "for", "like",
];
/// Words that say that something is there.
const PRESENT: &[&str] = &[
    "added",
    "adds",
    "created",
    "creates",
    "wrote",
    "written",
    "updated",
    "updates",
    "edited",
    "changed",
    "modified",
    "implemented",
    "introduced",
    "fixed",
    "kept",
    "keep",
    "read",
    "extended",
    "refactored",
    "new",
    "now",
    "uses",
    "touched",
    "touches",
    "extracted",
    "lives",
    "done",
];
/// Words before a name that is no longer one.
const FORMER: &[&str] =
    &["formerly", "previously", "former", "without", "no", "never", "(was", "ex", "missing"];
/// Words that speak of what is to come.
const PLANNED: &[&str] = &[
    "will", "should", "todo", "to-do", "plan", "planned", "create", "add", "write", "must", "shall", "need",
    "needs", "want", "let's", "propose", "proposed", "would", "could", "might", "tbd", "later", "next",
];

/// What the sentence that a name stands in says of it. `before` and `after` are the passage on both sides.
pub(super) fn stance(kind: Kind, before: &str, after: &str, under: Under) -> Stance {
    if under.stale {
        return Stance::Silent;
    }
    let (before, after) = (sentence_before(before), sentence_after(after));
    if GONE_ANYWHERE.iter().any(|word| before.contains(word) || after.contains(word)) {
        let told = past::is_told(before, after);
        return if told && kind != Kind::Commit { Stance::Deleted } else { Stance::Gone };
    }
    let ahead: Vec<Word<'_>> = words(before);
    let behind: Vec<Word<'_>> = words(after);
    match of_sentence(kind, &ahead, &behind, under) {
        Stance::Gone if kind != Kind::Commit && past::is_deleted(&ahead, &behind, under) => Stance::Deleted,
        Stance::Silent | Stance::Gone if kind == Kind::Branch && past::is_merged(&ahead, &behind) => {
            Stance::Merged
        }
        stance => stance,
    }
}

fn of_sentence(kind: Kind, ahead: &[Word<'_>], behind: &[Word<'_>], under: Under) -> Stance {
    let said = spoken_of(ahead);
    let fate = fate_behind(behind);
    let claimed = if ahead.iter().any(|word| PLANNED.contains(&word.text.as_ref())) {
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
        if word.is_filler() {
            continue;
        }
        let earlier = &ahead[..at];
        let is = |text: &str| word.text == text;
        if word.is_gone() {
            return if is_negated(earlier) { Said::Present } else { Said::Gone };
        }
        if word.is_soft() {
            return Said::Soft;
        }
        if FORMER.contains(&word.text.as_ref()) || word.raw.eq_ignore_ascii_case("(was") {
            return Said::Former;
        }
        if word.raw == "D" {
            return Said::Gone;
        }
        let names = |text: &str| earlier.iter().rev().take(1).any(|word| word.text == text);
        if is("of") && names("instead") || is("be") && names("to") {
            return Said::Former;
        }
        if PREPOSITIONS.contains(&word.text.as_ref()) {
            let moves = || earlier.iter().any(Word::is_move);
            return match &*word.text {
                "from" if earlier.iter().any(|word| word.text.starts_with("renam")) => Said::Gone,
                "from" if moves() => Said::OldPlace,
                "to" | "into" | "as" if moves() => Said::NewName,
                _ => Said::Place,
            };
        }
        let present = PRESENT.contains(&word.text.as_ref());
        return if present { Said::Present } else { Said::Other };
    }
    Said::Other
}

/// What the words behind a name say became of it.
fn fate_behind(behind: &[Word<'_>]) -> Option<Stance> {
    let mut passive = false;
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
        if word.is_gone() || word.text == "missing" {
            let ends = word.raw.ends_with(['.', ',', ')', ']', ':', '!', '|', '*', '_']);
            return (passive || ends || is_passive_before(next)).then_some(Stance::Gone);
        }
        passive |= PASSIVE.contains(&word.text.as_ref());
        if !(word.is_mark() || word.is_name() || LINKS.contains(&word.text.as_ref())) {
            return None;
        }
    }
    None
}

/// Whether a word behind a passive one leaves it passive: `was removed in …`, not `removed the helper`.
pub(super) fn is_passive_before(next: Option<&Word<'_>>) -> bool {
    next.is_none_or(|next| next.is_mark() || next.is_arrow() || AFTER_PASSIVE.contains(&next.text.as_ref()))
}

fn is_negated(earlier: &[Word<'_>]) -> bool {
    let near = earlier.iter().rev().take(2);
    near.into_iter().any(|word| {
        ["not", "never", "don't", "didn't", "without", "cannot", "nicht", "не"].contains(&word.text.as_ref())
            || word.text == "of" && earlier.iter().any(|word| word.text == "instead")
    })
}

/// Whether a word only links a name and what is said of it.
pub(super) fn is_link(word: &Word<'_>) -> bool {
    LINKS.contains(&word.text.as_ref())
}

/// What a heading says of what stands below it: only one that says nothing else.
pub(super) fn of_heading(name: &str, level: usize) -> Under {
    let all = words(name);
    let told: Vec<_> = all.iter().filter(|word| !word.is_mark()).collect();
    let about = |word: &&Word<'_>| word.is_gone() || word.is_filler() || word.is_soft();
    let gone = told.iter().any(|word| word.is_gone()) && told.iter().all(about);
    let is_stale = |word: &Word<'_>| {
        ["superseded", "obsolete", "outdated", "stale", "archived"].contains(&word.text.as_ref())
    };
    let first = told.first().is_some_and(|word| is_stale(word));
    let remark = all.iter().any(|word| is_stale(word) && word.raw.starts_with(['(', '[', '—', '–']));
    let last = told.last().is_some_and(|word| is_stale(word));
    let commits = told.iter().any(|word| word.text.starts_with("commit"));
    let deleted = gone && past::names_deleted(&all);
    Under { gone, deleted, stale: level > 1 && (first || remark || last), commits }
}

/// What a line that ends in a colon says of the list below it.
pub(super) fn of_lead(line: &str) -> Option<Under> {
    let line = line.trim_end_matches(['*', '_', ' ']);
    // The key of a list of data: `files_deleted:`.
    let key = line.replace('_', " ");
    let line = if line.contains(' ') { line } else { key.as_str() };
    if line.len() > 160 || !line.ends_with([':', '：']) {
        return None;
    }
    let all = words(line);
    let stays =
        |word: &Word<'_>| ["kept", "keep", "remaining", "left", "remain"].contains(&word.text.as_ref());
    let gone = all.iter().any(Word::is_gone) && !all.iter().any(stays)
        || GONE_ANYWHERE.iter().any(|word| line.contains(word));
    let commits = all.iter().any(|word| word.text.starts_with("commit"));
    let deleted = gone && past::names_deleted(&all);
    Some(Under { gone, deleted, stale: false, commits })
}

/// Words of a branch, before its name.
const BRANCH: &[&str] = &[
    "branch",
    "branches",
    "zweig",
    "rama",
    "ramas",
    "branche",
    "ramo",
    "ветка",
    "ветке",
    "ветку",
    "ветки",
    "ветви",
    "nhánh",
    "dalı",
    "dalında",
    "شاخه",
];
/// The same in scripts without blanks, at the end of what stands before a name or the beginning of what stands behind.
const BRANCH_ANYWHERE: &[&str] = &["分支", "ブランチ", "브랜치"];
/// Words of a tag, before its name.
const TAG: &[&str] =
    &["tag", "tags", "etiqueta", "étiquette", "тег", "тэг", "теге", "тега", "nhãn", "etiketi"];
const TAG_ANYWHERE: &[&str] = &["标签", "標籤", "タグ", "태그"];

/// The ones of these words, and of those of commits, that name several things.
const PLURAL: &[&str] =
    &["branches", "tags", "commits", "revisions", "ramas", "zweige", "ветки", "теги", "коммиты", "etiquetas"];

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
        return (alone || in_list && PLURAL.contains(&word.to_lowercase().as_str())).then_some(token);
    }
    None
}

/// Whether a word (in lower case) before a name says that it is a branch.
pub(super) fn names_a_branch(word: &str) -> bool {
    BRANCH.contains(&word) || BRANCH_ANYWHERE.iter().any(|end| word.ends_with(end))
}

/// Whether a word (in lower case) before a name says that it is a tag.
pub(super) fn names_a_tag(word: &str) -> bool {
    TAG.contains(&word) || TAG_ANYWHERE.iter().any(|end| word.ends_with(end))
}

/// A name that a tag could have, and hardly an element of a page, which is called a tag, too.
pub(super) fn is_tag_name(name: &str) -> bool {
    let digits = name.strip_prefix('v').unwrap_or(name);
    digits.starts_with(|c: char| c.is_ascii_digit()) || name.contains(['.', '-', '/', '_'])
}

/// Whether what stands behind a name says that it is a branch: the `else` branch is one of code.
pub(super) fn is_branch_of(name: &str, after: &str) -> bool {
    let after = after.trim_start_matches([' ', '*', '_']);
    let says = |word: &str| {
        after
            .strip_prefix(word)
            .is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '-'))
    };
    let said = ["branch", "Branch", "branche"].into_iter().any(says)
        || BRANCH_ANYWHERE.iter().any(|word| after.starts_with(word));
    said && (name.contains('/') || past::is_trunk(name)) && super::as_any_path(name).is_none()
}

/// Words that make what is named after them a commit, whatever else the sentence speaks of.
const COMMIT: &[&str] = &[
    "commit",
    "commits",
    "committed",
    "revision",
    "revisions",
    "rev",
    "head",
    "tip",
    "коммит",
    "коммита",
    "коммите",
    "коммитом",
    "коммиты",
    "коммитов",
    "commiteado",
    "committato",
];
/// The same in scripts without blanks, at the end of a word.
const COMMIT_ANYWHERE: &[&str] = &["提交", "コミット", "커밋"];
/// Words that commits are named with, and other things too.
const HASH: &[&str] = &["sha", "sha1", "sha-1", "hash", "hashes", "merged", "cherry-picked", "merge"];
/// Words that stand between such a word and the digits.
const BETWEEN: &[&str] =
    &["id", "ids", "hash", "sha", "is", "at", "the", "was", "as", "in", "to", "now", "of"];
/// Things that are named by hex digits and are no commits.
const OTHERS: &[&str] = &[
    "sha256",
    "sha-256",
    "sha512",
    "sha-512",
    "sha3",
    "md5",
    "digest",
    "digests",
    "checksum",
    "checksums",
    "crc",
    "crc32",
    "fingerprint",
    "docker",
    "image",
    "container",
    "layer",
    "colour",
    "colours",
    "color",
    "colors",
    "rgb",
    "hex",
    "uuid",
    "uuids",
    "guid",
    "session",
    "sessions",
    "etag",
    "blake2",
    "blake3",
    "token",
    "key",
    "nonce",
    "salt",
    "id",
    "ids",
    "request",
    "trace",
    "address",
    "txid",
    "transaction",
    "account",
    "device",
    "serial",
    "build",
    "blob",
    "palette",
    "cache",
    "bundle",
    "artifact",
    "message",
    "job",
    "run",
    "deployment",
    "oid",
    "etags",
    "xxhash",
];

/// Whether a word in front of a code span says that it is a commit.
pub(super) fn names_a_commit(word: &str) -> bool {
    is_commit_word(&lower(word.trim_matches(|c: char| !c.is_alphanumeric())))
}

fn is_commit_word(word: &str) -> bool {
    COMMIT.contains(&word) || COMMIT_ANYWHERE.iter().any(|end| word.ends_with(end))
}

/// How surely hex digits are a commit, by the words around them; `None` where they are something else.
pub(super) fn commit(before: &str, after: &str, under: Under) -> Option<bool> {
    // A colour, or a part of a longer id.
    if before.ends_with(['#', '-']) || after.starts_with('-') {
        return None;
    }
    let (before, after) = (sentence_before(before), sentence_after(after));
    let (ahead, behind) = (words(before), words(after));
    let nearest = ahead
        .iter()
        .rev()
        .filter(|word| !word.is_mark() && !word.is_name())
        .find(|word| !BETWEEN.contains(&word.text.as_ref()));
    if nearest.is_some_and(|word| is_commit_word(&word.text)) {
        return Some(true);
    }
    let all = || ahead.iter().chain(&behind);
    let other = |word: &Word<'_>| OTHERS.contains(&word.text.as_ref()) || word.text.starts_with("sha256");
    if all().any(other) {
        return None;
    }
    // Hex digits alone, or beside nothing but `hash`, may be a digest of anything.
    Some(all().any(|word| is_commit_word(&word.text)) || under.commits)
}

/// Whether a sentence speaks of commits at all: bare digits count for commits only there.
pub(super) fn speaks_of_commits(line: &str, under: Under) -> bool {
    let is = |word: &Word<'_>| is_commit_word(&word.text) || HASH.contains(&word.text.as_ref());
    under.commits || words(line).iter().any(is)
}

/// One word with the marks around it.
pub(super) struct Word<'a> {
    pub raw: &'a str,
    /// Lower case, without marks around it.
    pub text: Cow<'a, str>,
}

impl Word<'_> {
    /// Nothing but marks.
    pub fn is_mark(&self) -> bool {
        self.text.is_empty()
    }

    fn is_arrow(&self) -> bool {
        let raw = self.raw.trim_matches(['`', ')', '(', '|']);
        ["->", "→", "=>", "⇒", "➜", "➔", "-->", "⟶"].contains(&raw)
    }

    /// A name of something: in code, or with a slash or a dot in it.
    pub fn is_name(&self) -> bool {
        self.raw.contains(['`', '/']) || self.text.contains('.')
    }

    pub fn is_filler(&self) -> bool {
        self.is_mark() || self.is_name() || FILLERS.contains(&self.text.as_ref()) || is_bullet(self.raw)
    }

    pub fn is_gone(&self) -> bool {
        let text = &*self.text;
        !self.is_name() && (GONE.iter().any(|stem| text.starts_with(stem)) || GONE_WORDS.contains(&text))
    }

    pub fn is_soft(&self) -> bool {
        SOFT.contains(&self.text.as_ref())
    }

    fn is_move(&self) -> bool {
        !self.is_name() && MOVES.iter().any(|stem| self.text.starts_with(stem))
    }
}

fn is_bullet(raw: &str) -> bool {
    let digits = raw.trim_end_matches(['.', ')']);
    digits.len() < raw.len() && !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
}

fn words(text: &str) -> Vec<Word<'_>> {
    text.split_whitespace()
        .map(|raw| Word { raw, text: lower(raw.trim_matches(|c: char| !c.is_alphanumeric())) })
        .collect()
}

/// In lower case; most words are, and are not copied.
fn lower(word: &str) -> Cow<'_, str> {
    let is_lower = word.bytes().all(|b| b.is_ascii() && !b.is_ascii_uppercase());
    if is_lower { Cow::Borrowed(word) } else { Cow::Owned(word.to_lowercase()) }
}

/// From the last end of a sentence on.
fn sentence_before(text: &str) -> &str {
    let mut from = 0;
    for (at, c) in text.char_indices() {
        let end = at + c.len_utf8();
        let stops = match c {
            '.' | '!' | '?' => text[end..].starts_with(char::is_whitespace),
            ';' | '。' | '；' | '！' | '？' => true,
            _ => false,
        };
        // The number of a list item is no sentence.
        let numbers = c == '.' && text[from..at].trim().bytes().all(|b| b.is_ascii_digit());
        if stops && !numbers {
            from = end;
        }
    }
    &text[from..]
}

/// Up to the first end of a sentence.
fn sentence_after(text: &str) -> &str {
    let end = text.char_indices().find(|(at, c)| match c {
        '.' | '!' | '?' => {
            let rest = &text[at + 1..];
            rest.is_empty() || rest.starts_with(char::is_whitespace)
        }
        ';' | '。' | '；' | '！' | '？' => true,
        _ => false,
    });
    end.map_or(text, |(at, _)| &text[..at])
}
