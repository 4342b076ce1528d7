//! Reading texts for the detail pane and for the filter.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::super::action::{Answer, Earlier, Key, Text};
use super::super::effect::Looked;
use crate::check::Examiner;
use crate::disk;
use crate::handoff::{Family, difference};
use crate::place::Listed;

/// How much of a text is laid out on the screen, in bytes; the pager and the file have the rest.
const SHOWN: usize = 256 << 10;
/// How much of a file the filter looks through, in bytes.
const SEARCHED: u64 = 1 << 20;

/// The text of one row, for reading: its own lines of the file, as far as they can be shown.
pub(super) fn text(row: &Listed, limit: u64) -> Result<Text, String> {
    // A record stands somewhere in its file; any other page is shown from its first byte on.
    let limit = match row.handoff.family {
        Family::Memtomem => limit,
        _ => limit.min(SHOWN as u64 + 4),
    };
    let content = disk::read(&row.path, limit).map_err(|why| why.to_string())?;
    let unread = content.meta.len.saturating_sub(content.bytes.len() as u64);
    let (first, last) = row.handoff.lines;
    let own = own_lines(&content.bytes, first, last);
    let whole = own.len() == content.bytes.len();
    let mut end = own.len().min(SHOWN);
    while end > 0 && end < own.len() && own[end] & 0xC0 == 0x80 {
        end -= 1;
    }
    let left_out = (own.len() - end) as u64 + if whole { unread } else { 0 };
    Ok(Text { body: String::from_utf8_lossy(&own[..end]).into(), first_line: first.max(1), left_out })
}

/// The bytes of lines `first` to `last` (from 1); everything where that is the whole file.
fn own_lines(bytes: &[u8], first: u32, last: u32) -> &[u8] {
    if first <= 1 {
        // A reader counts the lines of a file in its own way; from the first line on it is the whole file, unless
        // another record follows.
        let lines = bytes.iter().filter(|&&b| b == b'\n').count();
        if usize::try_from(last).is_ok_and(|last| last >= lines) {
            return bytes;
        }
    }
    let mut starts =
        std::iter::once(0).chain(bytes.iter().enumerate().filter(|(_, b)| **b == b'\n').map(|(n, _)| n + 1));
    let from = starts.nth(first.saturating_sub(1) as usize).unwrap_or(bytes.len());
    let span = last.saturating_sub(first) as usize;
    let to = starts.nth(span).unwrap_or(bytes.len());
    &bytes[from.min(to)..to]
}

/// How many versions are told at once, after the first few.
const VERSIONS: usize = 64;

/// Finds the versions before the present one and posts them as they are found: the first at once, then some together.
pub(super) fn past(
    examiner: &Examiner,
    row: &Listed,
    rows: &[Arc<Listed>],
    late: &AtomicBool,
    post: &dyn Fn(Answer),
) {
    let key = Key::of(row);
    let (mut some, mut told) = (Vec::new(), 0);
    let trouble = examiner.past(row, rows, &mut |past| {
        if late.load(Ordering::Relaxed) {
            return ControlFlow::Break(());
        }
        some.push(past);
        if some.len() >= VERSIONS.min(1 + told) {
            told += some.len();
            post(Answer::Past(key.clone(), std::mem::take(&mut some)));
        }
        ControlFlow::Continue(())
    });
    if late.load(Ordering::Relaxed) {
        return;
    }
    post(Answer::Past(key.clone(), some));
    post(Answer::PastEnds(key, trouble.map(|why| format!("Its history cannot be read: {why}"))));
}

/// One version against a later one; `None` where one of the two cannot be read any more.
pub(super) fn earlier(examiner: &Examiner, wanted: &Looked) -> Option<Earlier> {
    let row = &wanted.row;
    let version = examiner.version(row, &wanted.version)?;
    let later = match &wanted.later {
        Some(later) => examiner.version(row, later)?,
        None => examiner.present(row)?,
    };
    Some(Earlier {
        lines: difference::lines(&version.text, &later.text),
        vanished: examiner.vanished(row, &version.text, &later.text),
    })
}

