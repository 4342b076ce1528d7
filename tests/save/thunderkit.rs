//! Saves in thunderkit's format: what is captured is proved, what is proved validates, and nothing is lost.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::Path;

use crate::true_project::{LANE, MODEL, SESSION, TrueProject, WORKTREE};
use chrono::DateTime;
use moorline::check::{Examiner, Verdict};
use moorline::handoff::{Family, Habit, Handoff, Inert, Lane, LaneStatus, Resumability, Source, thunderkit};
use moorline::harness::Surroundings;
use moorline::save::draft::{Draft, Request};
use moorline::save::narrative::LaneWord;
use moorline::settings::Settings;

/// What is changed of a request.
#[derive(Default)]
struct Given<'a> {
    vars: &'a [(&'a str, &'a str)],
    binding: Option<LaneWord>,
    drop: Vec<String>,
}

/// Saves in the project; gives what it reads back as, or why nothing was saved.
fn save(project: &TrueProject, narrative: &str, given: Given<'_>) -> Result<Handoff, String> {
    let around = project.around();
    let more: BTreeMap<_, _> =
        given.vars.iter().map(|(n, v)| (OsString::from(n), OsString::from(v))).collect();
    let around = Surroundings { vars: around.vars.clone().into_iter().chain(more).collect(), ..around };
    let examiner = Examiner::new(&project.root(), around, Settings::default());
    let root = project.root();
    let now = DateTime::parse_from_rfc3339("2026-11-30T10:00:00+01:00").expect("a time");
    let mut request = Request::new(narrative, Family::Thunderkit, &root, now);
    request.binding = given.binding;
    request.drop = given.drop;
    let draft = Draft::make(&examiner, &request).map_err(|why| why.to_string())?;
    draft.write().map_err(|why| why.to_string())?;
    Ok(read(&project.handoff()))
}

fn read(path: &Path) -> Handoff {
    let bytes = fs::read(path).expect("the file is there");
    let handoff = thunderkit::read(&Source {
        bytes: &bytes,
        name: "HANDOFF.md",
        habit: Habit::Thunderkit,
        cut_from: None,
    });
    assert!(handoff.strict, "what is saved is strict: {:?}", handoff.problems);
    handoff
}

fn lane<'a>(handoff: &'a Handoff, id: &str) -> &'a Lane {
    let is = |lane: &&Lane| lane.id.as_ref().is_some_and(|own| own.as_str() == id);
    handoff.lanes.iter().find(is).expect("the lane is there")
}

fn reason(lane: &Lane) -> &str {
    lane.reason.as_ref().map(Inert::raw).unwrap_or_default()
}

const SAID: &str = r#"{"phase": "9 Execute # two", "next": "fix issue #12 now", "decisions": ["no", "0123"],
  "open": [], "context": "62%"}"#;

fn executor() -> Option<LaneWord> {
    Some(LaneWord { class: Some("executors".into()), model: Some("opus48".into()), ..LaneWord::default() })
}

#[test]
fn a_handoff_that_replaces_a_true_one_is_true() {
    let project = TrueProject::build();
    project.git(&project.root(), &["commit", "-q", "--allow-empty", "-m", "Work"]);
    assert_eq!(project.report().verdict, Verdict::NotResumable, "the old one no longer holds");
    let handoff = save(&project, SAID, Given::default()).expect("saved");
    let report = project.report();
    assert_eq!(report.verdict, Verdict::Validated, "the new one does: {:?}", report.reason);
    let root = handoff.root().expect("a root");
    assert_eq!(
        root.current_stage.as_ref().map(Inert::raw),
        Some("9 Execute # two"),
        "nothing of a text is lost"
    );
    assert_eq!(
        handoff.decisions.iter().map(Inert::raw).collect::<Vec<_>>(),
        ["no", "0123"],
        "or becomes another"
    );
    assert_eq!(lane(&handoff, LANE).session_id.as_ref().map(|id| id.as_str()), Some(SESSION), "the session");
    assert!(!project.was_started(), "and nothing was run");
}

