//! What the checked-out branch follows on a remote, by this repository's own configuration and nothing else: what a
//! comparison with the remote would ask, and which programs git would run for it. Nothing is asked here.

use gix::bstr::{BStr, ByteSlice};

use super::{Head, Repo, RepoError, normalise_remote};
use crate::handoff::{BranchName, CommitId, Inert, secrets};

/// The one reference of one remote that the checked-out branch follows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Follows {
    /// The remote's name in the configuration.
    pub remote: String,
    /// The remote's reference by its full name: `refs/heads/…`.
    pub merge: String,
    /// Where HEAD is here.
    pub head: CommitId,
    /// The remote's address without credentials.
    pub address: Inert,
    /// What this repository's own configuration has git run or go by on the way: `core.sshCommand = …`.
    pub runs: Vec<Inert>,
}

/// Why there is no single reference to ask for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unfollowed {
    /// HEAD is on no branch.
    #[error("detached HEAD")]
    Detached,
    /// The branch has no commit to compare.
    #[error("no commit yet on {0}")]
    Unborn(BranchName),
    /// No upstream, or not exactly one.
    #[error("no single upstream: {0}")]
    NotSingle(String),
    /// The upstream is a branch of this very repository.
    #[error("local upstream: {0} follows a branch of this repository")]
    Local(BranchName),
    /// The upstream is no branch, or one that cannot be named safely.
    #[error("unsupported upstream ref: {0}")]
    Unsupported(String),
    /// The repository cannot be read.
    #[error(transparent)]
    Repo(#[from] RepoError),
}

/// Keys by which a configuration has git run a program when it talks to a remote, go elsewhere than the address says,
/// or read more configuration.
const RUN: [(&str, &str); 9] = [
    ("core", "sshCommand"),
    ("core", "askPass"),
    ("core", "gitProxy"),
    ("credential", "helper"),
    ("include", "path"),
    ("includeIf", "path"),
    ("http", "proxy"),
    ("protocol", "allow"),
    ("url", "insteadOf"),
];

/// The same keys of one remote.
const RUN_BY_REMOTE: [&str; 3] = ["proxy", "uploadpack", "vcs"];

impl Repo {
    /// What the checked-out branch follows on a remote.
    ///
    /// # Errors
    /// [`Unfollowed`] where it follows nothing, several, something local, or no branch.
    pub fn follows(&self) -> Result<Follows, Unfollowed> {
        let (branch, head) = match self.head()? {
            Head::Branch(branch, head) => (branch, head),
            Head::Detached(_) => return Err(Unfollowed::Detached),
            Head::Unborn(branch) => return Err(Unfollowed::Unborn(branch)),
        };
        let remote = self.one(&branch, "remote")?;
        let merge = self.one(&branch, "merge")?;
        if remote == "." {
            return Err(Unfollowed::Local(branch));
        }
        let named = merge.strip_prefix("refs/heads/").map(BranchName::parse);
        if !matches!(named, Some(Ok(_))) {
            return Err(Unfollowed::Unsupported(shown(&merge)));
        }
        let Some(address) =
            self.values("remote", Some(&remote), "url").into_iter().find(|url| !url.is_empty())
        else {
            // What stands there instead may be an address with a password in it: it is not repeated.
            return Err(Unfollowed::NotSingle(format!(
                "branch.{branch}.remote is not the name of a remote of this repository"
            )));
        };
        let address = secrets::redact(&normalise_remote(&address)).into();
        Ok(Follows { runs: self.runs(&remote), remote, merge, head, address })
    }

    /// The one value of a branch's key.
    fn one(&self, branch: &BranchName, key: &str) -> Result<String, Unfollowed> {
        let mut values = self.values("branch", Some(branch.as_str()), key);
        values.dedup();
        match values.len() {
            0 => Err(Unfollowed::NotSingle(format!("no branch.{branch}.{key} is configured"))),
            1 => Ok(values.remove(0)),
            several => Err(Unfollowed::NotSingle(format!("branch.{branch}.{key} has {several} values"))),
        }
    }

    /// Every value of a key; one that is no UTF-8 is kept lossy, and so names nothing that git would know.
    fn values(&self, section: &str, subsection: Option<&str>, key: &str) -> Vec<String> {
        let local = self.configured();
        let config = local.config_snapshot();
        let values = config.plumbing().strings_by(section, subsection.map(BStr::new), key);
        values.into_iter().flatten().map(|value| value.to_str_lossy().into_owned()).collect()
    }

    /// What git would run or read on the way to a remote because this repository's configuration says so.
    fn runs(&self, remote: &str) -> Vec<Inert> {
        let local = self.configured();
        let config = local.config_snapshot();
        let mut found = Vec::new();
        for (section, key) in RUN {
            for part in config.plumbing().sections_by_name(section).into_iter().flatten() {
                let of = part.header().subsection_name().map(|name| format!("{name}.")).unwrap_or_default();
                let values = part.values(key).into_iter().map(|value| value.to_str_lossy().into_owned());
                found.extend(values.map(|value| (format!("{section}.{of}{key}"), value)));
            }
        }
        for key in RUN_BY_REMOTE {
            let values = self.values("remote", Some(remote), key);
            found.extend(values.into_iter().map(|value| (format!("remote.{remote}.{key}"), value)));
        }
        let said = found.into_iter().filter(|(_, value)| !value.is_empty());
        said.map(|(key, value)| secrets::redact(&format!("{key} = {value}")).into()).collect()
    }
}

fn shown(text: &str) -> String {
    Inert::from(text).shown_line()
}
