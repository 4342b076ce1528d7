//! Files with known answers, read and scored: a wrong value is worse than a missing one.
//!
//! `tests/corpus` holds one project per directory and `expected.json` the answers, with the conventions they
//! follow at its top. `tests/nasty` is the same for files that are made to be misread.

use std::fs;
use std::path::Path;

use moorline::handoff::{
    ClockSource, Depth, Family, Fields, Habit, Handoff, Inert, Moment, Source, read, read_to,
};
use serde_json::Value;
use unicode_normalization::UnicodeNormalization;

/// The score of a set of files.
#[derive(Default)]
struct Score {
    right: usize,
    missed: Vec<String>,
    wrong: Vec<String>,
}

impl Score {
    /// One answer: right where it is the expected one or another that a careful reader could defend.
    fn judge(
        &mut self,
        what: &str,
        right: bool,
        missing: bool,
        want: &dyn std::fmt::Debug,
        got: &dyn std::fmt::Debug,
    ) {
        let line = || format!("{what}: want {want:?}, got {got:?}");
        if right {
            self.right += 1;
        } else if missing {
            self.missed.push(line());
        } else {
            self.wrong.push(line());
        }
    }

    fn percent(&self) -> f64 {
        let all = self.right + self.missed.len() + self.wrong.len();
        100.0 * self.right as f64 / all.max(1) as f64
    }
}

/// Text as answers are compared: without `*` and `` ` ``, white space folded, no full stop at the end.
fn fold(text: &str) -> String {
    let plain = Inert::from(text).plain().nfc().filter(|c| !"*`".contains(*c)).collect::<String>();
    let plain: String = plain.chars().filter(|c| !matches!(c, '\u{200c}' | '\u{200d}')).collect();
    plain.split_whitespace().collect::<Vec<_>>().join(" ").trim_end_matches(['.', '。']).to_owned()
}

fn folded(text: Option<&str>) -> Option<String> {
    text.map(fold)
}

/// The answers to one field: the expected one first, then the other defensible ones.
fn answers<'a>(file: &'a Value, field: &str) -> Vec<&'a Value> {
    let others = file["also_ok"][field].as_array().map(Vec::as_slice).unwrap_or_default();
    std::iter::once(&file[field]).chain(others).collect()
}

fn judge_text(score: &mut Score, file: &Value, field: &str, got: Option<&str>) {
    let want = answers(file, field);
    let right = want.iter().any(|w| folded(w.as_str()) == folded(got));
    let what = format!("{}: {field}", file["path"].as_str().unwrap_or_default());
    score.judge(&what, right, got.is_none(), &file[field], &got);
}

fn same_time(want: Option<&str>, got: Option<&Moment>) -> bool {
    let (Some(want), Some(got)) = (want, got) else { return want.is_none() && got.is_none() };
    match (chrono::DateTime::parse_from_rfc3339(want), got) {
        (Ok(want), Moment::Instant(got)) => want == *got,
        _ => got.to_text().get(..10) == want.get(..10),
    }
}

fn family_of(file: &Value) -> &str {
    match file["format"].as_str().unwrap_or_default() {
        "json" | "yaml" | "text" => "freeform",
        other => other,
    }
}

fn name_of(family: Family) -> String {
    serde_json::to_value(family).ok().and_then(|v| v.as_str().map(str::to_owned)).unwrap_or_default()
}

