//! `version` and `resume-form`: whether the installed client is one that was seen to behave.
//!
//! The version is read from the package files beside the program. Only where there are none is the program
//! itself asked, and never hermes, whose answer writes files and goes online.

use std::time::Duration;

use super::child::{Ended, Order};
use super::{env, tool};
use crate::check::{Check, CheckId, Outcome, Subject};
use crate::handoff::{HarnessName, Inert};
use crate::harness::{Answer, Harness, Program, ResumeForm, Surroundings, Version};

/// How long a program may take to say its version or its help.
const PATIENCE: Duration = Duration::from_secs(20);
/// How much of an answer is kept, in bytes.
const ANSWER_CAP: usize = 256 << 10;

/// Whom the preflight is about.
pub(super) struct Client<'a> {
    pub harness: &'a dyn Harness,
    pub form: &'a ResumeForm,
    pub program: &'a Program,
    pub around: &'a Surroundings,
}

/// What the preflight found.
#[derive(Debug, Clone)]
pub(super) struct Preflight {
    /// `version` and `resume-form`.
    pub checks: Vec<Check>,
    /// The version and where it was read, for people.
    pub version: Inert,
    /// The version, where the program itself had to be asked.
    pub asked: Option<Version>,
}

/// Judges the installed version. `asked` is what this very program said when it was asked before: a program is
/// asked once.
pub(super) fn inspect(
    client: &Client<'_>,
    subject: &Subject,
    recorded: Option<&Inert>,
    asked: Option<&Version>,
) -> Preflight {
    let (answer, asked) = match client.harness.version(client.program) {
        Answer::Found(version) => (Answer::Found(version), None),
        Answer::Unknown(why) => (Answer::Unknown(why), None),
        Answer::Absent(_) => {
            match asked.map_or_else(|| ask_version(client), |known| Answer::Found(known.clone())) {
                Answer::Found(version) => (Answer::Found(version.clone()), Some(version)),
                other => (other, None),
            }
        }
    };
    let blank = |id| Check {
        id,
        subject: subject.clone(),
        outcome: Outcome::Unknown,
        expected: None,
        observed: None,
        source: None,
        reason: None,
        line: None,
    };
    let version = match answer {
        Answer::Found(version) => version,
        Answer::Absent(why) | Answer::Unknown(why) => {
            let why = Inert::from(format!("the installed version cannot be read: {why}"));
            let check = |id| Check { reason: Some(why.clone()), ..blank(id) };
            let checks = vec![check(CheckId::Version), check(CheckId::ResumeForm)];
            return Preflight { checks, version: why, asked: None };
        }
    };
    let standing = stand(&version.text, client.form.oldest);
    let (outcome, reason) =
        version_outcome(client.harness.name(), &version.text, client.form, standing, recorded);
    let version_check = Check {
        outcome,
        expected: Some(format!("{} or later", client.form.oldest).into()),
        observed: Some(version.text.as_str().into()),
        source: Some(version.source.as_str().into()),
        reason,
        ..blank(CheckId::Version)
    };
    let (outcome, observed, source) = form_outcome(client, standing);
    let form_check = Check {
        outcome,
        expected: Some([client.form.before_id.join(" ").as_str(), " ID"].concat().into()),
        observed: Some(observed.into()),
        source: Some(source.into()),
        ..blank(CheckId::ResumeForm)
    };
    let shown = format!("{} (read from {})", version.text, version.source).into();
    Preflight { checks: vec![version_check, form_check], version: shown, asked }
}

/// How an installed version stands to the oldest one that was seen to behave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Standing {
    /// At or above it within its major series.
    Known,
    /// Below it.
    Older,
    /// A later major series: the form has to be looked up.
    NewSeries,
    /// No version number.
    Unreadable,
}

fn stand(installed: &str, oldest: &str) -> Standing {
    let (Some(now), Some(least)) = (Number::parse(installed), Number::parse(oldest)) else {
        return Standing::Unreadable;
    };
    if now < least {
        Standing::Older
    } else if now.0[0] == least.0[0] {
        Standing::Known
    } else {
        Standing::NewSeries
    }
}

