//! The table: one change of record or world, and the check that must notice it.

use super::*;

type Change = fn(&mut World);

#[test]
fn one_change_changes_its_own_check() {
    use CheckId as C;
    use Outcome::{Failed, NotApplicable, Passed, Unknown};
    let table: &[(&str, Change, CheckId, Outcome)] = &[
        ("a structural problem", |w| w.handoff.strict = false, C::Schema, Failed),
        ("the first release's shape", |w| w.handoff.family = Family::ThunderkitLegacy, C::Schema, Failed),
        ("no recorded north star", |w| w.root().north_star = None, C::Config, Failed),
        ("another north star", |w| w.root().north_star = Some(path("STAR.md")), C::Config, Failed),
        ("north star gone", |w| w.policy().north_star = Seen::absent("gone", ""), C::Config, Failed),
        ("north star unreadable", |w| w.policy().north_star = Seen::unknown("EIO", ""), C::Config, Unknown),
        ("config invalid", |w| w.policy().config = Seen::absent("invalid_config", ""), C::Config, Failed),
        ("config unreadable", |w| w.policy().config = Seen::unknown("EIO", ""), C::Config, Unknown),
        ("no recorded repository", |w| w.root().repository = None, C::Repository, Failed),
        (
            "another repository",
            |w| w.root().repository = Some("example.org/acme/web".into()),
            C::Repository,
            Failed,
        ),
        (
            "a full url",
            |w| w.root().repository = Some("https://u:p@EXAMPLE.org/acme/api.git".into()),
            C::Repository,
            Passed,
        ),
        (
            "remotes unreadable",
            |w| w.evidence.repository = Seen::unknown("reftable", ""),
            C::Repository,
            Unknown,
        ),
        (
            "no repository",
            |w| w.evidence.repository = Seen::absent("no repository", ""),
            C::Repository,
            Failed,
        ),
        (
            "only a directory name",
            |w| {
                w.root().repository = Some("api".into());
                w.evidence.repository = Seen::known(Identity { text: "api".into(), from_remote: false }, "");
            },
            C::Repository,
            Passed,
        ),
        (
            "a remote that is gone",
            |w| {
                w.evidence.repository = Seen::known(Identity { text: "api".into(), from_remote: false }, "");
            },
            C::Repository,
            Failed,
        ),
        ("no recorded branch", |w| w.root().branch = None, C::RootBranch, Failed),
        ("another branch", |w| w.evidence.head = on("dev", 'a'), C::RootBranch, Failed),
        (
            "detached now",
            |w| w.evidence.head = Seen::known(Head::Detached(commit('a')), ""),
            C::RootBranch,
            Failed,
        ),
        (
            "unborn now",
            |w| w.evidence.head = Seen::known(Head::Unborn(branch("main")), ""),
            C::RootBranch,
            Failed,
        ),
        ("HEAD unreadable", |w| w.evidence.head = Seen::unknown("why", ""), C::RootBranch, Unknown),
        (
            "detached then and now",
            |w| {
                (w.root().branch, w.root().detached) = (None, true);
                w.evidence.head = Seen::known(Head::Detached(commit('a')), "");
            },
            C::RootBranch,
            Passed,
        ),
        (
            "detached then, a branch now",
            |w| (w.root().branch, w.root().detached) = (None, true),
            C::RootBranch,
            Failed,
        ),
        ("no recorded commit", |w| w.root().head = None, C::RootHead, Failed),
        ("another commit", |w| w.evidence.head = on("main", 'c'), C::RootHead, Failed),
        (
            "no commit yet",
            |w| w.evidence.head = Seen::known(Head::Unborn(branch("main")), ""),
            C::RootHead,
            Failed,
        ),
        ("commit unknown", |w| w.evidence.head = Seen::unknown("why", ""), C::RootHead, Unknown),
        ("no recorded worktree", |w| w.lane().worktree = None, C::Worktree, Failed),
        ("worktree of nobody", |w| w.seen().worktree = Some(Seen::absent("pruned", "")), C::Worktree, Failed),
        ("worktree unreadable", |w| w.seen().worktree = Some(Seen::unknown("EIO", "")), C::Worktree, Unknown),
        (
            "the root as worktree",
            |w| {
                w.seen().worktree =
                    Some(Seen::known(WorktreeSeen { path: "/api".into(), is_root: true }, ""));
            },
            C::Worktree,
            Passed,
        ),
        ("no recorded lane branch", |w| w.lane().branch = None, C::LaneBranch, Failed),
        ("lane on another branch", |w| w.seen().head = on("tk/L2", 'b'), C::LaneBranch, Failed),
        ("lane branch unknown", |w| w.seen().head = Seen::unknown("why", ""), C::LaneBranch, Unknown),
        ("no recorded lane commit", |w| w.lane().head = None, C::LaneHead, Failed),
        ("lane moved", |w| w.seen().head = on("tk/L1", 'c'), C::LaneHead, Failed),
        ("lane commit unknown", |w| w.seen().head = Seen::unknown("why", ""), C::LaneHead, Unknown),
        (
            "other artifact bytes",
            |w| w.policy().artifact = Some(Seen::known(digest('9'), "")),
            C::ActiveArtifact,
            Failed,
        ),
        (
            "artifact gone",
            |w| w.policy().artifact = Some(Seen::absent("gone", "")),
            C::ActiveArtifact,
            Failed,
        ),
        (
            "artifact unreadable",
            |w| w.policy().artifact = Some(Seen::unknown("EIO", "")),
            C::ActiveArtifact,
            Unknown,
        ),
        ("artifact without digest", |w| w.root().active_artifact_sha256 = None, C::ActiveArtifact, Unknown),
        ("no artifact", |w| w.root().active_artifact = None, C::ActiveArtifact, NotApplicable),
        (
            "other lane bytes",
            |w| w.seen().artifact = Some(Seen::known(digest('9'), "")),
            C::LaneArtifact,
            Failed,
        ),
        ("lane artifact without digest", |w| w.lane().artifact_sha256 = None, C::LaneArtifact, Unknown),
        ("no lane artifact", |w| w.lane().artifact = None, C::LaneArtifact, NotApplicable),
        ("evidence gone", |w| w.seen().evidence[0].1 = Seen::absent("gone", ""), C::Evidence, Failed),
        ("evidence unreadable", |w| w.seen().evidence[0].1 = Seen::unknown("EIO", ""), C::Evidence, Unknown),
        ("no evidence", |w| w.seen().evidence.clear(), C::Evidence, NotApplicable),
        ("no contract", |w| w.root().model_contract = None, C::ModelContract, Failed),
        (
            "contract of another layout",
            |w| w.root().model_contract = Some(Value::text("x")),
            C::ModelContract,
            Unknown,
        ),
        (
            "config says otherwise",
            |w| {
                let mut now = config();
                now.executors = vec!["opus48".into()];
                w.policy().config = Seen::known(now, "");
            },
            C::ModelContract,
            Failed,
        ),
        (
            "contract without config",
            |w| w.policy().config = Seen::absent("gone", ""),
            C::ModelContract,
            Unknown,
        ),
        ("no class", |w| w.lane().model_class = None, C::ModelBinding, Failed),
        ("no requested model", |w| w.lane().requested_model = None, C::ModelBinding, Failed),
        ("no effective model", |w| w.lane().effective_model = None, C::ModelBinding, Failed),
        (
            "no observed model",
            |w| (w.lane().observed_model, w.lane().observed_family) = (None, None),
            C::ModelBinding,
            Passed,
        ),
        ("key outside the catalog", |w| set(w, |m| m.catalog_key = "opus99".into()), C::ModelBinding, Failed),
        ("another provider", |w| set(w, |m| m.provider = "bedrock".into()), C::ModelBinding, Failed),
        ("another id", |w| set(w, |m| m.model_id = "claude-opus-4-8[1m]".into()), C::ModelBinding, Failed),
        (
            "effective is another",
            |w| edit(&mut w.lane().effective_model).model_id = "claude-opus-5".into(),
            C::ModelBinding,
            Failed,
        ),
        (
            "observed is another",
            |w| edit(&mut w.lane().observed_model).model_id = "claude-opus-5".into(),
            C::ModelBinding,
            Failed,
        ),
        (
            "efforts differ",
            |w| {
                edit(&mut w.lane().requested_model).effort = Some("high".into());
                edit(&mut w.lane().effective_model).effort = Some("low".into());
            },
            C::ModelBinding,
            Failed,
        ),
        (
            "effort not exposed",
            |w| edit(&mut w.lane().requested_model).effort = Some("high".into()),
            C::ModelBinding,
            Passed,
        ),
        ("another family", |w| w.lane().observed_family = Some("openai".into()), C::ModelBinding, Failed),
        ("family not recorded", |w| w.lane().observed_family = None, C::ModelBinding, Failed),
        (
            "not in its class",
            |w| {
                let mut now = config();
                now.executors = vec!["sol".into()];
                w.policy().config = Seen::known(now, "");
            },
            C::ModelBinding,
            Failed,
        ),
        ("no catalog", |w| w.policy().catalog = Seen::unknown("unreadable", ""), C::ModelBinding, Unknown),
        ("class without config", |w| w.policy().config = Seen::absent("gone", ""), C::ModelBinding, Unknown),
        ("native without source", |w| w.lane().origin = Some(Origin::Native), C::NativeSource, Failed),
        (
            "native with source",
            |w| {
                w.lane().origin = Some(Origin::Native);
                w.lane().source = Some(path("skill.md"));
            },
            C::NativeSource,
            Failed,
        ),
        ("origin said to be unknown", |w| w.lane().origin = Some(Origin::Unknown), C::NativeSource, Failed),
        ("no origin", |w| w.lane().origin = None, C::NativeSource, Failed),
        (
            "native on hermes",
            |w| {
                w.lane().origin = Some(Origin::Native);
                w.lane().harness = Some(HarnessName::Hermes);
            },
            C::RuntimeHome,
            Failed,
        ),
        ("native on claude", |w| w.lane().origin = Some(Origin::Native), C::RuntimeHome, NotApplicable),
        ("no harness", |w| (w.lane().harness, w.seen().harness) = (None, None), C::Harness, Failed),
        ("no fixed form", |w| w.harness().form = Err("no documented form"), C::Harness, Failed),
        ("no version", |w| w.lane().harness_version = None, C::Harness, Failed),
        ("no program", |w| w.harness().program = Seen::absent("not in PATH", ""), C::Harness, Failed),
        ("program unknown", |w| w.harness().program = Seen::unknown("EIO", ""), C::Harness, Unknown),
        ("no session id", |w| w.lane().session_id = None, C::SessionId, Failed),
        ("another shape", |w| w.harness().in_shape = Some(false), C::SessionId, Failed),
        ("a shape is never looked up", |w| w.harness().in_shape = Some(false), C::SessionExists, Unknown),
        ("no such session", |w| w.harness().session = Seen::absent("none", ""), C::SessionExists, Failed),
        (
            "store unreadable",
            |w| w.harness().session = Seen::unknown("not read yet", ""),
            C::SessionExists,
            Unknown,
        ),
        ("archived", |w| w.session().archived = true, C::SessionExists, Failed),
        ("goes on as another", |w| w.session().continues_as = Some("x".into()), C::SessionExists, Failed),
        ("another id inside", |w| w.session().ids_inside = vec!["x".into()], C::SessionExists, Failed),
        ("two ids inside", |w| w.session().ids_inside.push("x".into()), C::SessionExists, Failed),
        ("no id inside", |w| w.session().ids_inside.clear(), C::SessionExists, Failed),
        ("another directory", |w| w.harness().same_directory = Seen::known(false, ""), C::SessionCwd, Failed),
        ("directory gone", |w| w.harness().same_directory = Seen::absent("gone", ""), C::SessionCwd, Failed),
        ("directory unknown", |w| w.session().cwd = None, C::SessionCwd, Unknown),
        (
            "directory without session",
            |w| w.harness().session = Seen::absent("none", ""),
            C::SessionCwd,
            Unknown,
        ),
        (
            "another model answered",
            |w| w.session().model = Some("claude-haiku-4-5".into()),
            C::SessionModel,
            Failed,
        ),
        ("nobody answered", |w| w.session().model = None, C::SessionModel, Unknown),
        ("observed null", |w| w.lane().observed_model = None, C::SessionModel, Unknown),
        ("default is the same", |w| w.codex(Seen::known(MODEL.into(), "")), C::SessionModel, Passed),
        ("default is another", |w| w.codex(Seen::known("gpt-6".into(), "")), C::SessionModel, Failed),
        ("default unknown", |w| w.codex(Seen::unknown("profiles", "")), C::SessionModel, Unknown),
        (
            "liveness unknown",
            |w| w.harness().liveness = Liveness::Unknown("no registry".into()),
            C::Liveness,
            Unknown,
        ),
        ("running", |w| w.harness().liveness = Liveness::Running(owner()), C::Liveness, Failed),
        ("completed", |w| w.lane().status = Some(LaneStatus::Completed), C::Status, Failed),
        ("running when saved", |w| w.lane().status = Some(LaneStatus::Running), C::Status, Passed),
        ("status unknown when saved", |w| w.lane().status = Some(LaneStatus::Unknown), C::Status, Passed),
        ("no status", |w| w.lane().status = None, C::Status, Failed),
        (
            "saved as not resumable",
            |w| w.lane().resumability = Some(Resumability::NotResumable),
            C::SavedResumability,
            Failed,
        ),
        ("no resumability", |w| w.lane().resumability = None, C::SavedResumability, Failed),
        ("no stage", |w| w.root().current_stage = None, C::Stage, Failed),
        ("blank stage", |w| w.root().current_stage = Some(" ".into()), C::Stage, Failed),
    ];
    for (name, change, id, expected) in table {
        let (handoff, evidence) = truth();
        let mut world = World { handoff, evidence };
        change(&mut world);
        let judged = judge(&world.handoff, &world.evidence);
        assert_eq!(outcome_of(&judged, *id), *expected, "{name}: {}", id.as_str());
        let checks = judged.root.iter().chain(judged.lanes.iter().flatten());
        for check in checks.filter(|check| check.outcome != Outcome::Passed) {
            assert!(check.reason.is_some(), "{name}: whatever did not pass says why: {check:?}");
        }
        let passed = !matches!(expected, Failed | Unknown);
        let lanes = verdict::lanes(&world.handoff, &judged, &[None]);
        if !passed {
            assert_ne!(lanes[0].verdict, Verdict::Validated, "{name}: such a lane is never validated");
            assert!(!lanes[0].reasons.is_empty(), "{name}: and its reasons say why");
        }
    }
}

fn edit(identity: &mut Option<ModelIdentity>) -> &mut ModelIdentity {
    identity.as_mut().expect("an identity")
}

/// Changes all three identities alike.
fn set(world: &mut World, change: fn(&mut ModelIdentity)) {
    let lane = world.lane();
    for identity in [&mut lane.requested_model, &mut lane.effective_model, &mut lane.observed_model] {
        change(edit(identity));
    }
}

fn owner() -> Owner {
    Owner { pid: 4121, since: Some("2026-11-29T08:12:00Z".into()), status: None }
}
