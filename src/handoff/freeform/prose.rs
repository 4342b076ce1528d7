//! Branches and commits that are named in a sentence: ``work is on branch `x` at commit `y` ``.
//!
//! Only names in code, with the word beside them, where the file begins or says where things stand; and only
//! when all such sentences name the same one.

use crate::handoff::facts::{branch_name, code_span, goes_to_another, revision};
use crate::handoff::fold::fold;
use crate::handoff::ident::{BranchName, Revision};
use crate::handoff::labels::{self, Label};
use crate::handoff::pairs::Pair;

/// What one line names.
#[derive(Debug, Default)]
pub(super) struct Named {
    /// Branches, each with the word beside it.
    pub branches: Vec<BranchName>,
    /// Commits, each with the word beside it.
    pub commits: Vec<Revision>,
}

/// How much of a line is looked at, in bytes.
const LONGEST: usize = 1000;

/// Looks for names in one line of prose.
pub(super) fn named(line: &str) -> Named {
    let mut out = Named::default();
    if line.len() > LONGEST || !line.contains('`') {
        return out;
    }
    let parts: Vec<&str> = line.split('`').collect();
    // Without its closing mark the last piece is no code.
    for i in (1..parts.len().saturating_sub(1)).step_by(2) {
        let (before, code, after) = (parts[i - 1], parts[i].trim(), parts[i + 1]);
        let is_other = || {
            let sentence = &line[..offset(line, parts[i])];
            labels::names_another(before) || labels::is_to_come(last_sentence(sentence))
        };
        // ``on `main` @ `574a4ee` ``.
        if after.trim() == "@"
            && let Some(commit) = parts.get(i + 2).and_then(|code| revision(code.trim()))
            && !is_other()
            && !code.contains('*')
        {
            out.branches.extend(branch_name(code));
            out.commits.push(commit);
            continue;
        }
        match label_before(before).or_else(|| label_behind(before, after)) {
            Some(Label::Branch)
                if !code.contains('*')
                    && !is_other()
                    && !is_left(after)
                    && !goes_to_another(&line[offset(line, after)..]) =>
            {
                out.branches.extend(branch_name(code))
            }
            Some(Label::Commit) if !is_other() => out.commits.extend(revision(code)),
            _ => {}
        }
    }
    out
}

/// Whether a label without a colon begins a sentence about another branch or commit: ``Branch `x` was merged``,
/// ``Commit `x` mends it``.
pub(super) fn tells_of_another(pair: &Pair) -> bool {
    let Some((_, rest)) = code_span(&pair.value) else { return false };
    let rest = rest.trim_start();
    match pair.known.label {
        Label::Branch => is_left(rest),
        Label::Commit => {
            is_left(rest) || !says_which(&fold(&pair.name)) && rest.starts_with(|c: char| c.is_alphanumeric())
        }
        _ => false,
    }
}

/// Whether a value says that the branch is no more: `feat/x (deleted after the merge)`.
pub(super) fn says_gone(value: &str) -> bool {
    let Some((_, remark)) = value.split_once(['(', '（']) else { return false };
    let key = fold(remark);
    key.split(' ').take(3).any(|word| labels::GONE.contains(&word))
        || labels::GONE.iter().any(|word| !word.is_ascii() && key.contains(word))
}

/// Whether the folded name of a commit says which one it is: more than `commit`.
fn says_which(name: &str) -> bool {
    name.contains(' ') || TIPS.contains(&name)
}

/// Where a part of a line begins in it.
fn offset(line: &str, part: &str) -> usize {
    part.as_ptr().addr().saturating_sub(line.as_ptr().addr()).min(line.len())
}

fn last_sentence(text: &str) -> &str {
    text.rsplit(['.', ';', '。', '；', '!', '?']).next().unwrap_or(text)
}

/// The label that the text ends with: ``current branch `x` ``, ``ветка — `x` ``, ``分支 `x` ``. A commit without a
/// word for which one it is is any commit.
fn label_before(text: &str) -> Option<Label> {
    let tail = last_sentence(text)
        .trim_end()
        .trim_end_matches(['*', '_', '(', '（', '—', '–', '-', '：', ':', ' ', '"', '“']);
    let words: Vec<&str> = tail.split_whitespace().collect();
    let by_words = |words: &[&str]| {
        (1..=words.len().min(4)).rev().find_map(|n| {
            let name = words[words.len() - n..].join(" ");
            let label = labels::of_label(&name)?.label;
            let tells = label != Label::Commit || n > 1 || says_which(&fold(&name));
            tells.then_some(label)
        })
    };
    let links = words.iter().rev().take_while(|word| LINKS.contains(&word.to_lowercase().as_str())).count();
    let found = by_words(&words).or_else(|| by_words(&words[..words.len() - links]));
    found.or_else(|| {
        let key = fold(tail);
        let ends = |names: &[&str]| names.iter().any(|name| key.ends_with(name));
        let latest = |names: &[&str]| {
            let rest = names.iter().find_map(|name| key.strip_suffix(name));
            rest.is_some_and(|rest| LATEST.iter().any(|word| rest.trim_end().ends_with(word)))
        };
        if ends(&["分支", "ブランチ", "ブランチは", "브랜치", "브랜치는"]) {
            Some(Label::Branch)
        } else if latest(&["提交", "コミット", "コミットは", "커밋", "커밋은"]) {
            Some(Label::Commit)
        } else {
            None
        }
    })
}

