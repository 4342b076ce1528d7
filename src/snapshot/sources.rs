//! What a capture would take: every file of the sources, or why not.

use std::collections::BTreeMap;
use std::path::Path;

use super::manifest::{FileEntry, FileMode, Omission};
use super::{Refused, Secret, limits};
use crate::disk::{Beneath, DiskError, Entry, EntryKind};
use crate::handoff::{Digest, Inert, RelPath, secrets};
use crate::repo::IgnoreRules;

/// Files and omissions as they were found, secrets beside them.
#[derive(Default)]
pub(super) struct Found {
    pub(super) files: BTreeMap<RelPath, FileEntry>,
    pub(super) omissions: Vec<Omission>,
    pub(super) secrets: Vec<Secret>,
    bytes: u64,
}

/// The ignore rules of the repository that holds the project.
pub(super) struct Rules<'a> {
    pub(super) rules: IgnoreRules<'a>,
    /// The repository's root.
    pub(super) root: &'a Path,
    /// The project's path from there; empty where they are the same.
    pub(super) prefix: &'a Path,
}

impl Rules<'_> {
    /// The reason, if git ignores something of the project.
    pub(super) fn why_ignored(&mut self, path: &RelPath, directory: bool) -> Result<Option<String>, Refused> {
        let by = self.rules.rule_for(&self.prefix.join(path.as_path()), directory)?;
        Ok(by.map(|by| {
            let file = by.file.strip_prefix(self.root).unwrap_or(&by.file).display();
            format!("git ignores it ({} in {file}, line {})", by.rule.raw(), by.line)
        }))
    }
}

/// One file's bytes with what is written down of them.
pub(super) fn read(project: &Beneath, path: &RelPath) -> Result<(FileEntry, Vec<u8>), DiskError> {
    let content = project.read(path, limits::FILE)?;
    if content.cut {
        let too_large = format!("is larger than {} MiB", limits::FILE >> 20);
        return Err(DiskError::Io(project.path().join(path.as_path()), too_large));
    }
    let entry = FileEntry {
        path: path.clone(),
        mode: FileMode(content.meta.mode),
        size: content.bytes.len() as u64,
        sha256: Digest::of(&content.bytes),
    };
    Ok((entry, content.bytes))
}

/// The secrets in a file's bytes.
pub(super) fn secrets_of(path: &RelPath, bytes: &[u8]) -> impl Iterator<Item = Secret> {
    let found = secrets::find(&String::from_utf8_lossy(bytes));
    let place = Inert::from(path.as_str());
    found.into_iter().map(move |finding| Secret { place: place.clone(), finding })
}

impl Found {
    /// Takes one file that must be taken.
    pub(super) fn take(&mut self, project: &Beneath, path: &RelPath) -> Result<(), DiskError> {
        if self.files.contains_key(path) {
            return Ok(());
        }
        let (entry, bytes) = read(project, path)?;
        self.secrets.extend(secrets_of(path, &bytes));
        self.bytes += entry.size;
        self.files.insert(path.clone(), entry);
        Ok(())
    }

    /// Takes everything in a source, which is a file or a directory.
    pub(super) fn walk(
        &mut self,
        project: &Beneath,
        mut rules: Option<&mut Rules<'_>>,
        source: &RelPath,
        is_file: bool,
    ) -> Result<(), Refused> {
        if is_file {
            return self.file(project, rules.as_deref_mut(), source);
        }
        let mut left = vec![source.clone()];
        if !source.is_root()
            && let Some(rules) = rules.as_deref_mut()
            && let Some(why) = rules.why_ignored(source, true)?
        {
            self.omit(&format!("{source}/"), why);
            return Ok(());
        }
        while let Some(dir) = left.pop() {
            let listed = project.list(if dir.is_root() { Path::new("") } else { dir.as_path() });
            let entries = match listed {
                Ok((_, entries)) => entries,
                Err(error) => {
                    self.omit(&format!("{dir}/"), format!("it cannot be listed: {error}"));
                    continue;
                }
            };
            let is_other = &dir != source && entries.iter().any(|entry| entry.name == ".git");
            if is_other {
                self.omit(&format!("{dir}/"), "it is another worktree or repository: a project of its own");
                continue;
            }
            for entry in &entries {
                self.entry(project, rules.as_deref_mut(), &dir, entry, &mut left)?;
                self.within_limits()?;
            }
        }
        Ok(())
    }

    fn entry(
        &mut self,
        project: &Beneath,
        mut rules: Option<&mut Rules<'_>>,
        dir: &RelPath,
        entry: &Entry,
        left: &mut Vec<RelPath>,
    ) -> Result<(), Refused> {
        let name = entry.name.to_string_lossy();
        let text = if dir.is_root() { name.clone().into_owned() } else { format!("{dir}/{name}") };
        let safe = entry.name.to_str().is_some() && text.len() <= limits::PATH;
        let Some(path) = RelPath::parse(&text).ok().filter(|_| safe) else {
            self.omit(&text, "its name cannot be written down safely");
            return Ok(());
        };
        match entry.kind {
            _ if entry.name == ".git" => {
                self.omit(&text, "it is git's own: history is kept by --include-history")
            }
            EntryKind::Link => self.omit(&text, "it is a symbolic link: links are not followed"),
            EntryKind::Other => self.omit(&text, "it is a FIFO, socket or device"),
            EntryKind::File => return self.file(project, rules, &path),
            EntryKind::Directory => {
                match rules.as_mut().map(|rules| rules.why_ignored(&path, true)).transpose()? {
                    Some(Some(why)) => self.omit(&format!("{text}/"), why),
                    _ => left.push(path),
                }
            }
        }
        Ok(())
    }

    fn file(
        &mut self,
        project: &Beneath,
        rules: Option<&mut Rules<'_>>,
        path: &RelPath,
    ) -> Result<(), Refused> {
        if let Some(Some(why)) = rules.map(|rules| rules.why_ignored(path, false)).transpose()? {
            self.omit(path.as_str(), why);
            return Ok(());
        }
        if let Err(error) = self.take(project, path) {
            let why = match error {
                DiskError::NotWritable { why, .. } | DiskError::Io(_, why) => why,
                other => other.to_string(),
            };
            self.omit(path.as_str(), format!("it cannot be kept: {why}"));
        }
        Ok(())
    }

    /// Whether all of it together can still be kept.
    fn within_limits(&self) -> Result<(), Refused> {
        let (most, total) = (limits::FILES, limits::TOTAL);
        match self.files.len() > most || self.omissions.len() > most || self.bytes > total {
            false => Ok(()),
            true => Err(Refused::Input(format!(
                "the sources hold more than {most} files or {} GiB: name smaller ones",
                total >> 30
            ))),
        }
    }

    fn omit(&mut self, path: &str, reason: impl Into<Inert>) {
        self.omissions.push(Omission { path: path.into(), reason: reason.into() });
    }
}
