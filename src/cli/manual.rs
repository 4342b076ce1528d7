//! `moorline completions` and `moorline man`: what a shell and `man` want to know of the command line.

use std::io::Write;

use clap::{Command, CommandFactory};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use super::args::{CommandLine, Completions};
use super::{Answer, Stop};

/// Prints a shell's completions.
pub fn completions(args: &Completions, out: &mut dyn Write) -> Result<Answer, Stop> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut CommandLine::command(), "moorline", &mut script);
    out.write_all(&script)?;
    Ok(Answer::Yes)
}

/// Prints the manual page, then one page for each verb and for each verb of a verb.
pub fn page(out: &mut dyn Write) -> Result<Answer, Stop> {
    let mut command = CommandLine::command().disable_help_subcommand(true);
    // Building names each verb's page `moorline-VERB`.
    command.build();
    Man::new(command.clone()).render(out)?;
    section("EXIT STATUS", EXIT.iter().chain(&EXIT_OF_SCREEN), out)?;
    section("ENVIRONMENT", &ENVIRONMENT, out)?;
    section("FILES", &FILES, out)?;
    verbs(&command, out)?;
    Ok(Answer::Yes)
}

fn verbs(command: &Command, out: &mut dyn Write) -> Result<(), Stop> {
    for verb in command.get_subcommands().filter(|verb| verb.get_name() != "help") {
        Man::new(verb.clone()).render(out)?;
        section("EXIT STATUS", &EXIT, out)?;
        verbs(verb, out)?;
    }
    Ok(())
}

/// A word and what it means.
type Entry = (&'static str, &'static str);

fn section<'a>(
    title: &str,
    entries: impl IntoIterator<Item = &'a Entry>,
    out: &mut dyn Write,
) -> Result<(), Stop> {
    let mut page = Roff::default();
    page.control("SH", [title]);
    for (word, meaning) in entries {
        page.control("TP", []).text([bold(*word)]).text([roman(*meaning)]);
    }
    Ok(page.to_writer(out)?)
}

const EXIT: [Entry; 4] = [
    (
        "0",
        "Yes: validated, current, found, saved, rehearsed, continued, done; of a cleanup also that nothing is old.",
    ),
    (
        "1",
        "No: something is contradicted, nothing was found, nothing was started, or not all of it was done.",
    ),
    ("2", "The words, the settings or the files given cannot be used, or a name means several handoffs."),
    (
        "3",
        "Unknown: nothing is contradicted, and something could not be read or told. Of several answers the worst \
           counts, in the order 2, 1, 3, 0.",
    ),
];

const EXIT_OF_SCREEN: [Entry; 1] = [(
    "128 and more",
    "The screen was ended by a signal, whose number is added to 128. A screen that was closed with a key is 0.",
)];

const ENVIRONMENT: [Entry; 16] = [
    (
        "MOORLINE_CONFIG",
        "The settings file to read instead of the usual one; it must be there. --config goes before it.",
    ),
    (
        "MOORLINE_CATALOG",
        "As the settings' key catalog. --catalog goes before it, as it goes before the settings file.",
    ),
    ("MOORLINE_MANIFEST", "As the settings' key manifest. --manifest goes before it."),
    ("MOORLINE_THEME", "As the settings' key theme: auto, mono or ansi."),
    ("MOORLINE_MOUSE", "As the settings' key mouse: true or false."),
    ("MOORLINE_READ_LIMIT", "As the settings' key read_limit: the largest file that is read, in bytes."),
    ("NO_COLOR", "Not empty: no colours, unless MOORLINE_THEME says otherwise."),
    (
        "HOME",
        "Where global handoffs, the trash and the stores of the clients lie. A relative one counts as none.",
    ),
    (
        "XDG_CONFIG_HOME",
        "Where moorline/config.toml lies, instead of ~/.config. A relative one counts as none.",
    ),
    (
        "XDG_STATE_HOME",
        "Where moorline's own state lies, instead of ~/.local/state. A relative one counts as none.",
    ),
    ("CLAUDE_CONFIG_DIR", "The store of Claude Code, instead of ~/.claude."),
    ("CODEX_HOME", "The store of Codex, instead of ~/.codex."),
    ("HERMES_HOME", "The store of Hermes, instead of ~/.hermes."),
    (
        "OPENCODE_DB, XDG_DATA_HOME",
        "The database of OpenCode, and the directory that has opencode/ instead of ~/.local/share.",
    ),
    ("PAGER", "What the screen opens a text in."),
    ("VISUAL, EDITOR", "What the screen opens a copy of a text or a field in. No shell stands in between."),
];

const FILES: [Entry; 5] = [
    ("~/.config/moorline/config.toml", "The settings. An unknown key is an error, with its line."),
    (
        "~/.local/state/moorline/",
        "Locks, the log of what can be undone, and words of a form that are not saved yet.",
    ),
    (
        "~/.claude/.handoff-trash/",
        "The trash and the bytes that a save replaced, each file with a record of where it was.",
    ),
    ("~/.claude/handoffs/, ~/.claude-handoffs/, ~/.agent-handoffs/", "Global handoffs."),
    (
        ".thunderkit/HANDOFF.md, plans/*/HANDOFF.md, .claude/handoffs/, .memtomem/memories.local/",
        "Handoffs of a project, among others: `moorline list` names every one that it found.",
    ),
];
