//! The state of the issue or pull request that a next step names: asked of GitHub by `gh`, on a person's yes. Of the
//! handoff's text only owner, repository and number are used, and only in the one shape that they may have.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;

use super::{Heard, Listening, Tool};
use crate::check::Examiner;
use crate::handoff::inert::{one_line, shown};
use crate::handoff::{Inert, secrets};
use crate::harness::{self, Answer};

/// The longest number that is one.
const DIGITS: usize = 10;

/// An issue or a pull request of GitHub.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Target {
    /// `owner/repo`.
    repository: String,
    number: String,
    /// `issue` or `pr`: what gh calls it.
    kind: &'static str,
}

impl Target {
    /// The one target that a next step names by a whole word.
    ///
    /// # Errors
    /// Why there is none.
    pub fn of(step: Option<&Inert>) -> Result<Self, &'static str> {
        let step = step.ok_or("no next step is recorded")?;
        let found: BTreeSet<Self> = step.raw().split_whitespace().filter_map(Self::parse).collect();
        let mut found = found.into_iter();
        match (found.next(), found.next()) {
            (Some(only), None) => Ok(only),
            (Some(_), Some(_)) => Err("the next step names several"),
            (None, _) => Err("the next step names none as owner/repo#number or by its GitHub address"),
        }
    }

    fn parse(word: &str) -> Option<Self> {
        let word = word.trim_end_matches(['.', ',', ';', ':', ')']);
        if let Some(path) = word.strip_prefix("https://github.com/") {
            let [owner, repo, kind, number] = path.split('/').collect::<Vec<_>>().try_into().ok()?;
            let kind = match kind {
                "issues" => "issue",
                "pull" => "pr",
                _ => return None,
            };
            return Self::checked(owner, repo, kind, number);
        }
        let (repository, number) = word.split_once('#')?;
        let (owner, repo) = repository.split_once('/')?;
        // gh finds a pull request by that name too.
        Self::checked(owner, repo, "issue", number)
    }

    fn checked(owner: &str, repo: &str, kind: &'static str, number: &str) -> Option<Self> {
        let is_name = |name: &str| {
            !name.is_empty()
                && !name.starts_with('-')
                && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-'))
        };
        let is_number = (1..=DIGITS).contains(&number.len()) && number.bytes().all(|b| b.is_ascii_digit());
        (is_name(owner) && is_name(repo) && is_number).then(|| Self {
            repository: format!("{owner}/{repo}"),
            number: number.to_owned(),
            kind,
        })
    }
}

/// What became of a target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TargetState {
    /// GitHub's word for its state, and its title.
    Known(Target, Inert, Inert),
    /// It was not asked for, or no answer came, and why.
    NotChecked(Inert),
}

impl TargetState {
    /// Nothing is known, and why.
    pub fn not(why: impl AsRef<str>) -> Self {
        Self::NotChecked(Inert::new(one_line(why.as_ref())))
    }

    /// One sentence.
    pub fn words(&self) -> String {
        match self {
            Self::Known(Target { repository, number, .. }, state, title) => {
                let state = state.shown_line().to_lowercase();
                format!("{repository}#{number} is {state}: {}", title.shown_line())
            }
            Self::NotChecked(why) => format!("target not checked: {}", why.shown_line()),
        }
    }
}

/// What gh answers.
#[derive(Deserialize)]
struct Told {
    state: String,
    title: String,
}

/// What would be asked, and how. Nothing has been started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TargetQuestion {
    target: Target,
    program: PathBuf,
    cwd: PathBuf,
    limit: Duration,
}

impl TargetQuestion {
    /// About what a next step names. Looks for gh; starts nothing.
    ///
    /// # Errors
    /// Why there is nothing to ask.
    pub fn of(examiner: &Examiner, step: Option<&Inert>) -> Result<Self, Inert> {
        let target = Target::of(step)?;
        let around = examiner.around();
        let program = match harness::program(around, "gh", &[examiner.project().to_owned()]) {
            Answer::Found(program) => program.path,
            Answer::Absent(why) | Answer::Unknown(why) => return Err(one_line(&why).into()),
        };
        // Not in the project: nothing that a repository configures has a say in it.
        let cwd = around.home.clone().unwrap_or_else(|| Path::new("/").to_owned());
        let limit = Duration::from_secs(examiner.settings().remote_limit.into());
        Ok(Self { target, program, cwd, limit })
    }

