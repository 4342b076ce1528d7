//! What threads are called: in a list of its own beside the sessions, one line for each time that one was named.

use std::path::Path;

use serde::Deserialize;

use crate::disk::rows::{Row, rows};
use crate::handoff::{Inert, SessionId};

/// The list, in the store's root.
const LIST: &str = "session_index.jsonl";
/// The longest line that is read.
const LONGEST: u64 = 64 << 10;

#[derive(Deserialize)]
struct Named {
    id: String,
    thread_name: Option<String>,
}

/// The last name of exactly this session. A list that is not there or cannot be read names nothing: a name is shown
/// and proves nothing.
pub(super) fn of(root: &Path, id: &SessionId) -> Option<Inert> {
    let mut rows = rows(&root.join(LIST), LONGEST).ok()?;
    let mut name = None;
    while let Ok(Some(row)) = rows.next_row() {
        let Row::Whole(bytes) = row else { continue };
        if let Ok(named) = serde_json::from_slice::<Named>(bytes)
            && named.id == id.as_str()
        {
            name = named.thread_name;
        }
    }
    name.filter(|name| !name.trim().is_empty()).map(Inert::new)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_name_of_exactly_this_session_counts() {
        let home = tempfile::tempdir().unwrap();
        let id = SessionId::parse("0199aaaa-0000-7000-8000-000000000001").unwrap();
        assert_eq!(of(home.path(), &id), None, "no list, no name");
        let line = |id: &str, name: &str| {
            format!("{{\"id\":\"{id}\",\"thread_name\":\"{name}\",\"updated_at\":\"x\"}}\n")
        };
        let text = [
            line(id.as_str(), "first"),
            "torn\n".into(),
            line(id.as_str(), "second"),
            line("other", "third"),
        ];
        std::fs::write(home.path().join(LIST), text.concat()).unwrap();
        assert_eq!(
            of(home.path(), &id).map(|name| name.raw().to_owned()).as_deref(),
            Some("second"),
            "the last one"
        );
    }
}
