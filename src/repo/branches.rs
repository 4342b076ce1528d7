//! What became of a branch or tag, and how far HEAD is from its upstream: by local references only.

use gix::bstr::ByteSlice;

use super::chronicle::Read;
use super::{BranchState, Head, Repo, RepoError, Upstream, beforehand};
use crate::handoff::{BranchName, Inert};

/// How many commits of HEAD's history are looked through for a merge of a branch that is gone.
const MERGES_SEARCHED: usize = 10_000;

impl Repo {
    /// What became of a branch.
    ///
    /// # Errors
    /// [`RepoError::Refused`] where the references or the history cannot be read.
    pub fn branch(&self, name: &BranchName) -> Result<BranchState, RepoError> {
        let local = self.local()?;
        self.branch_by(&local, &self.head_by(&local)?, name)
    }

    /// The same at a HEAD that was read.
    pub(super) fn branch_by(
        &self,
        local: &gix::Repository,
        head: &Head,
        name: &BranchName,
    ) -> Result<BranchState, RepoError> {
        if let Some((_, id)) = self.find_ref(local, &format!("refs/heads/{name}"))? {
            return Ok(BranchState::Local(self.commit_id(&id)?));
        }
        let remotes = self.remotes_with(local, name)?;
        if !remotes.is_empty() {
            return Ok(BranchState::RemoteOnly(remotes));
        }
        let merged_into = self.merged_into(head, name)?;
        match merged_into.is_none().then(|| self.unfetched(local, name)).transpose()?.flatten() {
            Some(why) => Err(RepoError::refused(format!("{name} is not here, and {why}"))),
            None => Ok(BranchState::Gone { merged_into }),
        }
    }

    /// Why a branch that is not here may still be at a remote: one was only cloned in part.
    fn unfetched(&self, local: &gix::Repository, name: &BranchName) -> Result<Option<String>, RepoError> {
        let full = format!("refs/heads/{name}");
        let config = local.config_snapshot();
        for section in config.plumbing().sections_by_name("remote").into_iter().flatten() {
            let specs = section.values("fetch");
            let is_tracked = specs.iter().any(|spec| tracked_as(&spec.to_str_lossy(), &full).is_some());
            if let Some(remote) =
                section.header().subsection_name().filter(|_| !is_tracked && !specs.is_empty())
            {
                return Ok(Some(format!("{remote} is set to fetch other branches only")));
            }
        }
        let is_cut = self.is_cut(local)?;
        Ok(is_cut.then(|| "the history here is cut (a shallow clone)".to_owned()))
    }

    /// Whether a tag of that name is here.
    ///
    /// # Errors
    /// [`RepoError::Refused`] where the reference cannot be read.
    pub fn has_tag(&self, name: &BranchName) -> Result<bool, RepoError> {
        Ok(self.find_ref(&self.local()?, &format!("refs/tags/{name}"))?.is_some())
    }

    /// How far HEAD is from its upstream; `None` where none is configured.
    ///
    /// # Errors
    /// [`RepoError::Refused`] where one is configured but not here to compare with.
    pub fn upstream(&self) -> Result<Option<Upstream>, RepoError> {
        let local = self.local()?;
        let head = self.head()?;
        let Some(branch) = head.branch() else { return Ok(None) };
        let config = local.config_snapshot();
        let value = |key: &str| {
            let values = config.plumbing().strings_by("branch", Some(branch.as_str().into()), key);
            values.and_then(|values| values.into_iter().next_back()).map(|value| value.to_string())
        };
        let (Some(remote), Some(merge)) = (value("remote"), value("merge")) else { return Ok(None) };
        let tracking = if remote == "." {
            Some(merge.clone())
        } else {
            let refspecs = config.plumbing().strings_by("remote", Some(remote.as_str().into()), "fetch");
            refspecs.into_iter().flatten().find_map(|spec| tracked_as(&spec.to_string(), &merge))
        };
        let found = match &tracking {
            Some(name) => self.find_ref(&local, name)?,
            None => None,
        };
        let (Some((_, there)), Some(tracking)) = (found, tracking) else {
            return Err(RepoError::refused(format!(
                "the upstream of {branch} ({} of {}) is configured but not here: it was never fetched, or is gone",
                merge, remote
            )));
        };
        let short = tracking.strip_prefix("refs/remotes/").or_else(|| tracking.strip_prefix("refs/heads/"));
        let name = Inert::new(short.unwrap_or(&tracking));
        let Some(here) = self.head_id(&local)? else {
            return Err(RepoError::refused(format!(
                "{branch} has no commit yet to compare with {}",
                name.raw()
            )));
        };
        Ok(Some(Upstream {
            name,
            ahead: self.count(&local, here, there)?,
            behind: self.count(&local, there, here)?,
        }))
    }

