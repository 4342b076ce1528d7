//! What happened since a handoff was saved, and the worktree's state in memtomem's spelling. Pure.

use std::collections::BTreeMap;

use super::evidence::{After, Dirt, Evidence, Fact, Seen};
use super::report::Drift;
use crate::handoff::{Inert, count_of};
use crate::repo::{AsNow, Files, Holder, Relation, Status, StatusEntry};

/// How many subjects and files a drift names at most; the counts are always whole.
pub const NAMED: usize = 50;

/// What is said of commits that make no handoff old.
pub const ONLY_OWN: &str = "HEAD went on only by commits of handoffs' own files";

/// How many changed files a check names.
const NAMED_DIRTY: usize = 5;

/// Puts what happened since into one shape; `notes` is what else was found and is worth a line.
pub fn drift(evidence: &Evidence, dirt: &Seen<Dirt>, notes: Vec<Inert>) -> Drift {
    let mut drift = Drift { notes, ..Drift::default() };
    match &evidence.since {
        Some(Seen { fact: Fact::Known(since), .. }) => match &since.relation {
            Relation::Same => {
                drift.commits = Some(0);
                drift.file_count = Some(0);
                drift.diverged = Some(false);
            }
            Relation::Ahead { commits, count, files } => {
                drift.commits = Some(*count);
                drift.diverged = Some(false);
                drift.subjects = commits
                    .iter()
                    .take(NAMED)
                    .map(|commit| format!("{} {}", commit.id.short(), commit.subject.raw()).into())
                    .collect();
                drift.file_count = Some(files.len());
                drift.files = files.iter().take(NAMED).collect();
                if since.only_own {
                    drift.notes.push(ONLY_OWN.into());
                }
            }
            Relation::Diverged { ahead: 0, behind, .. } => {
                drift.commits = Some(0);
                drift.diverged = Some(true);
                let commits = count_of(*behind, "commit", "commits");
                drift.notes.push(format!("HEAD is {commits} before the recorded one").into());
            }
            Relation::Diverged { ahead, holder, as_now, .. } => {
                drift.commits = Some(*ahead);
                drift.diverged = Some(true);
                let beside = beside(holder, as_now.as_ref());
                drift.notes.push(format!("the recorded commit is not in HEAD's history: {beside}").into());
            }
            Relation::Missing => drift.notes.push("the recorded commit is not in this repository".into()),
            Relation::NotACommit => {
                drift.notes.push("the recorded id names something that is no commit".into())
            }
            Relation::Ambiguous => drift.notes.push("the recorded abbreviation fits several objects".into()),
        },
        Some(Seen { fact: Fact::Absent(why) | Fact::Unknown(why), .. }) => {
            drift.notes.push(format!("commits not compared: {why}").into());
        }
        None => {
            if let Some(After { commits, files, only_own, that_day }) = &evidence.after {
                drift.notes.extend(same_day(that_day));
                drift.commits = Some(commits.len());
                drift.subjects = commits.iter().take(NAMED).cloned().collect();
                drift.file_count = files.as_ref().map(Files::len);
                drift.files = files.iter().flat_map(Files::iter).take(NAMED).collect();
                if *only_own {
                    drift.notes.push(ONLY_OWN.into());
                }
            }
        }
    }
    match &dirt.fact {
        Fact::Known(dirt) => {
            drift.dirty = Some(dirt.foreign);
            drift.not_compared = dirt.not_compared.clone();
        }
        Fact::Absent(why) | Fact::Unknown(why) => {
            drift.notes.push(format!("changed files not compared: {why}").into());
        }
    }
    drift
}

/// What is known of a commit that HEAD has not.
pub fn beside(holder: &Holder, as_now: Option<&AsNow>) -> String {
    let held = match holder {
        Holder::Reference(name) => format!("{} has it", name.shown_line()),
        Holder::Nobody => "unreachable, no branch or tag has it".to_owned(),
        Holder::Untold => "rewritten, or HEAD went elsewhere".to_owned(),
    };
    match as_now {
        Some(as_now) => format!("{}; {held}", again(as_now)),
        None => held,
    }
}

/// How what a commit changed is in HEAD's history without it.
pub(super) fn again(as_now: &AsNow) -> String {
    match as_now {
        AsNow::Rewritten(commit) => format!("rewritten as {}", commit.id.short()),
        AsNow::TakenIn(commit) => {
            format!("all that it changed is in HEAD's history since {}", commit.id.short())
        }
    }
}

