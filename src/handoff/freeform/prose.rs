//! Branches and commits that are named in a sentence: ``work is on branch `x` at commit `y` ``.
//!
//! Only names in code, with the word beside them, where the file begins or says where things stand; and only
//! when all such sentences name the same one.

use crate::handoff::facts::{branch_name, revision};
use crate::handoff::fold::fold;
use crate::handoff::ident::{BranchName, Revision};
use crate::handoff::labels::{self, Label};

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
    if line.len() > LONGEST {
        return out;
    }
    let parts: Vec<&str> = line.split('`').collect();
    // Without its closing mark the last piece is no code.
    for i in (1..parts.len().saturating_sub(1)).step_by(2) {
        let (before, code, after) = (parts[i - 1], parts[i].trim(), parts[i + 1]);
        let word = label_before(before).or_else(|| label_behind(after));
        match word {
            Some(Label::Branch) if !labels::names_another(before) && !is_left(after) => {
                out.branches.extend(branch_name(code))
            }
            Some(Label::Commit) if !labels::names_another(before) => out.commits.extend(revision(code)),
            _ => {}
        }
    }
    out
}

/// The label that the text ends with: ``current branch `x` ``, ``ветка — `x` ``, ``分支 `x` ``.
fn label_before(text: &str) -> Option<Label> {
    let tail = text
        .rsplit(['.', ';', '。', '；'])
        .next()?
        .trim_end()
        .trim_end_matches(['*', '_', '(', '（', '—', '–', '-', '：', ':', ' ', '"', '“']);
    let words: Vec<&str> = tail.split_whitespace().collect();
    let words = match words.as_slice() {
        [rest @ .., "is" | "ist" | "es" | "é" | "named" | "called"] => rest,
        words => words,
    };
    let by_words =
        (1..=words.len().min(4)).rev().find_map(|n| labels::of_label(&words[words.len() - n..].join(" ")));
    if let Some(known) = by_words {
        return Some(known.label);
    }
    let key = fold(tail);
    let ends = |names: &[&str]| names.iter().any(|name| key.ends_with(name));
    if ends(&["分支", "ブランチ", "ブランチは", "브랜치", "브랜치는"]) {
        Some(Label::Branch)
    } else if ends(&["提交", "コミット", "コミットは", "커밋", "커밋은"]) {
        Some(Label::Commit)
    } else {
        None
    }
}

/// Whether the words behind a branch say that work on it is over.
fn is_left(after: &str) -> bool {
    let clause = after.split(['.', ';', '。', '；']).next().unwrap_or_default();
    fold(clause).split(' ').take(6).any(|word| labels::LEFT.contains(&word))
}

/// The label that the text begins with: `` `x` branch ``, `` `x` ブランチで ``.
fn label_behind(text: &str) -> Option<Label> {
    let key = fold(&text.chars().take(16).collect::<String>());
    let begins = |names: &[&str]| names.iter().any(|name| key.starts_with(name));
    if text.starts_with(['.', ',', ';', '。', '，', '、', ')']) {
        None
    } else if begins(&["branch", "分支", "ブランチ", "브랜치"]) {
        Some(Label::Branch)
    } else {
        None
    }
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
            ("the branch and `x`", None),
            ("Branch `x` was merged and deleted.", None),
            ("Branch `x` is gone", None),
            ("Branch `x` is pushed. The old one was deleted.", Some("x")),
        ] {
            assert_eq!(named(line).branches.first().map(BranchName::as_str), branch, "{line:?}");
        }
        assert_eq!(named("HEAD is `574a4ee`").commits.len(), 1, "a commit likewise");
        assert_eq!(named("reverted commit `574a4ee`").commits.len(), 0, "but not one that is gone");
    }
}