    /// The remotes' branches of this name, `origin/name`.
    fn remotes_with(&self, local: &gix::Repository, name: &BranchName) -> Result<Vec<Inert>, RepoError> {
        beforehand::references_below(self.layout(), "refs/remotes")?;
        let unreadable = |error| self.refused("the remotes' branches", &error);
        let platform = local.references().map_err(unreadable)?;
        let mut found = Vec::new();
        for reference in platform.prefixed("refs/remotes/").map_err(unreadable)? {
            let reference = reference.map_err(unreadable)?;
            let full = reference.name().as_bstr().to_str_lossy();
            let short = full.strip_prefix("refs/remotes/").unwrap_or(&full);
            let remote = short.strip_suffix(name.as_str()).and_then(|rest| rest.strip_suffix('/'));
            let configured = |remote: &str| {
                local.config_snapshot().plumbing().strings_by("remote", Some(remote.into()), "url").is_some()
            };
            // `origin/a/b` is branch `a/b` of origin; it is branch `b` only of a remote really named `origin/a`.
            if remote.is_some_and(|remote| !remote.contains('/') || configured(remote)) {
                found.push(Inert::new(short));
            }
        }
        Ok(found)
    }

    /// Where HEAD's merge commits say that the branch went; a merge without a named target went where HEAD is.
    fn merged_into(&self, head: &Head, name: &BranchName) -> Result<Option<BranchName>, RepoError> {
        let Some(tip) = head.commit() else { return Ok(None) };
        let chronicle = self.chronicle(self.object_id(tip)?)?;
        let Read { objects, walk, .. } = &mut *chronicle.read();
        walk.reach(self, objects, MERGES_SEARCHED)?;
        let merges = walk.order().take(MERGES_SEARCHED).filter(|entry| entry.parents.len() > 1);
        let target = merges.filter_map(|merge| merge_of(&merge.subject, name.as_str())).next();
        Ok(target.and_then(|target| {
            target.and_then(|target| BranchName::parse(target).ok()).or(head.branch().cloned())
        }))
    }
}

/// Where a refspec keeps a remote's branch: `+refs/heads/*:refs/remotes/origin/*` keeps `refs/heads/a` at
/// `refs/remotes/origin/a`.
fn tracked_as(refspec: &str, merge: &str) -> Option<String> {
    let (from, to) = refspec.strip_prefix('+').unwrap_or(refspec).split_once(':')?;
    let (Some((before, after)), Some((to_before, to_after))) = (from.split_once('*'), to.split_once('*'))
    else {
        return (from == merge).then(|| to.to_owned());
    };
    let middle = merge.strip_prefix(before)?.strip_suffix(after)?;
    Some(format!("{to_before}{middle}{to_after}"))
}

/// Whether a merge commit's subject says that it merged `branch`, and if so into which one it says it did.
fn merge_of<'a>(subject: &'a str, branch: &str) -> Option<Option<&'a str>> {
    if let Some(rest) = subject.strip_prefix("Merge pull request #") {
        let (_, source) = rest.split_once(" from ")?;
        let (_, name) = source.trim_end().split_once('/')?;
        return (name == branch).then_some(None);
    }
    let rest =
        ["Merge branch", "Merge remote-tracking branch"].iter().find_map(|s| subject.strip_prefix(s))?;
    let (sources, target) = match rest.rsplit_once(" into ") {
        Some((sources, target)) => (sources, Some(target.trim().trim_matches('\''))),
        None => (rest, None),
    };
    let mut quoted = sources.split('\'').skip(1).step_by(2);
    let named = quoted.any(|source| {
        source == branch
            || source.strip_suffix(branch).is_some_and(|remote| remote.ends_with('/'))
                && subject.starts_with("Merge remote")
    });
    named.then_some(target)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn merge_subjects_say_what_went_where() {
        for (subject, expected) in [
            ("Merge branch 'feat/x'", Some(None)),
            ("Merge branch 'feat/x' into integration", Some(Some("integration"))),
            ("Merge branch 'feat/x' into 'main'", Some(Some("main"))),
            ("Merge branch 'feat/x' of https://h.example/r into dev", Some(Some("dev"))),
            ("Merge branches 'a' and 'feat/x' into dev", Some(Some("dev"))),
            ("Merge remote-tracking branch 'origin/feat/x' into dev", Some(Some("dev"))),
            ("Merge pull request #12 from someone/feat/x", Some(None)),
            ("Merge branch 'other'", None),
            ("Merge branch 'my/feat/x'", None),
            ("feat/x: a commit that only names it", None),
        ] {
            assert_eq!(merge_of(subject, "feat/x"), expected, "{subject:?}");
        }
    }

    #[test]
    fn a_refspec_says_where_a_remote_branch_is_kept() {
        assert_eq!(
            tracked_as("+refs/heads/*:refs/remotes/origin/*", "refs/heads/a/b").as_deref(),
            Some("refs/remotes/origin/a/b"),
            "the usual one keeps names"
        );
        assert_eq!(
            tracked_as("refs/heads/main:refs/remotes/o/trunk", "refs/heads/main").as_deref(),
            Some("refs/remotes/o/trunk"),
            "a single one renames"
        );
        assert_eq!(
            tracked_as("+refs/tags/*:refs/tags/*", "refs/heads/a"),
            None,
            "another kind does not match"
        );
    }
}
