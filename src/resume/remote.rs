//! This checkout against the remote that it follows: `git ls-remote`, the one thing about a handoff that needs the
//! network. A [`Question`] is put together from this repository's own configuration and asks nothing; only
//! [`Question::ask`] starts git, on a person's yes, because git may run ssh, credential helpers and whatever else the
//! configuration names.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::time::Duration;

use super::tool::Listening;
use super::{Heard, Stopper, Tool};
use crate::check::Examiner;
use crate::handoff::inert::{one_line, shown};
use crate::handoff::{CommitId, Inert, secrets};
use crate::harness::{self, Answer};
use crate::repo::{Follows, Repo};

/// The person's own ways to a remote: of all that begins with `GIT_` only these are handed on. The rest would lead to
/// another checkout than the one that is compared.
const WAYS: [&str; 11] = [
    "GIT_ALLOW_PROTOCOL",
    "GIT_ASKPASS",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_CONFIG_SYSTEM",
    "GIT_EXEC_PATH",
    "GIT_PROXY_COMMAND",
    "GIT_SSH",
    "GIT_SSH_COMMAND",
    "GIT_SSH_VARIANT",
    "GIT_SSL_CAINFO",
];

/// How a checkout stands to its remote: exactly one of these.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Comparison {
    /// The remote's reference is at this checkout's HEAD.
    InSync(Follows),
    /// It is somewhere else.
    OtherTip {
        /// What was asked for.
        follows: Follows,
        /// Where the remote's reference is.
        tip: CommitId,
    },
    /// The remote has no such reference.
    NotAdvertised(Follows),
    /// Nothing was compared, and why.
    NotCompared(Inert),
}

impl Comparison {
    /// Nothing was compared.
    pub fn not(why: impl AsRef<str>) -> Self {
        Self::NotCompared(Inert::new(one_line(why.as_ref())))
    }

    /// One sentence.
    pub fn words(&self) -> String {
        match self {
            Self::InSync(Follows { remote, merge, .. }) => {
                format!("in sync with {} {}", line(remote), line(merge))
            }
            Self::OtherTip { tip, .. } => format!("the remote tip {tip} is not this checkout's HEAD"),
            Self::NotAdvertised(Follows { merge, .. }) => {
                format!("the remote does not advertise {}", line(merge))
            }
            Self::NotCompared(why) => format!("remote not compared: {}", why.shown_line()),
        }
    }
}

/// What would be asked, and how. Nothing has been started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    follows: Follows,
    root: PathBuf,
    program: PathBuf,
    limit: Duration,
}

impl Question {
    /// What this project's checkout would be compared with. Reads the repository and looks for git; starts nothing.
    ///
    /// # Errors
    /// Why there is nothing to ask: for [`Comparison::NotCompared`].
    pub fn of(examiner: &Examiner) -> Result<Self, Inert> {
        let inert = |why: String| Inert::new(one_line(&why));
        let repo = Repo::containing(examiner.project()).map_err(|why| inert(why.to_string()))?;
        let follows = repo.follows().map_err(|why| inert(why.to_string()))?;
        let root = repo.root().to_owned();
        let program = match harness::program(examiner.around(), "git", std::slice::from_ref(&root)) {
            Answer::Found(program) => program.path,
            Answer::Absent(why) | Answer::Unknown(why) => return Err(inert(why)),
        };
        let limit = Duration::from_secs(examiner.settings().remote_limit.into());
        Ok(Self { follows, root, program, limit })
    }

    /// The fixed argument array; the first element is the name that git is told.
    pub fn argv(&self) -> [&str; 6] {
        ["git", "ls-remote", "--exit-code", "--", &self.follows.remote, &self.follows.merge]
    }

