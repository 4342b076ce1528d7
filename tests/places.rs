//! Journeys of the scan on real files: what is found, once, with a reason where it is not listed, in one order.

#![allow(clippy::unwrap_used, reason = "a test ends at the first thing that is not as it laid it out")]

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use moorline::place::{self, Found, Listed, Roots, Scope, Skipped, State};

fn write(root: &Path, relative: &str, text: &str) -> PathBuf {
    let path = root.join(relative);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, text).unwrap();
    path
}

fn roots(project: &Path) -> Roots {
    Roots { project: project.to_owned(), ..Roots::default() }
}

fn found(roots: &Roots) -> Vec<Found> {
    let found = Mutex::new(Vec::new());
    place::scan(roots, &AtomicBool::new(false), &|batch| {
        found.lock().unwrap().extend(batch);
        true
    });
    found.into_inner().unwrap()
}

fn list(roots: &Roots) -> (Vec<Arc<Listed>>, Vec<Skipped>) {
    place::settle(found(roots))
}

fn relatives(rows: &[Arc<Listed>]) -> BTreeSet<String> {
    rows.iter().map(|row| row.relative.to_string_lossy().into_owned()).collect()
}

fn handoff(date: &str, what: &str) -> String {
    format!("# Handoff {what}\n\n**Date:** {date}\n\n## Next steps\n\n1. go on with {what}\n")
}

fn record(uuid: &str) -> String {
    format!(
        "## Handoff {uuid}\n\n> created: 2026-09-01T10:00:00Z\n> tags: [\"handoff\",\"from-any\",\"to-any\",\
         \"handoff-to-any\",\"handoff-id-{uuid}\"]\n\n```text\nhandoff_id: {uuid}\nfrom_runtime: any\n\
         to_runtime: any\nproject_root: /p\nobjective: o\ncompleted: c\nchanged_files: none\nartifacts: none\n\
         git_head: none\nworktree_state: clean\nvalidation: v\nblockers: none\nnext_action: n\n```\n\n"
    )
}

#[test]
fn every_place_is_searched_and_nothing_else() {
    let dir = tempfile::tempdir().unwrap();
    let (project, home) = (dir.path().join("p"), dir.path().join("home"));
    let text = handoff("2026-09-01", "x");
    for path in
        ["HANDOFF.md", "docs/handoffs/a.md", ".claude/handoffs/260901-a.md", "plans/260901-a/HANDOFF.md"]
    {
        write(&project, path, &text);
    }
    write(&project, ".claude/handoffs/archive/260701-old.md", &text);
    write(&project, ".gitignore", ".claude/\n");
    write(&project, "node_modules/x/HANDOFF.md", &text);
    write(&project, "src/HANDOFF.md", &text);
    write(&home, ".claude/handoffs/260801-home.md", &text);
    write(&home, ".agent-handoffs/otter/codex/unread/1.md", &text);
    write(&home, "HANDOFF.md", &text);
    write(&home, ".claude/.handoff-trash/HANDOFF.md", &text);
    let info = format!("[Trash Info]\nPath={}/plans/260701-b/HANDOFF.md\n", project.display());
    write(&home, ".claude/.handoff-trash/HANDOFF.md.trashinfo", &info);

    let (rows, skipped) = list(&Roots { home: Some(home.clone()), ..roots(&project) });
    assert!(skipped.is_empty(), "nothing here is unreadable: {skipped:?}");
    let got: BTreeSet<_> = rows
        .iter()
        .map(|row| (row.path.strip_prefix(dir.path()).unwrap().to_str().unwrap(), row.scope, row.state))
        .collect();
    let expected = [
        ("p/HANDOFF.md", Scope::Project, State::Live),
        ("p/docs/handoffs/a.md", Scope::Project, State::Live),
        ("p/.claude/handoffs/260901-a.md", Scope::Project, State::Live),
        ("p/.claude/handoffs/archive/260701-old.md", Scope::Project, State::Archived),
        ("p/plans/260901-a/HANDOFF.md", Scope::Plan, State::Live),
        ("home/.claude/handoffs/260801-home.md", Scope::Global, State::Live),
        ("home/.agent-handoffs/otter/codex/unread/1.md", Scope::Global, State::Live),
        ("home/.claude/.handoff-trash/HANDOFF.md", Scope::Plan, State::Trashed),
    ];
    assert_eq!(got, expected.into(), "hidden and ignored places too, other people's code and bare homes not");
}

