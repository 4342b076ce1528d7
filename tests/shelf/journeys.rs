//! What a person who cleans up types, and what the directories look like afterwards.

use std::fs;

use super::world::{World, handoff_text, names};

#[test]
fn a_trashed_handoff_says_where_it_was_and_comes_back() {
    let world = World::new();
    let path = world.handoff(".claude/handoffs/261101-login.md");
    let before = world.tree();
    let (code, said) = world.types(&["trash", "261101-login"]);
    assert_eq!(code, 0, "one named handoff needs no second yes: {said}");
    assert!(!path.exists(), "it is gone from its place");
    assert_eq!(
        names(&world.trash()),
        ["261101-login.md", "261101-login.md.trashinfo"],
        "and lies in the trash with its record"
    );
    let record = fs::read_to_string(world.trash().join("261101-login.md.trashinfo")).unwrap();
    assert!(record.contains(&format!("Path={}\n", path.display())), "the record names the origin: {record}");
    assert!(record.contains("DeletionDate=2026-11-30T"), "and the day: {record}");

    let (code, said) = world.types(&["context", "261101-login"]);
    assert_eq!(code, 1, "a resume by that name stops");
    assert!(said.contains("found in the trash; move it back?"), "and offers to move it back: {said}");
    let (_, said) = world.types(&["list", "--trashed"]);
    assert!(said.contains(&format!("from {}", path.display())), "the list says where it was: {said}");

    let (code, said) = world.types(&["put-back", "261101-login"]);
    assert_eq!((code, path.exists()), (0, true), "it comes back: {said}");
    assert_eq!(fs::read_to_string(&path).unwrap(), handoff_text(&path), "with its bytes");
    assert!(names(&world.trash()).is_empty(), "and leaves no record behind");
    assert_eq!(world.undo_all(), 2, "both can be undone, after a restart too: every line here is one");
    world.is_as(&before, "and then everything is as it was, made directories included");
}

#[test]
fn many_at_once_are_shown_first_and_need_a_yes() {
    let world = World::new();
    for name in ["261101-a", "261102-b", "261103-c"] {
        world.handoff(&format!(".claude/handoffs/{name}.md"));
    }
    let before = world.tree();
    let words = ["archive", "261101-a", "261102-b", "261103-c"];
    let (code, said) = world.types(&words);
    assert_eq!(code, 1, "with nobody to ask nothing is done");
    assert!(
        said.contains("would archive 3 handoffs") && said.contains("nothing was moved"),
        "and told: {said}"
    );
    world.is_as(&before, "nothing was");
    let (code, said) = world.types(&[&words[..], &["--dry-run", "--json"]].concat());
    let plan: serde_json::Value = serde_json::from_str(&said).expect("one document");
    assert_eq!((code, plan["moves"].as_array().map(Vec::len)), (0, Some(3)), "a dry run shows all moves");
    assert_eq!((plan["done"].as_bool(), world.tree()), (Some(false), before.clone()), "and moves nothing");
    let (code, _) = world.types(&[&words[..], &["--yes"]].concat());
    assert_eq!(code, 0, "with a yes it is done");
    assert_eq!(names(&world.handoffs().join("archive")), ["261101-a.md", "261102-b.md", "261103-c.md"]);
    let (_, said) = world.types(&["list", "--archived"]);
    assert_eq!(said.matches("from ").count(), 3, "each is listed with its origin: {said}");
    let (code, said) = world.types(&["undo", "--yes"]);
    assert_eq!((code, world.tree()), (0, before), "one undo takes all three back: {said}");
}

#[test]
fn a_restore_to_a_taken_origin_takes_another_name_and_says_so_twice() {
    let world = World::new();
    let path = world.handoff(".claude/handoffs/261101-login.md");
    world.types(&["trash", "261101-login"]);
    fs::write(&path, "# Handoff\n\nNext: another one\n").unwrap();
    let (_, said) = world.types(&["put-back", ".handoff-trash/261101-login.md", "--dry-run"]);
    let id = world.rows().iter().find(|row| row.origin.is_some()).unwrap().id.clone();
    let (_, plan) = world.types(&["put-back", &id, "--dry-run"]);
    assert!(
        plan.contains("261101-login-2.md") && plan.contains("is taken"),
        "the plan says so: {plan} {said}"
    );
    let chosen = world.project().join("docs");
    fs::create_dir(&chosen).unwrap();
    let (code, said) = world.types(&["put-back", &id]);
    assert_eq!(code, 0, "it comes back beside the other one: {said}");
    assert!(
        said.contains("261101-login-2.md") && said.contains(&format!("because {} is taken", path.display())),
        "and the result says so too: {said}"
    );
    world.types(&["undo"]);
    let (code, said) = world.types(&["put-back", &id, "--to", "docs"]);
    assert_eq!(code, 0, "a chosen place that is free is taken as it is: {said}");
    assert_eq!(names(&chosen), ["261101-login.md"], "under its own name");
    assert_eq!(fs::read_to_string(&path).unwrap(), "# Handoff\n\nNext: another one\n", "nothing is replaced");
}

