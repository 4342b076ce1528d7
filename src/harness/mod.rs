//! The coding agents' clients: session stores, liveness, ids, executables. One file each, one trait.
//!
//! Everything is read by exact id, and never written: files in place, databases from a private copy. What a store
//! does not say is unknown.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::handoff::{HarnessName, Inert, SessionId, has_own_shape};

mod claude;
mod codex;
#[cfg(test)]
mod damaged;
mod hermes;
mod jsonl;
#[cfg(test)]
mod made_up;
mod opencode;
mod proc;
mod program;
mod sqlite;
mod store;
mod turns;
mod version;

/// What a harness finds its stores and programs by; a value, so that tests and the demo can give their own.
#[derive(Debug, Clone, Default)]
pub struct Surroundings {
    /// The environment variables.
    pub vars: BTreeMap<OsString, OsString>,
    /// The home directory.
    pub home: Option<PathBuf>,
    /// Where the process table is mounted (`/proc`).
    pub proc: PathBuf,
}

/// A question that a store answers with yes (and what), no, or not at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer<T> {
    /// The store says so.
    Found(T),
    /// The store was read and has none; says where it was looked for.
    Absent(String),
    /// It could not be told, with the reason and what would settle it.
    Unknown(String),
}

/// One session as its store has it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Session {
    /// The store's file or database.
    pub store: PathBuf,
    /// The ids that stand inside its rows; more than one means that rows of another session are mixed in.
    pub ids_inside: Vec<String>,
    /// The working directory of the model's last answer in the main chain; before the first answer, of the last
    /// main-chain row. `None` where a row after it could not be read.
    pub cwd: Option<PathBuf>,
    /// The model that answered last in the main chain. `None` where a row after it could not be read: it may have
    /// been a newer answer.
    pub model: Option<Inert>,
    /// The model that was last asked for, where the store keeps it.
    pub requested_model: Option<Inert>,
    /// Finished assistant turns of the main chain; an answer that asks for a tool, or that reports an error of the
    /// service, is none. An empty file is a session of 0 bytes and 0 turns.
    pub turns: usize,
    /// When the last finished assistant turn was written, as the store says (RFC 3339); `None` where it is not dated.
    pub turned_at: Option<String>,
    /// What the client or its person calls it, where the store keeps that apart from what was said.
    pub title: Option<Inert>,
    /// When the first row was written, as the store says (RFC 3339).
    pub began_at: Option<String>,
    /// When the last row was written, as the store says (RFC 3339).
    pub last_at: Option<String>,
    /// The client's version in the last row that has one.
    pub client_version: Option<String>,
    /// Whether the harness has put it away.
    pub archived: bool,
    /// The id under which the harness itself goes on when it is told to resume this one.
    pub continues_as: Option<String>,
    /// Size of the session's file in bytes; in a database, of its messages.
    pub bytes: u64,
    /// Rows that could not be read.
    pub damaged_rows: usize,
}

/// What the model said between two words of the person.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Turn {
    /// When its last row was written, in seconds since 1970.
    pub at: Option<i64>,
    /// Its text, at most 64 KiB of it.
    pub text: String,
}

/// A process that owns a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Owner {
    /// Its process id.
    pub pid: u32,
    /// Since when, RFC 3339, where it can be told.
    pub since: Option<String>,
    /// What it says it is doing.
    pub status: Option<String>,
}

/// Whether a session has a live owner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Liveness {
    /// Proved: nobody owns it, with the proof.
    NotRunning(String),
    /// Proved: this process owns it.
    Running(Owner),
    /// Cannot be told, with what would settle it.
    Unknown(String),
}

/// A program that may be started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// Its absolute path, links resolved.
    pub path: PathBuf,
    /// The absolute `PATH` entry that it was found in.
    pub found_in: PathBuf,
    /// PATH entries that were not used, and why.
    pub ignored: Vec<(PathBuf, &'static str)>,
}

/// The installed version and where it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version {
    /// `2.1.332`.
    pub text: String,
    /// The package file that says so.
    pub source: String,
}

