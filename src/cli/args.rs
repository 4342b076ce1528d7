//! The command line as a person types it. Parsing only: what it means is each verb's business.

mod native;
mod snapshot;

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::error::ErrorKind;
use clap::{Args, CommandFactory, Parser, Subcommand};

use super::text;
use crate::handoff::inert;

pub use native::{Lookup, Resolve};
pub use snapshot::{Capture, Kept, LoadKept, Snapshot, SnapshotVerb, VerifyKept};

/// Finds the handoffs that coding agents left behind, says what in them is still true, and picks a lane up
/// again, safely. Without a verb it opens the screen.
#[derive(Debug, Default, Parser)]
#[command(name = "moorline", version, max_term_width = 100, args_conflicts_with_subcommands = false)]
pub struct CommandLine {
    /// Project directory, exactly, and what relative names of handoffs are relative to; without it the root of the
    /// worktree that holds the current directory, and names are relative to the current directory first.
    #[arg(short = 'C', long = "directory", value_name = "DIR", global = true)]
    pub directory: Option<PathBuf>,

    /// Settings file to use instead of the usual one; for `resolve` and `lookup` the project's thunderkit config.
    #[arg(long, value_name = "FILE", global = true)]
    pub config: Option<PathBuf>,

    /// Model catalog to use instead of the built-in one.
    #[arg(long, value_name = "FILE", global = true)]
    pub catalog: Option<PathBuf>,

    /// Manifest of native skills to use instead of the built-in one.
    #[arg(long, value_name = "FILE", global = true)]
    pub manifest: Option<PathBuf>,

    /// Project directory for the screen; the same as -C.
    #[arg(value_name = "DIR")]
    pub screen_directory: Option<PathBuf>,

    /// What to do.
    #[command(subcommand)]
    pub verb: Option<Verb>,
}

/// The verbs. All but `save`, `resume --yes`, `snapshot`, the five of the shelf and the screen only read.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// List every handoff of this project and of the home directory, newest first.
    List(List),
    /// Show what one handoff says, whatever its family.
    Show(Show),
    /// Check what is still true: with no name, every handoff of this project.
    Check(Check),
    /// Compare a handoff with an earlier version of it, and name open items that vanished.
    Diff(Diff),
    /// Resume a lane that passed every check; without --yes a rehearsal that starts nothing.
    Resume(Resume),
    /// Save a handoff: you say what was done and is next, the facts are captured.
    Save(Save),
    /// Print the context block of a handoff, to load it into a session by hand.
    Context(Context),
    /// Check a handoff and print its context; starts nothing.
    Restore(Restore),
    /// Put handoffs into the archive beside each.
    Archive(Archive),
    /// Put handoffs into the trash, with a record of where each was.
    Trash(Trash),
    /// Put archived or trashed handoffs back to where they came from.
    PutBack(PutBack),
    /// Archive old handoffs of this project and of the home directory; says what it does not touch, and why.
    Cleanup(Cleanup),
    /// Take the last save, archive, trash, put-back or cleanup back.
    Undo(Undo),
    /// Keep chosen files in a store outside of the project, and give them back.
    Snapshot(Snapshot),
    /// Say who does an operation of a skill: the host's own component, or thunderkit itself. Reads, and asks no model.
    Resolve(Resolve),
    /// Look for a missing session by the host's own component: write the request, or take in the id it returned.
    Lookup(Lookup),
    /// Say what was found of each harness, of the project and of the settings; starts no program.
    Doctor(Doctor),
    /// Print the completions for a shell.
    Completions(Completions),
    /// Print the manual pages.
    Man,
    /// Lay out a sample project in a temporary directory and open the screen on it.
    Demo(Demo),
}

