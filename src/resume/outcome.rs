//! What became of a resume, told from the session's store before and after. Pure.
//!
//! An exit code proves nothing: clients end with 0 after sending nothing and after beginning a new session, and
//! a failed run appends rows too. Only a finished new turn in the same session, and none elsewhere, is a
//! continuation; whatever is not proved is unknown.

use std::path::Path;

use chrono::DateTime;

use super::child::Ended;
use super::model;
use crate::handoff::{Inert, SessionId};
use crate::harness::{Answer, Liveness, Session};

/// What became of a resume.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// Everything but the start was done.
    Rehearsed,
    /// Something changed, or a check failed, before the start.
    NotStarted(Vec<Inert>),
    /// Same session, a new finished turn, no new session.
    Continued,
    /// The turn went to another session.
    ContinuedElsewhere(Vec<SessionId>),
    /// No new turn.
    NotContinued(Inert),
    /// Cannot be told.
    Unknown(Inert),
}

impl Outcome {
    /// The word that machines see.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Rehearsed => "rehearsed",
            Self::NotStarted(_) => "not_started",
            Self::Continued => "continued",
            Self::ContinuedElsewhere(_) => "continued_elsewhere",
            Self::NotContinued(_) => "not_continued",
            Self::Unknown(_) => "unknown",
        }
    }
}

/// How far ahead of this machine's clock a row may be dated, in seconds.
const AHEAD: i64 = 600;

/// A session that was not there before the start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Newcomer {
    pub id: SessionId,
    /// Its finished turns, where its store says so.
    pub turns: Option<usize>,
}

/// Everything the outcome is told from.
pub(super) struct Traces<'a> {
    /// The session that was to be continued.
    pub id: &'a SessionId,
    /// Its rows before the start.
    pub before: &'a Session,
    /// Its rows now.
    pub after: &'a Answer<Session>,
    /// Sessions of this directory that are new.
    pub newcomers: &'a Answer<Vec<Newcomer>>,
    /// Whether somebody owns it now.
    pub liveness: &'a Liveness,
    /// The session that the program itself named as the one it works in.
    pub named: Option<&'a SessionId>,
    /// When it was started, seconds since 1970.
    pub started: i64,
    /// When its store was read again, seconds since 1970.
    pub read: i64,
    /// How it ended.
    pub ended: &'a Ended,
}

impl Traces<'_> {
    /// Tells the outcome.
    pub fn outcome(&self) -> Outcome {
        let elsewhere = self.elsewhere();
        let after = match self.after {
            Answer::Found(after) => after,
            Answer::Absent(why) => return unknown(format!("the session is gone: {why}")),
            Answer::Unknown(why) => return unknown(format!("the store cannot be read again: {why}")),
        };
        if let Liveness::Running(owner) = self.liveness {
            return unknown(format!("process {} still has the session", owner.pid));
        }
        if let Some(why) = self.tampered(after) {
            return unknown(why);
        }
        let grew = self.grew();
        if !elsewhere.is_empty() {
            return match grew {
                0 => Outcome::ContinuedElsewhere(elsewhere),
                _ => unknown(format!("it grew, and so did another session: {}", names(&elsewhere))),
            };
        }
        if grew == 0 {
            return Outcome::NotContinued(self.why_not(after).into());
        }
        let newcomers = match self.newcomers {
            Answer::Found(newcomers) => newcomers,
            Answer::Absent(_) => &Vec::new(),
            Answer::Unknown(why) => return unknown(format!("a new session cannot be ruled out: {why}")),
        };
        if let Some(newcomer) = newcomers.first() {
            return unknown(format!("it grew, and a new session was created as well: {}", newcomer.id));
        }
        if self.ended.timed_out {
            return unknown("it ran out of time");
        }
        match seconds(after.turned_at.as_deref()) {
            Some(at) if at < self.started => unknown("the new turn is dated before the start"),
            Some(at) if at > self.read.saturating_add(AHEAD) => {
                unknown("the new turn is dated in the future")
            }
            Some(_) => Outcome::Continued,
            None => unknown("the new turn is not dated"),
        }
    }

    /// By how many finished turns the session grew.
    pub fn grew(&self) -> usize {
        match self.after {
            Answer::Found(after) => after.turns.saturating_sub(self.before.turns),
            _ => 0,
        }
    }

    /// Other sessions that got the turn: named by the program, or new with a turn in them (or unreadable).
    fn elsewhere(&self) -> Vec<SessionId> {
        let mut found: Vec<SessionId> =
            self.named.filter(|named| *named != self.id).into_iter().cloned().collect();
        if let Answer::Found(newcomers) = self.newcomers {
            let with_turn = newcomers.iter().filter(|newcomer| newcomer.turns != Some(0));
            for newcomer in with_turn.filter(|newcomer| newcomer.id != *self.id) {
                if !found.contains(&newcomer.id) {
                    found.push(newcomer.id.clone());
                }
            }
        }
        found
    }

    /// What no continuation does to a store.
    fn tampered(&self, after: &Session) -> Option<String> {
        let before = self.before;
        if after.store != before.store && !is_unpacked(&before.store, &after.store) {
            return Some(format!("the session lies in {} now", after.store.display()));
        }
        if after.turns < before.turns || after.bytes < before.bytes {
            return Some("the session became shorter".to_owned());
        }
        if after.damaged_rows > before.damaged_rows {
            return Some("rows were added that cannot be read".to_owned());
        }
        let stranger = after.ids_inside.iter().find(|id| !before.ids_inside.contains(id));
        stranger.map(|id| format!("rows of another session were mixed in: {id}"))
    }

    fn why_not(&self, after: &Session) -> String {
        let mut why = "no new finished turn in the session".to_owned();
        if after.bytes > self.before.bytes {
            why.push_str(", though rows were added");
        }
        if let Answer::Found(newcomers) = self.newcomers
            && let Some(empty) = newcomers.first()
        {
            why.push_str(&format!("; a new session without a turn appeared: {}", empty.id));
        }
        why
    }

    /// What a person must know of the new turn: another model answered, or it was made in another directory.
    pub fn notes(&self) -> Vec<Inert> {
        let Answer::Found(after) = self.after else { return Vec::new() };
        if self.grew() == 0 {
            return Vec::new();
        }
        let moved = match (&self.before.cwd, &after.cwd) {
            (Some(before), Some(now)) if before != now => {
                Some(format!("it worked in {}, not in {}", now.display(), before.display()))
            }
            _ => None,
        };
        model::change(self.before, after).into_iter().chain(moved).map(Inert::from).collect()
    }
}