#[test]
fn what_comes_next_is_said_only_where_it_can_be_done() {
    let world = World::new();
    world.handoff(".claude/handoffs/261101-login.md");
    let next = |words: &[&str]| {
        let (code, said) = world.types(words);
        let document: serde_json::Value = serde_json::from_str(&said).expect("one document");
        (code, document["summary"]["next_permitted"].as_str().unwrap_or_default().to_owned())
    };
    let trashed = next(&["trash", "261101-login", "--json"]);
    let id = world.last_action();
    assert_eq!(
        trashed,
        (0, format!("take it back: moorline undo {id}")),
        "the control: a move can be undone"
    );
    let undone = next(&["undo", "--json"]);
    assert_eq!(undone, (0, "nothing".to_owned()), "an undo offers no undo of itself");
    let (code, said) = world.types(&["undo", "--json"]);
    let document: serde_json::Value = serde_json::from_str(&said).expect("one document, also of nothing");
    assert_eq!((code, document["done"].as_bool()), (1, Some(false)), "nothing was done");
    let outcome = document["summary"]["outcome"].as_str().unwrap_or_default();
    assert!(outcome.contains("there is nothing to undo in this project"), "and why: {outcome}");
}

#[test]
fn what_was_put_away_answers_to_where_it_was() {
    let world = World::new();
    let plan = world.handoff("plans/260901-auth/HANDOFF.md");
    let own = world.handoff("HANDOFF.md");
    for path in [&plan, &own] {
        let (code, said) = world.types(&["trash", &path.display().to_string()]);
        assert_eq!(code, 0, "{said}");
    }
    assert_eq!(
        names(&world.trash())[0],
        "HANDOFF-2.md",
        "the control: the root's own file has another name in there"
    );
    let (code, said) = world.types(&["put-back", "HANDOFF.md"]);
    assert_eq!((code, own.exists(), plan.exists()), (0, true, false), "the root's own comes back: {said}");
    let (code, said) = world.types(&["put-back", &plan.display().to_string()]);
    assert_eq!((code, plan.exists()), (0, true), "and the other one by the path that the list shows: {said}");
}

/// Runs git in the project.
pub fn git(world: &World, words: &[&str]) {
    let mut command = std::process::Command::new("git");
    command
        .arg("-C")
        .arg(world.project())
        .args(["-c", "user.name=A", "-c", "user.email=a@example.org"])
        .args(words);
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null");
    command.env("GIT_AUTHOR_DATE", "2026-11-12T10:00:00Z").env("GIT_COMMITTER_DATE", "2026-11-12T10:00:00Z");
    assert!(command.output().expect("git runs").status.success(), "git {words:?}");
}

#[test]
fn of_two_equal_files_the_one_that_was_named_goes() {
    let world = World::new();
    let own = world.handoff("HANDOFF.md");
    let far = world.base.join("other");
    git(&world, &["init", "-q"]);
    git(&world, &["add", "HANDOFF.md"]);
    git(&world, &["commit", "-q", "-m", "Begin"]);
    git(&world, &["worktree", "add", "-q", far.to_str().expect("plain")]);
    let there = far.join("HANDOFF.md");
    assert_eq!(
        fs::read(&own).unwrap(),
        fs::read(&there).unwrap(),
        "the control: a list shows one row for both"
    );
    let (code, said) = world.types(&["trash", there.to_str().unwrap()]);
    assert_eq!((code, own.exists(), there.exists()), (0, true, false), "the named one goes: {said}");
    world.types(&["undo"]);
    assert!(there.exists(), "and comes back");
    let (code, said) = world.types(&["trash", "HANDOFF.md"]);
    assert_eq!((code, own.exists(), there.exists()), (0, false, true), "the one here goes: {said}");
    let words = format!("{} has the same bytes and stays", there.display());
    assert!(
        said.contains(&words),
        "and that the other one stays is said, because a list now shows it: {said}"
    );
}