impl Version {
    /// Whether it is this version or a later one, by the three leading numbers; `None` where either has none.
    pub fn is_at_least(&self, oldest: &str) -> Option<bool> {
        Some(version::numbers(&self.text)? >= version::numbers(oldest)?)
    }
}

/// The fixed way in which a harness resumes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResumeForm {
    /// The fixed argument array before the id; the first is the harness name.
    pub before_id: &'static [&'static str],
    /// Whether the prompt goes to stdin as bytes (else the client gets the real terminal).
    pub prompt_on_stdin: bool,
    /// The oldest version that was seen to behave so.
    pub oldest: &'static str,
    /// Who answers on resume: the session's own model, or the harness's configured default.
    pub keeps_model: bool,
}

/// One harness.
pub trait Harness: Send + Sync {
    /// Which one.
    fn name(&self) -> HarnessName;
    /// Whether an id has this harness's own shape.
    fn owns_shape(&self, id: &SessionId) -> bool {
        has_own_shape(self.name(), id)
    }
    /// That shape in words.
    fn shape(&self) -> &'static str;
    /// Where its store lies: a directory or a database. `Absent` where nothing lies there yet.
    fn store(&self, around: &Surroundings) -> Answer<PathBuf>;
    /// The processes of this client that may work in that store, whatever session they are at.
    fn running(&self, around: &Surroundings) -> Answer<Vec<Owner>>;
    /// The session of exactly this id.
    fn session(&self, around: &Surroundings, id: &SessionId) -> Answer<Session>;
    /// The last turns of the main conversation of exactly this session, at most `most`, oldest first. A row that
    /// cannot be read is passed over.
    fn last_turns(&self, _around: &Surroundings, _id: &SessionId, _most: usize) -> Answer<Vec<Turn>> {
        Answer::Unknown(format!("transcripts of {} are not read", self.name().as_str()))
    }
    /// Whether a process owns that session.
    fn liveness(&self, around: &Surroundings, id: &SessionId) -> Liveness;
    /// The environment variable in which this harness tells its own tools the id of the session that runs them.
    fn session_variable(&self) -> Option<&'static str> {
        None
    }
    /// The sessions that provably run in the directory `cwd` right now, by the harness's own registry.
    fn live_in(&self, _around: &Surroundings, _cwd: &Path) -> Answer<Vec<SessionId>> {
        Answer::Unknown(format!("{} keeps no registry of directories", self.name().as_str()))
    }
    /// Sessions of this store whose recorded cwd is one that `is_here` takes, the last written one first, at most
    /// `most`. Of a long store only the [`LOOKED_INTO`] files that were written last are looked into; one that cannot
    /// be read is passed over.
    fn last_written(
        &self,
        _around: &Surroundings,
        _is_here: &dyn Fn(&Path) -> bool,
        _most: usize,
    ) -> Answer<Vec<SessionId>> {
        let name = self.name().as_str();
        Answer::Unknown(format!("the database of {name} would have to be copied whole for that"))
    }
    /// The model that answers on resume in `directory` where the harness falls back to its configured default.
    fn fallback_model(&self, around: &Surroundings, directory: &Path) -> Answer<Inert>;
    /// The installed version, from package files beside the program.
    fn version(&self, program: &Program) -> Answer<Version>;
    /// The fixed form, or why there is none.
    fn form(&self) -> Result<ResumeForm, &'static str>;
    /// Sessions of this store whose recorded cwd is one of `places` and that were created at or after `since` (seconds
    /// since 1970), by id: how a silently started new session is noticed. None at all is an empty list; `Absent` is a
    /// store that is not there.
    fn created_since(&self, around: &Surroundings, places: &[&Path], since: i64) -> Answer<Vec<SessionId>>;
}

/// How many files of a store are looked into for those that were written last in a directory.
pub const LOOKED_INTO: usize = 300;

/// The harness of a name.
pub fn of(name: HarnessName) -> &'static dyn Harness {
    match name {
        HarnessName::Claude => &claude::Claude,
        HarnessName::Codex => &codex::Codex,
        HarnessName::Hermes => &hermes::Hermes,
        HarnessName::Opencode => &opencode::Opencode,
    }
}

