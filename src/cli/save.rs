//! `moorline save`: the narrative in, the facts captured, one file written whole.

use std::io::{Read, Write};
use std::path::Path;

use serde::Serialize;
use serde_json::{Map, Value};

use super::args::Save;
use super::desk::Desk;
use super::shape::path_text;
use super::text;
use super::{Answer, Stop, print_json};
use crate::check::Summary;
use crate::disk;
use crate::handoff::{Family, inert};
use crate::place::Scope;
use crate::save::draft::{Draft, Request, Saved};
use crate::save::file::Old;
use crate::save::ignored::{Ignored, Unignored};
use crate::save::narrative::LaneWord;
use crate::save::target::Wish;

/// Most bytes of a narrative: many times what a handoff can hold.
const CAP: u64 = 1 << 20;

/// `moorline.save/1`
#[derive(Serialize)]
struct SaveDocument<'a> {
    schema: &'static str,
    /// `false` for a dry run: nothing was written.
    saved: bool,
    path: String,
    scope: Scope,
    why: &'a str,
    bytes: usize,
    family: Family,
    /// Each fact with its value and where it was read.
    captured: Map<String, Value>,
    /// The further files of a chain.
    chain: Vec<String>,
    /// Handoffs that were put away by age: none yet.
    archived: [&'a str; 0],
    /// Where the replaced bytes lie; `null` where none were replaced, or HEAD holds them.
    backup: Option<String>,
    /// Why git will not see the file; `null` where it will, or where there is no repository.
    ignored: Option<Value>,
    /// The text that a dry run would write, one for each file.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    documents: Vec<&'a str>,
    summary: Summary,
}

/// Saves, or with `--dry-run` shows what would be saved. Answers no where somebody else saved meanwhile.
pub fn run(desk: &Desk, args: &Save, out: &mut dyn Write) -> Result<Answer, Stop> {
    let text = narrative(desk, &args.from)?;
    if args.global && args.format == "thunderkit" {
        return Err(Stop::bad("thunderkit's handoff lies in its project: leave --global out"));
    }
    let binding = (args.class.is_some() || args.model.is_some()).then(|| LaneWord {
        id: args.lane.clone().unwrap_or_default(),
        class: args.class.clone(),
        model: args.model.clone(),
        ..LaneWord::default()
    });
    let request = Request {
        text: &text,
        family: if args.format == "thunderkit" { Family::Thunderkit } else { Family::Theonekit },
        place: Wish { scope: args.global.then_some(Scope::Global), ..Wish::default() },
        binding,
        drop: args.drop_lane.clone(),
        from: &desk.cwd,
        now: desk.now()?,
    };
    let draft = Draft::make(&desk.examiner, &request).map_err(|why| Stop::bad(why.to_string()))?;
    let saved = match args.dry_run {
        true => None,
        false => Some(draft.write().map_err(|why| Stop::no(why.to_string()))?),
    };
    let edited = match (&saved, args.unignore) {
        (Some(_), true) => draft.unignore(),
        _ => Ok(None),
    };
    let edited =
        edited.map_err(|why| Stop::no(format!("saved, but the .gitignore stays as it is: {why}")))?;
    match (args.json, &saved) {
        (true, saved) => print_json(&document(&draft, saved.as_ref(), edited.as_ref()), out)?,
        (false, Some(saved)) => said(&draft, saved, edited.as_ref(), out)?,
        (false, None) => preview(&draft, out)?,
    }
    Ok(Answer::Yes)
}

/// The narrative's text, from a file or standard input.
fn narrative(desk: &Desk, from: &Path) -> Result<String, Stop> {
    let bytes = if from == Path::new("-") {
        let mut bytes = Vec::new();
        let read = std::io::stdin().lock().take(CAP + 1).read_to_end(&mut bytes);
        read.map_err(|error| Stop::bad(format!("standard input cannot be read: {error}")))?;
        bytes
    } else {
        disk::read(&desk.cwd.join(from), CAP + 1).map_err(|why| Stop::bad(why.to_string()))?.bytes
    };
    if bytes.len() as u64 > CAP {
        return Err(Stop::bad("the narrative is larger than 1 MiB: a handoff says what matters"));
    }
    String::from_utf8(bytes).map_err(|_| Stop::bad("the narrative is not UTF-8"))
}