/// What is said of commits that may be older than the handoff: it records a day and no time.
fn same_day(commits: &[Inert]) -> Option<Inert> {
    let first = commits.first()?;
    let count = count_of(commits.len(), "commit", "commits");
    let newest = first.shown_line();
    Some(format!("{count} on that day or since (no time is recorded), the newest: {newest}").into())
}

/// Counts what is dirty; handoffs' own files are counted apart, because a handoff must not be called stale for
/// having been written.
pub fn dirt(status: &Status, is_own: impl Fn(&str) -> bool) -> Dirt {
    let foreign: Vec<_> = status.entries.iter().filter(|entry| !is_own(entry.path.raw())).cloned().collect();
    Dirt {
        foreign: foreign.len(),
        files: foreign.iter().take(NAMED_DIRTY).map(|entry| entry.path.clone()).collect(),
        all: status.entries.len(),
        spellings: [memtomem_state(&status.entries), memtomem_state(&foreign)],
        not_compared: status.not_compared.clone(),
    }
}

/// The longest worktree state that memtomem writes, in characters.
const STATE_CAP: usize = 80;

/// The worktree's state as memtomem spells it: `clean`, or `3 dirty:  M=2 ??=1; first=src/lib.rs`, where the
/// entries come sorted bytewise by their porcelain line and the first path is left out where it does not fit.
pub fn memtomem_state(entries: &[StatusEntry]) -> String {
    let Some(first) = entries.first() else { return "clean".to_owned() };
    let mut counts = BTreeMap::<String, usize>::new();
    for entry in entries {
        *counts.entry(entry.xy.iter().collect()).or_default() += 1;
    }
    let counts: Vec<_> = counts.iter().map(|(code, count)| format!("{code}={count}")).collect();
    let state = format!("{} dirty: {}", entries.len(), counts.join(" "));
    let with_first = format!("{state}; first={}", first.path.raw());
    if with_first.chars().count() <= STATE_CAP { with_first } else { state }
}

/// Whether two states name the same files when blanks in the status codes are ignored.
pub fn same_state(recorded: &str, now: &str) -> bool {
    let (a, b) = (words_of(recorded), words_of(now));
    a.is_some() && a == b
}

/// Number, sorted trimmed codes with their counts, and the first path, of a dirty state.
fn words_of(state: &str) -> Option<(&str, Vec<String>, Option<&str>)> {
    let (total, rest) = state.split_once(" dirty:")?;
    let (codes, first) = match rest.split_once("; first=") {
        Some((codes, first)) => (codes, Some(first)),
        None => (rest, None),
    };
    let mut codes: Vec<_> = codes.replace(" =", "=").split_whitespace().map(str::to_owned).collect();
    codes.sort();
    Some((total.trim(), codes, first))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(xy: &str, path: &str) -> StatusEntry {
        let mut chars = xy.chars();
        let mut next = || chars.next().expect("two letters");
        StatusEntry { xy: [next(), next()], path: path.into(), from: None }
    }

    #[test]
    fn a_state_is_spelt_as_memtomem_spells_it() {
        assert_eq!(memtomem_state(&[]), "clean", "nothing dirty is one word");
        let entries = [entry(" M", "src/a.rs"), entry(" M", "src/b.rs"), entry("??", "notes.txt")];
        assert_eq!(
            memtomem_state(&entries),
            "3 dirty:  M=2 ??=1; first=src/a.rs",
            "codes keep both letters and are sorted bytewise"
        );
        let long = "d/".repeat(40) + "x";
        assert_eq!(
            memtomem_state(&[entry(" M", &long)]),
            "1 dirty:  M=1",
            "a path that does not fit is never cut"
        );
    }

    #[test]
    fn trimmed_codes_are_the_same_files_in_another_spelling() {
        let now = "3 dirty:  M=2 ??=1; first=src/a.rs";
        assert!(same_state("3 dirty: ??=1 M=2; first=src/a.rs", now), "trimmed and sorted after trimming");
        assert!(same_state("1 dirty: M=1", "1 dirty: M =1"), "a staged change trims to the same letter");
        assert!(!same_state("3 dirty: M=2 ??=1; first=src/b.rs", now), "another first path is another state");
        assert!(!same_state("2 dirty: M=1 ??=1; first=src/a.rs", now), "other counts are another state");
        assert!(!same_state("clean", "clean today"), "only dirty states have another spelling");
    }
}