/// Major, minor, patch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Number([u64; 3]);

impl Number {
    /// `2.1.332`, `v0.19`, `0.172.0-alpha.3`: the leading dotted digits.
    fn parse(text: &str) -> Option<Self> {
        let text = text.trim().trim_start_matches('v');
        let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
        let mut number = [0; 3];
        let mut count = 0;
        for part in text[..end].split('.').filter(|part| !part.is_empty()) {
            if let Some(place) = number.get_mut(count) {
                *place = part.parse().ok()?;
            }
            count += 1;
        }
        (count >= 2).then_some(Self(number))
    }
}

fn version_outcome(
    name: HarnessName,
    installed: &str,
    form: &ResumeForm,
    standing: Standing,
    recorded: Option<&Inert>,
) -> (Outcome, Option<Inert>) {
    let name = name.as_str();
    let series = Number::parse(installed).map_or(0, |number| number.0[0]);
    match standing {
        Standing::Known | Standing::NewSeries => {
            let differs =
                recorded.filter(|recorded| Number::parse(recorded.raw()) != Number::parse(installed));
            let note = differs.map(|recorded| {
                format!("the session was last run by {}, {installed} is installed", recorded.shown_line())
            });
            let new = (standing == Standing::NewSeries)
                .then(|| format!("series {series} was never seen; its own help must name the form"));
            let both: Vec<String> = new.into_iter().chain(note).collect();
            (Outcome::Passed, (!both.is_empty()).then(|| both.join("; ").into()))
        }
        Standing::Older => {
            let why = format!(
                "{name} {installed} is older than {}, the oldest that was seen to resume this way: update it",
                form.oldest
            );
            (Outcome::Failed, Some(why.into()))
        }
        Standing::Unreadable => {
            (Outcome::Unknown, Some(format!("{installed:?} is no version number").into()))
        }
    }
}

/// Outcome, what was seen, and where.
fn form_outcome(client: &Client<'_>, standing: Standing) -> (Outcome, String, String) {
    let name = client.harness.name();
    match standing {
        Standing::Known => {
            let seen = format!("this series behaves so since {}", client.form.oldest);
            (Outcome::Passed, seen, "versions that were tried".into())
        }
        Standing::Older => (Outcome::Failed, "an older version".into(), "versions that were tried".into()),
        Standing::Unreadable => {
            (Outcome::Unknown, "an unknown version".into(), "versions that were tried".into())
        }
        Standing::NewSeries => {
            let Some((arguments, words)) = help(name) else {
                let why = format!("{} is never asked for its help", name.as_str());
                return (Outcome::Unknown, why, "a new series".into());
            };
            let source = format!("{} {}", name.as_str(), arguments.join(" "));
            match ask(client, arguments) {
                Ok(text) if words.iter().all(|word| text.contains(word)) => {
                    (Outcome::Passed, "the form is named in its help".into(), source)
                }
                Ok(_) => (Outcome::Failed, "its help does not name the form".into(), source),
                Err(why) => (Outcome::Unknown, why, source),
            }
        }
    }
}

/// How a client is asked for its help, and the words that name the fixed form there.
fn help(name: HarnessName) -> Option<(&'static [&'static str], &'static [&'static str])> {
    match name {
        HarnessName::Claude => Some((&["--help"], &["-p, --print", "--resume"])),
        HarnessName::Codex => Some((&["exec", "resume", "--help"], &["codex exec resume", "SESSION_ID"])),
        HarnessName::Hermes | HarnessName::Opencode => None,
    }
}

