//! Several worktrees of one repository have handoffs of the same names: a bare name is the one that lies here, a part of
//! one moves nothing, and what was put away here is not taken from elsewhere.

use std::fs;
use std::path::PathBuf;

use super::journeys::git;
use super::world::World;

const DATED: &str = ".claude/handoffs/261110-kickoff.md";
const PLANNED: &str = "plans/261120-auth/HANDOFF.md";

/// A project with handoffs in every kind of place, all of them also in the worktrees `api-fix` (beside it) and `wt/auth`
/// and `wt/cache` (in it); `wt/auth` has one of its own more.
fn worktrees() -> World {
    let world = World::new();
    for relative in [DATED, PLANNED, "NEXT_SESSION.md"] {
        world.handoff(relative);
    }
    fs::write(world.project().join("plans/261120-auth/plan.md"), "# Auth\n").expect("written");
    fs::write(world.project().join(".gitignore"), "wt/\n").expect("written");
    git(&world, &["init", "-q", "-b", "main"]);
    git(&world, &["add", "-A"]);
    git(&world, &["commit", "-q", "-m", "Begin"]);
    for (tree, branch) in [("../api-fix", "fix/ttl"), ("wt/auth", "feat/auth"), ("wt/cache", "feat/cache")] {
        git(&world, &["worktree", "add", "-q", tree, "-b", branch]);
    }
    let own = "# Work on auth\n\nDate: 2026-11-29 18:30\n\n## Next steps\n- Finish auth\n";
    fs::write(world.project().join("wt/auth/HANDOFF.md"), own).expect("written");
    world.handoff("docs/HANDOVER.md");
    world
}

fn fix(world: &World) -> PathBuf {
    world.base.join("api-fix")
}

#[test]
fn a_part_of_a_name_moves_nothing_and_says_the_whole_one() {
    let world = worktrees();
    let before = world.tree();
    for (words, whole) in [
        (["trash", "x"], "moorline trash NEXT_SESSION.md"),
        (["archive", "x"], "moorline archive NEXT_SESSION.md"),
        (["trash", "next_s"], "moorline trash NEXT_SESSION.md"),
        (["archive", "kick"], "moorline archive .claude/handoffs/261110-kickoff.md"),
        (["trash", "AUTH"], "moorline trash 261120-auth"),
        (["trash", "auth"], "moorline trash 261120-auth"),
        (["trash", "auth"], "moorline trash 'auth: HANDOFF.md'"),
        (["trash", "docs"], "moorline trash docs/HANDOVER.md"),
    ] {
        let (code, said) = world.types(&words);
        assert_eq!(code, 2, "{words:?} is no whole name: {said}");
        assert!(said.contains("only a part of a name") && said.contains(whole), "what it would be: {said}");
    }
    let id = world.rows().iter().find(|row| row.path.ends_with("NEXT_SESSION.md")).unwrap().id.clone();
    let (code, said) = world.types(&["trash", &id[..3]]);
    assert_ne!(code, 0, "three characters of an id are none: {said}");
    world.is_as(&before, "nothing moved");
    for name in ["261120-auth", &id[..4], "kickoff"] {
        let (code, said) = world.types(&["trash", name]);
        assert_eq!(code, 0, "the control: {name} is a whole plan, an id's beginning, a whole slug: {said}");
    }
    for path in [PLANNED, "NEXT_SESSION.md", DATED] {
        assert!(!world.project().join(path).exists(), "{path} went");
    }
    for away in ["auth", "next", "kick"] {
        let (code, said) = world.types(&["put-back", away]);
        assert_eq!(code, 2, "nor does a part bring anything back: {said}");
    }
    let (code, said) = world.types(&["put-back", "261120-auth"]);
    assert_eq!((code, world.project().join(PLANNED).exists()), (0, true), "a plan's whole name does: {said}");
}

