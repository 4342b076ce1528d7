//! The document of a verb that stopped before it could answer: a program that asked for JSON gets JSON, whatever
//! happens.

use std::ffi::OsString;
use std::io::Write;

use clap::CommandFactory as _;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::args::{CommandLine, SnapshotVerb, Verb};
use super::{Answer, Stop, print_json, resolve};
use crate::check::Summary;
use crate::policy::record::Record;

/// The verb's own schema, with what is told of it where nothing could be.
#[derive(Serialize)]
struct StoppedDocument {
    schema: &'static str,
    /// What readers of the schema look for first: `null` because it is not known, never an empty list.
    #[serde(flatten)]
    told: Map<String, Value>,
    summary: Summary,
}

/// Prints why a verb stopped, where JSON was asked for.
///
/// # Errors
/// The output cannot be written.
pub(super) fn document(verb: &Verb, answer: Answer, why: &str, out: &mut dyn Write) -> Result<(), Stop> {
    if let Verb::Resolve(args) = verb
        && args.json
    {
        // Its document is the bare decision.
        return print_json(
            &Record::malformed(args.skill.as_deref(), args.operation.as_deref(), why.trim_end()),
            out,
        );
    }
    let Some((schema, told)) = shape(verb, why) else { return Ok(()) };
    let told = match told {
        Value::Object(told) => told,
        _ => Map::new(),
    };
    let next = match answer {
        Answer::Bad => "correct what the outcome says, then ask again",
        Answer::Unknown => "make readable what the outcome names, then ask again",
        Answer::No | Answer::Yes => {
            "settle what the outcome says, then ask again; moorline list shows what there is"
        }
    };
    let summary = Summary::plain("stopped before there was an answer", next).outcome(why);
    print_json(&StoppedDocument { schema, told, summary }, out)
}

/// Prints the document of a verb that was typed in a way that cannot be understood, where JSON was asked for: its schema,
/// and why. `words` are those behind the program's name; of words that name no verb with JSON nothing is printed.
///
/// # Errors
/// The output cannot be written.
pub fn misused(words: &[OsString], why: &str, out: &mut dyn Write) -> Result<(), Stop> {
    if !words.iter().any(|word| word == "--json") {
        return Ok(());
    }
    let command = CommandLine::command();
    let typed = words.iter().filter_map(|word| word.to_str());
    let Some(verb) = typed.clone().find_map(|word| command.find_subcommand(word)) else { return Ok(()) };
    let has_json = |verb: &clap::Command| verb.get_arguments().any(|arg| arg.get_id() == "json");
    match verb.get_name() {
        "resolve" => resolve::refused(words, why, out),
        name if has_json(verb) || verb.get_subcommands().any(has_json) => {
            // The first sentence; how the verb is typed stands on the error stream.
            let first = why.split("\n\n").next().unwrap_or(why).trim();
            let first = first.strip_prefix("error: ").unwrap_or(first);
            let next = format!("correct the command line: moorline {name} --help");
            let summary = Summary::plain("stopped before there was an answer", next).outcome(first);
            print_json(&MisusedDocument { schema: format!("moorline.{name}/1"), summary }, out)
        }
        _ => Ok(()),
    }
}

/// A verb's own schema, where it cannot be told what was asked of it.
#[derive(Serialize)]
struct MisusedDocument {
    schema: String,
    summary: Summary,
}

/// The schema of a verb that was to print JSON, and its foremost keys.
fn shape(verb: &Verb, why: &str) -> Option<(&'static str, Value)> {
    let (is_json, schema, told) = match verb {
        Verb::List(args) => {
            (args.json, "moorline.list/1", json!({"handoffs": null, "skipped": null, "found": null}))
        }
        Verb::Show(args) => (args.json, "moorline.show/1", json!({"handoffs": null})),
        Verb::Check(args) => (args.json, "moorline.check/1", json!({"handoffs": null})),
        Verb::Diff(args) => (args.json, "moorline.diff/1", json!({"lines": null, "vanished": null})),
        Verb::Resume(args) => {
            let reasons = [crate::handoff::Inert::from(why)];
            (args.json, "moorline.resume/1", json!({"outcome": "not_started", "reasons": reasons}))
        }
        // A save can be done and what was to follow it not: the outcome says which.
        Verb::Save(args) => (args.json, "moorline.save/1", json!({"saved": null, "path": null})),
        Verb::Context(args) => (args.json, "moorline.context/1", json!({"block": null})),
        Verb::Restore(args) => (args.json, "moorline.restore/1", json!({"handoff": null, "block": null})),
        Verb::Archive(args) => (args.yes.json, "moorline.archive/1", json!({"done": false})),
        Verb::Trash(args) => (args.yes.json, "moorline.trash/1", json!({"done": false})),
        Verb::PutBack(args) => (args.yes.json, "moorline.put-back/1", json!({"done": false})),
        Verb::Cleanup(args) => (args.yes.json, "moorline.cleanup/1", json!({"done": false})),
        Verb::Undo(args) => (args.yes.json, "moorline.undo/1", json!({"done": false})),
        Verb::Doctor(args) => (args.json, "moorline.doctor/1", json!({"harnesses": null})),
        Verb::Lookup(args) => (args.json, "moorline.lookup/1", json!({"decision": null, "request": null})),
        Verb::Snapshot(args) => {
            let (is_json, action) = match &args.verb {
                SnapshotVerb::Capture(args) => (args.json, "capture"),
                SnapshotVerb::List(args) => (args.json, "list"),
                SnapshotVerb::Load(args) => (args.json, "load"),
                SnapshotVerb::Verify(args) => (args.json, "verify"),
            };
            (is_json, "moorline.snapshot/1", json!({"action": action}))
        }
        Verb::Resolve(_) | Verb::Completions(_) | Verb::Man | Verb::Demo(_) => return None,
    };
    is_json.then_some((schema, told))
}