#[test]
fn another_name_of_a_file_moves_itself_or_nothing() {
    let world = World::new();
    let own = world.handoff("HANDOFF.md");
    let (second, odd) = (world.project().join("NEXT_SESSION.md"), world.project().join("backup.md"));
    fs::hard_link(&own, &second).unwrap();
    fs::hard_link(&own, &odd).unwrap();
    let (code, said) = world.types(&["trash", "NEXT_SESSION.md"]);
    assert_eq!(
        (code, own.exists(), second.exists()),
        (0, true, false),
        "a name of its own is itself: {said}"
    );
    let (code, said) = world.types(&["trash", "backup.md"]);
    assert_eq!(
        (code, own.exists(), odd.exists()),
        (1, true, true),
        "one that is no handoff's moves none: {said}"
    );
    assert!(
        said.contains(&format!("another name of the file of {}", own.display())),
        "and which is said: {said}"
    );
    let (code, said) = world.types(&["trash", "HANDOFF.md"]);
    assert_eq!((code, own.exists()), (0, false), "the control: that one goes: {said}");
}

#[test]
fn a_path_that_is_not_here_is_not_taken_for_another_worktree_s() {
    let world = World::new();
    let own = world.handoff("HANDOFF.md");
    let far = world.base.join("other");
    let git = |words: &[&str]| git(&world, words);
    git(&["init", "-q"]);
    git(&["add", "HANDOFF.md"]);
    git(&["commit", "-q", "-m", "Begin"]);
    git(&["worktree", "add", "-q", far.to_str().expect("plain")]);
    let there = far.join("HANDOFF.md");
    fs::write(&there, "# Handoff\n\nNext: the other one\n").unwrap();
    fs::remove_file(&own).unwrap();
    let (code, said) = world.types(&["trash", "HANDOFF.md"]);
    assert_eq!((code, there.exists()), (1, true), "it stays: {said}");
    assert!(said.contains("another worktree") && said.contains(there.to_str().unwrap()), "{said}");
    let (code, said) = world.types(&["trash", there.to_str().unwrap()]);
    assert_eq!((code, there.exists()), (0, false), "the control: by its whole path it goes: {said}");
}

#[test]
fn a_place_that_a_person_chose_is_never_exchanged_for_another_one() {
    let world = World::new();
    let (first, second) = (world.handoff(".claude/handoffs/261101-a.md"), world.handoff("docs/HANDOFF.md"));
    world.types(&["trash", "261101-a"]);
    let (before, to) = (world.tree(), second.display().to_string());
    for words in
        [&["put-back", "261101-a", "--to", &to][..], &["put-back", "261101-a", "--to", &to, "--json"]]
    {
        let (code, said) = world.types(words);
        assert_eq!(code, 1, "a taken place is no place: {said}");
        let size = fs::metadata(&second).unwrap().len();
        assert!(
            said.contains(&format!("a file of {size} bytes lies at {to} already")),
            "what lies there: {said}"
        );
        assert!(said.contains("docs/HANDOFF-2.md is free"), "and what to do: {said}");
        world.is_as(&before, "nothing moves");
    }
    fs::create_dir(world.project().join("docs/261101-a.md")).unwrap();
    let (code, said) = world.types(&["put-back", "261101-a", "--to", "docs/261101-a.md"]);
    assert_eq!((code, first.exists()), (0, false), "a directory is one to put it into: {said}");
    assert_eq!(names(&world.project().join("docs/261101-a.md")), ["261101-a.md"], "under its own name");
    world.types(&["undo"]);
    let (code, said) = world.types(&["put-back", "261101-a", "--to", "gone/x.md"]);
    assert_eq!(code, 1, "a directory that is not there is not made up: {said}");
    assert!(said.contains("the directory of") && said.contains("is not there"), "and named: {said}");
    let (code, said) = world.types(&["put-back", "261101-a", "--to", "docs/HANDOFF-2.md"]);
    assert_eq!((code, names(&world.trash()).len()), (0, 0), "the control: the free name is taken: {said}");
    assert!(!said.contains("no list"), "and a list shows it there: {said}");
    world.types(&["undo"]);
    fs::create_dir(world.project().join("src")).unwrap();
    let (code, said) = world.types(&["put-back", "261101-a", "--to", "src"]);
    assert_eq!(code, 0, "any place can be chosen: {said}");
    let warned =
        format!("no list of this project shows a handoff at {}/src/261101-a.md", world.project().display());
    assert!(said.contains(&warned), "but one that no list looks into is said: {said}");
}

