//! Sessions that lie in the store compressed.

use std::path::Path;

use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use serde_json::json;

use super::{ID, id, name, row, session, whole};
use crate::harness::codex::Codex;
use crate::harness::made_up::{Home, brief};
use crate::harness::{Answer, Harness};

pub(super) fn pack(bytes: &[u8]) -> Vec<u8> {
    compress_to_vec(bytes, CompressionLevel::Fastest)
}

#[test]
fn a_compressed_session_is_read_like_any_other_or_is_unknown() {
    let home = Home::new();
    let place = format!("{}.zst", name(ID));
    let ask = || brief(Codex.session(&home.around(), &id()));
    let big = "y".repeat(120_000);
    let rows =
        session(&[whole("gpt-a", "/p"), vec![row("event_msg", json!({"note": big}))], whole("gpt-b", "/q")]);
    let packed = pack(&rows);
    let path = home.write(&place, &packed);
    let before = home.tree(".codex");
    let Answer::Found(read) = Codex.session(&home.around(), &id()) else { panic!("it is read: {}", ask()) };
    assert_eq!((read.store, read.bytes), (path, rows.len() as u64), "in its place, with its size unpacked");
    assert_eq!(ask(), "2 gpt-b /q 0 1", "row for row");
    assert_eq!(home.tree(".codex"), before, "and nothing was unpacked beside it");
    home.write(&place, pack(&[rows.clone(), b"{torn".to_vec()].concat()));
    assert_eq!(ask(), "2 - - 1 1", "a damaged row in it is one");
    for (what, bytes) in [
        ("cut off", packed[..packed.len() / 2].to_vec()),
        ("an empty file", vec![]),
        ("not compressed at all", rows.clone()),
        ("with something behind it", [packed.clone(), b"more".to_vec()].concat()),
    ] {
        home.write(&place, bytes);
        let said = ask();
        assert!(said.starts_with("unknown") && said.contains("cannot be unpacked"), "{what}: {said}");
        let new = Codex.created_since(&home.around(), &[Path::new("/p/here")], 0);
        let first_row_is_whole = what == "with something behind it";
        assert!(
            first_row_is_whole || !matches!(new, Answer::Found(ids) if !ids.is_empty()),
            "{what}: no session"
        );
    }
}