    /// The argument array; the first element is the name that gh is told.
    pub fn argv(&self) -> [String; 7] {
        let Target { repository, number, kind } = &self.target;
        let repository = format!("--repo={repository}");
        ["gh", kind, "view", number, &repository, "--json", "state,title"].map(str::to_owned)
    }

    /// What a person must see before the yes, a line each.
    pub fn words(&self) -> Vec<String> {
        vec![
            format!("program   {}", one_line(&shown(&self.program.to_string_lossy()))),
            format!("argv      {}", self.argv().join("  ")),
            "asks      github.com, as whoever gh is signed in".to_owned(),
            format!("at most   {} s; then it is killed, with all that it started", self.limit.as_secs()),
        ]
    }

    /// Asks. Only ever on a person's yes.
    ///
    /// # Errors
    /// It could not be started.
    pub fn ask(&self, examiner: &Examiner) -> std::io::Result<Listening> {
        let set = [("GH_PROMPT_DISABLED", "1"), ("GH_NO_UPDATE_NOTIFIER", "1"), ("NO_COLOR", "1")];
        Tool {
            program: self.program.clone(),
            argv: self.argv().map(OsString::from).into(),
            cwd: &self.cwd,
            vars: &examiner.around().vars,
            set: set.map(|(name, value)| (name.into(), value.into())).into(),
            limit: self.limit,
        }
        .start()
    }

    /// What was heard, as an answer.
    pub fn answer(self, heard: &Heard) -> TargetState {
        if heard.timed_out {
            return TargetState::not(format!("timed out after {} s", self.limit.as_secs()));
        }
        match (heard.code, serde_json::from_str::<Told>(&heard.out)) {
            (Some(0), Ok(Told { state, title })) => {
                TargetState::Known(self.target, state.into(), secrets::redact(&title).into())
            }
            (Some(0), Err(_)) => TargetState::not("gh gave no answer that can be read"),
            (code, _) => {
                let code =
                    code.map_or("was ended by a signal".into(), |code| format!("ended with code {code}"));
                let first = heard.err.lines().map(str::trim).find(|line| !line.is_empty());
                let said = first.map(|line| format!(": {}", secrets::redact(line))).unwrap_or_default();
                TargetState::not(format!("gh {code}{said}"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn argv(step: &str) -> Result<String, &'static str> {
        let target = Target::of(Some(&step.into()))?;
        let question =
            TargetQuestion { target, program: "/gh".into(), cwd: "/".into(), limit: Duration::ZERO };
        Ok(question.argv().join(" "))
    }

    #[test]
    fn only_a_whole_word_of_one_of_two_shapes_is_a_target() {
        let issue = "gh issue view 12 --repo=acme/a.p_i-2 --json state,title";
        for step in [
            "mend acme/a.p_i-2#12 first",
            "see https://github.com/acme/a.p_i-2/issues/12.",
            "(acme/a.p_i-2#12) acme/a.p_i-2#12);".strip_prefix('(').expect("the rest"),
        ] {
            assert_eq!(argv(step).as_deref(), Ok(issue), "{step:?}");
        }
        assert_eq!(
            argv("land https://github.com/acme/api/pull/7,").as_deref(),
            Ok("gh pr view 7 --repo=acme/api --json state,title"),
            "a pull request by its address"
        );
        for step in [
            "#12",
            "api#12",
            "(acme/api#12",
            "-acme/api#12",
            "acme/-api#12",
            "acme/api#12a",
            "acme/api#",
            "acme/api/x#12",
            "acme/api#12/x",
            "https://github.com/acme/api/issues/12?x=1",
            "https://github.com.evil/acme/api/issues/12",
            "http://github.com/acme/api/issues/12",
            "https://github.com/acme/api/tree/12",
            "acme/api#12345678901",
            "acme/$(id)#1",
            "--repo=x/y#1",
        ] {
            assert!(argv(step).is_err_and(|why| why.contains("names none")), "{step:?}");
        }
        assert_eq!(argv("acme/api#1 or acme/api#2"), Err("the next step names several"));
        assert_eq!(Target::of(None), Err("no next step is recorded"));
    }
}
