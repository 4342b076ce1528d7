//! What configuration beyond the repository's own file says of its status: the person's configuration, files that
//! either includes, and files of rules that they name. All of it is read as text, bounded; only settings that name no
//! program are taken from it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use gix::bstr::{BStr, BString, ByteSlice};
use gix::glob::wildmatch::Mode;

use super::{Repo, RepoError, beforehand};
use crate::disk::{self, DiskError};

/// Where a person keeps git's configuration. By default nowhere: then the repository's own is all there is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Person {
    /// The home directory.
    pub home: Option<PathBuf>,
    /// `$XDG_CONFIG_HOME`, where it is set.
    pub config_home: Option<PathBuf>,
    /// `$GIT_CONFIG_GLOBAL`, which git reads in place of the usual files.
    pub instead: Option<PathBuf>,
}

impl Person {
    /// The person of this home directory and these variables; an empty variable is none.
    pub fn of(home: Option<PathBuf>, var: impl Fn(&str) -> Option<OsString>) -> Self {
        let path = |name: &str| var(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        Self { home, config_home: path("XDG_CONFIG_HOME"), instead: path("GIT_CONFIG_GLOBAL") }
    }

    /// The directory of git's own files in the person's configuration.
    fn git_dir(&self) -> Option<PathBuf> {
        let config_home = self.config_home.clone().or_else(|| Some(self.home.as_ref()?.join(".config")));
        config_home.map(|dir| dir.join("git"))
    }

    /// The person's configuration files, the stronger ones later.
    fn files(&self) -> Vec<PathBuf> {
        match &self.instead {
            Some(file) => vec![file.clone()],
            None => {
                let own = self.home.as_ref().map(|home| home.join(".gitconfig"));
                self.git_dir().map(|dir| dir.join("config")).into_iter().chain(own).collect()
            }
        }
    }
}

/// The settings that status goes by and that name no program; lower case.
const TAKEN: [&str; 17] = [
    "core.filemode",
    "core.ignorecase",
    "core.symlinks",
    "core.autocrlf",
    "core.eol",
    "core.quotepath",
    "core.trustctime",
    "core.checkstat",
    "core.precomposeunicode",
    "core.excludesfile",
    "core.attributesfile",
    "status.showuntrackedfiles",
    "status.renames",
    "status.renamelimit",
    "diff.renames",
    "diff.renamelimit",
    "diff.algorithm",
];

/// Settings that are paths.
const PATHS: [&str; 2] = ["core.excludesfile", "core.attributesfile"];

/// How deep includes are followed, as in git.
const DEEPEST: usize = 10;

/// How many files are read in all: with a few includes in each, even ten levels are millions.
const MOST: usize = 200;

/// The most bytes of a configuration file that are read.
const LARGEST: u64 = 8 << 20;

/// Configuration files read one after the other, the last word counting.
struct Reading<'a> {
    repo: &'a Repo,
    person: &'a Person,
    branch: Option<String>,
    values: Vec<(&'static str, BString)>,
    files: usize,
}

impl Repo {
    /// A handle for one question about the files, by the settings and rules that git would go by for this person.
    pub(super) fn local_for(&self, person: &Person) -> Result<gix::Repository, RepoError> {
        let mut local = self.local()?;
        let settings = self.settings(person)?;
        if !settings.is_empty() {
            let unusable = |error| self.refused("the configuration", &error);
            let mut config = local.config_snapshot_mut();
            config.append_config(settings, gix::config::Source::Api).map_err(unusable)?;
            config.commit().map_err(unusable)?;
        }
        Ok(local)
    }