#[test]
fn a_file_where_agents_keep_a_folder_is_said_and_no_absence() {
    let dir = tempfile::tempdir().unwrap();
    let (project, home) = (dir.path().join("p"), dir.path().join("home"));
    write(&project, ".claude/handoffs", "not a folder\n");
    write(&project, ".thunderkit", "nor this\n");
    write(&project, "docs", "somebody's own, and no agent's\n");
    write(&home, ".claude/.handoff-trash", "nor this\n");
    let (rows, skipped) = list(&Roots { home: Some(home.clone()), ..roots(&project) });
    let got: BTreeSet<_> = skipped
        .iter()
        .map(|skipped| skipped.path.strip_prefix(dir.path()).unwrap().to_str().unwrap())
        .collect();
    assert_eq!(got, ["home/.claude/.handoff-trash", "p/.claude/handoffs", "p/.thunderkit"].into());
    assert!(rows.is_empty(), "nothing is taken for a handoff");
    for place in ["p/.claude/handoffs", "p/.thunderkit", "home/.claude/.handoff-trash"] {
        fs::remove_file(dir.path().join(place)).unwrap();
        fs::create_dir(dir.path().join(place)).unwrap();
    }
    let (_, skipped) = list(&Roots { home: Some(home), ..roots(&project) });
    assert!(skipped.is_empty(), "the control: an empty folder is one without handoffs: {skipped:?}");
}

#[test]
fn a_day_file_counts_once_per_handoff_in_it() {
    let dir = tempfile::tempdir().unwrap();
    let ids: Vec<String> = (1..=3).map(|i| format!("3f2a9c1e-0000-4000-8000-00000000000{i}")).collect();
    let day = ids.iter().map(|id| record(id)).collect::<String>();
    write(dir.path(), ".memtomem/memories.local/2026-09-01.md", &format!("# 2026-09-01\n\n{day}"));
    write(
        dir.path(),
        ".memtomem/memories.local/2026-09-02.md",
        "# 2026-09-02\n\n## A memory\n\nnot a handoff\n",
    );
    let (rows, skipped) = list(&roots(dir.path()));
    assert_eq!(
        (rows.len(), skipped.len()),
        (3, 0),
        "three records are three, a day without a handoff is none"
    );
    let found: BTreeSet<_> =
        rows.iter().filter_map(|row| row.handoff.record_id.as_ref()).map(ToString::to_string).collect();
    assert_eq!(found, ids.into_iter().collect(), "each with its own id");
}