impl CommandLine {
    /// Reads the words of a command line. Where they say nothing to run (a help, a mistake) that is written to `out`
    /// or to `err`, and the exit code comes back.
    ///
    /// # Errors
    /// The exit code: 0 for a help that was written, 2 for anything else.
    pub fn read(words: &[OsString], out: &mut dyn Write, err: &mut dyn Write) -> Result<Self, u8> {
        let error = match Self::try_parse_from(words) {
            Ok(line) => return Ok(line),
            Err(error) => error,
        };
        let is_answer = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
        let text = match (error.kind(), words.iter().position(|word| word.to_str().is_none())) {
            (ErrorKind::InvalidUtf8, Some(at)) => {
                let word = text::word(&words[at].to_string_lossy());
                format!(
                    "moorline: argument {at}, {word}, is not UTF-8: a handoff with such a name also has an id, which \
                     `moorline list --json` shows\n"
                )
            }
            // What somebody typed is in it, and it may have come from a file.
            _ => inert::shown(&error.render().to_string()),
        };
        let written = if is_answer { put(out, &text) } else { put(err, &text) };
        if !is_answer {
            // A document, where one was asked for. With the stream gone, the exit code is all that is left.
            let _gone = super::misused(words.get(1..).unwrap_or_default(), &text, out);
        }
        match written {
            Err(why) if is_answer && why.kind() != std::io::ErrorKind::BrokenPipe => {
                // With the error stream gone as well, the exit code is all that is left to say.
                let _gone = writeln!(err, "moorline: the output cannot be written: {why}");
                Err(2)
            }
            _ => Err(if is_answer { 0 } else { 2 }),
        }
    }

    /// What to say of a word that should have been a directory, where it looks like a verb: one plain word that is
    /// not there.
    pub fn misspelt_verb(&self, cwd: &Path) -> Option<String> {
        let word = self.screen_directory.as_ref().filter(|_| self.verb.is_none())?.to_str()?;
        if word.is_empty() || word.contains('/') || cwd.join(word).exists() {
            return None;
        }
        let said = format!("{} is no verb and no directory here", text::word(word));
        let command = Self::command();
        let close = command.get_subcommands().map(|verb| (strsim::jaro_winkler(verb.get_name(), word), verb));
        let closest = close.max_by(|(one, _), (other, _)| one.total_cmp(other));
        Some(match closest {
            Some((how, verb)) if how > CLOSE => {
                format!("{said}: did you mean `moorline {}`?", verb.get_name())
            }
            _ => format!("{said}: `moorline --help` names the verbs"),
        })
    }
}

fn put(stream: &mut dyn Write, text: &str) -> std::io::Result<()> {
    stream.write_all(text.as_bytes())?;
    stream.flush()
}

/// How alike two words are, from 0 to 1, to be taken for one that was misspelt.
const CLOSE: f64 = 0.75;

/// `moorline list`
#[derive(Debug, Args)]
pub struct List {
    /// Print one JSON document.
    #[arg(long)]
    pub json: bool,
    /// Order by file modification time instead of the saved time.
    #[arg(long, value_name = "CLOCK", value_parser = ["saved", "mtime"], default_value = "saved")]
    pub sort: String,
    /// Only archived ones.
    #[arg(long)]
    pub archived: bool,
    /// Only trashed ones.
    #[arg(long)]
    pub trashed: bool,
    /// List without judging: faster, no verdicts in the text form.
    #[arg(long)]
    pub no_check: bool,
}

impl List {
    /// Whether only what was put away is asked for.
    pub fn put_away(&self) -> bool {
        self.archived || self.trashed
    }
}

/// `moorline show`
#[derive(Debug, Args)]
pub struct Show {
    /// A path, an id, a record id, `date-slug` or part of a plan directory's name.
    pub name: String,
    /// Print one JSON document.
    #[arg(long)]
    pub json: bool,
}

/// `moorline check`
#[derive(Debug, Args)]
pub struct Check {
    /// Which handoffs; all of the project where none is named.
    pub names: Vec<String>,
    /// Only this lane decides.
    #[arg(long, value_name = "ID")]
    pub lane: Option<String>,
    /// Every check, also those that passed; without it only what failed or is unknown.
    #[arg(short = 'v', long = "all-checks")]
    pub all_checks: bool,
    /// Every known project (settings key `projects`), each repository opened once.
    #[arg(long, conflicts_with = "names")]
    pub all: bool,
    /// The runtime that asks: claude-code, codex-cli, kimi-code, opencode, antigravity-cli or any. memtomem's records are
    /// addressed to one.
    #[arg(long, value_name = "NAME")]
    pub runtime: Option<String>,
    /// The remote.
    #[command(flatten)]
    pub remote: Remote,
    /// Print one JSON document.
    #[arg(long)]
    pub json: bool,
}

/// Whether the remote is asked, which needs the network.
#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("asked").multiple(true))]
pub struct Remote {
    /// Compare this checkout with the remote that its branch follows: runs `git ls-remote` after a yes, and git may run
    /// ssh and credential helpers. It decides no verdict.
    #[arg(long, group = "asked")]
    pub remote: bool,
    /// Yes to asking; without it a person at a terminal is asked.
    #[arg(long, requires = "asked")]
    pub yes: bool,
}

