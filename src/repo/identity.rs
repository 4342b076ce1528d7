//! Which repository this is: the address of its remote, made comparable.

use super::{Identity, Repo, RepoError};

impl Repo {
    /// Which repository it is. Several remotes without `origin` are refused.
    ///
    /// The address is read as it stands in the repository's own configuration: `insteadOf` and includes are not
    /// applied.
    ///
    /// # Errors
    /// [`RepoError::Refused`] where the remotes do not name one repository.
    pub fn identity(&self) -> Result<Identity, RepoError> {
        let remotes = self.remotes();
        let chosen = match remotes.as_slice() {
            [] => return self.name_of_root(),
            [(_, url)] => url,
            several => match several.iter().find(|(name, _)| name == "origin") {
                Some((_, url)) => url,
                None => {
                    let names: Vec<String> = several.iter().map(|(name, _)| name.clone()).collect();
                    return Err(RepoError::refused(format!(
                        "{} has several remotes ({}) and none is called origin: which repository it is cannot be told",
                        self.root().display(),
                        names.join(", ")
                    )));
                }
            },
        };
        Ok(Identity { text: normalise_remote(chosen), from_remote: true })
    }

    /// Every remote that has an address, with the first one, which is the one git fetches from.
    fn remotes(&self) -> Vec<(String, String)> {
        let local = self.configured();
        let config = local.config_snapshot();
        let mut remotes: Vec<(String, String)> = Vec::new();
        for section in config.plumbing().sections_by_name("remote").into_iter().flatten() {
            let Some(name) = section.header().subsection_name().map(ToString::to_string) else { continue };
            let Some(url) = section.values("url").into_iter().find(|url| !url.is_empty()) else { continue };
            if !remotes.iter().any(|(known, _)| *known == name) {
                remotes.push((name, url.to_string()));
            }
        }
        remotes
    }

    fn name_of_root(&self) -> Result<Identity, RepoError> {
        let root = self.main_root();
        match root.file_name() {
            Some(name) => Ok(Identity { text: name.to_string_lossy().into_owned(), from_remote: false }),
            None => Err(RepoError::refused(format!("{} has no remote and no name", root.display()))),
        }
    }
}

/// Normalises a remote URL (or an already normalised identity) to `host/path`: no scheme, user, password, port,
/// trailing `/` and `.git`; the host lowercased. Local paths stay as they are.
pub fn normalise_remote(url: &str) -> String {
    let url = url.trim();
    if let Some((helper, address)) = url.split_once("::")
        && !helper.is_empty()
        && helper.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
    {
        // An address for a remote helper (`ext::…`): the helper is part of what it names.
        return format!("{helper}::{}", normalise_remote(address));
    }
    if let Some(path) = url.strip_prefix("file://") {
        return path.to_owned();
    }
    if let Some((scheme, rest)) = url.split_once("://")
        && scheme.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'))
    {
        let (authority, path) = split_authority(rest);
        return joined(without_port(authority), path);
    }
    if is_local_path(url) {
        return url.to_owned();
    }
    if let Some((host, path)) = split_scp(url) {
        return joined(host, path);
    }
    match url.split_once('/') {
        Some((host, path)) if host.contains('.') => joined(host, path),
        _ => url.to_owned(),
    }
}

fn joined(host: &str, path: &str) -> String {
    let path = path.trim_matches('/');
    let path = path.strip_suffix(".git").unwrap_or(path).trim_end_matches('/');
    let host = host.to_lowercase();
    if path.is_empty() { host } else { format!("{host}/{path}") }
}

/// Splits what follows `scheme://` into host with port, and path; the user and password are dropped. A password
/// may hold an unescaped `/`: then the last `@` before the port still ends it, so that none of it is shown.
fn split_authority(rest: &str) -> (&str, &str) {
    let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
    match authority.rsplit_once('@') {
        Some((_, host)) => (host, path),
        None if authority.starts_with('[') || port_is_numeric(authority) => (authority, path),
        None => match rest.rsplit_once('@') {
            Some((_, host_and_path)) => host_and_path.split_once('/').unwrap_or((host_and_path, "")),
            None => (authority, path),
        },
    }
}