#[test]
fn links_are_followed_inside_the_root_and_each_file_is_listed_once() {
    let dir = tempfile::tempdir().unwrap();
    let project = dir.path().join("p");
    let text = handoff("2026-09-01", "x");
    write(&project, "handoffs/a.md", &text);
    write(&project, "notes/b.md", &handoff("2026-09-02", "b"));
    write(&project, "notes/deep/c.md", &handoff("2026-09-03", "c"));
    write(&project, "handoffs/.keep", "");
    write(dir.path(), "outside/secret.md", &text);
    fs::create_dir_all(project.join("docs")).unwrap();
    symlink("../handoffs", project.join("docs/handoffs")).unwrap();
    symlink(project.join("handoffs"), project.join(".handoffs")).unwrap();
    symlink("handoffs/a.md", project.join("HANDOFF.md")).unwrap();
    symlink("notes", project.join(".handoff")).unwrap();
    symlink("..", project.join("handoffs/up")).unwrap();
    symlink("../../outside", project.join("handoffs/out")).unwrap();
    symlink("../outside/secret.md", project.join("HANDOVER.md")).unwrap();
    symlink("nowhere.md", project.join("CONTINUE.md")).unwrap();

    let (rows, skipped) = list(&roots(&project));
    let expected = [".handoff/b.md", ".handoff/deep/c.md", "handoffs/a.md"];
    let found = relatives(&rows);
    for path in expected {
        assert!(found.contains(path), "{path} is listed by its first spelling: {found:?}");
    }
    let files: BTreeSet<_> = rows.iter().map(|row| row.file).collect();
    assert_eq!(files.len(), rows.len(), "no real file is listed twice");
    let reasons: Vec<_> =
        skipped.iter().map(|s| (s.path.file_name().unwrap().to_str().unwrap(), s.reason.raw())).collect();
    let of = |name: &str| {
        reasons.iter().find(|(path, _)| *path == name).map(|(_, reason)| *reason).unwrap_or_default()
    };
    assert!(
        of("HANDOVER.md").contains("leads out"),
        "a link out of the root is told, not followed: {reasons:?}"
    );
    assert!(of("out").contains("leads out"), "a linked folder as well");
    assert!(of("CONTINUE.md").contains("not there"), "a link to nothing is told");
    assert!(!rows.iter().any(|row| row.path.ends_with("secret.md")), "and nothing outside is listed");
}

#[test]
fn worktrees_are_scanned_and_only_equal_copies_are_folded() {
    let dir = tempfile::tempdir().unwrap();
    let (project, inside, outside) = (
        dir.path().join("p"),
        dir.path().join("p/.thunderkit/runs/r/worktrees/a"),
        dir.path().join("p-lane-b"),
    );
    for root in [&project, &inside, &outside] {
        write(root, "HANDOFF.md", &handoff("2026-09-01", "tracked"));
    }
    write(&inside, "NEXT_SESSION.md", &handoff("2026-09-02", "mine"));
    let spelled_twice = dir.path().join("p/../p");
    let (rows, _) =
        list(&Roots { worktrees: vec![inside.clone(), outside.clone(), spelled_twice], ..roots(&project) });
    assert_eq!(rows.len(), 2, "one row for the three copies, one for the agent's own file");
    let tracked =
        rows.iter().find(|row| row.path == project.join("HANDOFF.md")).expect("the project's copy stays");
    let twins: BTreeSet<_> = tracked.twins.iter().cloned().collect();
    assert_eq!(
        twins,
        [inside.join("HANDOFF.md"), outside.join("HANDOFF.md")].into(),
        "it names the other two"
    );
    assert!(
        rows.iter().any(|row| row.path == inside.join("NEXT_SESSION.md")),
        "an agent's own file never vanishes"
    );
}

#[test]
fn names_need_not_be_utf_8() {
    let dir = tempfile::tempdir().unwrap();
    let name = std::ffi::OsStr::from_bytes(b"\xff-260901.md");
    write(dir.path(), "handoffs/plain.md", &handoff("2026-09-01", "x"));
    fs::write(dir.path().join("handoffs").join(name), handoff("2026-09-02", "odd")).unwrap();
    let (rows, skipped) = list(&roots(dir.path()));
    assert_eq!((rows.len(), skipped.len()), (2, 0), "an odd name is listed like any other");
    assert!(rows.iter().any(|row| row.path.file_name() == Some(name)), "under exactly its bytes");
}

