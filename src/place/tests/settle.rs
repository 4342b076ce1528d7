use super::*;
use std::fs;

const ONE: &str = "3f2a9c1e-0000-4000-8000-000000000001";

/// A file with these bytes below a folder, and its row.
fn file(root: &Path, relative: &str, bytes: &[u8]) -> Listed {
    let path = root.join(relative);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, bytes).unwrap();
    let (_, id) = crate::disk::kind(&path).unwrap();
    Listed { file: id, bytes: bytes.len() as u64, ..row(root.to_str().unwrap(), relative) }
}

#[test]
fn only_byte_equal_copies_in_other_worktrees_are_folded() {
    let dir = tempfile::tempdir().unwrap();
    let (project, lane) = (dir.path().join("p"), dir.path().join("p-lane"));
    let rows = vec![
        file(&lane, "HANDOFF.md", b"same"),
        file(&project, "HANDOFF.md", b"same"),
        file(&project, "docs/HANDOFF.md", b"same"),
        file(&lane, ".claude/HANDOFF.md", b"same"),
        file(&lane, "NEXT_SESSION.md", b"mine"),
        file(&project, "NEXT_SESSION.md", b"ours"),
    ];
    let (rows, _) = settled(rows);
    let got: Vec<_> =
        rows.iter().map(|row| (row.path.strip_prefix(dir.path()).unwrap(), row.twins.len())).collect();
    let expected = [
        (Path::new("p/HANDOFF.md"), 1),
        (Path::new("p/NEXT_SESSION.md"), 0),
        (Path::new("p/docs/HANDOFF.md"), 0),
        (Path::new("p-lane/.claude/HANDOFF.md"), 0),
        (Path::new("p-lane/NEXT_SESSION.md"), 0),
    ];
    let sorted: std::collections::BTreeSet<_> = got.into_iter().collect();
    assert_eq!(
        sorted,
        expected.into(),
        "the worktree's copy is folded; other bytes and other paths stay rows"
    );
    let kept = rows.iter().find(|row| !row.twins.is_empty()).unwrap();
    assert_eq!(kept.twins, [lane.join("HANDOFF.md")], "and the row names what it stands for");
}

#[test]
fn a_put_away_copy_stays_a_row() {
    let dir = tempfile::tempdir().unwrap();
    let live = file(&dir.path().join("p"), "HANDOFF.md", b"same");
    let trashed = Listed { state: State::Trashed, ..file(&dir.path().join("trash"), "HANDOFF.md", b"same") };
    assert_eq!(
        settled(vec![live, trashed]).0.len(),
        2,
        "what was put away can be put back only if it is shown"
    );
}

#[test]
fn one_pause_is_one_row() {
    let (rows, _) = settled(vec![
        row("/p", ".planning/.continue-here.md"),
        row("/p", ".planning/HANDOFF.json"),
        row("/q", ".planning/.continue-here.md"),
    ]);
    assert_eq!(rows.len(), 2, "the pair of /p is one row, the half of /q its own");
    let pair = rows.iter().find(|row| row.root == Path::new("/p")).unwrap();
    assert_eq!(pair.relative, Path::new(".planning/HANDOFF.json"), "the structured half stands for both");
    assert_eq!(pair.twins, [Path::new("/p/.planning/.continue-here.md")], "and names the other");
}

#[test]
fn one_record_id_in_several_places_is_told_on_each() {
    let pairs: Vec<Listed> = (0..50)
        .flat_map(|i| {
            let uuid = format!("3f2a9c1e-0000-4000-8000-{i:012}");
            let at = |place: &str| {
                record(row("/p", &format!(".memtomem/memories.local/{place}/{i}.md")), &uuid, 3)
            };
            [at("a"), at("b")]
        })
        .chain([record(
            row("/p", ".memtomem/memories.local/c.md"),
            "3f2a9c1e-0000-4000-8000-999999999999",
            3,
        )])
        .collect();
    let (rows, _) = settled(pairs);
    assert_eq!(rows.len(), 101, "both of every pair are shown");
    let (told, silent): (Vec<_>, Vec<_>) = rows.iter().partition(|row| !row.handoff.problems.is_empty());
    assert_eq!((told.len(), silent.len()), (100, 1), "each of a pair says so, a single record says nothing");
    for row in &told {
        assert_eq!(row.handoff.problems.len(), 1, "one other place, one note");
        assert!(!row.handoff.has_errors(), "it is a note: both records can be read");
    }
    let (again, _) = place::settle(rows.iter().cloned().map(Found::Row).collect());
    assert_eq!(again[0].handoff.problems.len(), 1, "settling twice tells nothing twice");
}

#[test]
fn every_row_has_an_id_of_its_own() {
    let twice = |line| record(row("/p", ".memtomem/memories.local/a.md"), ONE, line);
    let (rows, _) = settled(vec![twice(3), twice(40), row("/p", "HANDOFF.md")]);
    let ids: std::collections::HashSet<_> = rows.iter().map(|row| row.id.as_str()).collect();
    assert_eq!(ids.len(), 3, "one id written twice into one file still gives two names");
    assert_eq!(ids.iter().filter(|id| id.len() == 10).count(), 1, "only ids that clash are lengthened");
}

#[test]
fn skipped_ones_come_back_sorted_with_their_reasons() {
    let skip = |path: &str| Found::Skipped(Skipped { path: path.into(), reason: Inert::new("why") });
    let (rows, skipped) = place::settle(vec![skip("/p/b"), skip("/p/a")]);
    assert!(rows.is_empty(), "a skipped candidate is no row");
    assert_eq!(
        skipped.iter().map(|s| s.path.to_str().unwrap()).collect::<Vec<_>>(),
        ["/p/a", "/p/b"],
        "none is lost"
    );
}