fn port_is_numeric(authority: &str) -> bool {
    authority.split_once(':').is_none_or(|(_, port)| port.bytes().all(|b| b.is_ascii_digit()))
}

fn without_port(authority: &str) -> &str {
    match authority.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|b| b.is_ascii_digit()) => host,
        _ => authority,
    }
}

/// `[user[:password]@]host:path`, the short form of ssh addresses: a colon before the first slash.
fn split_scp(url: &str) -> Option<(&str, &str)> {
    let before_slash = url.split('/').next().unwrap_or(url);
    let colon = before_slash.find(':')?;
    let start = match before_slash.find('@') {
        Some(at) if at < colon || before_slash[at..].contains(':') => at + 1,
        _ => 0,
    };
    let rest = &url[start..];
    let end = match rest.strip_prefix('[') {
        Some(bracketed) => bracketed.find("]:")? + 2,
        None => rest.find(':')?,
    };
    Some((&rest[..end], &rest[end + 1..]))
}

/// Absolute, explicitly relative, home-relative and drive paths.
fn is_local_path(url: &str) -> bool {
    let drive = url.as_bytes();
    url.starts_with(['/', '.', '~', '\\'])
        || (drive.len() >= 3
            && drive[1] == b':'
            && drive[0].is_ascii_alphabetic()
            && matches!(drive[2], b'/' | b'\\'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_of_one_remote_is_one_identity() {
        for url in [
            "github.com/Owner/Repo",
            "git@github.com:Owner/Repo.git",
            "git@GitHub.com:Owner/Repo",
            "github.com:/Owner/Repo.git/",
            "ssh://git@github.com:22/Owner/Repo.git",
            "ssh://github.com/Owner/Repo/",
            "https://github.com/Owner/Repo.git",
            "https://user:pw@GITHUB.com:443/Owner/Repo.git",
            "https://user:p@ss@github.com/Owner/Repo",
            "https://user:p/w@github.com/Owner/Repo",
            "https://token@github.com/Owner/Repo//",
            "git://github.com:9418/Owner/Repo.git",
            "git+ssh://git@github.com/Owner/Repo",
            " https://github.com/Owner/Repo\n",
        ] {
            assert_eq!(normalise_remote(url), "github.com/Owner/Repo", "{url:?} names the same repository");
        }
    }

    #[test]
    fn local_paths_and_helpers_stay_what_they_are() {
        for path in ["/srv/git/a.git", "../b.git", "./c", "~/d.git", "C:/e.git", "plain"] {
            assert_eq!(normalise_remote(path), path, "{path:?} is a path on this machine");
        }
        assert_eq!(normalise_remote("file:///srv/git/a.git"), "/srv/git/a.git", "a file URL is such a path");
        assert_eq!(
            normalise_remote("ssh://git@[2001:DB8::1]:22/x.git"),
            "[2001:db8::1]/x",
            "an IPv6 host keeps its brackets and loses its port"
        );
        assert_eq!(normalise_remote("git@[::1]:x/y.git"), "[::1]/x/y", "also in the short form");
        assert_eq!(
            normalise_remote("ext::https://u:p@h.example/x.git"),
            "ext::h.example/x",
            "credentials go whatever helper carries them"
        );
    }

    #[test]
    fn normalising_twice_changes_nothing_and_no_password_survives() {
        for url in [
            "https://u:secret@h.example:8443/a/b.git",
            "u:secret@h.example:a/b",
            "https://u:sec/ret@h.example/a/b",
            "ssh://[::1]:22/a.git",
            "/srv/x.git",
        ] {
            let once = normalise_remote(url);
            assert_eq!(normalise_remote(&once), once, "{url:?}: an identity is its own normal form");
            assert!(!once.contains("sec"), "{url:?}: a password must not be part of an identity");
        }
    }
}
