//! Native lanes: validated by the bytes of their own routine, and by nothing else.
#![allow(clippy::unwrap_used, reason = "these are tests: a project that cannot be laid out ends them")]

#[path = "common/peers.rs"]
mod peers;
#[path = "common/true_project.rs"]
mod true_project;

use std::fs;

use moorline::check::{Check, CheckId, Examiner, Outcome, Report, Verdict};
use moorline::handoff::Digest;
use moorline::harness::Surroundings;
use moorline::settings::Settings;
use peers::VERSION;
use serde_json::json;
use true_project::{LANE, TrueProject};

const ENTRYPOINT: &str = "skills/gsd-debug/SKILL.md";
const COMPANION: &str = "skills/gsd-debug/references/flow.md";
const RUN: &str = "api/.thunderkit/runs/r1";

/// A manifest whose one workflow is the lane's own.
fn manifest(mode: &str) -> String {
    let target = json!({"ecosystem": "gsd", "skill_name": "gsd-debug", "selector": "gsd-debug", "mode": mode,
        "operations": ["general"], "requires": ["tool:skill"],
        "provenance": {"root_kind": "gsd", "entrypoint": ENTRYPOINT, "files": [ENTRYPOINT, COMPANION]}});
    json!({"schema_version": 2, "hosts": {"default": "gsd", "hermes": "omh"},
        "ecosystems": {"gsd": {"package": "get-shit-done-cc", "channel": "latest", "source": "https://example.org/gsd"}},
        "skills": {"tk-debug": {"default_operation": "general", "operations": ["general"], "targets": [target]}}})
    .to_string()
}

/// The true project with its lane turned native.
fn native() -> TrueProject {
    let project = TrueProject::build();
    peers::install(&project, "claude", "gsd", "get-shit-done-cc", &[ENTRYPOINT, COMPANION]);
    project.write("manifest.json", &manifest("handoff"));
    project.edit("origin: \"owned\"", "origin: \"native\"");
    for (name, value) in [
        ("ecosystem", "gsd"),
        ("package_version", VERSION),
        ("skill_name", "gsd-debug"),
        ("source", ENTRYPOINT),
        ("source_sha256", &peers::digest("gsd", ENTRYPOINT)),
    ] {
        project.edit(&format!("    {name}: null"), &format!("    {name}: {value:?}"));
    }
    project
}

fn judged(project: &TrueProject, around: Surroundings, manifest: bool) -> Report {
    let manifest = manifest.then(|| project.base().join("manifest.json"));
    let settings = Settings { manifest, ..Settings::default() };
    Examiner::new(&project.root(), around, settings).examine(&project.row())
}

fn report(project: &TrueProject) -> Report {
    judged(project, project.around(), true)
}

fn of(report: &Report, id: CheckId) -> Vec<&Check> {
    report.lanes[0].checks.iter().filter(|check| check.id == id).collect()
}

fn reason(report: &Report, id: CheckId) -> String {
    let checks = of(report, id);
    let failed = checks.iter().find(|check| check.outcome == Outcome::Failed);
    failed.and_then(|check| check.reason.as_ref()).map(|reason| reason.raw().to_owned()).unwrap_or_default()
}

#[test]
fn a_native_lane_is_validated_by_its_bytes_each_file_a_line() {
    let project = native();
    let report = report(&project);
    assert_eq!(report.verdict, Verdict::Validated, "everything is true: {:?}", report.reason);
    let files = of(&report, CheckId::NativeFile);
    assert_eq!(files.len(), 2, "each pinned file is a line");
    for (check, path) in files.iter().zip([ENTRYPOINT, COMPANION]) {
        assert_eq!(check.outcome, Outcome::Passed, "{path} is the pinned one");
        let expected = check.expected.as_ref().unwrap().raw();
        assert_eq!(expected, format!("{path} sha256 {}", peers::digest("gsd", path)), "with its digest");
        assert!(check.observed.is_some() && check.source.is_some(), "and where it was read");
    }
    assert!(of(&report, CheckId::NativePlan).is_empty(), "no plan is named, so none is compared");
    assert!(!project.was_started(), "checking runs nothing");
}

type Change = fn(&TrueProject);

