//! Builds a small repository from nothing, for the demo: blobs, trees, commits, linked worktrees. Needs no git
//! on the machine and runs none.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use gix::objs::tree::{Entry, EntryKind};

use super::RepoError;
use crate::handoff::{BranchName, CommitId};

/// The files of one commit: relative path → bytes.
pub type Files = BTreeMap<String, Vec<u8>>;

/// A repository that is being laid out.
pub struct Sample {
    repo: gix::Repository,
    root: PathBuf,
}

impl Sample {
    /// Makes an empty repository in an existing directory, with a remote named `origin`.
    ///
    /// # Errors
    /// What gix or the file system said, in a sentence.
    pub fn init(root: &Path, origin: &str) -> Result<Self, RepoError> {
        let kind = gix::create::Kind::WithWorktree;
        let repo =
            gix::ThreadSafeRepository::init_opts(root, kind, <_>::default(), gix::open::Options::isolated())
                .map_err(refused("the sample repository cannot be made"))?;
        let config = root.join(".git/config");
        let mut text = fs::read_to_string(&config).map_err(refused("the sample's config cannot be read"))?;
        text.push_str(&format!(
            "[remote \"origin\"]\n\turl = {origin}\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n"
        ));
        fs::write(&config, text).map_err(refused("the sample's config cannot be written"))?;
        let root = fs::canonicalize(root).map_err(refused("the sample's directory cannot be resolved"))?;
        Ok(Self { repo: repo.to_thread_local(), root })
    }

    /// Commits exactly these files onto a branch at a time (seconds since 1970, UTC).
    ///
    /// # Errors
    /// What gix said, in a sentence.
    pub fn commit(
        &self,
        branch: &BranchName,
        parent: Option<&CommitId>,
        files: &Files,
        message: &str,
        time: i64,
    ) -> Result<CommitId, RepoError> {
        let tree = self.tree(files)?;
        let stamp = format!("{time} +0000");
        let author = gix::actor::SignatureRef {
            name: "Ada Quay".into(),
            email: "ada@example.org".into(),
            time: &stamp,
        };
        let parents = parent.map(object_id).transpose()?;
        let name = format!("refs/heads/{branch}");
        let id = self
            .repo
            .commit_as(author, author, name.as_str(), message, tree, parents)
            .map_err(refused("the sample's commit cannot be written"))?;
        CommitId::parse(&id.to_string()).map_err(refused("gix gave no full commit id"))
    }

    /// Points HEAD at a branch and writes its files and index into the root.
    ///
    /// # Errors
    /// What gix or the file system said, in a sentence.
    pub fn check_out(&self, branch: &BranchName, files: &Files) -> Result<(), RepoError> {
        let git_dir = self.root.join(".git");
        fs::write(git_dir.join("HEAD"), format!("ref: refs/heads/{branch}\n"))
            .map_err(refused("the sample's HEAD cannot be written"))?;
        write_files(&self.root, files)?;
        self.write_index(files, git_dir.join("index"))
    }

    /// Adds a linked worktree at `path` (absolute) on an existing branch, registered both ways.
    ///
    /// # Errors
    /// What gix or the file system said, in a sentence.
    pub fn add_worktree(&self, path: &Path, branch: &BranchName, files: &Files) -> Result<(), RepoError> {
        let what = "the sample's linked worktree cannot be written";
        let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        let admin = self.root.join(".git/worktrees").join(&name);
        fs::create_dir_all(&admin).map_err(refused(what))?;
        fs::create_dir_all(path).map_err(refused(what))?;
        let path = fs::canonicalize(path).map_err(refused(what))?;
        fs::write(admin.join("HEAD"), format!("ref: refs/heads/{branch}\n")).map_err(refused(what))?;
        fs::write(admin.join("commondir"), "../..\n").map_err(refused(what))?;
        fs::write(admin.join("gitdir"), format!("{}\n", path.join(".git").display()))
            .map_err(refused(what))?;
        fs::write(path.join(".git"), format!("gitdir: {}\n", admin.display())).map_err(refused(what))?;
        write_files(&path, files)?;
        self.write_index(files, admin.join("index"))
    }