    /// What is to be set over the repository's own configuration, as `key=value`.
    fn settings(&self, person: &Person) -> Result<Vec<BString>, RepoError> {
        let branch = self.head()?.branch().map(ToString::to_string);
        let mut reading = Reading { repo: self, person, branch, values: Vec::new(), files: 0 };
        for file in person.files() {
            reading.file(&file, 0)?;
        }
        reading.file(&self.common_dir().join("config"), 0)?;
        let by_worktree = self.configured().config_snapshot().boolean("extensions.worktreeConfig");
        if by_worktree == Some(true) {
            reading.file(&self.git_dir().join("config.worktree"), 0)?;
        }
        let mut settings = Vec::new();
        for key in TAKEN {
            let said = reading.values.iter().rev().find(|(name, _)| *name == key).map(|(_, value)| value);
            let value = match (PATHS.contains(&key), said) {
                (true, said) => reading.rules(key, said)?,
                (false, said) => said.cloned(),
            };
            if let Some(value) = value.filter(|value| !value.iter().any(u8::is_ascii_control)) {
                settings.push(BString::from([key.as_bytes(), b"=", value.as_slice()].concat()));
            }
        }
        Ok(settings)
    }
}

impl Reading<'_> {
    /// Takes one file in, and where it includes others, those in their place. One that is not there says nothing.
    fn file(&mut self, file: &Path, depth: usize) -> Result<(), RepoError> {
        if depth > DEEPEST {
            return Err(RepoError::refused(format!("{} is included too deeply", file.display())));
        }
        self.files += 1;
        if self.files > MOST {
            return Err(RepoError::refused(format!("the configuration includes more than {MOST} files")));
        }
        let content = match disk::read(file, LARGEST) {
            Ok(content) if content.cut => {
                return Err(RepoError::refused(format!(
                    "{} is too long for a configuration",
                    file.display()
                )));
            }
            Ok(content) => content,
            Err(DiskError::NotFound(_)) => return Ok(()),
            // `/dev/null` is how people say that there is none.
            Err(_) if file == Path::new("/dev/null") => return Ok(()),
            Err(why) => return Err(RepoError::refused(why.to_string())),
        };
        let parsed = gix::config::File::from_bytes_no_includes(
            &content.bytes,
            gix::config::file::Metadata::api(),
            Default::default(),
        );
        let parsed = parsed.map_err(|error| {
            RepoError::refused(format!("{} is no configuration that can be read: {error}", file.display()))
        })?;
        for section in parsed.sections() {
            let name = section.header().name().to_str_lossy().to_lowercase();
            let of = section.header().subsection_name();
            let included = match (name.as_str(), of) {
                ("include", None) => true,
                ("includeif", Some(condition)) => self.holds(condition, file),
                _ => false,
            };
            if included {
                for path in section.values("path") {
                    if let Some(path) = self.path(path.as_bstr(), file.parent()) {
                        self.file(&path, depth + 1)?;
                    }
                }
            }
            if of.is_some() {
                continue;
            }
            for key in TAKEN {
                let Some(value_name) = key.strip_prefix(&format!("{name}.")) else { continue };
                match section.value_implicit(value_name) {
                    Some(Some(value)) => self.values.push((key, value)),
                    Some(None) => self.values.push((key, "true".into())),
                    None => {}
                }
            }
        }
        Ok(())
    }

    /// The file of rules that counts: the named one, else the usual one, where it is there; an empty name is none.
    fn rules(&self, key: &str, said: Option<&BString>) -> Result<Option<BString>, RepoError> {
        let usual = if key == "core.excludesfile" { "ignore" } else { "attributes" };
        let file = match said {
            Some(value) if value.is_empty() => return Ok(None),
            Some(value) => self.path(value.as_bstr(), Some(self.repo.root())),
            None => self.person.git_dir().map(|dir| dir.join(usual)),
        };
        let Some(file) = file.filter(|file| *file != Path::new("/dev/null")) else { return Ok(None) };
        match disk::look(&file) {
            Ok((disk::Kind::Directory, _)) | Err(DiskError::NotFound(_)) => Ok(None),
            Ok(_) => {
                beforehand::rules_file(&file)?;
                Ok(Some(BString::from(file.into_os_string().into_encoded_bytes())))
            }
            Err(why) => Err(RepoError::refused(why.to_string())),
        }
    }

    /// A path as git reads it out of a configuration; `None` for one in a notation that only git knows.
    fn path(&self, value: &BStr, relative_to: Option<&Path>) -> Option<PathBuf> {
        let text = value.to_str().ok()?;
        let text = text.strip_prefix(":(optional)").unwrap_or(text);
        if let Some(below) = text.strip_prefix("~/") {
            return Some(self.person.home.as_ref()?.join(below));
        }
        let other = text.is_empty() || text.starts_with(['~', '%']);
        (!other).then(|| relative_to.unwrap_or(Path::new("/")).join(text))
    }

    /// Whether the condition of an include holds here; one of a kind that is not known does not.
    fn holds(&self, condition: &BStr, file: &Path) -> bool {
        let Ok(condition) = condition.to_str() else { return false };
        let Some((kind, pattern)) = condition.split_once(':') else { return false };
        let below = |pattern: String| if pattern.ends_with('/') { format!("{pattern}**") } else { pattern };
        let matches = |pattern: &str, value: &str, more: Mode| {
            gix::glob::wildmatch(pattern.into(), value.into(), Mode::NO_MATCH_SLASH_LITERAL | more)
        };
        match kind {
            "onbranch" => {
                let pattern = below(pattern.to_owned());
                self.branch.as_ref().is_some_and(|branch| matches(&pattern, branch, Mode::empty()))
            }
            "gitdir" | "gitdir/i" => {
                let beside = |rest: &str| Some(file.parent()?.join(rest).to_str()?.to_owned());
                let home = |rest: &str| Some(self.person.home.as_ref()?.join(rest).to_str()?.to_owned());
                let absolute = match (pattern.strip_prefix("~/"), pattern.strip_prefix("./")) {
                    (Some(rest), _) => home(rest),
                    (None, Some(rest)) => beside(rest),
                    (None, None) if pattern.starts_with('/') => Some(pattern.to_owned()),
                    (None, None) => Some(format!("**/{pattern}")),
                };
                let fold = if kind == "gitdir/i" { Mode::IGNORE_CASE } else { Mode::empty() };
                let dir = self.repo.git_dir().to_str();
                absolute.zip(dir).is_some_and(|(pattern, dir)| matches(&below(pattern), dir, fold))
            }
            _ => false,
        }
    }
}
