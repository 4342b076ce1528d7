//! Opens every door of a repository, one after the other.

use std::path::{Path, PathBuf};

use moorline::handoff::{BranchName, CommitId, Inert, Revision};
use moorline::repo::{Repo, RepoError, Status};

/// Everything a repository can be asked, asked; gives what status said, or why the directory did not open.
pub fn open_all(dir: &Path) -> Result<Result<Status, RepoError>, RepoError> {
    let _ = Repo::containing(&dir.join("sub/dir"));
    let _ = Repo::containing(dir);
    let repo = Repo::open(dir)?;
    let _ = (repo.root(), repo.common_dir(), repo.is_linked(), repo.foreign_owner());
    let _ = (repo.identity(), repo.worktrees(), repo.upstream());
    let _ = repo.linked(dir);
    let log = repo.log(50).unwrap_or_default();
    for commit in &log {
        let _ = repo.relation(&Revision::from(commit.id.clone()), 10);
        let abbreviated = Revision::parse(&commit.id.as_str()[..12]);
        let _ = abbreviated.map(|id| repo.relation(&id, 10));
    }
    let nobody = CommitId::parse(&"e".repeat(40)).expect("forty digits are an id");
    let _ = repo.relation(&Revision::from(nobody), 10);
    for name in ["main", "gone"] {
        let name = BranchName::parse(name).expect("a plain name is a branch");
        let _ = (repo.branch(&name), repo.has_tag(&name));
    }
    let _ = repo.fates(&["a.txt", "gone.txt", "sub", "old.txt"].map(Inert::from), 100);
    let _ = repo.last_changes(&["a.txt", "b.txt"].map(PathBuf::from), 100);
    let _ = repo.head();
    Ok(repo.status())
}