/// `moorline diff`
#[derive(Debug, Args)]
pub struct Diff {
    /// A path, an id, a record id, `date-slug` or part of a plan directory's name.
    pub name: String,
    /// So many versions back (1 where none is said), a commit of the file's history, or another handoff's name.
    /// Versions come from the history, from bytes that a save replaced and kept, and from the handoff's series.
    pub version: Option<String>,
    /// Print one JSON document.
    #[arg(long)]
    pub json: bool,
}

/// `moorline completions`
#[derive(Debug, Args)]
pub struct Completions {
    /// Which shell.
    pub shell: clap_complete::Shell,
}

/// `moorline resume`
#[derive(Debug, Args)]
pub struct Resume {
    /// Which handoff; the newest live one where none is named.
    pub name: Option<String>,
    /// The lane to resume; needed where several could be.
    #[arg(long, value_name = "ID")]
    pub lane: Option<String>,
    /// Yes, start it: a person's confirmation of exactly the named lane.
    #[arg(long, requires = "lane")]
    pub yes: bool,
    /// File with the prompt, `-` for standard input; its bytes go to the client's standard input as they are. Not
    /// for hermes, which gets the terminal and asks for your words itself.
    #[arg(long, value_name = "FILE")]
    pub prompt_file: Option<PathBuf>,
    /// Start only if the evidence is still this one, as a rehearsal printed it.
    #[arg(long, value_name = "DIGEST")]
    pub if_evidence: Option<String>,
    /// Print one JSON document.
    #[arg(long)]
    pub json: bool,
}

/// `moorline save`
#[derive(Debug, Args)]
#[command(after_long_help = SAVE_HELP)]
pub struct Save {
    /// The narrative, as JSON or markdown; `-` for standard input.
    #[arg(long, value_name = "FILE", required_unless_present = "carry")]
    pub from: Option<PathBuf>,
    /// Take what the narrative does not say from a former handoff: a path, an id, or part of a plan's name. Facts
    /// are captured anew.
    #[arg(long, value_name = "NAME")]
    pub carry: Option<String>,
    /// Add decisions out of a session's transcript, each marked as a draft to confirm (theonekit).
    #[arg(long, value_name = "SESSION")]
    pub decisions_from: Option<String>,
    /// The runtime that a record is for: claude-code, codex-cli, kimi-code, opencode, antigravity-cli or any
    /// (memtomem).
    #[arg(long, value_name = "RUNTIME")]
    pub to: Option<String>,
    /// How it is written.
    #[arg(long, value_name = "NAME", value_parser = ["theonekit", "thunderkit", "memtomem"], default_value = "theonekit")]
    pub format: String,
    /// Into this plan, and not the active one: its directory, or a part of the directory's name.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["project", "global", "class", "model", "lane", "drop_lane"])]
    pub plan: Option<String>,
    /// Into the project's handoffs, also where a plan is active.
    #[arg(long, conflicts_with_all = ["global", "class", "model", "lane", "drop_lane"])]
    pub project: bool,
    /// Into the home directory's handoffs, whatever project this is.
    #[arg(long, conflicts_with_all = ["class", "model", "lane", "drop_lane"])]
    pub global: bool,
    /// Class of a lane's model: planner, executors or reviewers (thunderkit).
    #[arg(long, value_name = "NAME")]
    pub class: Option<String>,
    /// Key of the model that was asked for, where the class has several (thunderkit).
    #[arg(long, value_name = "KEY")]
    pub model: Option<String>,
    /// Which lane --class and --model are about, where there are several.
    #[arg(long, value_name = "ID")]
    pub lane: Option<String>,
    /// Take a lane of the replaced handoff out; else every lane is carried on (thunderkit).
    #[arg(long, value_name = "ID")]
    pub drop_lane: Vec<String>,
    /// Where a .gitignore hides the saved file, make the one-line edit that the dry run shows.
    #[arg(long)]
    pub unignore: bool,
    /// Add new decisions to .thunderkit/DECISIONS.md as well, as the dry run shows them.
    #[arg(long)]
    pub mirror_decisions: bool,
    /// Show where and what would be saved, and write nothing.
    #[arg(long)]
    pub dry_run: bool,
    /// Print one JSON document.
    #[arg(long)]
    pub json: bool,
}