/// Words that stand between a label and its value in a sentence.
const LINKS: &[&str] = &["is", "ist", "es", "é", "est", "named", "called", "now", "at", "still"];

/// Names of the one commit that a branch is at.
const TIPS: &[&str] = &["head", "tip", "вершина", "голова", "헤드"];

/// Words that make a commit the one that is the state, in scripts without blanks.
const LATEST: &[&str] = &[
    "最新",
    "当前",
    "當前",
    "目前",
    "最后",
    "最後",
    "最近",
    "現在の",
    "最終",
    "最新の",
    "最後の",
    "直近の",
    "直近",
    "최신",
    "최근",
    "마지막",
    "현재",
    "최종",
];

/// Whether the words behind a branch say that work on it is over.
fn is_left(after: &str) -> bool {
    let clause = after.split(['.', ';', '。', '；']).next().unwrap_or_default();
    let key = fold(clause);
    key.split(' ').take(6).any(|word| labels::LEFT.contains(&word))
        || labels::LEFT.iter().any(|word| !word.is_ascii() && key.contains(word))
}

/// The label that the text begins with: ``on the `x` branch``, `` `x` ブランチで ``. Only where one is, not where one
/// pushes to.
fn label_behind(before: &str, after: &str) -> Option<Label> {
    let key = fold(&after.chars().take(16).collect::<String>());
    let stays = |name: &str, on: &[&str]| {
        key.strip_prefix(name)
            .is_some_and(|rest| rest.is_empty() || on.iter().any(|word| rest.starts_with(word)))
    };
    if after.starts_with(['.', ',', ';', '。', '，', '、', ')']) {
        return None;
    }
    let is_here = || {
        let key = fold(before);
        let word = key.rsplit(' ').find(|word| !matches!(*word, "the" | "a" | "our" | "my" | "same"));
        word.is_some_and(|word| matches!(word, "on" | "in" | "is" | "current" | "using" | "this"))
    };
    let there = stays("branch", &[" "]) && is_here()
        || stays("分支", &["上", "进行", "開發", "开发", " "])
        || stays("ブランチ", &["で", "上", "にい", " "])
        || stays("브랜치", &["에서", "입니다", "이다", " "]);
    there.then_some(Label::Branch)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_names_a_branch_with_the_word_beside_it() {
        for (line, branch) in [
            ("All work is on branch `feat/x`, pushed.", Some("feat/x")),
            ("Ветка — `scan/x`, всё отправлено", Some("scan/x")),
            ("目前在分支 `a/b` 上", Some("a/b")),
            ("`a/b` ブランチで作業中", Some("a/b")),
            ("We stay on the `a/b` branch.", Some("a/b")),
            ("Merged branch `old` into main", None),
            ("rebase onto branch `main` later", None),
            ("Run `cargo test`, branch out", None),
            ("You are on `feat/x` @ `574a4ee`, clean.", Some("feat/x")),
            ("We renamed the branch: `a/b` → `a/c`.", None),
            ("Rebased from `main` @ `574a4ee`.", None),
            ("the branch and `x`", None),
            ("Branch `x` was merged and deleted.", None),
            ("Branch `x` is gone", None),
            ("Branch `x` is pushed. The old one was deleted.", Some("x")),
            ("We will work on branch `x` next week.", None),
            ("If it fails, create branch `x`.", None),
            ("Implemented inside `poll`'s `Succeeded` branch.", None),
            ("Prune the local branch `agent-*`.", None),
            ("Push it to the `main` branch.", None),
            ("`main` ブランチへ push する", None),
            ("`x` 브랜치에 올린다", None),
            ("`x` 브랜치에서 작업 중", Some("x")),
        ] {
            assert_eq!(named(line).branches.first().map(BranchName::as_str), branch, "{line:?}");
        }
        for line in [
            "HEAD is `574a4ee`",
            "HEAD is now at `574a4ee`",
            "The tree stands at commit `574a4ee`",
            "当前提交 `574a4ee`",
        ] {
            assert_eq!(named(line).commits.len(), 1, "a commit likewise: {line:?}");
        }
        for line in [
            "reverted commit `574a4ee`",
            "mended (commit `574a4ee`)",
            "Fix landed, commit `574a4ee`",
            "提交 `574a4ee`",
        ] {
            assert_eq!(named(line).commits.len(), 0, "but not any commit: {line:?}");
        }
    }
}
