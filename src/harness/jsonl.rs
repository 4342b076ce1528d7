//! Rows of a session file: one JSON value per line, read one at a time.

use crate::disk::rows::{Row, Rows};

/// The next row's bytes; the inner `None` is a row that cannot be one.
pub(super) fn next(rows: &mut Rows) -> Result<Option<Option<&[u8]>>, String> {
    match rows.next_row().map_err(|error| error.to_string())? {
        None => Ok(None),
        Some(Row::Whole(bytes)) => {
            Ok(Some(std::str::from_utf8(bytes).ok().map(|text| text.trim().as_bytes())))
        }
        Some(Row::TooLong) => Ok(Some(None)),
    }
}
