//! `moorline save`: the narrative in, the facts captured, one file written whole.

mod told;

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
use crate::disk::{self, WriteError};
use crate::handoff::{Family, Inert, inert};
use crate::place::Scope;
use crate::save::draft::{Also, ByHand, Draft, Request, Saved};
use crate::save::file::{NotWritten, Old, Written};
use crate::save::ignored::{Ignored, Unignored};
use crate::save::narrative::LaneWord;
use crate::save::offers::Mirror;
use crate::save::sweep::Cleared;
use crate::save::target::{self, Wish};
use crate::save::verdicts::LaneNow;

/// Most bytes of a narrative: many times what a handoff can hold.
const CAP: u64 = 1 << 20;
/// How often a new name is tried while others take it.
const TRIES: u32 = 64;

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
    /// The lanes as a check sees them right after the save; empty for a dry run (thunderkit).
    lanes: Vec<Value>,
    /// What should be known of the file that was there.
    remarks: &'a [Inert],
    /// Where handoffs that were put away by age lie now; in a dry run, where they would.
    archived: Vec<String>,
    /// Where the further files of a replaced chain lie now, or would.
    trashed: Vec<String>,
    /// What was cleared up, and what could not be, in sentences.
    cleared: &'a [Inert],
    /// Where the replaced bytes lie; `null` where none were replaced, or HEAD holds them.
    backup: Option<String>,
    /// What the program that wrote it said (memtomem).
    said: &'a [Inert],
    /// Why nobody here can write it, and the command that does (memtomem).
    by_hand: Option<Value>,
    /// Decisions that are not in the project's own list yet; `null` where there are none or no such list.
    mirror: Option<Value>,
    /// The id by which an undo takes it back, with what was put away; `null` where nothing was written here.
    action: Option<&'a str>,
    /// The command that stages exactly what was written, and what git follows of what was put away; `null` where git
    /// would not see it.
    stage: Option<String>,
    /// The command that keeps a snapshot of it; `null` where it lies outside of the project, and in a dry run.
    snapshot: Option<String>,
    /// Why git will not see the file; `null` where it will, or where there is no repository.
    ignored: Option<Value>,
    /// What a dry run would change in the file that is there, one line each: `- old`, `+ new`; `null` where there is
    /// none.
    difference: Option<String>,
    /// The text that a dry run would write, one for each file.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    documents: Vec<&'a str>,
    summary: Summary,
}

/// What was done after the yes, besides the file itself.
#[derive(Default)]
struct Done {
    saved: Option<Saved>,
    cleared: Cleared,
    lanes: Vec<LaneNow>,
}

