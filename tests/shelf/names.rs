//! Every name that a file can have goes away and comes back as it was.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::Path;
use std::sync::Arc;

use moorline::shelf::plan;

use super::world::{World, ask, handoff_text, names, write_handoff};

/// Names that other programs have tripped over.
fn odd_names() -> Vec<OsString> {
    let text = |name: &str| OsString::from(name);
    vec![
        text("261101-\u{e9}t\u{e9}.md"),
        text("261101-e\u{301}te\u{301}.md"),
        text("261101-CASE.md"),
        text("261101-case.md"),
        text("261101-dots....md"),
        text("261101-blank .md"),
        text("261101-%41.md"),
        text("261101-new\nline.md"),
        text("261101-\u{202e}dm.md"),
        text(&format!("{}.md", "l".repeat(252))),
        text(&format!("{}.md", "é".repeat(126))),
        OsString::from_vec(b"261101-\xff\xfe.md".to_vec()),
        OsString::from_vec([&[0xc3; 252][..], b".md"].concat()),
    ]
}

#[test]
fn odd_names_go_to_both_places_and_come_back() {
    let world = World::new();
    for name in odd_names() {
        write_handoff(&world.handoffs().join(&name));
    }
    // The same slug in the project and in the home directory.
    for dir in [world.handoffs(), world.home().join(".claude/handoffs")] {
        write_handoff(&dir.join("261101-same.md"));
    }
    let before = world.tree();
    let (shelf, roots) = (world.shelf(), world.roots());
    let all = odd_names().len() + 2;

    let archived = world.act(&plan::archive(ask(&shelf, &roots), &world.rows()));
    assert_eq!(archived.moved(), all, "all are archived: {archived:?}");
    let trashed = plan::trash(ask(&shelf, &roots), &world.rows(), 200).unwrap();
    assert_eq!(world.act(&trashed).moved(), all, "all are trashed");
    let found = world.rows();
    assert_eq!(found.len(), all, "and all are listed there");
    assert!(found.iter().all(|row| row.origin.is_some()), "each with its origin");
    assert_eq!(names(&world.trash()).len(), all * 2, "two files for each");

    let back = plan::put_back(ask(&shelf, &roots), &found, None);
    assert!(back.spared.is_empty(), "all can come back: {:?}", back.spared);
    assert_eq!(world.act(&back).moved(), all, "and do");
    let rows = world.rows();
    assert!(
        rows.iter().all(|row| row.path.parent().is_some_and(|dir| dir.ends_with("archive"))),
        "to the archive"
    );
    let live = plan::put_back(ask(&shelf, &roots), &rows, None);
    assert_eq!(world.act(&live).moved(), all, "and from there to where they were");
    for name in odd_names() {
        let path = world.handoffs().join(&name);
        assert_eq!(
            fs::read(&path).expect("there"),
            handoff_text(&path).as_bytes(),
            "{name:?} has its own bytes"
        );
    }
    assert_eq!(world.undo_all(), 4, "each of the four actions is undone");
    world.is_as(&before, "and everything is as it was");
}

#[test]
fn a_planted_record_leads_nowhere_but_to_places_of_handoffs() {
    let world = World::new();
    let (good, bad) = (world.base.join("other/.claude/handoffs/261101-a.md"), world.home().join(".bashrc"));
    fs::create_dir_all(good.parent().unwrap()).unwrap();
    for (name, origin) in
        [("good.md", good.as_path()), ("bad.md", bad.as_path()), ("up.md", Path::new("../x.md"))]
    {
        write_handoff(&world.trash().join(name));
        let record = format!("[Trash Info]\nPath={}\n", origin.display());
        fs::write(world.trash().join(format!("{name}.trashinfo")), record).unwrap();
    }
    write_handoff(&world.trash().join("none.md"));
    let (shelf, roots) = (world.shelf(), world.roots());
    let plan = plan::put_back(ask(&shelf, &roots), &world.rows(), None);
    let reasons: Vec<_> = plan.spared.iter().map(|spared| spared.reason.as_str()).collect();
    assert_eq!(plan.moves.len(), 1, "another project's handoff comes back to it: {reasons:?}");
    assert_eq!(reasons.len(), 3, "the others stay: {reasons:?}");
    assert!(reasons.iter().all(|reason| reason.ends_with("choose a place for it")), "and say what to do");
    world.act(&plan);
    assert!(good.is_file() && !bad.exists(), "nothing was made where no handoffs lie");
}

#[test]
fn a_link_is_never_moved_and_never_followed() {
    let world = World::new();
    let real = world.handoff("docs/HANDOFF.md");
    let link = world.handoffs().join("261101-link.md");
    std::os::unix::fs::symlink(&real, &link).unwrap();
    let rows: Vec<_> = world.rows();
    let linked: Vec<Arc<_>> = rows
        .iter()
        .map(|row| {
            let mut row = moorline::place::Listed::clone(row);
            row.path = link.clone();
            Arc::new(row)
        })
        .collect();
    let (shelf, roots) = (world.shelf(), world.roots());
    let done = world.act(&plan::archive(ask(&shelf, &roots), &linked[..1]));
    assert_eq!(done.moved(), 0, "a link stays: {done:?}");
    assert!(real.is_file() && link.is_symlink(), "and what it leads to as well");
    let plain = OsStr::from_bytes(b"HANDOFF.md");
    assert_eq!(real.file_name(), Some(plain), "the control: the file has its name");
}