/// What `moorline save --help` says of the narrative.
const SAVE_HELP: &str = "\
The narrative as JSON is one object; every key is optional and no other key is known:
  task, phase, status, context    texts of one line
  completed, in_progress, blocked, validation, decisions, blockers, next, open, notes
                                  a list of texts, or one text; [] says that there is nothing
  artifact                        what is worked on, relative to the project (thunderkit)
  lanes                           (thunderkit) objects with an id and any of harness, session_id,
                                  class, model, status, origin, artifact, reason
thunderkit's format needs phase and next, and has no place for task, status, tasks, validation,
blockers and notes. A session id that its store does not know in that worktree is not recorded.
memtomem's needs completed or validation, and is written by memtomem itself (`mm add`): where that
is not there or does not know the project, the record and the command are printed, to copy.
As markdown, each `## ` section goes where its name says (Completed, In Progress, Blocked,
Validation, Key Decisions Made, Blockers, Next Steps, Open, Session Notes); what stands elsewhere is kept as notes.
Branch, commits, changed files and repository are captured, never taken from the narrative.

  echo '{\"task\": \"Rotate tokens\", \"next\": [\"Test the store\"]}' | moorline save --from -";

/// `moorline context`
#[derive(Debug, Args)]
pub struct Context {
    /// Which handoff; the newest live one where none is named.
    pub name: Option<String>,
    /// Follow `continuation:` through the files of a chain.
    #[arg(long)]
    pub chain: bool,
    /// The runtime that asks (memtomem's `resume`): the newest record addressed to it, or to any.
    #[arg(long, value_name = "NAME")]
    pub runtime: Option<String>,
    /// The remote.
    #[command(flatten)]
    pub remote: Remote,
    /// Ask GitHub through gh, after a yes, for the state of the issue or pull request that the next step names as
    /// owner/repo#number or by its address.
    #[arg(long, group = "asked")]
    pub target: bool,
    /// Print one JSON document.
    #[arg(long)]
    pub json: bool,
}

/// `moorline restore`
#[derive(Debug, Args)]
pub struct Restore {
    /// Which handoff; the newest live one where none is named.
    pub name: Option<String>,
    /// The runtime that asks: claude-code, codex-cli, kimi-code, opencode, antigravity-cli or any. memtomem's records are
    /// addressed to one.
    #[arg(long, value_name = "NAME")]
    pub runtime: Option<String>,
    /// Print one JSON document.
    #[arg(long)]
    pub json: bool,
}

/// What the verbs of the shelf have in common.
#[derive(Debug, Args)]
pub struct Yes {
    /// Show what would move where, and move nothing.
    #[arg(long)]
    pub dry_run: bool,
    /// Yes to the plan of several handoffs; without it a person at a terminal is asked.
    #[arg(long)]
    pub yes: bool,
    /// Print one JSON document.
    #[arg(long)]
    pub json: bool,
}

/// `moorline archive`
#[derive(Debug, Args)]
pub struct Archive {
    /// Which handoffs.
    #[arg(required = true, value_name = "NAME")]
    pub names: Vec<String>,
    /// Plan, yes, form.
    #[command(flatten)]
    pub yes: Yes,
}

/// `moorline trash`
#[derive(Debug, Args)]
pub struct Trash {
    /// Which handoffs.
    #[arg(required = true, value_name = "NAME")]
    pub names: Vec<String>,
    /// Delete the oldest entries beyond the quota for good; --dry-run names them.
    #[arg(long)]
    pub evict: bool,
    /// Plan, yes, form.
    #[command(flatten)]
    pub yes: Yes,
}

/// `moorline put-back`
#[derive(Debug, Args)]
pub struct PutBack {
    /// Which archived or trashed handoffs.
    #[arg(required = true, value_name = "NAME")]
    pub names: Vec<String>,
    /// Another place than where it came from: a directory, or a new file's path; nothing there is replaced.
    #[arg(long, value_name = "PATH")]
    pub to: Option<PathBuf>,
    /// Plan, yes, form.
    #[command(flatten)]
    pub yes: Yes,
}

/// `moorline cleanup`
#[derive(Debug, Args)]
pub struct Cleanup {
    /// Saved more than so many days ago; the settings' `archive_after_days` where it is not said.
    #[arg(long, value_name = "N")]
    pub days: Option<u32>,
    /// Plan, yes, form.
    #[command(flatten)]
    pub yes: Yes,
}

