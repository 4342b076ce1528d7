//! Stores that are SQLite databases, read from a private copy.
//!
//! Even a reader leaves files beside a database, and the last one to close it folds its log into it. So the database
//! and its log are copied, and the copy is opened. A database is somebody else's bytes: only plain tables are read,
//! by fixed queries, and a column that this version of the client does not have reads as null.

use std::path::{Path, PathBuf};

use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags, ToSql};

use super::{Answer, Harness, Session, store};
use crate::disk::{self, DiskError, PrivateCopy};
use crate::handoff::SessionId;

/// What belongs to a database: its write-ahead log, or the journal of a transaction that was cut off. The shared
/// index (`-shm`) is made anew.
const COMPANIONS: &[&str] = &["-wal", "-journal"];
/// The largest database that is copied.
const LARGEST: u64 = 512 << 20;
/// The largest text that is taken out of one row.
const LONGEST: usize = 32 << 20;

/// One value of one row; what is neither (a blob, text that is no UTF-8, an enormous text) is `Odd`.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    Null,
    Number(f64),
    Text(String),
    Odd,
}

impl Value {
    /// The text, where it is one.
    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The number, where it is one.
    pub(super) fn number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// Whether it can be no value of a column of text or numbers.
    pub(super) fn is_odd(&self) -> bool {
        matches!(self, Self::Odd)
    }
}

/// An opened copy; it goes when this is dropped.
pub(super) struct Database {
    /// The original.
    pub path: PathBuf,
    connection: Connection,
    _copy: PrivateCopy,
}

/// Copies and opens a database; `None` where there is none.
///
/// # Errors
/// Why it cannot be read.
pub(super) fn open(path: &Path) -> Result<Option<Database>, String> {
    let copy = match disk::private_copy(path, COMPANIONS, LARGEST) {
        Ok(copy) => copy,
        Err(DiskError::NotFound(_)) if !path.is_symlink() => return Ok(None),
        Err(error) => return Err(error.to_string()),
    };
    let failed = |error: rusqlite::Error| format!("{}: {error}", path.display());
    // Writable, because the log has to be looked through and the copy is ours.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(copy.path(), flags).map_err(failed)?;
    connection.pragma_update(None, "trusted_schema", false).map_err(failed)?;
    Ok(Some(Database { path: path.to_owned(), connection, _copy: copy }))
}

impl Database {
    /// Rows of one table, the columns in the order asked for. `rest` is the fixed text after `WHERE`, with `?1`, `?2`
    /// … for `values`; it names only columns in `needed`, which every known version has.
    ///
    /// # Errors
    /// There is no such table or no such column, or the database is damaged.
    pub(super) fn rows(
        &self,
        table: &str,
        needed: &[&str],
        optional: &[&str],
        rest: &str,
        values: &[&dyn ToSql],
    ) -> Result<Vec<Vec<Value>>, String> {
        let failed = |error: rusqlite::Error| format!("{}: {error}", self.path.display());
        let present = self.columns(table).map_err(failed)?;
        if let Some(missing) = needed.iter().find(|name| !present.iter().any(|column| column == *name)) {
            return Err(format!(
                "{} has no plain table {table:?} with a column {missing:?}: its client is another version than those \
                 that are known here",
                self.path.display()
            ));
        }
        let optional = optional.iter().map(|name| match present.iter().any(|column| column == name) {
            true => format!("\"{name}\""),
            false => "NULL".to_owned(),
        });
        let columns: Vec<_> = needed.iter().map(|name| format!("\"{name}\"")).chain(optional).collect();
        let query = format!("SELECT {} FROM \"{table}\" WHERE {rest}", columns.join(", "));
        let mut statement = self.connection.prepare(&query).map_err(failed)?;
        let mut rows = statement.query(values).map_err(failed)?;
        let mut out = Vec::new();
        while let Some(row) = rows.next().map_err(failed)? {
            let cell = |index| row.get_ref(index).map(value).map_err(failed);
            out.push((0..columns.len()).map(cell).collect::<Result<Vec<_>, _>>()?);
        }
        Ok(out)
    }

    /// How many bytes the values of one column of one session's rows take.
    ///
    /// # Errors
    /// As [`Self::rows`].
    pub(super) fn bytes(&self, table: &str, column: &str, session: &str) -> Result<u64, String> {
        let failed = |error: rusqlite::Error| format!("{}: {error}", self.path.display());
        if !self.columns(table).map_err(failed)?.iter().any(|name| name == column) {
            return Ok(0);
        }
        let sum = format!(
            "SELECT coalesce(sum(octet_length(\"{column}\")), 0) FROM \"{table}\" WHERE session_id = ?1"
        );
        let bytes: i64 = self.connection.query_row(&sum, [session], |row| row.get(0)).map_err(failed)?;
        Ok(bytes.unsigned_abs())
    }

