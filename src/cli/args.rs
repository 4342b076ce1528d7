//! The command line as a person types it. Parsing only: what it means is each verb's business.

mod native;
mod snapshot;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

pub use native::{Lookup, Resolve};
pub use snapshot::{Capture, Kept, LoadKept, Snapshot, SnapshotVerb, VerifyKept};

/// Finds the handoffs that coding agents left behind, says what in them is still true, and picks a lane up
/// again, safely. Without a verb it opens the screen.
#[derive(Debug, Parser)]
#[command(name = "moorline", version, max_term_width = 100, args_conflicts_with_subcommands = false)]
pub struct CommandLine {
    /// Project directory, exactly; without it the root of the worktree that holds the current directory.
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
    /// Archive old handoffs; says what it does not touch, and why.
    Cleanup(Cleanup),
    /// Take the last archive, trash, put-back or cleanup back.
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
    /// Print one JSON document.
    #[arg(long)]
    pub json: bool,
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
    /// Print one JSON document.
    #[arg(long)]
    pub json: bool,
}

/// `moorline restore`
#[derive(Debug, Args)]
pub struct Restore {
    /// Which handoff; the newest live one where none is named.
    pub name: Option<String>,
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
    /// Another place than where it came from: a directory, or a new file's path.
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
    /// Which action, by its id or the beginning of it; the last one that still stands where none is named.
    #[arg(value_name = "ID")]
    pub action: Option<String>,
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