#[test]
fn ten_thousand_files_are_all_accounted_for() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join(".claude/handoffs");
    fs::create_dir_all(&folder).unwrap();
    for i in 0..9_500 {
        let text = handoff(&format!("2026-{:02}-{:02}", 1 + i % 12, 1 + i % 28), &format!("work {i}"));
        fs::write(folder.join(format!("{i}.md")), text).unwrap();
    }
    // Twenty ways to be damaged; the last ones cannot be opened at all.
    let bytes: [&[u8]; 15] = [
        b"",
        b"\0",
        b"\xff\xfe\x00",
        b"\xef\xbb\xbf",
        b"---\n",
        b"---\na: [\n---\n",
        b"{\"a\":",
        b"\x1b[2J\x1b]0;x\x07",
        b"# \n\n## \n",
        b"```\n```\n```",
        b"\r\r\r",
        b"| a |\n|",
        b"<!-- ",
        b"[[[[[[[[[[[[[[[[",
        "\u{202e}\u{2028}\u{85}".as_bytes(),
    ];
    for i in 0..500_usize {
        let way = i % 20;
        let ending = ["md", "json", "yaml", "txt"][i % 4];
        let path = folder.join(format!("damaged-{i}.{ending}"));
        match way {
            0..15 => fs::write(&path, bytes[way]).unwrap(),
            15 => symlink("/dev/zero", &path).unwrap(),
            16 => symlink("nowhere", &path).unwrap(),
            17 => symlink(path.file_name().unwrap(), &path).unwrap(),
            18 => drop(std::os::unix::net::UnixListener::bind(&path).unwrap()),
            _ => fs::File::create(&path).unwrap().set_len(1 << 24).unwrap(),
        }
    }
    let provisional = found(&roots(dir.path()));
    assert_eq!(provisional.len(), 10_000, "every candidate is given out exactly once");
    let (rows, skipped) = place::settle(provisional);
    assert_eq!(rows.len() + skipped.len(), 10_000, "listed and explained together are what was found");
    assert_eq!(skipped.len(), 4 * 25, "only what cannot be opened is not listed");
    assert!(skipped.iter().all(|s| !s.reason.is_blank()), "each of those with its reason");
    let ids: BTreeSet<_> = rows.iter().map(|row| &row.id).collect();
    assert_eq!(ids.len(), rows.len(), "every row has an id of its own");
}

#[test]
fn a_folder_that_cannot_be_listed_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("handoffs");
    write(dir.path(), "handoffs/a.md", &handoff("2026-09-01", "x"));
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o000)).unwrap();
    let is_root = fs::read_dir(&folder).is_ok();
    let (rows, skipped) = list(&roots(dir.path()));
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
    if is_root {
        assert_eq!(rows.len(), 1, "permissions do not bind this user: the file is listed");
    } else {
        assert_eq!((rows.len(), skipped.len()), (0, 1), "an error is not an absence");
    }
    let (_, skipped) = list(&roots(&dir.path().join("gone")));
    assert_eq!(skipped.len(), 1, "a project that is not there is told too");
}

#[test]
fn a_stopped_scan_gives_out_no_more() {
    let dir = tempfile::tempdir().unwrap();
    for i in 0..500 {
        write(dir.path(), &format!("handoffs/{i}.md"), "# x\n");
    }
    let batches = AtomicUsize::new(0);
    place::scan(&roots(dir.path()), &AtomicBool::new(false), &|_| {
        batches.fetch_add(1, Ordering::Relaxed);
        false
    });
    let after_no = batches.load(Ordering::Relaxed);
    assert!((1..=16).contains(&after_no), "a no ends it, but for batches on their way: {after_no}");
    place::scan(&roots(dir.path()), &AtomicBool::new(true), &|_| {
        panic!("a cancelled scan gives out nothing")
    });
}