#[test]
fn each_thing_that_is_not_as_pinned_refuses_the_lane() {
    let skill = |project: &TrueProject, path: &str| project.base().join("peers/gsd").join(path);
    let lock = "api/.thunderkit/peers.lock.json";
    let cases: Vec<(&str, Change, &str)> = vec![
        (
            "tampered entrypoint",
            |p| p.write(&format!("peers/gsd/{ENTRYPOINT}"), "x"),
            "are not the pinned ones",
        ),
        (
            "tampered companion",
            |p| p.write(&format!("peers/gsd/{COMPANION}"), "x"),
            "are not the pinned ones",
        ),
        (
            "unknown companion",
            |p| p.write("peers/gsd/skills/gsd-debug/extra.md", "x"),
            "is there and is not pinned",
        ),
        (
            "another identity",
            |p| p.write("peers/gsd/gsd-file-manifest.json", "{\"version\":\"0\"}"),
            "not what was pinned",
        ),
        (
            "no lock",
            |p| fs::remove_file(p.root().join(".thunderkit/peers.lock.json")).unwrap(),
            "owner is unavailable",
        ),
        ("a torn lock", |p| p.write("api/.thunderkit/peers.lock.json", "{"), "line 1"),
        (
            "a lock of another host",
            |p| p.replace("api/.thunderkit/peers.lock.json", "\"claude\"", "\"codex\""),
            "another peer or host",
        ),
        ("not installed", |p| fs::remove_dir_all(p.base().join("peers")).unwrap(), "owner is unavailable"),
        ("another recorded version", |p| p.edit(VERSION, "1.0.0"), "the pinned version is"),
        (
            "another recorded source",
            |p| p.edit("source: \"skills/gsd-debug/SKILL.md\"", "source: \"skills/gsd-fast/SKILL.md\""),
            "not the pinned entrypoint",
        ),
        (
            "another recorded digest",
            |p| p.edit(&peers::digest("gsd", ENTRYPOINT), &"0".repeat(64)),
            "not the pinned one of the entrypoint",
        ),
        (
            "another recorded skill",
            |p| p.edit("skill_name: \"gsd-debug\"", "skill_name: \"gsd-fast\""),
            "no pin to compare",
        ),
        (
            "another recorded ecosystem",
            |p| p.edit("ecosystem: \"gsd\"", "ecosystem: \"omh\""),
            "no pin to compare",
        ),
        (
            "null source",
            |p| p.edit("source: \"skills/gsd-debug/SKILL.md\"", "source: null"),
            "no recorded native source",
        ),
        ("unknown origin", |p| p.edit("origin: \"native\"", "origin: \"unknown\""), "not known"),
        (
            "only a component's pins",
            |p| p.write("manifest.json", &manifest("component")),
            "no pin to compare",
        ),
        (
            "delegation off",
            |p| p.replace("api/.thunderkit/config.json", "\"auto\"", "\"off\""),
            "delegation is off",
        ),
        (
            "ecosystem not enabled",
            |p| p.replace("api/.thunderkit/config.json", ", \"gsd\"", ""),
            "not enabled",
        ),
    ];
    for (name, change, words) in cases {
        let project = native();
        change(&project);
        let report = report(&project);
        assert_eq!(report.verdict, Verdict::NotResumable, "{name}: {:?}", report.reason);
        let said = reason(&report, CheckId::NativeSource);
        assert!(said.contains(words), "{name} is said to be it ({words}): {said:?}");
    }
    let project = native();
    let twin = project.base().join("twin");
    fs::rename(skill(&project, COMPANION), &twin).unwrap();
    std::os::unix::fs::symlink(&twin, skill(&project, COMPANION)).unwrap();
    let report = report(&project);
    assert!(
        reason(&report, CheckId::NativeSource).contains("link")
            || reason(&report, CheckId::NativeSource).contains("no regular file"),
        "equal bytes behind a link are not in place: {}",
        reason(&report, CheckId::NativeSource)
    );
    assert!(project.base().join(lock).exists(), "control: the lock was there all the time");
}

#[test]
fn the_lookup_component_of_the_built_in_manifest_qualifies_no_workflow() {
    let report = judged(&native(), native().around(), false);
    assert!(reason(&report, CheckId::NativeSource).contains("no pin to compare"), "{:?}", report.reason);
    assert!(of(&report, CheckId::NativeFile).is_empty(), "no file was compared, so none is green");
}

