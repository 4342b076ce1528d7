//! Every check in both directions, by evidence made by hand: one true record, one change at a time.

mod context;
mod table;

use super::super::evidence::*;
use super::super::report::{CheckId, Outcome, Verdict};
use super::super::verdict;
use super::*;
use crate::handoff::*;
use crate::harness::{Liveness, Owner, Program, ResumeForm, Session};
use crate::policy::{Catalog, Config};
use crate::repo::{BranchState, Files, Head, Identity, Relation};

const ID: &str = "3f0c8a52-7d1e-4b7a-9c55-0d8f2f1b6a11";
const MODEL: &str = "claude-opus-4-8";
const CONFIG: &[u8] = br#"{"schema_version":2,"classes":{"planner":"opus48","executors":["opus48","sol"],
    "reviewers":"all"},"review_families_min":2,"max_layers":3,"frozen_paths":[],"ecosystems":["omo"],
    "delegation":"auto"}"#;

fn commit(digit: char) -> CommitId {
    CommitId::parse(&digit.to_string().repeat(40)).expect("forty hex digits")
}

fn digest(digit: char) -> Digest {
    Digest::parse(&digit.to_string().repeat(64)).expect("64 hex digits")
}

fn path(text: &str) -> RelPath {
    RelPath::parse(text).expect("a plain path")
}

fn branch(text: &str) -> BranchName {
    BranchName::parse(text).expect("a plain name")
}

fn identity() -> ModelIdentity {
    ModelIdentity {
        catalog_key: "opus48".into(),
        provider: "anthropic".into(),
        model_id: MODEL.into(),
        effort: None,
    }
}

fn config() -> Config {
    Config::parse(CONFIG).expect("the config is valid")
}

fn on(name: &str, id: char) -> Seen<Head> {
    Seen::known(Head::Branch(branch(name), commit(id)), "HEAD")
}

/// A handoff with one lane, and a world in which all of it is true.
fn truth() -> (Handoff, Evidence) {
    let root = Root {
        repository: Some("example.org/acme/api".into()),
        branch: Some(branch("main")),
        head: Some(commit('a')),
        north_star: Some(path(NORTH_STAR)),
        current_stage: Some("9 Execute".into()),
        active_artifact: Some(path("PLAN.md")),
        active_artifact_sha256: Some(digest('1')),
        model_contract: Some(config().contract()),
        ..Root::default()
    };
    let lane = Lane {
        id: LaneId::parse("L1").ok(),
        worktree: Some(path("wt/L1")),
        branch: Some(branch("tk/L1")),
        head: Some(commit('b')),
        harness: Some(HarnessName::Claude),
        harness_version: Some("2.1.332".into()),
        session_id: SessionId::parse(ID).ok(),
        model_class: Some(ModelClass::Executors),
        requested_model: Some(identity()),
        effective_model: Some(identity()),
        observed_model: Some(identity()),
        observed_family: Some("anthropic".into()),
        origin: Some(Origin::Owned),
        artifact: Some(path("L1.json")),
        artifact_sha256: Some(digest('2')),
        status: Some(LaneStatus::Blocked),
        resumability: Some(Resumability::Unverified),
        evidence_paths: vec![path("L1.json")],
        ..Lane::default()
    };
    let handoff = Handoff {
        strict: true,
        readable: true,
        lanes: vec![lane],
        record: Record::Thunderkit(Box::new(root)),
        ..Handoff::empty(Family::Thunderkit, Format::Yaml)
    };
    let harness = HarnessEvidence {
        name: HarnessName::Claude,
        form: Ok(ResumeForm {
            before_id: &["claude", "-p", "--resume"],
            prompt_on_stdin: true,
            oldest: "2.1.144",
            keeps_model: true,
        }),
        program: Seen::known(
            Program { path: "/opt/claude".into(), found_in: "/opt".into(), ignored: Vec::new() },
            "PATH",
        ),
        shape: "a lower-case UUID",
        in_shape: Some(true),
        session: Seen::known(
            Session {
                ids_inside: vec![ID.into()],
                cwd: Some("/api/wt/L1".into()),
                model: Some(MODEL.into()),
                turns: 1,
                ..Session::default()
            },
            "the store",
        ),
        same_directory: Seen::known(true, "file identity"),
        fallback: Seen::unknown("not needed", "config"),
        liveness: Liveness::NotRunning("no claude runs".into()),
    };
    let lane = LaneEvidence {
        native: None,
        run: None,
        worktree: Some(Seen::known(WorktreeSeen { path: "/api/wt/L1".into(), is_root: false }, "git")),
        head: on("tk/L1", 'b'),
        since: None,
        artifact: Some(Seen::known(digest('2'), "L1.json")),
        evidence: vec![(path("L1.json"), Seen::known((), "L1.json"))],
        harness: Some(harness),
    };
    let catalog = Catalog::embedded();
    let policy = Policy {
        north_star: Seen::known((), NORTH_STAR),
        config: Seen::known(config(), "config.json"),
        catalog: Seen::known(catalog, "built in"),
        artifact: Some(Seen::known(digest('1'), "PLAN.md")),
        lanes: vec![lane],
    };
    let evidence = Evidence {
        repository: Seen::known(
            Identity { text: "example.org/acme/api".into(), from_remote: true },
            "remotes",
        ),
        head: on("main", 'a'),
        since: Some(Seen::known(Since { relation: Relation::Same, only_own: false }, "the commit graph")),
        after: None,
        branch: Some(Seen::known(BranchState::Local(commit('a')), "refs")),
        own: Own::Thunderkit(Box::new(policy)),
    };
    (handoff, evidence)
}

