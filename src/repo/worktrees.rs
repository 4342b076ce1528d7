//! The worktrees that share one repository.

use std::path::{Path, PathBuf};

use super::layout::{read_path, same_file};
use super::{Repo, RepoError, Worktree};

impl Repo {
    /// All registered worktrees, the main one first.
    ///
    /// # Errors
    /// [`RepoError::Refused`] where the list itself cannot be read; what is wrong with one worktree stands in its
    /// `head`.
    pub fn worktrees(&self) -> Result<Vec<Worktree>, RepoError> {
        let main = self.main_root();
        let mut worktrees = vec![self.registered(main, true)];
        let local = self.local()?;
        let proxies = local.worktrees().map_err(|error| self.refused("the list of worktrees", &error))?;
        let mut linked: Vec<Worktree> = Vec::new();
        for proxy in proxies {
            let Some(dot_git) = read_path(&proxy.git_dir().join("gitdir"))? else { continue };
            let dir = dot_git.parent().unwrap_or(&dot_git).to_owned();
            linked.push(self.registered(dir, false));
        }
        linked.sort_by(|a, b| a.path.cmp(&b.path));
        worktrees.append(&mut linked);
        Ok(worktrees)
    }

    /// Opens `dir` as the root or a linked worktree of this same repository, registered both ways.
    ///
    /// # Errors
    /// Those of [`Repo::open`], and [`RepoError::Refused`] where it is a worktree of another repository.
    pub fn linked(&self, dir: &Path) -> Result<Self, RepoError> {
        let other = Self::open(dir)?;
        if same_file(other.common_dir(), self.common_dir()) {
            Ok(other)
        } else {
            Err(RepoError::refused(format!(
                "{} is a worktree of another repository ({}), not of {}",
                other.root().display(),
                other.common_dir().display(),
                self.common_dir().display()
            )))
        }
    }

    /// The main worktree's root. Where nothing leads back to it (a bare repository, a git directory kept
    /// elsewhere) the common directory stands for it, as in `git worktree list`.
    pub(super) fn main_root(&self) -> PathBuf {
        if !self.is_linked() {
            return self.root().to_owned();
        }
        let common = self.common_dir();
        let named = self.configured().config_snapshot().string("core.worktree");
        let dir = match (named, common.parent()) {
            (Some(named), _) => common.join(named.to_string()),
            (None, Some(parent)) if common.ends_with(".git") => parent.to_owned(),
            _ => common.to_owned(),
        };
        dir.canonicalize().unwrap_or(dir)
    }

    fn registered(&self, dir: PathBuf, main: bool) -> Worktree {
        let head = if main && !self.is_linked() {
            self.head()
        } else {
            self.linked(&dir).and_then(|worktree| worktree.head())
        };
        Worktree { path: dir.canonicalize().unwrap_or(dir), main, head }
    }
}
