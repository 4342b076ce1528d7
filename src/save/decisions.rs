//! Decisions out of a transcript: drafts, each to be confirmed, and only when somebody asks for them.
//!
//! Of the last 20 turns of one session those are kept whose relevance reaches the threshold. Relevance is the sum of
//! three parts, at most 1:
//!
//! | part | at most | how |
//! |---|---|---|
//! | words of deciding | 0.5 | `decided`, `chose`, `rejected`, `architecture`, `risk`, `gotcha`: 0.3 for one, 0.1 for each other |
//! | the plan | 0.3 | the largest share of a heading of `plan.md` whose words the turn has |
//! | commits | 0.2 | the same share for the subjects of the commits made since the turn before |
//!
//! Of a kept turn those lines are taken that have a word of deciding; of one that has none, its first line.

use std::collections::BTreeSet;
use std::path::Path;

use super::draft::Refusal;
use crate::disk;
use crate::handoff::{HarnessName, SessionId, inert};
use crate::harness::{self, Answer, Surroundings};
use crate::repo::{Commit, Repo};

/// How many turns are looked at.
const TURNS: usize = 20;
/// How many commits are looked at for the window of a turn.
const COMMITS: usize = 200;
/// How many lines are taken of one turn.
const LINES: usize = 3;
/// The most characters of a line.
const LONGEST: usize = 300;
/// Bytes read of a plan.
const PLAN_CAP: u64 = 1 << 20;

/// Words by which somebody says that something was decided, each with its other forms.
const WORDS: [&[&str]; 6] = [
    &["decided", "decide", "decision", "decisions"],
    &["chose", "chosen", "choose"],
    &["rejected", "reject"],
    &["architecture", "architectural"],
    &["risk", "risks", "risky"],
    &["gotcha", "gotchas"],
];

/// What was taken from a transcript.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drafts {
    /// The lines, each to be confirmed by a person.
    pub lines: Vec<String>,
    /// How many turns were looked at.
    pub turns: usize,
    /// How many of them were left out.
    pub filtered: usize,
    /// Whose session it was.
    pub harness: HarnessName,
    /// Which one.
    pub session: SessionId,
}

impl Drafts {
    /// What was done, for the file and for the person: `filtered 14/20 turns`.
    pub fn words(&self) -> String {
        format!(
            "From the transcript of {} session {}, filtered {}/{} turns; each line is a draft to confirm:",
            self.harness.as_str(),
            self.session,
            self.filtered,
            self.turns
        )
    }
}

/// Where decisions are looked for, and by what.
pub(super) struct Ask<'a> {
    pub(super) around: &'a Surroundings,
    /// The session must have worked in this directory or below it.
    pub(super) project: &'a Path,
    pub(super) session: &'a str,
    pub(super) plan: Option<&'a Path>,
    pub(super) repo: Option<&'a Repo>,
    /// Least relevance, in thousandths.
    pub(super) threshold: u32,
}

/// Reads the transcript.
///
/// # Errors
/// [`Refusal`]: no store has this session, or it worked elsewhere.
pub(super) fn drafts(ask: &Ask<'_>) -> Result<Drafts, Refusal> {
    let (harness, session) = find(ask)?;
    let turns = match harness::of(harness).last_turns(ask.around, &session, TURNS) {
        Answer::Found(turns) => turns,
        Answer::Absent(why) | Answer::Unknown(why) => {
            return Err(Refusal(format!("the transcript of {session} cannot be read: {why}")));
        }
    };
    let headings = ask.plan.map(headings).unwrap_or_default();
    // Without a history there are no commits to compare with: that takes nothing from the other two parts.
    let commits = ask.repo.and_then(|repo| repo.log(COMMITS).ok()).unwrap_or_default();
    let mut lines = Vec::new();
    let (mut filtered, mut before) = (0, None);
    for turn in &turns {
        let window = subjects(&commits, before, turn.at);
        match relevance(&turn.text, &headings, &window) >= ask.threshold {
            true => lines.extend(said(&turn.text)),
            false => filtered += 1,
        }
        before = turn.at.or(before);
    }
    Ok(Drafts { lines, turns: turns.len(), filtered, harness, session })
}

/// The one store that has this session, if it worked in the project.
fn find(ask: &Ask<'_>) -> Result<(HarnessName, SessionId), Refusal> {
    let id = SessionId::parse(ask.session)
        .map_err(|why| Refusal(format!("{} is {why}", inert::one_line(&inert::shown(ask.session)))))?;
    let mut reasons = Vec::new();
    for name in [HarnessName::Claude, HarnessName::Codex] {
        match harness::of(name).session(ask.around, &id) {
            Answer::Found(session) => {
                let real = |path: &Path| path.canonicalize().ok();
                let here = session.cwd.as_deref().and_then(real).zip(real(ask.project));
                if here.is_some_and(|(cwd, project)| cwd.starts_with(project)) {
                    return Ok((name, id));
                }
                return Err(Refusal(format!("{id} of {} did not work in this project", name.as_str())));
            }
            Answer::Absent(why) | Answer::Unknown(why) => reasons.push(format!("{}: {why}", name.as_str())),
        }
    }
    Err(Refusal(format!("no store has session {id}: {}", reasons.join("; "))))
}