/// Resolves a program in absolute `PATH` entries only: a regular executable file, not group- or world-writable,
/// outside every directory of `not_inside`.
pub fn program(around: &Surroundings, name: &str, not_inside: &[PathBuf]) -> Answer<Program> {
    program::find(around, name, not_inside)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn each_name_has_its_harness_and_fixed_form() {
        for name in HarnessName::ALL {
            let harness = of(name);
            assert_eq!(harness.name(), name, "the harness answers to its own name");
            match harness.form() {
                Ok(form) => assert_eq!(form.before_id[0], name.as_str(), "argv begins with the harness name"),
                Err(reason) => {
                    assert!(name == HarnessName::Opencode && !reason.is_empty(), "only opencode has none")
                }
            }
        }
        let form = |name| of(name).form().expect("a fixed form").before_id.join(" ");
        assert_eq!(form(HarnessName::Claude), "claude -p --resume", "claude's");
        assert_eq!(form(HarnessName::Codex), "codex exec resume", "codex's");
        assert_eq!(form(HarnessName::Hermes), "hermes chat --resume", "hermes's");
    }

    #[test]
    fn without_a_home_or_a_process_table_nothing_is_told() {
        let around = Surroundings::default();
        let ids = [
            (HarnessName::Claude, "f0d682f9-26d4-4ebf-bcaf-3584d3a35887"),
            (HarnessName::Codex, "f0d682f9-26d4-4ebf-bcaf-3584d3a35887"),
            (HarnessName::Hermes, "20260730_114502_0a1b2c"),
            (HarnessName::Opencode, "ses_0123456789abABCDEFghijklmn"),
        ];
        for (name, id) in ids {
            let harness = of(name);
            let id = SessionId::parse(id).expect("an id");
            assert!(harness.owns_shape(&id), "{name:?}: the id is one of its own");
            assert!(matches!(harness.store(&around), Answer::Unknown(_)), "{name:?}: store");
            assert!(matches!(harness.running(&around), Answer::Unknown(_)), "{name:?}: processes");
            assert!(matches!(harness.session(&around, &id), Answer::Unknown(_)), "{name:?}: session");
            assert!(matches!(harness.liveness(&around, &id), Liveness::Unknown(_)), "{name:?}: liveness");
            let new = harness.created_since(&around, &[Path::new("/")], 0);
            assert!(matches!(new, Answer::Unknown(_)), "{name:?}: new ones");
        }
    }

    /// Each harness's shape written down a second time, in another way than the code has it.
    fn fits(name: HarnessName, text: &str) -> bool {
        let matches = |text: &str, pattern: &str| {
            let bytes = text.as_bytes();
            bytes.len() == pattern.len()
                && bytes.iter().zip(pattern.bytes()).all(|(byte, kind)| match kind {
                    b'x' => matches!(byte, b'0'..=b'9' | b'a'..=b'f'),
                    b'9' => byte.is_ascii_digit(),
                    b'a' => byte.is_ascii_alphanumeric(),
                    literal => *byte == literal,
                })
        };
        match name {
            HarnessName::Claude | HarnessName::Codex => matches(text, "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx"),
            HarnessName::Hermes => {
                matches(text, "99999999_999999_xxxxxx") || matches(text, "99999999_999999_xxxxxxxx")
            }
            HarnessName::Opencode => {
                text.strip_prefix("ses_").is_some_and(|rest| matches(rest, "xxxxxxxxxxxxaaaaaaaaaaaaaa"))
            }
        }
    }

    /// Good ids, good ids with one change, and anything.
    fn ids() -> impl Strategy<Value = String> {
        let uuid = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
        let good = prop_oneof![
            uuid,
            "[0-9]{8}_[0-9]{6}_([0-9a-f]{6}|[0-9a-f]{8})",
            "ses_[0-9a-f]{12}[0-9A-Za-z]{14}"
        ];
        let changed = (good.clone(), any::<prop::sample::Index>(), any::<char>()).prop_map(|(id, at, c)| {
            let mut chars: Vec<char> = id.chars().collect();
            let at = at.index(chars.len());
            chars[at] = c;
            chars.into_iter().collect()
        });
        let hand = ["-e", "--", "my-title-1", "", "ｆ0d682f9-26d4-4ebf-bcaf-3584d3a35887", "latest", "ses_"];
        prop_oneof![3 => good, 3 => changed, 2 => any::<String>(), 1 => prop::sample::select(hand.to_vec()).prop_map(String::from)]
    }

    #[test]
    fn nothing_that_only_resembles_an_id_is_one() {
        let good = [
            (HarnessName::Claude, "f0d682f9-26d4-4ebf-bcaf-3584d3a35887"),
            (HarnessName::Codex, "01a22e40-0c7f-7733-8ac0-dc8f06fedf06"),
            (HarnessName::Hermes, "20260730_114502_0a1b2c"),
            (HarnessName::Opencode, "ses_0123456789abABCDEFghijklmn"),
        ];
        let owns = |name, text: &str| SessionId::parse(text).is_ok_and(|id| of(name).owns_shape(&id));
        let mut refused = 0;
        for (name, id) in good {
            assert!(owns(name, id), "{id} is one of {name:?}: the control");
            let mut odd: Vec<String> =
                ["-e", "--", "-", "--last", "latest", "my-title-1", "a title", "", "*", "%00", "null", "0"]
                    .map(str::to_owned)
                    .into();
            odd.extend([id.to_uppercase(), id.replace(['-', '_'], ""), "a".repeat(256), "a".repeat(257)]);
            for mark in
                ["\0", "\r", "\n", "\r\n", "\t", " ", "\u{200b}", "\u{feff}", "\u{202e}", "0", "-", "/", "."]
            {
                odd.extend([
                    format!("{id}{mark}"),
                    format!("{mark}{id}"),
                    format!("{}{mark}{}", &id[..9], &id[9..]),
                ]);
            }
            // Letters and digits of other scripts that look the same, and the wide ones.
            for (plain, twins) in [
                ('a', "аａ𝖺"),
                ('c', "сｃ"),
                ('e', "еｅ"),
                ('s', "ѕｓ"),
                ('0', "Оο０٠"),
                ('1', "١１l"),
                ('-', "‐–−"),
            ] {
                let twins = twins.chars().filter(|_| id.contains(plain));
                odd.extend(twins.map(|twin| id.replacen(plain, &twin.to_string(), 1)));
            }
            odd.extend((0..id.len()).map(|end| id[..end].to_owned()));
            odd.extend(
                good.iter().filter(|(_, other)| !fits(name, other)).map(|(_, other)| (*other).to_owned()),
            );
            for text in odd.iter().filter(|text| *text != id) {
                assert!(!owns(name, text), "{text:?} is no id of {name:?}");
            }
            refused += odd.len();
        }
        assert!(refused > 300, "enough of them: {refused}");
    }

    fn shapes_agree(cases: u32) {
        let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
        let accepted = std::cell::Cell::new(0_u32);
        proptest::test_runner::TestRunner::new(config)
            .run(&ids(), |text| {
                for name in HarnessName::ALL {
                    let owned = SessionId::parse(&text).is_ok_and(|id| of(name).owns_shape(&id));
                    prop_assert_eq!(owned, fits(name, &text), "{:?} for {:?}", text, name);
                    accepted.set(accepted.get() + u32::from(owned));
                }
                Ok(())
            })
            .expect("no id outside a shape is accepted, and none inside is refused");
        assert!(accepted.get() > cases / 10, "good ids were among them: {}", accepted.get());
    }

    #[test]
    fn only_ids_of_a_harness_s_own_shape_are_its() {
        shapes_agree(50_000);
    }

    #[test]
    #[ignore = "a million ids take about a minute"]
    fn a_million_ids_agree_with_the_shapes() {
        shapes_agree(1_000_000);
    }
}