#[test]
fn a_bare_name_moves_what_lies_here_once_and_never_another_worktree_s() {
    let world = worktrees();
    let elsewhere = [fix(&world), world.project().join("wt/auth"), world.project().join("wt/cache")];
    let copies = || elsewhere.iter().filter(|tree| tree.join(DATED).exists()).count();
    for (verb, gone) in [("trash", "is in the trash"), ("archive", "is archived")] {
        for name in ["261110-kickoff", "261110-kickoff.md", "kickoff", DATED] {
            let (code, said) = world.types(&[verb, name]);
            assert_eq!((code, world.project().join(DATED).exists()), (0, false), "{verb} {name}: {said}");
            for _again in 0..4 {
                let (code, said) = world.types(&[verb, name]);
                assert_eq!((code, copies()), (1, 3), "{verb} {name} again moves no copy of it: {said}");
                assert!(said.contains(gone) && said.contains("“api-fix: "), "both are told: {said}");
            }
            let (code, said) = world.types(&["put-back", name]);
            assert_eq!((code, world.project().join(DATED).exists()), (0, true), "it comes back: {said}");
            let (code, said) = world.types(&["put-back", name]);
            assert_eq!(code, 1, "once: {said}");
        }
    }
    // What was never here is elsewhere, and that is all.
    let (code, said) = world.types(&["trash", "HANDOFF.md"]);
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("another worktree: name it as “auth: HANDOFF.md”"), "{said}");
    for name in ["api-fix: 261110-kickoff", "auth: .claude/handoffs/261110-kickoff.md", "wt/cache: kickoff"] {
        let left = copies();
        let (code, said) = world.types(&["trash", name]);
        assert_eq!((code, copies()), (0, left - 1), "the control: {name} says which: {said}");
        assert!(world.project().join(DATED).exists(), "and the one here stays: {said}");
    }
    let (code, said) = world.types(&["put-back", "261110-kickoff"]);
    assert_eq!((code, copies()), (1, 0), "nor does a bare name bring one back to another worktree: {said}");
    let (code, said) = world.types(&["put-back", "api-fix: 261110-kickoff"]);
    assert_eq!((code, fix(&world).join(DATED).exists()), (0, true), "the control: with the worktree: {said}");
}

#[test]
fn what_was_put_away_here_is_not_read_from_another_worktree_without_a_word() {
    let world = worktrees();
    let read = ["show", "context", "check", "restore", "resume", "diff"];
    for (verb, gone) in [("trash", "is in the trash"), ("archive", "is archived")] {
        let (code, said) = world.types(&[verb, "261110-kickoff"]);
        assert_eq!(code, 0, "{said}");
        for name in ["261110-kickoff", "kickoff", DATED] {
            for read in read {
                let (code, said) = world.types(&[read, name]);
                assert_eq!(code, 1, "{read} {name} reads no other one: {said}");
                assert!(said.contains(gone) && said.contains("moorline put-back"), "{read} {name}: {said}");
                assert!(said.contains("name it as “api-fix: .claude"), "and how the other is called: {said}");
            }
        }
        let (code, said) = world.types(&["show", "api-fix: .claude/handoffs/261110-kickoff.md"]);
        assert_eq!(code, 0, "the control: by that name it is shown: {said}");
        assert!(said.contains(fix(&world).join(DATED).to_str().unwrap()), "{said}");
        world.types(&["put-back", "261110-kickoff"]);
        let (code, said) = world.types(&["show", "261110-kickoff"]);
        assert_eq!(code, 0, "and when it is back the name is its own again: {said}");
        assert!(said.contains(world.project().join(DATED).to_str().unwrap()), "{said}");
    }
    // A plan's handoff by a part of its plan, too: what is read may be named so.
    assert_eq!(world.types(&["show", "261120"]).0, 0, "the control: it is read by a part while it is here");
    world.types(&["trash", "261120-auth"]);
    for name in ["261120-auth", "261120", PLANNED] {
        let (code, said) = world.types(&["context", name]);
        assert_eq!(code, 1, "{name} is in the trash: {said}");
        assert!(said.contains("is in the trash") && said.contains("“api-fix: plans"), "{said}");
    }
}