/// Saves, or with `--dry-run` shows what would be saved. Answers no where somebody else saved meanwhile, or where
/// only a person can do it.
pub fn run(desk: &Desk, args: &Save, out: &mut dyn Write) -> Result<Answer, Stop> {
    let text = args.from.as_deref().map(|from| narrative(desk, from)).transpose()?.unwrap_or_default();
    let family = match args.format.as_str() {
        "thunderkit" => Family::Thunderkit,
        "memtomem" => Family::Memtomem,
        _ => Family::Theonekit,
    };
    let placed = [(args.global, "--global"), (args.project, "--project"), (args.plan.is_some(), "--plan")];
    if let Some((_, flag)) = placed.iter().find(|(is_said, _)| *is_said && family != Family::Theonekit) {
        return Err(Stop::bad(format!("{}'s handoff has one place: leave {flag} out", args.format)));
    }
    if args.to.is_some() && family != Family::Memtomem {
        return Err(Stop::bad("only memtomem's records are addressed to a runtime: leave --to out"));
    }
    if args.lane.is_some() && family != Family::Thunderkit {
        return Err(Stop::bad("only thunderkit's handoff has lanes: leave --lane out"));
    }
    let before = args.carry.as_deref().map(|name| desk.one(Some(name))).transpose()?;
    if let Some(part) = before.as_deref().filter(|row| row.is_part()) {
        let head = part.part.as_ref().map(|part| format!(": {}", text::path(&part.head))).unwrap_or_default();
        let path = text::path(&part.path);
        return Err(Stop::bad(format!(
            "{path} is a further part of a handoff: carry over its first file{head}"
        )));
    }
    let mut request = Request::new(&text, family, &desk.cwd, desk.now()?);
    request.place = wish(desk, args)?;
    request.binding = (args.class.is_some() || args.model.is_some()).then(|| LaneWord {
        id: args.lane.clone().unwrap_or_default(),
        class: args.class.clone(),
        model: args.model.clone(),
        ..LaneWord::default()
    });
    request.drop = args.drop_lane.clone();
    request.carry = before.as_deref().map(|row| &row.handoff);
    request.decisions_from = args.decisions_from.as_deref();
    request.to = args.to.clone();
    let mut draft = make(desk, &request)?;
    let done = match args.dry_run || draft.by_hand.is_some() {
        true => Done { cleared: draft.would_clear(&desk.examiner), ..Done::default() },
        false => {
            let saved = save(desk, &request, &mut draft, args)?;
            after(desk, &draft, saved, args)
        }
    };
    let printed = match (args.json, &done.saved) {
        (true, _) => print_json(&document(&draft, &done), out),
        (false, Some(saved)) => told::said(&draft, saved, &done, out),
        (false, None) => told::preview(&draft, &done, out),
    };
    match (printed, &done.saved) {
        // Whoever reads the error only must not save it again.
        (Err(Stop::Said(answer, why)), Some(saved)) => {
            return Err(Stop::Said(answer, format!("saved to {}, but {why}", text::path(&saved.path))));
        }
        (printed, _) => printed?,
    }
    match draft.by_hand.is_some() && !args.dry_run {
        true => Ok(Answer::No),
        false => Ok(Answer::Yes),
    }
}

fn make(desk: &Desk, request: &Request<'_>) -> Result<Draft, Stop> {
    Draft::make(&desk.examiner, request).map_err(|why| Stop::bad(why.to_string()))
}

/// What the person wants of the place.
fn wish(desk: &Desk, args: &Save) -> Result<Wish, Stop> {
    let plan =
        args.plan.as_deref().map(|name| target::plan_named(desk.examiner.project(), &desk.names_from, name));
    let plan = plan.transpose().map_err(|why| Stop::bad(why.to_string()))?;
    let scope = match (&plan, args.project, args.global) {
        (Some(_), ..) => Some(Scope::Plan),
        (None, true, _) => Some(Scope::Project),
        (None, false, true) => Some(Scope::Global),
        (None, false, false) => None,
    };
    Ok(Wish { scope, plan, slug: None })
}

/// Writes the file. Where somebody takes its new name meanwhile, it gets the next one: nobody was shown this name.
fn save(desk: &Desk, request: &Request<'_>, draft: &mut Draft, args: &Save) -> Result<Saved, Stop> {
    let mut left = TRIES;
    let also = Also { unignore: args.unignore, mirror: args.mirror_decisions };
    loop {
        match draft.write_with(also) {
            Ok(saved) => return Ok(saved),
            Err(why) if left > 0 && draft.has_lost_its_name(&why) => {
                left -= 1;
                *draft = make(desk, request)?;
            }
            Err(why) => return Err(not_saved(draft, &why, request.text, args)),
        }
    }
}

/// Why it was not saved, what to do, and where the words are.
fn not_saved(draft: &Draft, why: &NotWritten, words: &str, args: &Save) -> Stop {
    let mut told = draft.told(why);
    // What came in by a pipe is nowhere else.
    if args.from.as_deref() == Some(Path::new("-")) {
        told.push_str(&match draft.keep_words(words) {
            Ok(path) => {
                format!("\nwhat you said is kept: save it again with --from {}", text::path(&path))
            }
            Err(why) => format!(
                "\nwhat you said could not be kept either ({}), so here it is:\n\n{}",
                text::line(&why.to_string()),
                inert::shown(words).trim_end()
            ),
        });
    }
    match why {
        NotWritten::Refused(WriteError::Unsettled { .. }) => Stop::Said(Answer::Unknown, told),
        _ => Stop::no(told),
    }
}

