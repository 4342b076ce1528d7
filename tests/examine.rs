//! Journeys through the examiner: several lanes, own files, digests, the project's facts.

#[path = "common/true_project.rs"]
mod true_project;

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use moorline::check::{Check, CheckId, Examiner, Outcome, Report, Summary, Verdict};
use moorline::handoff::{Digest, Inert};
use moorline::place;
use moorline::settings::Settings;
use true_project::{PLAN, SESSION, TrueProject};

fn find(report: &Report, id: CheckId) -> &Check {
    let mut all = report.checks.iter().chain(report.lanes.iter().flat_map(|lane| &lane.checks));
    all.find(|check| check.id == id).expect("the check was made")
}

fn reason(check: &Check) -> String {
    check.reason.as_ref().map(Inert::shown).unwrap_or_default()
}

#[test]
fn threads_share_one_examiner() {
    fn shared<T: Send + Sync>() {}
    shared::<Examiner>();
}

#[test]
fn one_lanes_failure_does_not_hide_another() {
    let project = TrueProject::build();
    let text = fs::read_to_string(project.handoff()).expect("read");
    let (start, end) =
        (text.find("  - id:").expect("a lane"), text.find("decisions_this").expect("after it"));
    let second = text[start..end]
        .replace("id: \"L1-auth\"", "id: \"L2-cache\"")
        .replace(SESSION, "4f0c8a52-7d1e-4b7a-9c55-0d8f2f1b6a22");
    let third = text[start..end]
        .replace("id: \"L1-auth\"", "id: \"L3-docs\"")
        .replace(SESSION, "5f0c8a52-7d1e-4b7a-9c55-0d8f2f1b6a33")
        .replace("\"blocked\"", "\"completed\"");
    fs::write(project.handoff(), format!("{}{second}{third}{}", &text[..end], &text[end..]))
        .expect("written");
    let report = project.report();
    let verdicts: Vec<_> = report.lanes.iter().map(|lane| lane.verdict).collect();
    assert_eq!(
        verdicts,
        [Verdict::Validated, Verdict::NotResumable, Verdict::Completed],
        "each lane is judged by its own evidence"
    );
    assert_eq!(report.validated, (1, 2), "one of the two in flight");
    assert_eq!(report.verdict, Verdict::NotResumable, "a handoff is as good as its worst lane in flight");
    let why = report.reason.expect("it says why").shown();
    assert!(why.starts_with("L2-cache: session-exists"), "and which lane: {why}");
    let row = project.row();
    let report = project.report();
    let summary = Summary::of("checked", &row.handoff, &report);
    assert_eq!(summary.lanes.len(), 3, "the summary has every lane");
    assert!(summary.failed.contains(&"lane:L2-cache/session-exists".to_owned()), "{:?}", summary.failed);
    assert!(
        summary.next_permitted.raw().contains("L1-auth"),
        "what may be done next: {:?}",
        summary.next_permitted
    );
}

#[test]
fn one_session_for_two_lanes_is_a_conflict_and_none_is_picked() {
    let project = TrueProject::build();
    let text = fs::read_to_string(project.handoff()).expect("read");
    let (start, end) =
        (text.find("  - id:").expect("a lane"), text.find("decisions_this").expect("after it"));
    let second = text[start..end].replace("id: \"L1-auth\"", "id: \"L2-cache\"");
    fs::write(project.handoff(), format!("{}{second}{}", &text[..end], &text[end..])).expect("written");
    let report = project.report();
    for lane in &report.lanes {
        assert_eq!(lane.verdict, Verdict::NotResumable, "neither lane may take the session");
        assert!(lane.reasons[0].raw().contains("several lanes"), "{:?}", lane.reasons);
    }
}

#[test]
fn the_handoffs_own_commit_moves_the_head_and_says_save_again() {
    let project = TrueProject::build();
    assert_eq!(project.report().drift.dirty, Some(0), "an uncommitted handoff is no dirt");
    project.commit_all(&project.root(), "Hand off");
    let report = project.report();
    let check = find(&report, CheckId::RootHead);
    assert_eq!(check.outcome, Outcome::Failed, "the recorded commit is not HEAD");
    assert!(reason(check).contains("save again"), "the way out is said: {}", reason(check));
    assert_eq!(report.drift.commits, Some(1), "the commit is counted");
    project.write("api/src/more.rs", "\n");
    project.commit_all(&project.root(), "Work");
    let report = project.report();
    assert!(
        !reason(find(&report, CheckId::RootHead)).contains("only by"),
        "work is no commit of the handoff's own"
    );
    assert_eq!(
        report.drift.files.iter().filter(|file| file.raw() == "src/more.rs").count(),
        1,
        "and it is named"
    );
}

#[test]
fn the_project_in_another_spelling_is_the_same_project() {
    let project = TrueProject::build();
    let alias = project.base().join("alias");
    symlink(project.root(), &alias).expect("a link can be made");
    let examiner = Examiner::new(&alias, project.around(), Settings::default());
    let rows = place::read_path(&alias.join(".thunderkit/HANDOFF.md"), &examiner.roots()).expect("read");
    let report = examiner.examine(&rows[0]);
    assert_eq!(report.verdict, Verdict::Validated, "a path is not an identity: {:?}", report.reason);
}

/// The digest of one judgement made now.
fn digest(project: &TrueProject) -> Digest {
    let examiner = project.examiner();
    let row = project.row();
    examiner.evidence_digest(&row, &examiner.examine(&row))
}