#[test]
fn an_empty_archive_and_an_empty_trash_are_said_in_words_of_their_own() {
    let world = World::new();
    world.handoff("HANDOFF.md");
    let (code, said) = world.types(&["list", "--trashed"]);
    let trash = world.trash().display().to_string();
    assert_eq!(code, 1, "nothing lies there");
    assert!(said.contains("The trash is empty") && said.contains(&trash), "which place is empty: {said}");
    assert!(said.contains("moorline trash NAME"), "and what puts something there: {said}");
    assert!(!said.contains("No handoffs below"), "the project has one: {said}");
    let (code, said) = world.types(&["list", "--archived"]);
    assert_eq!(code, 1, "nor there");
    assert!(said.contains("Nothing is archived") && !said.contains("trash"), "{said}");
    let (_, said) = world.types(&["list", "--archived", "--trashed"]);
    assert!(said.contains("Nothing is archived") && said.contains("The trash is empty"), "both: {said}");
    world.types(&["trash", "HANDOFF.md"]);
    let (code, said) = world.types(&["list", "--trashed"]);
    assert_eq!(code, 0, "the control: now one does");
    assert!(said.contains("Handoffs in the trash:") && said.contains("moorline put-back NAME"), "{said}");
    let (code, said) = world.types(&["list"]);
    assert_eq!(code, 0, "a list of everything has it too: {said}");
}

#[test]
fn a_link_is_refused_by_name_and_says_what_it_leads_to() {
    let world = World::new();
    let real = world.handoff("docs/HANDOFF.md");
    let link = world.project().join("NEXT_SESSION.md");
    std::os::unix::fs::symlink("docs/HANDOFF.md", &link).unwrap();
    let dead = world.handoffs().join("260101-dead.md");
    std::os::unix::fs::symlink("gone.md", &dead).unwrap();
    let before = (fs::read_link(&link).unwrap(), fs::read(&real).unwrap());
    for verb in ["trash", "archive"] {
        for name in ["NEXT_SESSION.md", link.to_str().unwrap()] {
            let (code, said) = world.types(&[verb, name]);
            assert_eq!(code, 1, "{verb} moves no link: {said}");
            assert!(
                said.contains("NEXT_SESSION.md is a symbolic link to docs/HANDOFF.md"),
                "what it is and where it leads: {said}"
            );
            assert!(said.contains("put away the file that it leads to"), "and what to do: {said}");
            let after = (fs::read_link(&link).unwrap(), fs::read(&real).unwrap());
            assert_eq!(after, before, "both are as they were");
        }
    }
    let (code, said) = world.types(&["trash", ".claude/handoffs/260101-dead.md"]);
    assert_eq!(code, 1, "{said}");
    assert!(
        said.contains("symbolic link to gone.md, where nothing lies"),
        "a dead one is named as one: {said}"
    );
    let (code, said) = world.types(&["trash", "docs/HANDOFF.md"]);
    assert_eq!((code, real.exists()), (0, false), "the control: the file itself goes: {said}");
}

#[test]
fn an_old_file_that_is_reached_by_a_link_only_stays_in_a_clean_up() {
    let world = World::new();
    let real = world.project().join("src/notes/old.md");
    super::world::write_handoff(&real);
    let link = world.handoffs().join("260101-linked.md");
    std::os::unix::fs::symlink(&real, &link).unwrap();
    let own = world.handoff(".claude/handoffs/260102-own.md");
    let (code, said) = world.types(&["cleanup", "--yes"]);
    assert_eq!((code, own.exists()), (0, false), "the control: a file goes: {said}");
    assert!(link.is_symlink() && real.is_file(), "the link stays, and what it leads to: {said}");
    assert!(said.contains("260101-linked.md – is a symbolic link to"), "and that is said: {said}");
}
