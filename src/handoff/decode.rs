//! Bytes to text: byte order marks, UTF-16, and bytes that are no UTF-8, each said where it matters.

use std::borrow::Cow;

use super::inert;
use super::problem::{Position, Problem, Severity};

/// The text of a file and what had to be done to get it.
pub(super) struct Decoded<'a> {
    /// The text, without a byte order mark.
    pub text: Cow<'a, str>,
    /// Notes on its encoding.
    pub notes: Vec<Problem>,
}

/// Decodes a file's bytes; never fails.
pub(super) fn decode(bytes: &[u8], cut_from: Option<u64>) -> Decoded<'_> {
    let mut notes = Vec::new();
    let note = |code, message: String| Problem::whole(Severity::Note, code, message);
    let text = match bytes {
        [0xEF, 0xBB, 0xBF, rest @ ..] => lossy(rest, cut_from.is_some(), &mut notes),
        [0xFF, 0xFE, rest @ ..] => {
            notes.push(note("utf-16", "the file is UTF-16 (little endian); it was read as such".into()));
            Cow::Owned(utf16(rest, u16::from_le_bytes))
        }
        [0xFE, 0xFF, rest @ ..] => {
            notes.push(note("utf-16", "the file is UTF-16 (big endian); it was read as such".into()));
            Cow::Owned(utf16(rest, u16::from_be_bytes))
        }
        bytes => lossy(bytes, cut_from.is_some(), &mut notes),
    };
    let odd = match inert::has_odd(&text) {
        true => text.chars().filter(|&c| c != '\r' && inert::is_odd(c)).count(),
        false => 0,
    };
    if odd > 0 {
        notes.push(note(
            "invisible-characters",
            format!("{odd} control or invisible characters; they are shown as marks"),
        ));
    }
    if let Some(size) = cut_from {
        notes.push(note(Problem::CUT, format!("only the first {} of {size} bytes were read", bytes.len())));
    }
    Decoded { text, notes }
}

fn lossy<'a>(bytes: &'a [u8], cut: bool, notes: &mut Vec<Problem>) -> Cow<'a, str> {
    let error = match std::str::from_utf8(bytes) {
        Ok(text) => return Cow::Borrowed(text),
        Err(error) => error,
    };
    let valid = error.valid_up_to();
    // A cap that bit may have cut a character in two; that is no fault of the file.
    if cut && error.error_len().is_none() {
        return String::from_utf8_lossy(&bytes[..valid]);
    }
    let line = 1 + bytes[..valid].iter().filter(|&&b| b == b'\n').count();
    notes.push(Problem::note(
        Position::line(line),
        "not-utf-8",
        "bytes that are not UTF-8 are shown as \u{FFFD}",
    ));
    String::from_utf8_lossy(bytes)
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}