/// A change in words and in deed.
type Change = (&'static str, fn(&TrueProject));

#[test]
fn a_yes_is_bound_to_all_that_was_judged() {
    let project = TrueProject::build();
    let first = digest(&project);
    assert_eq!(first, digest(&project), "nothing changed, nothing differs");
    project.add_process(4242, "claude", &["claude"], 70_266);
    project.register(4242, "99999999-7d1e-4b7a-9c55-0d8f2f1b6a99", 70_266);
    assert_eq!(
        first,
        digest(&project),
        "somebody else's process changes how liveness is proved, not what is true"
    );

    let changes: [Change; 5] = [
        ("a byte of the handoff that no check reads", |p| p.edit("Go on with", "Go over")),
        ("a byte of the plan", |p| {
            fs::write(p.root().join(PLAN), "# Other\n").expect("written");
        }),
        ("one more turn in the session", |p| {
            let text = fs::read_to_string(p.session()).expect("read");
            let last = text.lines().last().expect("a row").to_owned();
            fs::write(p.session(), format!("{text}{last}\n")).expect("written");
        }),
        ("HEAD", |p| {
            p.git(&p.root(), &["commit", "-q", "--allow-empty", "-m", "x"]);
        }),
        ("another program", |p| {
            p.write("opt/other/claude", "#!/bin/sh\n");
            true_project::set_mode(&p.base().join("opt/other/claude"), 0o755);
            fs::remove_file(p.program()).expect("removed");
        }),
    ];
    for (name, change) in changes {
        let copy = project.copy();
        let before = digest(&copy);
        change(&copy);
        assert_ne!(before, digest(&copy), "{name} voids the yes");
    }
    let copy = project.copy();
    let (row, report) = (copy.row(), copy.report());
    let mut moved = row.clone();
    moved.path = copy.root().join("HANDOFF.md");
    let examiner = copy.examiner();
    assert_ne!(
        examiner.evidence_digest(&row, &report),
        examiner.evidence_digest(&moved, &report),
        "the same bytes elsewhere are another handoff"
    );
}

#[test]
fn the_bytes_are_read_again_and_a_file_that_is_gone_is_said_to_be() {
    let project = TrueProject::build();
    let (examiner, row) = (project.examiner(), project.row());
    assert_eq!(examiner.examine(&row).verdict, Verdict::Validated, "as listed");
    project.edit("head: \"", "heat: \"");
    let report = examiner.examine(&row);
    assert_eq!(report.verdict, Verdict::NotResumable, "the row is not trusted, the bytes are");
    fs::remove_file(project.handoff()).expect("removed");
    let report = examiner.examine(&row);
    assert_eq!((report.verdict, report.file), (Verdict::NotResumable, None), "gone is no yes");
    assert!(report.reason.expect("says why").raw().contains("not there"), "and is said");
}

#[test]
fn the_projects_facts_leave_handoffs_out_of_the_dirt() {
    let project = TrueProject::build();
    let facts = project.examiner().project_facts(true);
    assert_eq!(facts.repository.as_deref(), Some("example.org/acme/api"));
    assert_eq!(facts.branch.as_ref().map(Inert::raw), Some("main"));
    assert_eq!(facts.dirty, Some(0), "the handoff itself is no dirt: {:?}", facts.unknown);
    project.write("api/notes.txt", "x");
    assert_eq!(project.examiner().project_facts(true).dirty, Some(1), "work is");
    let outside = Examiner::new(Path::new(&project.home()), project.around(), Settings::default());
    let facts = outside.project_facts(true);
    assert_eq!((facts.repository, facts.dirty), (None, None), "without a repository nothing is guessed");
    assert!(!facts.unknown.is_empty(), "and that is said");
}

fn roots_at(project: &Path) -> place::Roots {
    let around =
        moorline::harness::Surroundings { vars: Default::default(), home: None, proc: "/proc".into() };
    Examiner::new(project, around, Settings::default()).roots()
}

#[test]
fn every_worktree_is_scanned_from_wherever_one_stands() {
    let repo = true_project::git::TestRepo::new();
    repo.commit("README.md", "# Kiln\n", "Start");
    let main = repo.dir().to_owned();
    let lane = main.join(".thunderkit/runs/r1/worktrees/L1");
    let sibling = repo.beside("sibling");
    for (path, branch) in [(&lane, "tk/L1"), (&sibling, "side")] {
        repo.git(&["worktree", "add", "-q", "-b", branch, &path.to_string_lossy()]);
    }
    let seen = |project: &Path| {
        let roots = roots_at(project);
        assert!(roots.unreached.is_empty(), "all can be read: {:?}", roots.unreached);
        roots.worktrees.into_iter().collect::<std::collections::BTreeSet<_>>()
    };
    for here in [&main, &lane, &sibling] {
        let all = [&main, &lane, &sibling].into_iter().filter(|path| path != &here).cloned();
        assert_eq!(seen(here), all.collect(), "the two others, also from {}", here.display());
    }
    std::fs::remove_dir_all(&sibling).unwrap();
    assert_eq!(seen(&main), [lane.clone()].into(), "a removed one is an absence");
    std::fs::write(lane.join(".git"), "gitdir: nowhere\n").unwrap();
    let roots = roots_at(&main);
    assert!(roots.worktrees.is_empty(), "what cannot be read is not scanned");
    assert_eq!(roots.unreached.len(), 1, "and is said: an error is no absence");
    assert_eq!(roots.unreached[0].path, lane, "by its path");
}
