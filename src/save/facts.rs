//! Facts of the project at the moment of a save, each with where it was read. What cannot be told is said.

use std::path::Path;

use serde::Serialize;

use crate::check::Examiner;
use crate::check::own::OwnFiles;
use crate::handoff::{Inert, count_of};
use crate::place::Conventions;
use crate::repo::{Commit, Head, Identity, Repo, RepoError, StatusEntry};

/// One captured value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Captured {
    /// What it is: `branch`.
    #[serde(skip)]
    pub name: String,
    /// The value; `None` where it is not known.
    pub value: Option<Inert>,
    /// Where it was read, or why it is not known.
    pub source: Inert,
}

impl Captured {
    /// A value that is known.
    pub(super) fn known(name: &str, value: impl Into<Inert>, source: impl Into<Inert>) -> Self {
        Self { name: name.to_owned(), value: Some(value.into()), source: source.into() }
    }

    /// A value that is not known, and why.
    pub(super) fn unknown(name: &str, why: impl Into<Inert>) -> Self {
        Self { name: name.to_owned(), value: None, source: why.into() }
    }
}

/// What the repository says now.
#[derive(Debug)]
pub struct Facts {
    /// The repository, or why there is none to ask.
    pub repo: Result<Repo, RepoError>,
    /// Which one it is.
    pub identity: Option<Identity>,
    /// Its HEAD.
    pub head: Option<Head>,
    /// The last three commits.
    pub commits: Vec<Commit>,
    /// What differs from HEAD, handoffs' own files left out; `None` where that cannot be told.
    pub changes: Option<Vec<StatusEntry>>,
    /// Everything above with its source.
    pub captured: Vec<Captured>,
}

impl Facts {
    /// Reads them for the project of an examiner.
    pub fn of(examiner: &Examiner) -> Self {
        let project = examiner.project();
        let repo = Repo::containing(project);
        let mut captured = Vec::new();
        let mut told = |name: &str, source: &str, answer: Result<String, RepoError>| {
            captured.push(match answer {
                Ok(value) => Captured::known(name, value, source),
                Err(why) => Captured::unknown(name, why.to_string()),
            });
        };
        let ask = || repo.as_ref().map_err(Clone::clone);
        let identity = ask().and_then(Repo::identity);
        let is_remote = identity.as_ref().is_ok_and(|identity| identity.from_remote);
        let source = if is_remote { "its remote" } else { "the directory's name: there is no remote" };
        told("repository", source, identity.clone().map(|identity| identity.text));
        let head = ask().and_then(Repo::head);
        told("branch", "HEAD", head.clone().map(|head| branch_words(&head)));
        told(
            "head",
            "HEAD",
            head.clone().map(|head| head.commit().map_or("none yet".into(), ToString::to_string)),
        );
        let commits = ask().and_then(|repo| repo.log(3));
        let words =
            |commits: Vec<_>| if commits.is_empty() { "none yet".into() } else { commit_words(&commits) };
        told("commits", "the history of HEAD", commits.clone().map(words));
        let changes = ask().and_then(|repo| changes(examiner, repo, project));
        let words = |entries: &Vec<StatusEntry>| format!("{} changed", entries.len());
        told("status", "worktree against index and HEAD", changes.as_ref().map(words).map_err(Clone::clone));
        Self {
            repo,
            identity: identity.ok(),
            head: head.ok(),
            commits: commits.unwrap_or_default(),
            changes: changes.ok(),
            captured,
        }
    }
}

fn branch_words(head: &Head) -> String {
    head.branch().map_or("detached".into(), ToString::to_string)
}

fn commit_words(commits: &[Commit]) -> String {
    commits.iter().map(|commit| commit.id.short()).collect::<Vec<_>>().join(", ")
}

/// Changed files; where a filter kept some from being compared, their number is not known.
fn changes(examiner: &Examiner, repo: &Repo, project: &Path) -> Result<Vec<StatusEntry>, RepoError> {
    let status = repo.status()?;
    if !status.not_compared.is_empty() {
        let files = count_of(status.not_compared.len(), "changed file is", "changed files are");
        return Err(RepoError::Refused(format!("{files} not compared: a filter is set")));
    }
    let conventions = std::sync::Arc::new(Conventions::with(&examiner.settings().places));
    let own = OwnFiles::new(conventions, repo.root(), project);
    Ok(status.entries.into_iter().filter(|entry| !own.holds(entry.path.raw())).collect())
}