fn document<'a>(draft: &'a Draft, saved: Option<&Saved>, edited: Option<&Unignored>) -> SaveDocument<'a> {
    let path = saved.map_or(&draft.target.path, |saved| &saved.path);
    let captured = draft
        .captured
        .iter()
        .map(|fact| (fact.name.clone(), serde_json::json!({ "value": fact.value, "source": fact.source })));
    let backup = saved.and_then(|saved| match &saved.old {
        Old::Kept(path) => Some(path_text(path)),
        Old::None | Old::Same | Old::Committed => None,
    });
    let (done, next) = match saved {
        Some(_) => (format!("saved to {}", path_text(path)), "check it: moorline check"),
        None => (format!("would save to {}", path_text(path)), "save it: the same without --dry-run"),
    };
    SaveDocument {
        schema: "moorline.save/1",
        saved: saved.is_some(),
        path: path_text(path),
        scope: draft.target.scope,
        why: &draft.target.why,
        bytes: draft.parts.iter().map(|(_, text)| text.len()).sum(),
        family: draft.family,
        captured: captured.collect(),
        chain: draft.parts.iter().skip(1).map(|(path, _)| path_text(path)).collect(),
        archived: [],
        backup,
        ignored: draft.ignored.as_ref().map(|ignored| ignored_json(ignored, edited)),
        documents: match saved {
            Some(_) => Vec::new(),
            None => draft.parts.iter().map(|(_, text)| text.as_str()).collect(),
        },
        summary: Summary::plain(done, next),
    }
}

fn ignored_json(ignored: &Ignored, edited: Option<&Unignored>) -> Value {
    let by = &ignored.by;
    serde_json::json!({
        "file": path_text(&by.file),
        "line": by.line,
        "rule": by.rule,
        "edit": ignored.edit.as_ref().ok().map(|edit| &edit.words),
        "why_not": ignored.edit.as_ref().err(),
        "edited": edited.is_some(),
        "still": match edited {
            None => true,
            Some(edited) => edited.still.is_some(),
        },
    })
}

/// What is ignored, and what can be done or was done about it.
fn said_ignored(ignored: &Ignored, edited: Option<&Unignored>, out: &mut dyn Write) -> Result<(), Stop> {
    match (&ignored.edit, edited) {
        (Err(why), _) => writeln!(out, "  it stays ignored: {why}")?,
        (Ok(edit), None) => {
            writeln!(out, "  to let git see it: {} (--unignore does that)", edit.words.shown_line())?;
        }
        (Ok(edit), Some(edited)) => {
            writeln!(out, "  done: {}", edit.words.shown_line())?;
            if let Some(still) = &edited.still {
                let (rule, file) = (still.rule.shown_line(), text::path(&still.file));
                writeln!(out, "  git still ignores it, by `{rule}` in {file}, line {}", still.line)?;
            }
        }
    }
    Ok(())
}

/// What was saved. Nothing of it is printed before the file was read back.
fn said(draft: &Draft, saved: &Saved, edited: Option<&Unignored>, out: &mut dyn Write) -> Result<(), Stop> {
    writeln!(out, "saved to {} ({})", text::path(&saved.path), scope(draft.target.scope))?;
    writeln!(out, "  because: {}", draft.target.why)?;
    for link in &saved.chain {
        writeln!(out, "  goes on in {}", text::path(link))?;
    }
    match &saved.old {
        Old::None => {}
        Old::Same => writeln!(out, "  these bytes were there already")?,
        Old::Committed => writeln!(out, "  the replaced bytes are in HEAD")?,
        Old::Kept(path) => writeln!(out, "  the replaced bytes are kept in {}", text::path(path))?,
    }
    facts(draft, out)?;
    match &draft.ignored {
        Some(ignored) => said_ignored(ignored, edited, out),
        None => Ok(()),
    }
}

fn preview(draft: &Draft, out: &mut dyn Write) -> Result<(), Stop> {
    writeln!(out, "would save to {} ({})", text::path(&draft.target.path), scope(draft.target.scope))?;
    writeln!(out, "  because: {}", draft.target.why)?;
    facts(draft, out)?;
    if let Some(ignored) = &draft.ignored {
        said_ignored(ignored, None, out)?;
    }
    for (path, document) in &draft.parts {
        writeln!(out, "\n{}:\n{}", text::path(path), inert::shown(document).trim_end())?;
    }
    Ok(())
}

fn facts(draft: &Draft, out: &mut dyn Write) -> Result<(), Stop> {
    for fact in &draft.captured {
        let value = fact.value.as_ref().map_or("unknown".into(), |value| value.shown_line());
        writeln!(out, "  {}: {value} ({})", fact.name, fact.source.shown_line())?;
    }
    Ok(())
}

fn scope(scope: Scope) -> &'static str {
    match scope {
        Scope::Plan => "plan",
        Scope::Project => "project",
        Scope::Global => "global",
    }
}