    /// What a person must see before the yes, a line each; inert, whatever the repository says.
    pub fn words(&self) -> Vec<String> {
        let mut words = vec![
            format!("program   {}", line(&self.program.to_string_lossy())),
            format!("argv      {}", self.argv().map(line).join("  ")),
            format!("in        {}", line(&self.root.to_string_lossy())),
            format!("asks      {}", self.follows.address.shown_line()),
            format!("at most   {} s; then it is killed, with all that it started", self.limit.as_secs()),
        ];
        match self.follows.runs.as_slice() {
            [] => words.push("git may run ssh and your credential helpers for it.".to_owned()),
            named => {
                words.push(
                    "This repository's own configuration names what git runs or goes by for it:".to_owned(),
                );
                words.extend(named.iter().map(|run| format!("  {}", run.shown_line())));
            }
        }
        words
    }

    /// Asks the remote. Only ever on a person's yes, which is to exactly what [`Question::words`] showed: where the
    /// repository says otherwise by now, nothing is asked.
    ///
    /// # Errors
    /// The answer that there is without asking.
    pub fn ask(self, examiner: &Examiner) -> Result<Asking, Box<Comparison>> {
        let not = |why: String| Box::new(Comparison::not(why));
        match Self::of(examiner) {
            Ok(now) if now == self => {}
            Ok(_) => return Err(not("the repository changed since this was shown: ask again".to_owned())),
            Err(why) => return Err(Box::new(Comparison::NotCompared(why))),
        }
        let vars = &examiner.around().vars;
        let tool = Tool {
            program: self.program.clone(),
            argv: self.argv().map(OsString::from).into(),
            cwd: &self.root,
            vars,
            set: environment(vars),
            limit: self.limit,
        };
        let listening = tool.start().map_err(|why| not(format!("git could not be started: {why}")))?;
        Ok(Asking { question: self, listening })
    }

    fn answer(self, heard: &Heard) -> Comparison {
        match heard.code {
            _ if heard.timed_out => Comparison::not(format!("timed out after {} s", self.limit.as_secs())),
            Some(0) => advertised(self.follows, &heard.out),
            // What --exit-code promises for no matching reference.
            Some(2) => Comparison::NotAdvertised(self.follows),
            code => Comparison::not(complaint(code, &heard.err)),
        }
    }
}

/// A question that git is asking.
#[derive(Debug)]
pub struct Asking {
    question: Question,
    listening: Listening,
}

impl Asking {
    /// The way to stop it from another thread.
    pub fn stopper(&self) -> Stopper {
        self.listening.stopper()
    }

    /// Waits for the answer, as long as the time limit lets it.
    pub fn finish(self) -> Comparison {
        let stopper = self.stopper();
        let heard = self.listening.finish();
        match stopper.was_asked() && !heard.timed_out && heard.code.is_none() {
            true => Comparison::not("stopped"),
            false => self.question.answer(&heard),
        }
    }
}

/// A text on one line, with every odd character made visible.
fn line(text: &str) -> String {
    one_line(&shown(text))
}

/// What a list of references says of the one that was asked for. git matches the end of a name, so that others answer
/// to it as well.
fn advertised(follows: Follows, listed: &str) -> Comparison {
    let lines: Vec<_> = listed.lines().filter_map(|line| line.split_once('\t')).collect();
    match lines.as_slice() {
        [(id, name)] if *name == follows.merge => match CommitId::parse(id) {
            Ok(tip) if tip == follows.head => Comparison::InSync(follows),
            Ok(tip) => Comparison::OtherTip { follows, tip },
            Err(why) => Comparison::not(format!("git named no commit: {why}")),
        },
        [] => Comparison::not("git named no reference"),
        others if others.iter().any(|(_, name)| *name == follows.merge) => Comparison::not(format!(
            "ambiguous remote ref: {} references answer to {}",
            others.len(),
            line(&follows.merge)
        )),
        _ => Comparison::NotAdvertised(follows),
    }
}