/// Clears up after a save.
fn after(desk: &Desk, draft: &Draft, saved: Saved, args: &Save) -> Done {
    let mut cleared = draft.clear_up(&desk.examiner, &saved);
    if let Some(Err(why)) = args.from.as_deref().map(|from| draft.forget_words(&desk.cwd.join(from))) {
        cleared.said.push(format!("the words stay where they were kept: {why}").into());
    }
    let lanes = draft.lanes_now(&desk.examiner, &saved);
    Done { saved: Some(saved), cleared, lanes }
}

impl Done {
    /// The edit by which git sees it, where it was made.
    fn unignored(&self) -> Option<&Unignored> {
        self.saved.as_ref()?.unignored.as_ref()
    }

    /// The list that the decisions were added to.
    fn mirrored(&self) -> Option<&Written> {
        self.saved.as_ref()?.mirrored.as_ref()
    }

    /// The command that stages what was written.
    fn stage(&self, draft: &Draft) -> Option<String> {
        let saved = self.saved.as_ref()?;
        let edited = self.unignored().map(|edit| edit.written.path.as_path());
        let more: Vec<&Path> = edited.into_iter().chain(self.mirrored().map(|m| m.path.as_path())).collect();
        let seen = self.unignored().is_some_and(|edit| edit.still.is_none());
        draft.stage_command(saved, &more, &self.cleared, seen)
    }
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

fn document<'a>(draft: &'a Draft, done: &'a Done) -> SaveDocument<'a> {
    let saved = done.saved.as_ref();
    let path = saved.map_or(&draft.target.path, |saved| &saved.path);
    let captured = draft
        .captured
        .iter()
        .map(|fact| (fact.name.clone(), serde_json::json!({ "value": fact.value, "source": fact.source })));
    let backup = saved.and_then(|saved| match &saved.old {
        Old::Kept(path) => Some(path_text(path)),
        Old::None | Old::Same | Old::Committed => None,
    });
    let (summary, next) = match (saved, &draft.by_hand) {
        (Some(saved), _) => {
            let back = saved.action.as_ref().map(|id| format!("; or take it back: moorline undo {id}"));
            let next = format!("check it: moorline check{}", back.unwrap_or_default());
            (format!("saved to {}", path_text(path)), next)
        }
        (None, Some(_)) => ("nothing was saved".to_owned(), "run the command that is given".to_owned()),
        (None, None) => {
            let next = "save it: the same without --dry-run".to_owned();
            (format!("would save to {}", path_text(path)), next)
        }
    };
    let by_hand = |by_hand: &ByHand| serde_json::json!({ "why": by_hand.why, "command": by_hand.command });
    let mirror = |mirror: &Mirror| {
        serde_json::json!({
            "path": path_text(&mirror.path), "added": mirror.added, "written": done.mirrored().is_some(),
        })
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
        lanes: done.lanes.iter().map(lane_now).collect(),
        remarks: &draft.remarks,
        archived: done.cleared.archived.iter().map(|path| path_text(path)).collect(),
        trashed: done.cleared.trashed.iter().map(|path| path_text(path)).collect(),
        cleared: &done.cleared.said,
        backup,
        said: saved.map_or(&[], |saved| &saved.said),
        by_hand: draft.by_hand.as_ref().map(by_hand),
        mirror: draft.mirror.as_ref().map(mirror),
        action: saved.and_then(|saved| saved.action.as_deref()),
        stage: done.stage(draft),
        snapshot: saved.and_then(|saved| draft.snapshot_command(saved)),
        ignored: draft.ignored.as_ref().map(|ignored| ignored_json(ignored, done.unignored())),
        difference: (saved.is_none() && draft.replaced().is_some()).then(|| told::changes(draft).join("\n")),
        documents: match saved {
            Some(_) => Vec::new(),
            None => draft.parts.iter().map(|(_, text)| text.as_str()).collect(),
        },
        summary: match draft.by_hand.as_ref().filter(|_| saved.is_none()) {
            Some(by_hand) => Summary::plain(summary, next).outcome(by_hand.why.clone()),
            None => Summary::plain(summary, next),
        },
    }
}

fn lane_now(lane: &LaneNow) -> Value {
    serde_json::json!({ "id": lane.id, "verdict": lane.verdict, "reasons": lane.reasons })
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