    /// The columns of a plain table, none where it is not one: a view or a virtual table runs what its maker wrote.
    fn columns(&self, table: &str) -> rusqlite::Result<Vec<String>> {
        let plain = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = ?1 AND rootpage > 0";
        if self.connection.query_row(plain, [table], |row| row.get::<_, i64>(0))? != 1 {
            return Ok(Vec::new());
        }
        // Computed columns are not shown by this one, and so are never read.
        let mut statement = self.connection.prepare("SELECT name FROM pragma_table_info(?1)")?;
        statement.query_map([table], |row| row.get(0))?.collect()
    }
}

fn value(raw: ValueRef<'_>) -> Value {
    match raw {
        ValueRef::Null => Value::Null,
        #[allow(clippy::cast_precision_loss, reason = "counts and milliseconds since 1970 fit in 53 bits")]
        ValueRef::Integer(number) => Value::Number(number as f64),
        ValueRef::Real(number) => Value::Number(number),
        ValueRef::Text(bytes) if bytes.len() <= LONGEST => match std::str::from_utf8(bytes) {
            Ok(text) => Value::Text(text.to_owned()),
            Err(_) => Value::Odd,
        },
        ValueRef::Text(_) | ValueRef::Blob(_) => Value::Odd,
    }
}

/// The ids of rows (id, directory, …) whose directory is one of `places` and whose id has the harness's own shape, sorted.
fn ids_in(rows: &[Vec<Value>], places: &[&Path], harness: &dyn Harness) -> Vec<SessionId> {
    let here = |row: &&Vec<Value>| {
        row[1].text().is_some_and(|recorded| store::is_one_of(Path::new(recorded), places))
    };
    let id = |row: &Vec<Value>| SessionId::parse(row[0].text()?).ok().filter(|id| harness.owns_shape(id));
    let mut ids: Vec<_> = rows.iter().filter(here).filter_map(id).collect();
    ids.sort();
    ids
}

/// The session of exactly this id in the database at `path`, taken out of it by `read`.
pub(super) fn session(
    harness: &dyn Harness,
    path: Result<PathBuf, String>,
    id: &SessionId,
    read: fn(&Database, &str) -> Result<Option<Session>, String>,
) -> Answer<Session> {
    let path = match store::own(harness, id).and(path) {
        Ok(path) => path,
        Err(reason) => return Answer::Unknown(reason),
    };
    let found = open(&path).and_then(|database| match database {
        Some(database) => read(&database, id.as_str()),
        None => Ok(None),
    });
    match found {
        Ok(Some(session)) => Answer::Found(session),
        Ok(None) => Answer::Absent(format!("no session of this id in {}", path.display())),
        Err(reason) => Answer::Unknown(reason),
    }
}

