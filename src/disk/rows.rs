//! Long files, read row by row from one handle: memory is bounded by the longest row that is kept.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use super::unpack::Unpacked;
use super::{DiskError, Meta, open};

/// How much is taken from the system at once, in bytes: whoever wants the first row gets little more.
const PIECE: usize = 16 << 10;

/// One row of a file, without its line end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Row<'a> {
    /// The whole row.
    Whole(&'a [u8]),
    /// A row longer than was asked for; it was passed over.
    TooLong,
}

/// An opened regular file whose rows are read one after the other.
pub struct Rows {
    reader: Box<dyn BufRead + Send>,
    path: PathBuf,
    meta: Meta,
    longest: u64,
    taken: u64,
    row: Vec<u8>,
}

/// Opens a regular file by its absolute path for reading row by row; a row of more than `longest` bytes is
/// passed over. Follows symbolic links, and refuses a FIFO instead of waiting for it.
///
/// # Errors
/// As [`super::read`].
pub fn rows(path: &Path, longest: u64) -> Result<Rows, DiskError> {
    let file = open::absolute(path)?;
    let meta = open::regular(&file, path)?;
    let reader = Box::new(BufReader::with_capacity(PIECE, file));
    Ok(Rows { reader, path: path.to_owned(), meta, longest, taken: 0, row: Vec::new() })
}

/// As [`rows`], for a file that is compressed (Zstandard). It is unpacked as it is read, and nothing is written. One
/// that unpacks to more than `most` bytes, is cut off, or is none of the kind, is an error at the row that shows it.
///
/// # Errors
/// As [`super::read`], and where it does not begin as such a file does.
pub fn unpacked(path: &Path, longest: u64, most: u64) -> Result<Rows, DiskError> {
    let file = open::absolute(path)?;
    let meta = open::regular(&file, path)?;
    let unpacked = Unpacked::new(BufReader::with_capacity(PIECE, file), most);
    let unpacked = unpacked.map_err(|error| open::said(path, &error))?;
    let reader = Box::new(BufReader::with_capacity(PIECE, unpacked));
    Ok(Rows { reader, path: path.to_owned(), meta, longest, taken: 0, row: Vec::new() })
}

impl Rows {
    /// What the handle said when it was opened.
    pub fn meta(&self) -> &Meta {
        &self.meta
    }

    /// How many bytes of rows have been read so far, line ends and passed-over rows among them.
    pub fn taken(&self) -> u64 {
        self.taken
    }

    /// The next row, or `None` after the last one. A last row without a line end is a row.
    ///
    /// # Errors
    /// What the system said while reading.
    pub fn next_row(&mut self) -> Result<Option<Row<'_>>, DiskError> {
        self.row.clear();
        // Room for the line end and for one byte that tells a row of exactly `longest` from a longer one.
        let most = self.longest.saturating_add(1);
        if self.take_line(most)? == 0 {
            return Ok(None);
        }
        if self.row.last() == Some(&b'\n') {
            self.row.pop();
            return Ok(Some(Row::Whole(&self.row)));
        }
        if self.row.len() as u64 <= self.longest {
            return Ok(Some(Row::Whole(&self.row)));
        }
        loop {
            self.row.clear();
            if self.take_line(64 << 10)? == 0 || self.row.last() == Some(&b'\n') {
                self.row = Vec::new();
                return Ok(Some(Row::TooLong));
            }
        }
    }

    /// Appends to `row` up to a line end, at most `most` bytes.
    fn take_line(&mut self, most: u64) -> Result<usize, DiskError> {
        let mut piece = self.reader.by_ref().take(most);
        let read = piece.read_until(b'\n', &mut self.row).map_err(|error| open::said(&self.path, &error))?;
        self.taken += read as u64;
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8], longest: u64) -> Vec<Option<String>> {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("rows");
        std::fs::write(&path, bytes).expect("a file");
        let mut rows = rows(&path, longest).expect("a regular file opens");
        let mut out = Vec::new();
        while let Some(row) = rows.next_row().expect("readable") {
            out.push(match row {
                Row::Whole(bytes) => Some(String::from_utf8_lossy(bytes).into_owned()),
                Row::TooLong => None,
            });
        }
        out
    }

    fn whole(texts: &[&str]) -> Vec<Option<String>> {
        texts.iter().map(|&text| Some(text.to_owned())).collect()
    }

    #[test]
    fn rows_come_whole_and_a_long_one_is_passed_over() {
        assert_eq!(read(b"", 4), whole(&[]), "an empty file has no row");
        assert_eq!(read(b"a\n\nb", 4), whole(&["a", "", "b"]), "a last row needs no line end");
        assert_eq!(read(b"abcd\nabcd", 4), whole(&["abcd", "abcd"]), "a row of just the length is whole");
        let long = [b"abcde\nx\n".as_slice(), &[b'y'; 200_000], b"\nz"].concat();
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(
            read(&long, 4),
            [None, some("x"), None, some("z")],
            "longer ones are counted and passed over"
        );
    }

    #[test]
    fn what_is_no_file_is_refused_without_waiting() {
        let dir = tempfile::tempdir().expect("a directory");
        let fifo = dir.path().join("fifo");
        rustix::fs::mknodat(rustix::fs::CWD, &fifo, rustix::fs::FileType::Fifo, 0o600.into(), 0)
            .expect("a FIFO");
        assert_eq!(rows(&fifo, 9).map(|_| ()), Err(DiskError::NotAFile(fifo)), "a FIFO is not waited for");
        let gone = dir.path().join("gone");
        assert_eq!(rows(&gone, 9).map(|_| ()), Err(DiskError::NotFound(gone)), "an absence is told apart");
    }
}
