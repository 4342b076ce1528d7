//! Files that a handoff names and that moved on.

use crate::{NOTE, PLAN, RECORD, THUNDERKIT, dated, saved, told, told_alike};

#[test]
fn a_deleted_plan_is_missed_by_the_handoff_that_stands_outside_of_it() {
    let repo = saved();
    let name = dated(&repo);
    repo.git(&["rm", "-q", "-r", "plans/260914-tides"]);
    repo.git(&["commit", "-q", "-m", "Drop the plan"]);
    told_alike(
        &repo,
        repo.dir(),
        &[&name],
        "drifted",
        &["plans/260914-tides/plan.md is not there", "2 commits since"],
    );
    let told = told(&repo, repo.dir());
    assert!(!told.contains_key(PLAN), "the plan's own handoff went with it");
    assert_eq!(told[NOTE].check("plan").0, "not_applicable", "the note never spoke of a plan");
    repo.git(&["revert", "--no-edit", "HEAD"]);
    assert_eq!(
        self::told(&repo, repo.dir())[&name].check("plan").0,
        "passed",
        "the control: it is there again"
    );
}

#[test]
fn a_plans_file_that_is_gone_is_missed_where_only_the_handoff_stays() {
    let repo = saved();
    repo.git(&["rm", "-q", "plans/260914-tides/plan.md"]);
    repo.git(&["commit", "-q", "-m", "Drop the plan"]);
    told_alike(&repo, repo.dir(), &[PLAN], "drifted", &["plans/260914-tides/plan.md is not there"]);
}

#[test]
fn a_renamed_file_is_told_with_its_new_name_by_every_text_that_says_it_is_there() {
    let repo = saved();
    repo.git(&["mv", "src/tides.rs", "src/harmonics.rs"]);
    repo.git(&["commit", "-q", "-m", "Rename"]);
    let names = [PLAN, NOTE, &dated(&repo)];
    told_alike(&repo, repo.dir(), &names, "drifted", &["2 commits since"]);
    for name in names {
        let said = crate::words(&repo, repo.dir(), name).0;
        let line = "path src/tides.rs – gone (renamed to src/harmonics.rs)";
        assert!(said.contains(line), "{name}: {said}");
        let block = crate::block(&repo, repo.dir(), name);
        assert!(block.contains("gone (renamed to src/harmonics.rs)"), "{name}: {block}");
    }
    crate::seen(repo.dir(), &names, &["src/tides.rs", "gone (renamed to src/harmonics.rs)"]);
    let told = told(&repo, repo.dir());
    assert_eq!(told[RECORD].verdict, "drifted", "the record names it as changed: {:?}", told[RECORD]);
    assert_eq!(told[THUNDERKIT].check("root-head").0, "failed", "and a lane's root went on");
}