#[test]
fn the_run_record_is_shown_and_its_plan_must_be_the_accepted_one() {
    let plan = "# Plan\n";
    let record = |digest: &str, status: &str| {
        json!({"lane_id": LANE, "ecosystem": "gsd", "package_version": VERSION, "skill_name": "gsd-debug",
            "status": "blocked", "session_id": null, "ready": true,
            "native_plan": {"ecosystem": "gsd", "package_version": VERSION, "skill_name": "gsd-plan",
                "artifact": ".omo/plans/p.md", "sha256": digest, "approval_status": status}})
        .to_string()
    };
    let with = |record: &str| {
        let project = native();
        project.write("api/.omo/plans/p.md", plan);
        let artifact = format!("{RUN}/{LANE}.json");
        let old = fs::read(project.base().join(&artifact)).unwrap();
        project.write(&artifact, record);
        project.edit(&Digest::of(&old).to_string(), &Digest::of(record.as_bytes()).to_string());
        report(&project)
    };
    let right = Digest::of(plan.as_bytes()).to_string();
    let good = with(&record(&right, "approved"));
    assert_eq!(
        good.verdict,
        Verdict::Validated,
        "control: an accepted plan with its bytes: {:?}",
        good.reason
    );
    assert_eq!(of(&good, CheckId::NativePlan)[0].outcome, Outcome::Passed, "it was compared");
    let run = good.lanes[0].run.as_ref().expect("the record stands beside the lane");
    assert_eq!(
        run.line(),
        format!("blocked gsd {VERSION} gsd-debug (.thunderkit/runs/r1/{LANE}.json)"),
        "in one line"
    );
    assert!(run.fields.get("ready").is_none(), "a field that the format does not have is not shown");
    for (record, words) in [
        (record(&"0".repeat(64), "approved"), "other bytes"),
        (record(&right, "pending"), "no native acceptance"),
        (record(&right, ""), "no native acceptance"),
        (record("none", "approved"), "or no digest"),
        (record(&right, "approved").replace(".omo/plans/p.md", "../p.md"), "names no file of the project"),
        (record(&right, "approved").replace(".omo/plans/p.md", ".omo/plans/gone.md"), "is not there"),
        (record(&right, "approved").replacen("\"gsd\"", "\"omo\"", 2), "another ecosystem"),
        (record(&right, "approved").replace(",\"approval_status\":\"approved\"", ""), "approval_status"),
    ] {
        let report = with(&record);
        let said = reason(&report, CheckId::NativePlan);
        assert!(said.contains(words), "{words} is said of {record}: {said:?}");
        assert_eq!(report.verdict, Verdict::NotResumable, "and the lane is refused");
    }
}

#[test]
fn a_native_lane_on_hermes_needs_the_home_that_moorline_itself_runs_with() {
    let project = native();
    project.edit("harness: \"claude\"", "harness: \"hermes\"");
    let home = project.root().join(".thunderkit/runs/r1/hermes-home");
    fs::create_dir_all(&home).unwrap();
    project.write("proc/self/mountinfo", "1 0 1:1 / / rw - ext4 /dev/a rw\n");
    let with = |home: Option<&std::path::Path>| {
        let mut around = project.around();
        if let Some(home) = home {
            around.vars.insert("HERMES_HOME".into(), home.into());
        }
        let report = judged(&project, around, true);
        let check = of(&report, CheckId::RuntimeHome)[0].clone();
        (check.outcome, check.reason.map(|reason| reason.raw().to_owned()).unwrap_or_default())
    };
    assert_eq!(with(Some(&home)).0, Outcome::Passed, "control: the run's own home: {}", with(Some(&home)).1);
    assert_eq!(with(None).0, Outcome::Failed, "no HERMES_HOME is no proof");
    let other = project.root().join(".thunderkit/runs/r2/hermes-home");
    fs::create_dir_all(&other).unwrap();
    assert!(with(Some(&other)).1.contains("the lane's is r1"), "another run's home is not this one's");
    let global = project.home().join(".hermes");
    fs::create_dir_all(&global).unwrap();
    assert_eq!(with(Some(&global)).0, Outcome::Failed, "a person's own home is not a run's");
    project.write("proc/self/mountinfo", "1 0 1:1 / / rw - nfs host:/x rw\n");
    assert!(with(Some(&home)).1.contains("nfs"), "a network disk is named");
    project.write("proc/self/mountinfo", "1 0 1:1 / / rw - ext4 /dev/a rw\n");
    fs::remove_dir(&home).unwrap();
    std::os::unix::fs::symlink(&other, &home).unwrap();
    assert_eq!(with(Some(&home)).0, Outcome::Failed, "a link is no home");
}