/// Why git could not ask: its first complaint, without secrets.
fn complaint(code: Option<i32>, err: &str) -> String {
    let said: Vec<_> = err.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let fatal = said.iter().find(|line| line.starts_with("fatal:") || line.starts_with("error:"));
    let code = code.map_or("was ended by a signal".to_owned(), |code| format!("ended with code {code}"));
    match fatal.or(said.first()) {
        Some(line) => format!("git {code}: {}", self::line(&secrets::redact(line))),
        None => format!("git {code} and said nothing"),
    }
}

/// The person's ways to a remote, and that nothing may ask at their terminal.
fn environment(vars: &BTreeMap<OsString, OsString>) -> BTreeMap<OsString, OsString> {
    let own = |name: &&str| Some((OsString::from(name), vars.get(OsStr::new(name))?.clone()));
    let mut set: BTreeMap<_, _> = WAYS.iter().filter_map(own).collect();
    set.insert("GIT_TERMINAL_PROMPT".into(), "0".into());
    // ssh would open the terminal itself, which may show a screen: a program answers it, by default with no.
    set.insert("SSH_ASKPASS_REQUIRE".into(), "force".into());
    if !vars.contains_key(OsStr::new("SSH_ASKPASS")) {
        set.insert("SSH_ASKPASS".into(), "false".into());
    }
    set
}

#[cfg(test)]
mod tests {
    use super::*;

    fn follows() -> Follows {
        Follows {
            remote: "origin".into(),
            merge: "refs/heads/main".into(),
            head: CommitId::parse(&"a".repeat(40)).unwrap(),
            address: "example.org/acme/api".into(),
            runs: Vec::new(),
        }
    }

    #[test]
    fn only_one_reference_of_exactly_that_name_is_an_answer() {
        let (here, there) = ("a".repeat(40), "b".repeat(40));
        for (listed, words) in [
            (format!("{here}\trefs/heads/main\n"), "in sync with origin refs/heads/main".to_owned()),
            (
                format!("{there}\trefs/heads/main\n"),
                format!("the remote tip {there} is not this checkout's HEAD"),
            ),
            (
                format!("{here}\trefs/x/refs/heads/main\n"),
                "the remote does not advertise refs/heads/main".to_owned(),
            ),
            (
                format!("{here}\trefs/heads/main\n{there}\trefs/x/refs/heads/main\n"),
                "remote not compared: ambiguous remote ref: 2 references answer to refs/heads/main"
                    .to_owned(),
            ),
            (String::new(), "remote not compared: git named no reference".to_owned()),
        ] {
            assert_eq!(advertised(follows(), &listed).words(), words, "{listed:?}");
        }
    }

    #[test]
    fn a_complaint_is_the_first_one_and_holds_no_secret_and_no_control() {
        let err = "hint: x\nfatal: unable to access 'https://me:hunter2hunter2@h.example/a/': \u{1b}[31mno\n";
        let said = complaint(Some(128), err);
        assert!(said.starts_with("git ended with code 128: fatal: unable to access"), "{said}");
        assert!(!said.contains("hunter2") && !said.contains('\u{1b}'), "{said}");
        assert_eq!(complaint(None, ""), "git was ended by a signal and said nothing");
    }

    #[test]
    fn nothing_may_ask_at_the_terminal_and_nothing_leads_to_another_checkout() {
        let vars = [("GIT_DIR", "/x"), ("GIT_SSH_COMMAND", "ssh -4"), ("PATH", "/bin")];
        let vars = vars.map(|(name, value)| (name.into(), value.into())).into();
        let set = environment(&vars);
        let value = |name: &str| set.get(OsStr::new(name)).and_then(|value| value.to_str());
        assert_eq!(value("GIT_TERMINAL_PROMPT"), Some("0"));
        assert_eq!((value("SSH_ASKPASS_REQUIRE"), value("SSH_ASKPASS")), (Some("force"), Some("false")));
        assert_eq!(value("GIT_SSH_COMMAND"), Some("ssh -4"), "the person's own way there");
        assert_eq!(value("GIT_DIR"), None, "another checkout");
    }
}