#[test]
fn every_verb_says_alike_that_something_is_in_the_trash() {
    let world = worktrees();
    world.types(&["trash", "docs/HANDOVER.md"]);
    let id = world.rows().iter().find(|row| row.origin.is_some()).unwrap().id.clone();
    for name in ["docs/HANDOVER.md", "HANDOVER.md", "HANDOVER"] {
        for verb in ["show", "context", "restore", "resume", "diff", "trash"] {
            let (_, said) = world.types(&[verb, name]);
            assert!(said.contains("in the trash"), "{verb} {name} says where it is: {said}");
            assert!(said.contains(&format!("moorline put-back {id}")), "and what brings it back: {said}");
        }
    }
    let (code, said) = world.types(&["show", "docs/HANDOVER.md"]);
    assert_eq!(code, 0, "what nobody else has is shown from there: {said}");
    world.types(&["put-back", &id]);
    let (_, said) = world.types(&["show", "docs/HANDOVER.md"]);
    assert!(!said.contains("in the trash"), "the control: it is back: {said}");
}

#[test]
fn rows_of_other_worktrees_are_listed_by_names_that_can_be_typed() {
    let world = worktrees();
    let (_, said) = world.types(&["list", "--no-check"]);
    assert!(said.contains("  auth: HANDOFF.md  ("), "the worktree's name and the path in it: {said}");
    for name in ["auth: HANDOFF.md", "wt/auth: HANDOFF.md", "./wt/auth/: HANDOFF.md", "auth/HANDOFF.md"] {
        let (code, said) = world.types(&["show", name]);
        assert_eq!(code, 0, "{name} is it: {said}");
        assert!(said.contains("Work on auth"), "{name}: {said}");
    }
    let (code, said) = world.types(&["show", "wt/cache: HANDOFF.md"]);
    assert_eq!(code, 1, "the control: that worktree has none: {said}");
    let (code, said) = world.types(&["show", "auth"]);
    assert_eq!(code, 2, "a plan and a worktree are called so: {said}");
    assert!(
        said.contains("plans/261120-auth/HANDOFF.md") && said.contains("auth: HANDOFF.md"),
        "both: {said}"
    );
    assert!(said.contains("(2026-11-29") && said.contains("Work on auth"), "with time and title: {said}");
}

#[test]
fn who_gets_another_worktree_s_handoff_is_told() {
    let world = worktrees();
    let cache = world.project().join("wt/cache");
    let warning =
        "this handoff lies in the worktree wt/auth (on feat/auth); you are in wt/cache (on feat/cache)";
    for words in [&["context"][..], &["resume"], &["restore"], &["context", "auth: HANDOFF.md"]] {
        let (_, said) = world.types_in(cache.to_str().unwrap(), words);
        assert!(said.contains("Finish auth"), "the newest of all, wherever it lies: {said}");
        assert!(said.contains(warning), "{words:?} says that it lies elsewhere: {said}");
    }
    let (_, said) = world.types_in(cache.to_str().unwrap(), &["resume", "--json"]);
    assert!(said.contains(warning), "and its document does: {said}");
    let (_, said) = world.types(&["context"]);
    assert!(
        said.contains("wt/auth (on feat/auth); you are in project (on main)"),
        "from the main one: {said}"
    );
    let auth = world.project().join("wt/auth");
    let (_, said) = world.types_in(auth.to_str().unwrap(), &["context"]);
    assert!(said.contains("Finish auth") && !said.contains("lies in the worktree"), "the control: {said}");
}

#[test]
fn a_folder_that_every_worktree_has_is_the_one_here() {
    let world = worktrees();
    for (tree, stage) in [("", "9 Execute"), ("wt/auth", "3 Spec")] {
        let path = world.project().join(tree).join(".thunderkit/HANDOFF.md");
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(&path, format!("# Handoff\nschema_version: 1\ncurrent_stage: {stage}\n")).expect("written");
    }
    for (name, stage) in [(".thunderkit", "9 Execute"), ("auth: .thunderkit", "3 Spec")] {
        let (code, said) = world.types(&["show", name]);
        assert_eq!(code, 0, "{name} is one: {said}");
        assert!(said.contains(stage), "{name} is this one: {said}");
    }
    let (code, said) = world.types(&["trash", ".thunderkit"]);
    assert_eq!(code, 2, "to move it, its path is said: {said}");
    assert!(said.contains("moorline trash .thunderkit/HANDOFF.md"), "{said}");
}