fn ask_version(client: &Client<'_>) -> Answer<Version> {
    let name = client.harness.name();
    if !matches!(name, HarnessName::Claude | HarnessName::Codex) {
        let why = format!("there are no package files beside it, and {} is never asked", name.as_str());
        return Answer::Unknown(why);
    }
    let said = match ask(client, &["--version"]) {
        Ok(said) => said,
        Err(why) => return Answer::Unknown(why),
    };
    match said.split_whitespace().find(|word| Number::parse(word).is_some()) {
        Some(word) => {
            let source = "the program itself, asked with --version: it has no package files";
            Answer::Found(Version {
                text: word.trim_start_matches('v').to_owned(),
                source: source.to_owned(),
            })
        }
        None => Answer::Unknown("the program was asked with --version and named none".to_owned()),
    }
}

/// Runs the program with these arguments, nothing on its standard input, a clean environment and a time limit,
/// and gives its standard output.
fn ask(client: &Client<'_>, arguments: &[&str]) -> Result<String, String> {
    let name = client.harness.name().as_str();
    let order = Order {
        program: client.program.path.clone(),
        argv: [name].iter().chain(arguments).map(Into::into).collect(),
        cwd: "/".into(),
        vars: env::for_question(&client.around.vars),
        input: Vec::new(),
        limit: Some(PATIENCE),
    };
    let asked = format!("{name} {}", arguments.join(" "));
    match tool::hear(order) {
        Ok((Ended { code: Some(0), .. }, [out, _])) => {
            Ok(String::from_utf8_lossy(&out[..out.len().min(ANSWER_CAP)]).into_owned())
        }
        Ok((Ended { timed_out: true, .. }, _)) => {
            Err(format!("`{asked}` did not end in {} s", PATIENCE.as_secs()))
        }
        Ok(_) => Err(format!("`{asked}` failed")),
        Err(why) => Err(format!("`{asked}` could not be started: {why}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_as_numbers_within_their_series() {
        let cases = [
            ("2.1.332", "2.1.144", Standing::Known),
            ("2.1.144", "2.1.144", Standing::Known),
            ("2.1.99", "2.1.144", Standing::Older),
            ("2.0.300", "2.1.144", Standing::Older),
            ("2.10.0", "2.1.144", Standing::Known),
            ("3.0.0", "2.1.144", Standing::NewSeries),
            ("1.9.9", "2.1.144", Standing::Older),
            ("0.130.0", "0.130", Standing::Known),
            ("0.98.0", "0.130", Standing::Older),
            ("0.172.0-alpha.3", "0.130", Standing::Known),
            ("1.0.0", "0.130", Standing::NewSeries),
            ("v0.19.0", "0.19", Standing::Known),
            ("0.18.9", "0.19", Standing::Older),
            ("", "0.19", Standing::Unreadable),
            ("latest", "0.19", Standing::Unreadable),
            ("20260730", "0.19", Standing::Unreadable),
            ("99999999999999999999.1", "0.19", Standing::Unreadable),
        ];
        for (installed, oldest, expected) in cases {
            assert_eq!(stand(installed, oldest), expected, "{installed} against {oldest}");
        }
    }

    #[test]
    fn an_older_client_stops_and_another_one_than_recorded_is_only_noted() {
        let form = ResumeForm {
            before_id: &["claude", "-p", "--resume"],
            prompt_on_stdin: true,
            oldest: "2.1.144",
            keeps_model: true,
        };
        let judge = |installed: &str, recorded: Option<&str>| {
            let recorded = recorded.map(Inert::from);
            let standing = stand(installed, form.oldest);
            version_outcome(HarnessName::Claude, installed, &form, standing, recorded.as_ref())
        };
        assert_eq!(judge("2.1.332", Some("2.1.332")), (Outcome::Passed, None), "the same one needs no word");
        let (outcome, note) = judge("2.1.332", Some("2.1.200"));
        assert_eq!(outcome, Outcome::Passed, "another version within the series may go on");
        assert!(note.is_some_and(|note| note.raw().contains("2.1.200")), "and the difference is shown");
        assert_eq!(judge("2.0.76", None).0, Outcome::Failed, "one that changes the model silently does not");
        assert_eq!(judge("nightly", None).0, Outcome::Unknown, "what cannot be read stops as unknown");
    }
}