/// Both sides of the comparison, for a change to reach into.
struct World {
    handoff: Handoff,
    evidence: Evidence,
}

impl World {
    fn root(&mut self) -> &mut Root {
        match &mut self.handoff.record {
            Record::Thunderkit(root) => root,
            _ => panic!("a thunderkit record"),
        }
    }
    fn lane(&mut self) -> &mut Lane {
        &mut self.handoff.lanes[0]
    }
    fn policy(&mut self) -> &mut Policy {
        match &mut self.evidence.own {
            Own::Thunderkit(policy) => policy,
            Own::Context(_) => panic!("thunderkit's evidence"),
        }
    }
    fn seen(&mut self) -> &mut LaneEvidence {
        &mut self.policy().lanes[0]
    }
    fn harness(&mut self) -> &mut HarnessEvidence {
        self.seen().harness.as_mut().expect("a harness")
    }
    fn session(&mut self) -> &mut Session {
        match &mut self.harness().session.fact {
            Fact::Known(session) => session,
            _ => panic!("a session"),
        }
    }
    /// A lane of a harness that answers with its configured default.
    fn codex(&mut self, default: Seen<Inert>) {
        let form = self.harness().form.as_mut().expect("a form");
        form.keeps_model = false;
        self.harness().fallback = default;
    }
}

fn outcome_of(judged: &Judged, id: CheckId) -> Outcome {
    let mut all = judged.root.iter().chain(judged.lanes.iter().flatten());
    all.find(|check| check.id == id).expect("the check is made").outcome
}

#[test]
fn a_true_record_passes_every_check_and_is_validated() {
    let (handoff, evidence) = truth();
    let judged = judge(&handoff, &evidence);
    for check in judged.root.iter().chain(&judged.lanes[0]) {
        let fine = matches!(check.outcome, Outcome::Passed | Outcome::NotApplicable);
        assert!(fine, "everything is true, and still: {check:?}");
    }
    assert_eq!(judged.root.len() + judged.lanes[0].len(), 24, "every row of the table was judged");
    let lanes = verdict::lanes(&handoff, &judged, &[None]);
    let (over_all, counts, _) = verdict::of_lanes(&handoff, &judged.root, &lanes);
    assert_eq!((over_all, counts), (Verdict::Validated, (1, 1)), "and the lane may be resumed");
}

#[test]
fn a_move_by_the_handoffs_own_commit_says_save_again() {
    let (handoff, mut evidence) = truth();
    evidence.head = on("main", 'c');
    let relation = Relation::Ahead {
        commits: Vec::new(),
        count: 1,
        files: Files::from_iter([".thunderkit/HANDOFF.md"]),
    };
    evidence.since = Some(Seen::known(Since { relation, only_own: true }, ""));
    let judged = judge(&handoff, &evidence);
    let check = judged.root.iter().find(|check| check.id == CheckId::RootHead).expect("made");
    assert_eq!(check.outcome, Outcome::Failed, "the recorded commit is not HEAD, whoever moved it");
    assert!(
        check.reason.as_ref().is_some_and(|why| why.raw().contains("save again")),
        "and the way out is said"
    );
}