#[test]
fn an_explicit_path_is_read_wherever_it_lies() {
    let dir = tempfile::tempdir().unwrap();
    let project = dir.path().join("p");
    let elsewhere = write(dir.path(), "elsewhere/notes.md", &handoff("2026-09-01", "x"));
    let plan = write(dir.path(), "q/plans/260901-a/HANDOFF.md", &handoff("2026-09-01", "x"));
    let known = write(&project, "HANDOFF.md", &handoff("2026-09-01", "x"));
    let read = |path: &Path| place::read_path(path, &roots(&project)).unwrap().remove(0);
    assert_eq!(
        read(&elsewhere).root,
        dir.path().join("elsewhere"),
        "outside every place its folder is the root"
    );
    let row = read(&plan);
    assert_eq!(
        (row.scope, row.root),
        (Scope::Plan, dir.path().join("q")),
        "a convention tells the project around it"
    );
    let (rows, _) = list(&roots(&project));
    assert_eq!(read(&known).id, rows[0].id, "a path names the same row as the list");
    assert!(place::read_path(dir.path(), &roots(&project)).is_err(), "a folder is no handoff");
    assert!(place::read_path(&project.join("gone.md"), &roots(&project)).is_err(), "nor is nothing");
}

/// Files whose dates are written in every way, some in none.
fn a_thousand(root: &Path) {
    let folder = root.join("handoffs");
    fs::create_dir_all(&folder).unwrap();
    for i in 0..1_000 {
        let day = format!("2026-{:02}-{:02}", 1 + i % 11, 1 + i % 28);
        let text = match i % 8 {
            0 => handoff(&day, "a day"),
            1 => handoff(&format!("{day}T23:50:00Z"), "an instant"),
            2 => handoff(&format!("{day}T02:30:00+05:45"), "an offset"),
            3 => handoff(&format!("{day} 02:30"), "a local time"),
            4 => format!("# Handoff — {day}\n\nwork\n"),
            5 => handoff("2099-01-01", "the future"),
            6 => handoff("1969-12-31", "before there was time"),
            _ => handoff("2026-13-45", "no date at all"),
        };
        fs::write(folder.join(format!("{i}.md")), text).unwrap();
    }
}

/// Stamps every file anew, in an order that depends on `stir`.
fn shuffle_mtimes(root: &Path, stir: u64) {
    for n in 0..1_000 {
        // 30 × anything + 7 has no factor in common with 1,000: every file gets its turn.
        let path = root.join(format!("handoffs/{}.md", (n * (stir * 30 + 7) + stir) % 1_000));
        let modified = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_700_000_000 + n * 61);
        fs::File::options().write(true).open(&path).unwrap().set_modified(modified).unwrap();
    }
}

const ORDER_OF: &str = "MOORLINE_TEST_ORDER_OF";

/// Run by [`the_order_is_one_in_every_time_zone`] in a process of its own per time zone; does nothing otherwise.
#[test]
fn order_in_this_time_zone() {
    let Some(root) = std::env::var_os(ORDER_OF) else { return };
    for row in list(&roots(Path::new(&root))).0 {
        println!("row {}", row.relative.display());
    }
}

#[test]
fn the_order_is_one_in_every_time_zone() {
    let dir = tempfile::tempdir().unwrap();
    a_thousand(dir.path());
    let order = |stir: u64, zone: &str| {
        shuffle_mtimes(dir.path(), stir);
        let exe = std::env::current_exe().unwrap();
        let output = std::process::Command::new(exe)
            .args(["--exact", "order_in_this_time_zone", "--nocapture"])
            .env(ORDER_OF, dir.path())
            .env("TZ", zone)
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        text.lines().filter_map(|line| line.strip_prefix("row ").map(str::to_owned)).collect::<Vec<_>>()
    };
    let first = order(1, "UTC0");
    assert_eq!(first.len(), 1_000, "control: the other process lists every file");
    let zones = ["NPT-5:45", "PST8PDT,M3.2.0,M11.1.0", "LINT-14", "AOE12", "CET-1CEST,M3.5.0,M10.5.0/3"];
    for (stir, zone) in (2..).zip(zones) {
        assert!(
            order(stir, zone) == first,
            "{zone}: time zone, mtimes and arrival must not change the order"
        );
    }
}