    fn write_index(&self, files: &Files, path: PathBuf) -> Result<(), RepoError> {
        let what = "the sample's index cannot be written";
        let tree = self.tree(files)?;
        let mut index = self.repo.index_from_tree(&tree).map_err(refused(what))?;
        index.set_path(path);
        index.write(<_>::default()).map_err(refused(what))
    }

    /// Writes blobs and trees, and returns the root tree's id.
    fn tree(&self, files: &Files) -> Result<gix::ObjectId, RepoError> {
        let what = "the sample's tree cannot be written";
        let mut entries = Vec::new();
        let mut folders = BTreeMap::<&str, Files>::new();
        for (path, bytes) in files {
            match path.split_once('/') {
                Some((folder, rest)) => {
                    folders.entry(folder).or_default().insert(rest.to_owned(), bytes.clone());
                }
                None => {
                    let oid = self.repo.write_blob(bytes).map_err(refused(what))?.detach();
                    entries.push(Entry { mode: EntryKind::Blob.into(), filename: path.as_str().into(), oid });
                }
            }
        }
        for (folder, inside) in &folders {
            let oid = self.tree(inside)?;
            entries.push(Entry { mode: EntryKind::Tree.into(), filename: (*folder).into(), oid });
        }
        entries.sort();
        let id = self.repo.write_object(gix::objs::Tree { entries }).map_err(refused(what))?;
        Ok(id.detach())
    }
}

fn write_files(root: &Path, files: &Files) -> Result<(), RepoError> {
    for (relative, bytes) in files {
        let path = root.join(relative);
        let folder = path.parent().unwrap_or(root);
        fs::create_dir_all(folder).map_err(refused("a folder of the sample cannot be made"))?;
        fs::write(&path, bytes).map_err(refused("a file of the sample cannot be written"))?;
    }
    Ok(())
}

fn object_id(id: &CommitId) -> Result<gix::ObjectId, RepoError> {
    gix::ObjectId::from_hex(id.as_str().as_bytes()).map_err(refused("a commit id of the sample is malformed"))
}

fn refused<E: std::fmt::Display>(what: &'static str) -> impl Fn(E) -> RepoError {
    move |error| RepoError::Refused(format!("{what}: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// git itself is the judge of what was built.
    fn git(dir: &Path, args: &[&str]) -> String {
        let out = std::process::Command::new("git")
            .args(args)
            .current_dir(dir)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_SYSTEM", "/dev/null")
            .output()
            .expect("git is on the machine that runs the tests");
        assert!(out.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&out.stderr));
        String::from_utf8_lossy(&out.stdout).trim_end().to_owned()
    }

    #[test]
    fn git_takes_the_sample_for_its_own() {
        let dir = tempfile::tempdir().unwrap();
        let sample = Sample::init(dir.path(), "https://example.org/acme/api.git").unwrap();
        let main = BranchName::parse("main").unwrap();
        let lane = BranchName::parse("tk/L1").unwrap();
        let files = Files::from([("a/b.txt".into(), b"one\n".to_vec()), ("a.txt".into(), b"two\n".to_vec())]);
        let first = sample.commit(&main, None, &files, "First", 1_790_000_000).unwrap();
        sample.check_out(&main, &files).unwrap();
        let second = sample.commit(&lane, None, &files, "Lane", 1_790_000_100).unwrap();
        let worktree = dir.path().join("wt/L1");
        sample.add_worktree(&worktree, &lane, &files).unwrap();

        assert_eq!(
            git(dir.path(), &["rev-parse", "HEAD"]),
            first.as_str(),
            "HEAD is the commit that was made"
        );
        assert_eq!(git(dir.path(), &["status", "--porcelain"]), "?? wt/", "files and index agree with it");
        assert_eq!(
            git(&worktree, &["rev-parse", "HEAD"]),
            second.as_str(),
            "the linked worktree has its own"
        );
        assert_eq!(git(&worktree, &["status", "--porcelain"]), "", "and is clean");
        assert_eq!(git(dir.path(), &["worktree", "list"]).lines().count(), 2, "git lists both worktrees");
        assert_eq!(git(dir.path(), &["fsck", "--strict"]), "", "every object is sound");
    }
}