/// Where a table of sessions says who began where and when.
pub(super) struct Began {
    pub table: &'static str,
    /// Its columns for the id, the directory and the moment.
    pub columns: [&'static str; 3],
    /// The moment from which on, as the column counts it.
    pub since: i64,
}

/// The sessions of the database at `path` that began in one of `places`.
pub(super) fn began(
    harness: &dyn Harness,
    path: Result<PathBuf, String>,
    began: &Began,
    places: &[&Path],
) -> Answer<Vec<SessionId>> {
    let path = match path {
        Ok(path) => path,
        Err(reason) => return Answer::Unknown(reason),
    };
    let later = format!("{} >= ?1", began.columns[2]);
    let rows = match open(&path) {
        Ok(Some(database)) => database.rows(began.table, &began.columns, &[], &later, &[&began.since]),
        Ok(None) => return Answer::Absent(format!("{} is not there", path.display())),
        Err(reason) => return Answer::Unknown(reason),
    };
    match rows {
        Ok(rows) => Answer::Found(ids_in(&rows, places, harness)),
        Err(reason) => Answer::Unknown(reason),
    }
}

/// Seconds since 1970 with a fraction, as RFC 3339; `None` out of range.
pub(super) fn moment(seconds: f64) -> Option<String> {
    #[allow(clippy::cast_possible_truncation, reason = "out of range saturates, and then is no date")]
    let at = chrono::DateTime::from_timestamp_millis((seconds * 1000.0).round() as i64)?;
    seconds.is_finite().then(|| at.to_rfc3339_opts(chrono::SecondsFormat::AutoSi, true))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(setup: &str) -> Result<Vec<Vec<Value>>, String> {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("a.db");
        Connection::open(&path).expect("made").execute_batch(setup).expect("laid out");
        let database = open(&path).expect("readable").expect("there");
        database.rows("t", &["id"], &["a", "b"], "id = ?1 ORDER BY rowid", &[&"x"])
    }

    #[test]
    fn values_are_taken_as_they_are_and_a_missing_column_is_null() {
        let text = |text: &str| Value::Text(text.into());
        assert_eq!(
            read("CREATE TABLE t (id, a); INSERT INTO t VALUES ('x', 1.5), ('y', 2), ('x', 7)"),
            Ok(vec![
                vec![text("x"), Value::Number(1.5), Value::Null],
                vec![text("x"), Value::Number(7.0), Value::Null]
            ]),
            "two of three rows, without a column b"
        );
        assert_eq!(
            read("CREATE TABLE t (id, a, b); INSERT INTO t VALUES ('x', x'00', CAST(x'ff' AS TEXT))"),
            Ok(vec![vec![text("x"), Value::Odd, Value::Odd]]),
            "a blob and bytes that are no text are odd, not dropped"
        );
    }

    #[test]
    fn what_is_no_plain_table_is_not_read() {
        let endless =
            "WITH RECURSIVE n(id) AS (SELECT 'x' UNION ALL SELECT id FROM n) SELECT id, 1 a, 1 b FROM n";
        for (setup, why) in [
            ("SELECT 1", "no table at all"),
            (&format!("CREATE VIEW t AS {endless}"), "a view that never ends"),
            ("CREATE TABLE t (a, b)", "a table without the needed column"),
            ("CREATE TABLE t (a, id AS (a || 'x'))", "a computed column"),
        ] {
            assert!(read(setup).is_err_and(|text| text.contains("no plain table")), "{why} is refused");
        }
    }

    #[test]
    fn bytes_that_are_no_database_are_an_error_and_an_absence_is_none() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("a.db");
        assert!(open(&path).expect("no error").is_none(), "nothing is there");
        std::fs::write(&path, "no database ".repeat(500)).expect("a file");
        let answer = open(&path).and_then(|database| {
            database.expect("there").rows("t", &["id"], &[], "id = ?1", &[&"x"]).map(|_| ())
        });
        assert!(answer.is_err_and(|text| text.contains("a.db")), "said with its path");
        std::fs::remove_file(&path).expect("removed");
        std::os::unix::fs::symlink("/nowhere/at/all", &path).expect("a link");
        assert!(open(&path).is_err(), "a link that leads nowhere is no absence");
    }

    #[test]
    fn what_only_the_log_holds_is_read_and_nothing_is_touched() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("a.db");
        let writer = Connection::open(&path).expect("made");
        writer
            .execute_batch("PRAGMA journal_mode=WAL; CREATE TABLE t (id); INSERT INTO t VALUES ('x')")
            .expect("laid out");
        let look = || {
            let mut all: Vec<_> = std::fs::read_dir(dir.path())
                .expect("listed")
                .map(|entry| {
                    let entry = entry.expect("an entry");
                    let metadata = entry.metadata().expect("there");
                    (entry.file_name(), metadata.len(), metadata.modified().expect("a time"))
                })
                .collect();
            all.sort();
            all
        };
        let before = look();
        assert_eq!(before.len(), 3, "database, log and index: the row is in the log only");
        let database = open(&path).expect("readable").expect("there");
        let rows = database.rows("t", &["id"], &[], "id = ?1", &[&"x"]).expect("read");
        assert_eq!(rows.len(), 1, "the row in the log is seen");
        drop(database);
        assert_eq!(look(), before, "and the store is as it was");
    }

    #[test]
    fn moments_are_dates_or_nothing() {
        assert_eq!(
            moment(1_796_072_464.449_74).as_deref(),
            Some("2026-11-30T21:01:04.450Z"),
            "with a fraction"
        );
        assert_eq!(moment(1_796_072_464.0).as_deref(), Some("2026-11-30T21:01:04Z"), "without one");
        for odd in [f64::NAN, f64::INFINITY, 1e300, -1e300] {
            assert_eq!(moment(odd), None, "{odd} is no moment");
        }
    }
}