/// The headings of a plan, as words.
fn headings(plan: &Path) -> Vec<BTreeSet<String>> {
    let Ok(content) = disk::read(&plan.join("plan.md"), PLAN_CAP) else { return Vec::new() };
    let text = String::from_utf8_lossy(&content.bytes);
    let heading = |line: &str| line.starts_with('#').then(|| words(line));
    text.lines().filter_map(heading).filter(|words| !words.is_empty()).collect()
}

/// The subjects of commits made after the turn before and until this one, as words.
fn subjects(commits: &[Commit], before: Option<i64>, at: Option<i64>) -> Vec<BTreeSet<String>> {
    let Some(at) = at else { return Vec::new() };
    let inside = |commit: &&Commit| commit.time <= at && before.is_none_or(|before| commit.time > before);
    commits.iter().filter(inside).map(|commit| words(commit.subject.raw())).collect()
}

/// In thousandths.
fn relevance(text: &str, headings: &[BTreeSet<String>], commits: &[BTreeSet<String>]) -> u32 {
    let own = words(text);
    let deciding = WORDS.iter().filter(|forms| forms.iter().any(|form| own.contains(*form))).count();
    let deciding = match u32::try_from(deciding).unwrap_or(u32::MAX) {
        0 => 0,
        count => (200 + 100 * count.min(3)).min(500),
    };
    let share = |of: &[BTreeSet<String>], most: usize| {
        let shares = of.iter().filter(|words| !words.is_empty());
        let best = shares.map(|words| most * words.intersection(&own).count() / words.len()).max();
        u32::try_from(best.unwrap_or(0)).unwrap_or(0)
    };
    (deciding + share(headings, 300) + share(commits, 200)).min(1000)
}

/// The lines of a kept turn that are taken.
fn said(text: &str) -> Vec<String> {
    let lines = text.lines().map(|line| line.trim().trim_start_matches(['-', '*', '#', '>', ' ']));
    let lines: Vec<&str> = lines.filter(|line| !line.is_empty() && !line.starts_with("```")).collect();
    let deciding = |line: &&str| {
        let own = words(line);
        WORDS.iter().any(|forms| forms.iter().any(|form| own.contains(*form)))
    };
    let mut kept: Vec<&str> = lines.iter().copied().filter(deciding).take(LINES).collect();
    if kept.is_empty() {
        kept.extend(lines.first());
    }
    kept.into_iter().map(|line| shortened(&inert::one_line(&inert::shown(line)))).collect()
}

fn shortened(line: &str) -> String {
    match line.char_indices().nth(LONGEST) {
        None => line.to_owned(),
        Some((at, _)) => format!("{}…", &line[..at]),
    }
}

/// Words of four characters or more, in lowercase: shorter ones mostly join others.
fn words(text: &str) -> BTreeSet<String> {
    let parts = text.split(|c: char| !c.is_alphanumeric());
    parts.filter(|part| part.chars().count() > 3).map(str::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sets(texts: &[&str]) -> Vec<BTreeSet<String>> {
        texts.iter().map(|text| words(text)).collect()
    }

    #[test]
    fn relevance_is_the_sum_of_its_three_parts() {
        let of = |text: &str| relevance(text, &sets(&["# Token store"]), &sets(&["Rotate the tokens"]));
        assert_eq!(of("Reading files."), 0, "chatter");
        assert_eq!(of("We decided."), 300, "one word of deciding reaches the usual threshold");
        assert_eq!(of("Decided, and decisions were decided."), 300, "forms of one word are one");
        assert_eq!(of("We decided and rejected a risk, a gotcha."), 500, "more of them count up to a half");
        assert_eq!(of("The store of tokens"), 150 + 100, "half a heading, half a subject");
        assert_eq!(of("token store"), 300, "a heading alone reaches it, too");
        assert_eq!(of("Decided, chose, rejected: rotate the tokens, token store"), 1000, "and all is one");
    }

    #[test]
    fn the_lines_that_decide_are_taken_and_nothing_of_them_can_act() {
        let text = "Looked around.\n- We **decided** on A\n\n> the risk: \x1b[2J B\nMore.\n";
        let lines = said(text);
        assert_eq!(lines.len(), 2, "the two that decide: {lines:?}");
        assert_eq!(lines[0], "We **decided** on A", "without its bullet");
        assert!(!lines[1].contains('\x1b'), "an escape is shown, not passed on");
        assert_eq!(said("Store the tokens\nmore"), ["Store the tokens"], "else the first line");
        assert_eq!(said(&"decided ".repeat(200))[0].chars().count(), LONGEST + 1, "and a long one is cut");
    }

    #[test]
    fn commits_belong_to_the_turn_that_ends_after_them() {
        let commit = |subject: &str, time| Commit {
            id: crate::handoff::CommitId::parse(&"a".repeat(40)).unwrap(),
            subject: subject.into(),
            time,
        };
        let commits = [commit("third one", 30), commit("second one", 20), commit("first one", 10)];
        assert_eq!(subjects(&commits, None, Some(10)).len(), 1, "until then");
        assert_eq!(subjects(&commits, Some(10), Some(25)), sets(&["second one"]), "since the turn before");
        assert_eq!(subjects(&commits, Some(10), None).len(), 0, "without a time there is no window");
    }
}
