//! The families that are only read: what they recorded, held against a world made by hand.

use super::super::super::evidence::After;
use super::super::super::report::Claim;
use super::*;

/// A memtomem record and a world in which all of it is true.
fn record() -> (Handoff, Evidence) {
    let own = MemtomemRecord {
        from_runtime: Some("claude-code".into()),
        to_runtime: Some("any".into()),
        project_root: Some("/api".into()),
        git_head: Some(commit('a')),
        worktree_state: Some("1 dirty:  M=1; first=src/lib.rs".into()),
        ..MemtomemRecord::default()
    };
    let handoff = Handoff {
        record_id: RecordId::parse(ID).ok(),
        readable: true,
        record: Record::Memtomem(Box::new(own)),
        ..Handoff::empty(Family::Memtomem, Format::Markdown)
    };
    (handoff, world(dirt(1, "1 dirty:  M=1; first=src/lib.rs")))
}

/// A theonekit handoff and a world in which all of it is true.
fn plan_handoff() -> (Handoff, Evidence) {
    let own =
        PlanRecord { dirty_files: Some(1), plan_path: Some("plans/auth/plan.md".into()), location: None };
    let handoff = Handoff {
        branch: Some(branch("main")),
        commit: Some(commit('a').into()),
        record: Record::Theonekit(own),
        ..Handoff::empty(Family::Theonekit, Format::Markdown)
    };
    (handoff, world(dirt(1, "1 dirty:  M=1; first=src/lib.rs")))
}

fn dirt(count: usize, state: &str) -> Dirt {
    Dirt {
        foreign: count,
        files: Vec::new(),
        all: count,
        spellings: [state.into(), state.into()],
        not_compared: Vec::new(),
    }
}

fn world(dirt: Dirt) -> Evidence {
    let around = Surrounding {
        dirt: Seen::known(dirt, "status"),
        unreadable: None,
        directory: None,
        project_root: Some(Seen::known(SameRoot::Text, "/api")),
        runtime: "codex-cli".into(),
        plan: Some(PlanSeen {
            named: "plans/auth/plan.md".into(),
            there: Seen::known((), "plans/auth/plan.md"),
            newer: None,
        }),
        claims: vec![claim(Some(true))],
    };
    let (_, evidence) = truth();
    Evidence { own: Own::Context(Box::new(around)), ..evidence }
}

fn claim(holds: Option<bool>) -> Claim {
    Claim { kind: "path", text: "src/lib.rs".into(), line: 7, state: "gone".into(), holds, counts: true }
}

impl World {
    fn around(&mut self) -> &mut Surrounding {
        match &mut self.evidence.own {
            Own::Context(around) => around,
            Own::Thunderkit(_) => panic!("a context's evidence"),
        }
    }
    fn record(&mut self) -> &mut MemtomemRecord {
        match &mut self.handoff.record {
            Record::Memtomem(record) => record,
            _ => panic!("a memtomem record"),
        }
    }
    fn relation(&mut self, relation: Relation, only_own: bool) {
        self.evidence.since = Some(Seen::known(Since { relation, only_own }, ""));
    }
    fn after(&mut self, count: usize, only_own: bool) {
        let some = |count| vec!["5c0f6a5 Cut the wire".into(); count];
        let files = Some(Files::from_iter(vec!["wire.rs"; count]));
        self.evidence.since = None;
        self.evidence.after = Some(After { commits: some(count), files, only_own, that_day: some(1) });
    }
    fn branch_is(&mut self, state: BranchState) {
        self.evidence.head = on("dev", 'a');
        self.evidence.branch = Some(Seen::known(state, ""));
    }
}

fn ahead(count: usize) -> Relation {
    Relation::Ahead { commits: Vec::new(), count, files: Files::from_iter(["src/lib.rs"]) }
}

fn diverged() -> Relation {
    Relation::Diverged { ahead: 1, behind: 1, holder: crate::repo::Holder::Nobody, as_now: None }
}