#[test]
fn a_first_save_by_the_session_itself_validates_when_it_has_ended() {
    let project = TrueProject::build();
    fs::remove_file(project.handoff()).expect("no handoff yet");
    project.edit_session(
        r#""type":"assistant","message""#,
        &format!(r#""requestedModel":"{MODEL}","type":"assistant","message""#),
    );
    project.add_process(4242, "claude", &["claude"], 70_266);
    project.register(4242, SESSION, 70_266);
    let words =
        SAID.replace("\"open\"", &format!(r#""lanes": [{{"id": "{LANE}", "origin": "owned"}}], "open""#));
    let vars = [("CLAUDE_CODE_SESSION_ID", SESSION)];
    let handoff =
        save(&project, &words, Given { vars: &vars, binding: executor(), drop: vec![] }).expect("saved");
    let own = lane(&handoff, LANE);
    assert_eq!(own.status, Some(LaneStatus::Running), "it runs while it saves, and that is proved");
    assert!(reason(own).contains("was running when this was saved"), "and said: {}", reason(own));
    assert!(reason(own).contains("CLAUDE_CODE_SESSION_ID"), "where its id is from: {}", reason(own));
    assert_eq!(project.report().verdict, Verdict::Running, "nobody resumes a running session");
    fs::remove_file(project.home().join(".claude/sessions/4242.json")).expect("it ends");
    fs::remove_dir_all(project.base().join("proc/4242")).expect("it ends");
    let report = project.report();
    assert_eq!(report.verdict, Verdict::Validated, "and then it may go on: {:?}", report.reason);
}

#[test]
fn the_live_registry_tells_a_session_that_nobody_named() {
    let project = TrueProject::build();
    fs::remove_file(project.handoff()).expect("no handoff yet");
    let none = save(&project, SAID, Given::default()).expect("saved");
    let own = lane(&none, LANE);
    assert_eq!(
        (&own.session_id, own.resumability),
        (&None, Some(Resumability::NotResumable)),
        "no history is searched"
    );
    project.add_process(4242, "claude", &["claude"], 70_266);
    project.register(4242, SESSION, 70_266);
    let live = save(&project, SAID, Given::default()).expect("saved");
    assert_eq!(
        lane(&live, LANE).session_id.as_ref().map(|id| id.as_str()),
        Some(SESSION),
        "what runs there is seen"
    );
    assert!(reason(lane(&live, LANE)).contains("live registry"), "{}", reason(lane(&live, LANE)));
}

#[test]
fn an_id_that_no_store_knows_is_null_with_its_reason() {
    let project = TrueProject::build();
    for (id, word) in [
        ("11111111-2222-4333-8444-555555555555", "not recorded"),
        ("L1-auth", "no id of claude"),
        ("../../x", "session id"),
    ] {
        let words = format!(
            r#"{{"phase": "9", "next": "x", "lanes": [{{"id": "{LANE}", "harness": "claude", "session_id": "{id}"}}]}}"#
        );
        let handoff = save(&project, &words, Given::default()).expect("saved");
        let own = lane(&handoff, LANE);
        assert_eq!(own.session_id, None, "{id} is nobody's session");
        assert_eq!(own.resumability, Some(Resumability::NotResumable), "and nothing to resume");
        assert!(reason(own).contains(word), "{id}: {}", reason(own));
        let models = (&own.effective_model, &own.observed_model, &own.harness_version);
        assert_eq!(models, (&None, &None, &None), "nor anything that another session was seen with");
    }
    let words = format!(
        r#"{{"phase": "9", "next": "x", "lanes": [{{"id": "{LANE}", "harness": "claude", "session_id": "{SESSION}"}}]}}"#
    );
    let handoff = save(&project, &words, Given::default()).expect("saved");
    assert!(lane(&handoff, LANE).session_id.is_some(), "one that the store knows there is taken");
    let elsewhere = project.copy();
    let text = fs::read_to_string(elsewhere.session()).expect("read");
    fs::write(elsewhere.session(), text.replace(WORKTREE, "src")).expect("written");
    let handoff = save(&elsewhere, &words, Given::default()).expect("saved");
    assert_eq!(lane(&handoff, LANE).session_id, None, "and one of another directory is not");
}

#[test]
fn models_are_named_only_from_a_valid_config_and_never_guessed() {
    let project = TrueProject::build();
    fs::remove_file(project.handoff()).expect("no handoff yet");
    let with = |class: &str, model: Option<&str>| {
        let vars = [("CLAUDE_CODE_SESSION_ID", SESSION)];
        let binding =
            LaneWord { class: Some(class.into()), model: model.map(Into::into), ..LaneWord::default() };
        save(&project, SAID, Given { vars: &vars, binding: Some(binding), drop: vec![] })
    };
    let sole = with("executors", None).expect("saved");
    let requested = lane(&sole, LANE).requested_model.as_ref().expect("the other one runs elsewhere");
    assert_eq!(requested.catalog_key.raw(), "opus48", "the only member that this harness can run");
    fs::remove_file(project.handoff()).expect("as at first");
    let word = format!(r#""lanes": [{{"id": "{LANE}", "harness": "hermes", "class": "reviewers"}}], "open""#);
    let open = save(&project, &SAID.replace("\"open\"", &word), Given::default()).expect("saved");
    assert_eq!(lane(&open, LANE).requested_model, None, "of several that hermes can run none is picked");
    fs::remove_file(project.handoff()).expect("as at first");
    let sole = with("planner", None).expect("saved");
    let requested = lane(&sole, LANE).requested_model.as_ref().expect("the class has one member");
    assert_eq!((requested.catalog_key.raw(), requested.model_id.raw()), ("opus48", MODEL), "which is it");
    assert!(with("planner", Some("sol")).expect_err("not in the class").contains("not in that class"));
    assert!(with("bosses", None).expect_err("no such class").contains("no class"));
    project.write("api/.thunderkit/config.json", "{ broken");
    assert!(with("executors", Some("opus48")).expect_err("no valid config").contains("valid"));
    let handoff = save(&project, SAID, Given::default()).expect("a broken config stops no save");
    assert_eq!(handoff.root().expect("a root").model_contract, None, "it only leaves the contract unknown");
}

#[test]
fn a_lane_that_is_not_seen_is_carried_on_until_a_person_takes_it_out() {
    let project = TrueProject::build();
    project.git(&project.root(), &["worktree", "remove", "--force", WORKTREE]);
    let handoff = save(&project, SAID, Given::default()).expect("saved");
    let own = lane(&handoff, LANE);
    assert_eq!(
        (own.status, reason(own)),
        (Some(LaneStatus::Unknown), "not seen here"),
        "nothing says that it ended"
    );
    assert_eq!(own.session_id.as_ref().map(|id| id.as_str()), Some(SESSION), "its ids stay");
    let drop = vec![LANE.to_owned()];
    let handoff = save(&project, SAID, Given { drop, ..Given::default() }).expect("saved");
    assert!(handoff.lanes.is_empty(), "a person may take it out");
    let again = Given { drop: vec![LANE.to_owned()], ..Given::default() };
    assert!(save(&project, SAID, again).expect_err("once").contains("no lane"), "and not twice");
}

#[test]
fn what_the_format_cannot_hold_is_refused_by_name_and_nothing_is_written() {
    let project = TrueProject::build();
    let before = fs::read(project.handoff()).expect("there");
    let long =
        format!(r#"{{"phase": "9", "next": "x", "decisions": ["short", "{}"]}}"#, "long ".repeat(8_000));
    for (words, part) in [
        (r#"{"phase": "9", "next": "x", "notes": "more"}"#.to_owned(), "notes"),
        (r#"{"phase": "9", "decisions": "x"}"#.to_owned(), "`next`"),
        (r#"{"next": "x"}"#.to_owned(), "`phase`"),
        (r#"{"phase": "9", "next": "x", "artifact": "../x"}"#.to_owned(), "artifact"),
        (r#"{"phase": "9", "next": "x", "artifact": "no/such"}"#.to_owned(), "artifact"),
        (r#"{"phase": "9", "next": "x", "lanes": [{"id": "L9"}]}"#.to_owned(), "L9"),
        (long, "decisions[1] (40000)"),
    ] {
        let why = save(&project, &words, Given::default()).expect_err("refused");
        assert!(why.contains(part), "{part} is named: {why}");
    }
    assert_eq!(fs::read(project.handoff()).expect("there"), before, "the old handoff stands");
}

#[test]
fn the_texts_of_every_strict_file_come_back_the_same() {
    let project = TrueProject::build();
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let mut tried = 0;
    for entry in fs::read_dir(corpus).expect("the corpus is there") {
        let Ok(bytes) = fs::read(entry.expect("an entry").path().join(".thunderkit/HANDOFF.md")) else {
            continue;
        };
        let given = thunderkit::read(&Source {
            bytes: &bytes,
            name: "HANDOFF.md",
            habit: Habit::Thunderkit,
            cut_from: None,
        });
        let Some(root) = given.root().filter(|_| given.strict) else { continue };
        let raw = |texts: &[Inert]| texts.iter().map(|text| text.raw().to_owned()).collect::<Vec<_>>();
        let words = serde_json::json!({
            "phase": root.current_stage.as_ref().map(Inert::raw),
            "next": given.fields.get("next_action").and_then(|field| field.value.as_text()).map(Inert::raw),
            "open": given.fields.get("open_unknowns").and_then(|field| field.value.as_text()).map(Inert::raw),
            "decisions": raw(&given.decisions),
        });
        let back = save(&project, &words.to_string(), Given::default()).expect("saved");
        assert_eq!(raw(&back.decisions), raw(&given.decisions), "decisions");
        assert_eq!(raw(&back.next_actions), raw(&given.next_actions), "what is next");
        assert_eq!(raw(&back.open_items), raw(&given.open_items), "what is open");
        assert_eq!(back.root().and_then(|root| root.current_stage.clone()), root.current_stage, "the stage");
        tried += 1;
    }
    assert!(tried >= 3, "strict files were tried: {tried}");
}