fn read_file(root: &Path, path: &str) -> Vec<Handoff> {
    let bytes = fs::read(root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    let habit = if path.ends_with(".thunderkit/HANDOFF.md") {
        Habit::Thunderkit
    } else if path.contains("/.memtomem/") {
        Habit::DayFile
    } else {
        Habit::Other
    };
    let name = path.rsplit('/').next().unwrap_or(path);
    let source = Source { bytes: &bytes, name, habit, cut_from: None };
    let whole = read(&source);
    assert_eq!(
        read_to(&source, Depth::Overview),
        whole.iter().cloned().map(in_a_list).collect::<Vec<_>>(),
        "{path}: a list shows what the whole file says"
    );
    whole
}

/// A handoff without what no list shows.
fn in_a_list(mut handoff: Handoff) -> Handoff {
    handoff.next_actions.truncate(1);
    handoff.decisions = Vec::new();
    handoff.open_items = Vec::new();
    handoff.fields = Fields::default();
    handoff
}

fn judge_day_file(score: &mut Score, file: &Value, handoffs: &[Handoff]) {
    let path = file["path"].as_str().unwrap_or_default();
    let mut ids: Vec<String> =
        handoffs.iter().filter_map(|h| h.record_id.as_ref().map(ToString::to_string)).collect();
    let mut want: Vec<String> = file["record_ids"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|id| id.as_str().map(str::to_owned))
        .collect();
    ids.sort();
    want.sort();
    score.judge(&format!("{path}: record_ids"), ids == want, ids.is_empty(), &want, &ids);
    for record in file["records"].as_array().into_iter().flatten() {
        let id = record["handoff_id"].as_str().unwrap_or_default();
        let what = |field: &str| format!("{path}: {field} {id}");
        let Some(handoff) = handoffs.iter().find(|h| h.record_id.as_ref().is_some_and(|r| r.as_str() == id))
        else {
            score.judge(&what("record"), false, true, &id, &"none");
            continue;
        };
        let usable = record["usable"].as_bool() == Some(!handoff.has_errors());
        score.judge(&what("usable"), usable, false, &record["usable"], &handoff.problems);
        if record["usable"].as_bool() == Some(true) {
            let saved = handoff.saved_at.as_ref().map(|s| &s.moment);
            score.judge(
                &what("saved_at"),
                same_time(record["created"].as_str(), saved),
                saved.is_none(),
                &record["created"],
                &saved,
            );
            let next = handoff.next_action().map(Inert::raw);
            let right = folded(record["next_action"].as_str()) == folded(next);
            score.judge(&what("next_action"), right, next.is_none(), &record["next_action"], &next);
            let commit = handoff.commit.as_ref().map(|c| c.as_str());
            score.judge(
                &what("commit"),
                record["git_head"].as_str() == commit,
                commit.is_none(),
                &record["git_head"],
                &commit,
            );
        }
    }
}

fn judge_file(score: &mut Score, file: &Value, handoff: &Handoff) {
    let path = file["path"].as_str().unwrap_or_default();
    let what = |field: &str| format!("{path}: {field}");
    let family = name_of(handoff.family);
    score.judge(&what("family"), family == family_of(file), false, &family_of(file), &family);
    judge_text(score, file, "title", handoff.title.as_ref().map(Inert::raw));
    let saved = handoff.saved_at.as_ref();
    let moment = saved.map(|s| &s.moment);
    let right = answers(file, "saved_at").iter().any(|w| same_time(w.as_str(), moment));
    score.judge(&what("saved_at"), right, saved.is_none(), &file["saved_at"], &moment);
    if saved.is_some() && same_time(file["saved_at"].as_str(), moment) {
        let source = match saved.map(|s| s.source) {
            Some(ClockSource::Declared) => "declared",
            Some(ClockSource::Heading) => "heading",
            Some(ClockSource::Filename) => "filename",
            _ => "other",
        };
        judge_text(score, file, "saved_at_source", Some(source));
    }
    judge_text(score, file, "branch", handoff.branch.as_ref().map(|b| b.as_str()));
    judge_text(score, file, "commit", handoff.commit.as_ref().map(|c| c.as_str()));
    judge_text(score, file, "next_action", handoff.next_action().map(Inert::raw));
    judge_text(score, file, "phase_or_stage", handoff.phase.as_ref().map(Inert::raw));
    let got: Vec<String> = handoff.blockers.iter().map(|b| fold(b.raw())).collect();
    let right = answers(file, "blockers").iter().any(|want| {
        let want: Vec<String> =
            want.as_array().into_iter().flatten().map(|b| fold(b.as_str().unwrap_or_default())).collect();
        want == got
    });
    score.judge(&what("blockers"), right, got.is_empty(), &file["blockers"], &got);
    let lanes = answers(file, "lanes").iter().any(|w| w.as_u64() == Some(handoff.lanes.len() as u64));
    score.judge(&what("lanes"), lanes, false, &file["lanes"], &handoff.lanes.len());
    let readable = answers(file, "readable").iter().any(|w| w.as_bool() == Some(handoff.readable));
    score.judge(&what("readable"), readable, false, &file["readable"], &handoff.readable);
    if !file["continuation"].is_null() {
        judge_text(score, file, "continuation", handoff.continuation.as_ref().map(Inert::raw));
    }
    judge_lanes(score, file, handoff);
    for (field, tempting) in file["must_not"].as_object().into_iter().flatten() {
        let got = match field.as_str() {
            "branch" => handoff.branch.as_ref().map(ToString::to_string),
            "commit" => handoff.commit.as_ref().map(ToString::to_string),
            "next_action" => handoff.next_action().map(|n| n.raw().to_owned()),
            "saved_at" => saved.map(|s| s.moment.to_text()),
            _ => None,
        };
        let fell_for = tempting
            .as_array()
            .into_iter()
            .flatten()
            .any(|t| t.as_str().map(fold) == got.as_deref().map(fold) && got.is_some());
        score.judge(&what(&format!("{field} must not be one of these")), !fell_for, false, tempting, &got);
    }
}

fn judge_lanes(score: &mut Score, file: &Value, handoff: &Handoff) {
    let path = file["path"].as_str().unwrap_or_default();
    let any = handoff.strict && handoff.lanes.iter().any(|lane| lane.structurally_resumable);
    if handoff.family != Family::Thunderkit {
        let session = handoff.lanes.iter().any(|lane| lane.structurally_resumable);
        score.judge(
            &format!("{path}: resumable outside of thunderkit v1"),
            !session,
            false,
            &false,
            &session,
        );
        return;
    }
    let want = file["resumable_structurally"].as_bool();
    score.judge(&format!("{path}: resumable"), want == Some(any), false, &want, &any);
    for detail in file["lane_details"].as_array().into_iter().flatten() {
        let id = detail["id"].as_str().unwrap_or_default();
        let lane = handoff.lanes.iter().find(|lane| lane.id.as_ref().is_some_and(|l| l.as_str() == id));
        let got = lane.map(|lane| lane.structurally_resumable);
        let want = detail["resumable_structurally"].as_bool();
        score.judge(&format!("{path}: lane {id}"), got == want, got.is_none(), &want, &got);
        let session = lane.and_then(|lane| lane.session_id.as_ref().map(|s| s.as_str()));
        let right = session == detail["session_id"].as_str();
        score.judge(
            &format!("{path}: session of lane {id}"),
            right,
            session.is_none(),
            &detail["session_id"],
            &session,
        );
    }
}

fn score(set: &str) -> Score {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(set);
    let answers = fs::read_to_string(root.join("expected.json")).expect("the answers are there");
    let answers: Value = serde_json::from_str(&answers).expect("the answers are JSON");
    let mut score = Score::default();
    for file in answers["files"].as_array().into_iter().flatten() {
        let handoffs = read_file(&root, file["path"].as_str().unwrap_or_default());
        if file["format"] == "memtomem" {
            judge_day_file(&mut score, file, &handoffs);
        } else {
            assert_eq!(handoffs.len(), 1, "{}: one file is one handoff", file["path"]);
            judge_file(&mut score, file, &handoffs[0]);
        }
    }
    score
}

fn assert_good(set: &str, least: f64) {
    let score = score(set);
    let report = [("WRONG", &score.wrong), ("missed", &score.missed)]
        .iter()
        .flat_map(|(tag, lines)| lines.iter().map(move |line| format!("{tag}: {line}\n")))
        .collect::<String>();
    assert!(score.wrong.is_empty(), "no value may be wrong ({} right):\n{report}", score.right);
    assert!(score.percent() >= least, "{:.1} % right, {least} wanted:\n{report}", score.percent());
}

#[test]
fn every_known_answer_is_right_and_none_is_wrong() {
    assert_good("corpus", 97.0);
}

#[test]
fn files_that_are_made_to_be_misread_are_not() {
    assert_good("nasty", 97.0);
}