/// `moorline undo`
#[derive(Debug, Args)]
pub struct Undo {
    /// Which action, by its id or the beginning of it; where none is named, the last one of this project that can be
    /// taken back. A save is one with what it put away.
    #[arg(value_name = "ID")]
    pub action: Option<String>,
    /// Name every action that can be taken back, of all projects, newest first; takes nothing back.
    #[arg(long, conflicts_with_all = ["action", "yes", "dry_run"])]
    pub list: bool,
    /// Plan, yes, form.
    #[command(flatten)]
    pub yes: Yes,
}

/// `moorline doctor`
#[derive(Debug, Args)]
pub struct Doctor {
    /// Print one JSON document.
    #[arg(long)]
    pub json: bool,
}

/// `moorline demo`
#[derive(Debug, Args)]
pub struct Demo {
    /// Keep the directory at the end, and say where it is.
    #[arg(long)]
    pub keep: bool,
}

impl CommandLine {
    /// The settings file that is meant, if one is: some verbs read another config by that flag.
    pub fn settings_file(&self) -> Option<&PathBuf> {
        match self.verb {
            Some(Verb::Resolve(_) | Verb::Lookup(_)) => None,
            _ => self.config.as_ref(),
        }
    }
}

impl List {
    /// `moorline list` without any flag.
    pub fn plain() -> Self {
        Self { json: false, sort: "saved".into(), archived: false, trashed: false, no_check: false }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::ffi::OsStringExt;

    use super::*;

    fn read(words: &[&str]) -> (Result<CommandLine, u8>, String, String) {
        let words: Vec<OsString> = ["moorline"].iter().chain(words).map(OsString::from).collect();
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let line = CommandLine::read(&words, &mut out, &mut err);
        (line, String::from_utf8(out).unwrap(), String::from_utf8(err).unwrap())
    }

    #[test]
    fn a_misspelt_verb_is_named_with_the_one_that_was_meant() {
        let dir = tempfile::tempdir().unwrap();
        let said = |word: &str| read(&[word]).0.unwrap().misspelt_verb(dir.path());
        let meant = said("lsit").unwrap();
        assert!(meant.contains("\u{201c}lsit\u{201d}") && meant.contains("`moorline list`"), "{meant}");
        assert!(said("resumes").unwrap().contains("`moorline resume`"), "the closest one");
        assert!(said("xyzzy").unwrap().contains("moorline --help"), "nothing close: {:?}", said("xyzzy"));
        assert!(said("\u{202e}tsil").unwrap().contains("<U+202E>"), "and a word is shown as it is");
        std::fs::create_dir(dir.path().join("lsit")).unwrap();
        assert_eq!(said("lsit"), None, "a directory of that name is a directory");
        assert_eq!(said("../lsit"), None, "a path is a path");
    }

    #[test]
    fn a_help_that_cannot_be_written_is_no_success() {
        struct Full;
        impl Write for Full {
            fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
                Err(std::io::ErrorKind::StorageFull.into())
            }
            fn flush(&mut self) -> std::io::Result<()> {
                Ok(())
            }
        }
        let (line, out, err) = read(&["--help"]);
        assert_eq!(line.err(), Some(0), "the control: one that was written is one");
        assert!(out.contains("Usage") && err.is_empty(), "on standard output");
        let mut err = Vec::new();
        let words = ["moorline", "--version"].map(OsString::from);
        assert_eq!(CommandLine::read(&words, &mut Full, &mut err).err(), Some(2), "a full disk is not");
        assert!(String::from_utf8(err).unwrap().contains("cannot be written"), "and is said");
    }

    #[test]
    fn what_was_typed_is_shown_inert_and_what_is_no_text_is_named() {
        let (line, _, err) = read(&["list", "--\u{1b}[31m\u{202e}owned\u{7}"]);
        assert_eq!(line.err(), Some(2), "an unknown flag is a mistake");
        assert!(err.contains("<U+202E>owned") && !err.contains(['\u{1b}', '\u{7}']), "{err:?}");
        let words = ["moorline".into(), "show".into(), OsString::from_vec(b"a\xffb".to_vec())];
        let mut err = Vec::new();
        assert_eq!(CommandLine::read(&words, &mut Vec::new(), &mut err).err(), Some(2), "not UTF-8");
        let err = String::from_utf8(err).unwrap();
        assert!(err.contains("argument 2") && err.contains("is not UTF-8"), "it says which: {err}");
    }
}