/// A search through whole texts.
pub(super) struct Search {
    /// Names it.
    pub(super) ticket: u64,
    /// What is looked for, lowercased.
    pub(super) words: Vec<String>,
    /// Where.
    pub(super) rows: Vec<Arc<Listed>>,
}

impl Search {
    /// The rows whose text has all words; `None` once it is late.
    pub(super) fn run(&self, limit: u64, is_late: &dyn Fn() -> bool) -> Option<HashSet<Key>> {
        let mut hits = HashSet::new();
        let mut last: Option<(PathBuf, Vec<u8>)> = None;
        for row in &self.rows {
            if is_late() {
                return None;
            }
            // The rows of one day file stand together: it is read once.
            if last.as_ref().is_none_or(|(path, _)| *path != row.path) {
                let content = disk::read(&row.path, limit.min(SEARCHED)).ok();
                last = content.map(|content| (row.path.clone(), content.bytes));
            }
            let Some((_, bytes)) = &last else { continue };
            let (first, end) = row.handoff.lines;
            let text = String::from_utf8_lossy(own_lines(bytes, first, end)).to_lowercase();
            if self.words.iter().all(|word| text.contains(word)) {
                hits.insert(Key::of(row));
            }
        }
        Some(hits)
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::fixture;
    use super::*;

    fn row(dir: &tempfile::TempDir, body: &[u8], lines: (u32, u32)) -> Arc<Listed> {
        let path = dir.path().join("HANDOFF.md");
        std::fs::write(&path, body).unwrap();
        let mut row = (*fixture::rows()[0]).clone();
        row.path = path;
        row.handoff.lines = lines;
        Arc::new(row)
    }

    #[test]
    fn a_record_of_a_day_file_shows_only_its_own_lines() {
        let dir = tempfile::tempdir().unwrap();
        let row = row(&dir, b"one\ntwo\nthree\nfour\n", (2, 3));
        let text = text(&row, 1 << 20).unwrap();
        assert_eq!((&*text.body, text.first_line), ("two\nthree\n", 2), "its lines, and where they begin");
    }

    #[test]
    fn a_large_text_is_cut_between_letters_and_the_rest_is_counted() {
        let dir = tempfile::tempdir().unwrap();
        let body = "é".repeat(400 << 10);
        let row = row(&dir, body.as_bytes(), (1, 1));
        let text = text(&row, 500 << 10).unwrap();
        assert!(!text.body.contains('\u{fffd}'), "no letter is cut in two");
        assert_eq!(
            text.body.len() as u64 + text.left_out,
            body.len() as u64,
            "what is shown and what is not add up"
        );
    }

    #[test]
    fn an_unreadable_text_says_why() {
        let dir = tempfile::tempdir().unwrap();
        let mut row = (*row(&dir, b"x", (1, 1))).clone();
        row.path = dir.path().join("gone.md");
        assert!(text(&row, 1024).unwrap_err().contains("gone.md"), "the path is named");
    }

    #[test]
    fn words_are_looked_for_in_whole_texts_until_it_is_late() {
        let dir = tempfile::tempdir().unwrap();
        let row = row(&dir, "First.\nRotation of TOKENS, später.\n".as_bytes(), (1, 2));
        let search = |words: &[&str]| Search {
            ticket: 1,
            words: words.iter().map(|word| (*word).to_owned()).collect(),
            rows: vec![row.clone()],
        };
        let found = |words: &[&str]| search(words).run(1 << 20, &|| false).unwrap().len();
        assert_eq!(found(&["tokens", "später"]), 1, "all words, whatever their case");
        assert_eq!(found(&["tokens", "absent"]), 0, "one missing word is enough to miss");
        assert!(search(&["tokens"]).run(1 << 20, &|| true).is_none(), "a late search gives up");
    }
}