type Row = (&'static str, fn(&mut World), CheckId, Outcome, Verdict);

fn hold(base: fn() -> (Handoff, Evidence), rows: &[Row]) {
    let (handoff, evidence) = base();
    let judged = judge(&handoff, &evidence);
    assert_eq!(
        verdict::of_context(&judged.root).0,
        Verdict::Current,
        "everything is true: {:?}",
        judged.root
    );
    assert!(judged.lanes.is_empty(), "a context has no lanes to resume");
    for (name, change, id, outcome, expected) in rows {
        let (handoff, evidence) = base();
        let mut world = World { handoff, evidence };
        change(&mut world);
        let judged = judge(&world.handoff, &world.evidence);
        assert_eq!(outcome_of(&judged, *id), *outcome, "{name}: {}", id.as_str());
        assert_eq!(verdict::of_context(&judged.root).0, *expected, "{name}: the verdict");
    }
}

#[test]
fn a_record_is_whole_addressed_here_and_about_this_worktree() {
    use CheckId as C;
    use Outcome::{Failed, Passed, Unknown};
    use Verdict::{Current, Drifted, Unverifiable};
    let torn: fn(&mut World) = |w| {
        w.handoff.problems.push(Problem::error(Position::line(3), "torn-record", "a field is missing"));
    };
    hold(
        record,
        &[
            ("torn", torn, C::Record, Failed, Drifted),
            (
                "to this runtime",
                |w| w.record().to_runtime = Some("codex-cli".into()),
                C::Record,
                Passed,
                Current,
            ),
            ("to another", |w| w.record().to_runtime = Some("kimi-code".into()), C::Record, Failed, Drifted),
            (
                "to another, asked by nobody",
                |w| {
                    w.record().to_runtime = Some("kimi-code".into());
                    w.around().runtime = "any".into();
                },
                C::Record,
                Unknown,
                Unverifiable,
            ),
            ("no recipient", |w| w.record().to_runtime = None, C::Record, Failed, Drifted),
            (
                "another spelling of the root",
                |w| w.around().project_root = Some(Seen::known(SameRoot::Identity, "")),
                C::ProjectRoot,
                Passed,
                Current,
            ),
            (
                "another root",
                |w| w.around().project_root = Some(Seen::known(SameRoot::Other, "")),
                C::ProjectRoot,
                Failed,
                Drifted,
            ),
            (
                "not in a worktree",
                |w| w.around().project_root = Some(Seen::unknown("no repository", "")),
                C::ProjectRoot,
                Unknown,
                Unverifiable,
            ),
            (
                "trimmed codes",
                |w| w.record().worktree_state = Some("1 dirty: M=1; first=src/lib.rs".into()),
                C::DirtyFiles,
                Passed,
                Current,
            ),
            (
                "clean then",
                |w| w.record().worktree_state = Some("clean".into()),
                C::DirtyFiles,
                Failed,
                Drifted,
            ),
            ("no state", |w| w.record().worktree_state = None, C::DirtyFiles, Failed, Drifted),
            (
                "status unknown",
                |w| w.around().dirt = Seen::unknown("sparse index", ""),
                C::DirtyFiles,
                Unknown,
                Unverifiable,
            ),
        ],
    );
    let (handoff, evidence) = record();
    let judged = judge(&handoff, &evidence);
    assert!(
        judged.root.iter().all(|check| matches!(check.subject, Subject::Record(_))),
        "each check of a record is about that record"
    );
}

#[test]
fn a_plans_handoff_is_current_while_branch_commit_plan_and_claims_hold() {
    use CheckId as C;
    use Outcome::{Failed, NotApplicable, Passed, Unknown};
    use Verdict::{Current, Drifted, Unverifiable};
    hold(
        plan_handoff,
        &[
            ("no branch", |w| w.handoff.branch = None, C::Branch, NotApplicable, Current),
            (
                "branch still here",
                |w| w.branch_is(BranchState::Local(commit('a'))),
                C::Branch,
                Failed,
                Drifted,
            ),
            (
                "branch merged",
                |w| w.branch_is(BranchState::Gone { merged_into: Some(branch("dev")) }),
                C::Branch,
                Failed,
                Drifted,
            ),
            (
                "HEAD unknown",
                |w| w.evidence.head = Seen::unknown("why", ""),
                C::Branch,
                Unknown,
                Unverifiable,
            ),
            (
                "no repository",
                |w| w.evidence.head = Seen::absent("no repository", ""),
                C::Branch,
                Unknown,
                Unverifiable,
            ),
            ("commits since", |w| w.relation(ahead(3), false), C::Commit, Failed, Drifted),
            ("only the handoff's commit since", |w| w.relation(ahead(1), true), C::Commit, Passed, Current),
            ("rewritten", |w| w.relation(diverged(), false), C::Commit, Failed, Drifted),
            ("not here", |w| w.relation(Relation::Missing, false), C::Commit, Failed, Drifted),
            ("no commit", |w| w.relation(Relation::NotACommit, false), C::Commit, Failed, Drifted),
            ("ambiguous", |w| w.relation(Relation::Ambiguous, false), C::Commit, Unknown, Unverifiable),
            ("none recorded", |w| w.evidence.since = None, C::Commit, NotApplicable, Current),
            ("work after its time", |w| w.after(1, false), C::Commit, Failed, Drifted),
            ("only its own commit after its time", |w| w.after(1, true), C::Commit, NotApplicable, Current),
            ("perhaps work of that day", |w| w.after(0, false), C::Commit, NotApplicable, Current),
            ("more dirt", |w| w.around().dirt = Seen::known(dirt(2, ""), ""), C::DirtyFiles, Failed, Drifted),
            (
                "dirt not compared",
                |w| {
                    let mut now = dirt(1, "");
                    now.not_compared.push("a.bin".into());
                    w.around().dirt = Seen::known(now, "");
                },
                C::DirtyFiles,
                Unknown,
                Unverifiable,
            ),
            ("plan gone", |w| edit_plan(w).there = Seen::absent("gone", ""), C::Plan, Failed, Drifted),
            (
                "a newer one",
                |w| edit_plan(w).newer = Some("plans/auth/HANDOFF-2.md".into()),
                C::Plan,
                Failed,
                Drifted,
            ),
            ("no plan", |w| w.around().plan = None, C::Plan, NotApplicable, Current),
            ("a broken claim", |w| w.around().claims.push(claim(Some(false))), C::Claims, Failed, Drifted),
            ("an open claim", |w| w.around().claims.push(claim(None)), C::Claims, Unknown, Unverifiable),
            (
                "a planned one",
                |w| w.around().claims.push(Claim { counts: false, ..claim(None) }),
                C::Claims,
                Passed,
                Current,
            ),
            ("no claims", |w| w.around().claims.clear(), C::Claims, NotApplicable, Current),
        ],
    );
}

fn edit_plan(world: &mut World) -> &mut PlanSeen {
    world.around().plan.as_mut().expect("a plan")
}

#[test]
fn a_note_that_records_nothing_is_unverifiable() {
    let handoff = Handoff::empty(Family::Freeform, Format::Markdown);
    let mut evidence = world(dirt(0, "clean"));
    (evidence.since, evidence.branch) = (None, None);
    let mut world = World { handoff, evidence };
    world.around().claims.clear();
    world.around().plan = None;
    let judged = judge(&world.handoff, &world.evidence);
    let (verdict, reason) = verdict::of_context(&judged.root);
    assert_eq!(verdict, Verdict::Unverifiable, "nothing compared is never current");
    assert!(reason.is_some(), "and that is the reason");
}