/// Whether one path is the other, which was compressed: codex unpacks such a file in its place.
fn is_unpacked(before: &Path, after: &Path) -> bool {
    before.extension().is_some_and(|ending| ending == "zst") && before.with_extension("") == after
}

fn unknown(why: impl Into<Inert>) -> Outcome {
    Outcome::Unknown(why.into())
}

fn names(ids: &[SessionId]) -> String {
    ids.iter().map(SessionId::as_str).collect::<Vec<_>>().join(", ")
}

fn seconds(written: Option<&str>) -> Option<i64> {
    written.and_then(|text| DateTime::parse_from_rfc3339(text).ok()).map(|at| at.timestamp())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::harness::Owner;

    const STARTED: i64 = 1_796_061_600;
    const AFTER: &str = "2026-11-30T18:00:05Z";

    fn id(last: char) -> SessionId {
        SessionId::parse(&format!("c5607732-0000-4000-8000-00000000000{last}")).unwrap()
    }

    fn session(turns: usize, bytes: u64) -> Session {
        Session {
            store: "/store/a.jsonl".into(),
            ids_inside: vec![id('1').to_string()],
            model: Some("m-1".into()),
            turns,
            bytes,
            turned_at: Some(AFTER.into()),
            cwd: Some("/work/tides".into()),
            ..Session::default()
        }
    }

    struct Case {
        after: Answer<Session>,
        newcomers: Answer<Vec<Newcomer>>,
        liveness: Liveness,
        named: Option<SessionId>,
        ended: Ended,
    }

    /// A run that did everything right.
    fn good() -> Case {
        Case {
            after: Answer::Found(session(3, 900)),
            newcomers: Answer::Found(Vec::new()),
            liveness: Liveness::NotRunning("no process".into()),
            named: None,
            ended: Ended { code: Some(0), signal: None, timed_out: false },
        }
    }

    /// What such a run leaves of the session `id`, which was `before`.
    fn traces<'a>(case: &'a Case, id: &'a SessionId, before: &'a Session) -> Traces<'a> {
        Traces {
            id,
            before,
            after: &case.after,
            newcomers: &case.newcomers,
            liveness: &case.liveness,
            named: case.named.as_ref(),
            started: STARTED,
            read: STARTED + 10,
            ended: &case.ended,
        }
    }

    fn tell(case: &Case) -> Outcome {
        traces(case, &id('1'), &session(2, 500)).outcome()
    }

    fn newcomer(turns: Option<usize>) -> Answer<Vec<Newcomer>> {
        Answer::Found(vec![Newcomer { id: id('2'), turns }])
    }

    #[test]
    fn only_a_finished_new_turn_in_the_same_session_is_a_continuation() {
        assert_eq!(seconds(Some(AFTER)), Some(STARTED + 5), "the fixture's rows are younger than the start");
        assert_eq!(tell(&good()), Outcome::Continued, "the control: this one is continued");
        let failed = Ended { code: Some(1), ..good().ended };
        assert_eq!(
            tell(&Case { ended: failed, ..good() }),
            Outcome::Continued,
            "whatever the exit code says"
        );
    }

    #[test]
    fn nothing_else_is_ever_shown_as_continued() {
        let same = || Answer::Found(session(2, 500));
        let gone = |case: Case| tell(&case).as_str();
        let dated = |at: Option<&str>| {
            // Other rows may be dated as they like: the turn's own time counts.
            Session { last_at: Some(AFTER.into()), turned_at: at.map(str::to_owned), ..session(3, 900) }
        };
        let (rows, undated) = (dated(Some("2026-11-30T17:00:00Z")), dated(None));
        let future = dated(Some("2099-01-01T00:00:00Z"));
        let mixed = Session { ids_inside: vec![id('1').to_string(), id('2').to_string()], ..session(3, 900) };
        let torn = Session { damaged_rows: 1, ..session(3, 900) };
        let moved = Session { store: "/store/b.jsonl".into(), ..session(3, 900) };
        let owner = Owner { pid: 7, since: None, status: None };
        let cases = [
            ("exit 0 and nothing done", "not_continued", Case { after: same(), ..good() }),
            (
                "rows without a turn",
                "not_continued",
                Case { after: Answer::Found(session(2, 900)), ..good() },
            ),
            (
                "a fresh session",
                "continued_elsewhere",
                Case { after: same(), newcomers: newcomer(Some(1)), ..good() },
            ),
            (
                "an unreadable fresh session",
                "continued_elsewhere",
                Case { after: same(), newcomers: newcomer(None), ..good() },
            ),
            (
                "an empty fresh session",
                "not_continued",
                Case { after: same(), newcomers: newcomer(Some(0)), ..good() },
            ),
            (
                "another id named by the program",
                "continued_elsewhere",
                Case { after: same(), named: Some(id('3')), ..good() },
            ),
            ("both grew", "unknown", Case { newcomers: newcomer(Some(1)), ..good() }),
            ("an empty new one beside the turn", "unknown", Case { newcomers: newcomer(Some(0)), ..good() }),
            ("new ones unknown", "unknown", Case { newcomers: Answer::Unknown("?".into()), ..good() }),
            ("rows of another id", "unknown", Case { after: Answer::Found(mixed), ..good() }),
            ("a torn row", "unknown", Case { after: Answer::Found(torn), ..good() }),
            ("old dates", "unknown", Case { after: Answer::Found(rows), ..good() }),
            ("a date to come", "unknown", Case { after: Answer::Found(future), ..good() }),
            ("no dates", "unknown", Case { after: Answer::Found(undated), ..good() }),
            ("another file", "unknown", Case { after: Answer::Found(moved), ..good() }),
            ("shorter", "unknown", Case { after: Answer::Found(session(1, 300)), ..good() }),
            ("gone", "unknown", Case { after: Answer::Absent("/store".into()), ..good() }),
            ("unreadable", "unknown", Case { after: Answer::Unknown("denied".into()), ..good() }),
            ("still live", "unknown", Case { liveness: Liveness::Running(owner), ..good() }),
            ("out of time", "unknown", Case { ended: Ended { timed_out: true, ..good().ended }, ..good() }),
        ];
        for (what, expected, case) in cases {
            assert_eq!(gone(case), expected, "{what}");
        }
    }

    #[test]
    fn a_compressed_session_that_was_unpacked_in_its_place_is_the_same_one() {
        let outcome = |before: &str, after: &str| {
            let before = Session { store: before.into(), ..session(2, 500) };
            let after = Answer::Found(Session { store: after.into(), ..session(3, 900) });
            traces(&Case { after, ..good() }, &id('1'), &before).outcome().as_str()
        };
        assert_eq!(outcome("/s/a.jsonl.zst", "/s/a.jsonl"), "continued", "unpacked in its place");
        for (before, after) in
            [("/s/a.jsonl.zst", "/t/a.jsonl"), ("/s/a.jsonl", "/s/a"), ("/s/a.jsonl", "/s/a.jsonl.zst")]
        {
            assert_eq!(outcome(before, after), "unknown", "{before} is not {after}");
        }
    }

    #[test]
    fn another_model_is_noted() {
        let (before, own) = (session(2, 500), id('1'));
        let case =
            Case { after: Answer::Found(Session { model: Some("m-2".into()), ..session(3, 900) }), ..good() };
        let traces = traces(&case, &own, &before);
        assert_eq!(traces.outcome(), Outcome::Continued, "the turn is there all the same");
        let note = "the model changed from m-1 to m-2".into();
        assert_eq!(traces.notes(), [note], "and it is said who answered");
    }

    #[test]
    fn a_turn_in_another_directory_is_noted() {
        let (before, own) = (session(2, 500), id('1'));
        let elsewhere = Session { cwd: Some("/".into()), ..session(3, 900) };
        let case = Case { after: Answer::Found(elsewhere), ..good() };
        let told = traces(&case, &own, &before);
        assert_eq!(told.outcome(), Outcome::Continued, "the turn is there all the same");
        assert_eq!(told.notes(), ["it worked in /, not in /work/tides".into()], "and it is said where");
        assert!(traces(&good(), &own, &before).notes().is_empty(), "the control: nothing to note");
    }
}
