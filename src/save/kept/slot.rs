//! The words that one screen's form holds, kept while they are typed.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::super::file::NotWritten;
use super::{DRAFTS, MOST, names, put, remove};
use crate::disk::{self, DiskError, Lock};
use crate::handoff::{Digest, Family};

/// What the lock of a slot is called, before the name of the slot.
const LOCK: &str = "draft-";
/// The most bytes of words: the bound of a narrative.
const CAP: u64 = 1 << 20;
/// The formats, by the word in a file's name.
const FORMATS: [(&str, Family); 3] =
    [("theonekit", Family::Theonekit), ("thunderkit", Family::Thunderkit), ("memtomem", Family::Memtomem)];

/// A place for the words of one screen, which nobody else writes to or offers while this value lives. The system lets
/// go of it when the screen ends, however it ends.
///
/// Its file is `PROJECT-N.FORMAT.json`: `moorline save --format FORMAT --from` takes it.
#[derive(Debug)]
pub struct Slot {
    state: PathBuf,
    name: String,
    _lock: Lock,
}

/// Words that a screen left behind.
#[derive(Debug)]
pub struct Left {
    /// The format that they are for.
    pub family: Family,
    /// The words, as a narrative.
    pub words: String,
    /// When they were typed last.
    pub at: SystemTime,
    /// Where they lie; whoever goes on with them writes there.
    pub slot: Slot,
}

impl Slot {
    /// The first of a project that nobody holds and where nothing lies.
    ///
    /// # Errors
    /// The state directory cannot be written, or there is none left.
    pub fn free(state: &Path, project: &Path) -> Result<Self, NotWritten> {
        let names = names(state)?;
        // A save leaves no more files than that.
        for number in 1..=MOST + 1 {
            let name = format!("{}-{number}", prefix(project));
            let is_taken = names.iter().any(|(_, file)| parts(file).is_some_and(|(own, _)| own == name));
            if !is_taken && let Some(slot) = Self::take(state, &name)? {
                return Ok(slot);
            }
        }
        let full =
            "words that were not saved take every place there: save something, which forgets the oldest";
        Err(DiskError::Io(state.join(DRAFTS), full.into()).into())
    }

    fn take(state: &Path, name: &str) -> Result<Option<Self>, DiskError> {
        let lock = Lock::try_take(&state.join("locks"), &format!("{LOCK}{name}"))?;
        Ok(lock.map(|lock| Self { state: state.to_owned(), name: name.to_owned(), _lock: lock }))
    }

    /// Keeps words in the place of those before; gives where.
    ///
    /// # Errors
    /// The state directory cannot be written; the words before are still there.
    pub fn keep(&self, family: Family, words: &str) -> Result<PathBuf, NotWritten> {
        let path = put(&self.state, &self.file(family), words)?;
        self.remove_others(Some(family))?;
        Ok(path)
    }

    /// Removes the words: they were saved, or taken back.
    ///
    /// # Errors
    /// What the system says.
    pub fn clear(&self) -> Result<(), DiskError> {
        self.remove_others(None)
    }

    fn remove_others(&self, but: Option<Family>) -> Result<(), DiskError> {
        let others = FORMATS.iter().filter(|(_, family)| Some(*family) != but);
        others.into_iter().try_for_each(|(_, family)| remove(&self.state, &self.file(*family)))
    }

    fn file(&self, family: Family) -> String {
        let word = FORMATS.iter().find(|(_, own)| *own == family).map_or("theonekit", |(word, _)| word);
        format!("{}.{word}.json", self.name)
    }
}

/// The words of a project that a screen left behind last and nobody goes on with; `None` where there are none.
///
/// # Errors
/// The state directory cannot be read.
pub fn left(state: &Path, project: &Path) -> Result<Option<Left>, DiskError> {
    let own = format!("{}-", prefix(project));
    for (at, file) in names(state)? {
        let Some((name, family)) = parts(&file).filter(|(name, _)| name.starts_with(&own)) else { continue };
        let Some(slot) = Slot::take(state, name)? else { continue };
        let content = disk::read(&state.join(DRAFTS).join(&file), CAP)?;
        if let (false, Ok(words)) = (content.cut, String::from_utf8(content.bytes)) {
            return Ok(Some(Left { family, words, at, slot }));
        }
    }
    Ok(None)
}

/// The lock under which the file of this name is written, if it is one of a slot.
pub(super) fn holder(file: &str) -> Option<String> {
    parts(file.trim_start_matches('.')).map(|(name, _)| format!("{LOCK}{name}"))
}

/// The slot and the format that a file's name says.
fn parts(file: &str) -> Option<(&str, Family)> {
    let (name, rest) = file.split_once('.')?;
    let (word, _) = rest.split_once('.')?;
    let family = FORMATS.iter().find(|(own, _)| *own == word).map(|(_, family)| *family)?;
    name.contains('-').then_some((name, family))
}

/// What the names of a project's slots begin with.
fn prefix(project: &Path) -> String {
    let real = project.canonicalize().unwrap_or_else(|_| project.to_owned());
    Digest::of(real.as_os_str().as_encoded_bytes()).as_str()[..16].to_owned()
}
