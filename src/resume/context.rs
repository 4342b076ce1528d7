//! The block that puts a handoff's context before an agent or a person. It starts nothing.

mod admission;
mod chain;
mod warnings;

use std::path::Path;

pub use admission::{is_addressed_here, not_loadable};

use self::chain::Chain;
use super::{Comparison, TargetState};
use crate::check::{Examiner, Report, lane_name};
use crate::disk::{Beneath, Kind};
use crate::handoff::inert::{one_line, plain};
use crate::handoff::{
    Family, Fields, Handoff, Inert, MemtomemRecord, Record, RelPath, Value, done, is_nothing, lead,
};
use crate::place::{Listed, Scope};

/// How much of one field is said, in characters.
const LONGEST_FIELD: usize = 400;
/// How many items of a list are named.
const MOST_ITEMS: usize = 12;

/// What is wanted besides the block itself.
#[derive(Debug, Clone, Copy, Default)]
pub struct Wanted<'a> {
    /// The text of the files that go on from it.
    pub chain: bool,
    /// How this checkout stands to its remote, where that was asked.
    pub remote: Option<&'a Comparison>,
    /// What became of the issue that its next step names, where that was asked.
    pub target: Option<&'a TargetState>,
}

/// The block that `context` prints, for every family: the file, the day it was saved, a summary, the next step and
/// what a reader should not believe. Whether a handoff may be loaded at all is for [`not_loadable`] to say.
pub fn context_block(examiner: &Examiner, row: &Listed, wanted: Wanted<'_>) -> String {
    let report = examiner.examine(row);
    let mut block = Block::default();
    block.line(format!("[Handoff loaded: {}]", name_of(&row.path)));
    block.line(format!("Resuming session from {}. Context:", row.saved_at.moment.day().format("%Y-%m-%d")));
    block.summary(examiner, row, wanted.remote);
    block.lanes(&row.handoff, &report);
    block.next_step(&row.handoff);
    block.field("Target state", wanted.target.map(TargetState::words));
    let elsewhere = super::elsewhere(examiner, row);
    block.warnings(&warnings::of(row, &report, elsewhere));
    if wanted.chain {
        block.chain(row);
    }
    block.text
}

#[derive(Default)]
struct Block {
    text: String,
}

impl Block {
    fn line(&mut self, line: impl AsRef<str>) {
        self.text.push_str(line.as_ref());
        self.text.push('\n');
    }

    fn field(&mut self, name: &str, value: Option<String>) {
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            self.line(format!("{name}: {value}"));
        }
    }

    fn list(&mut self, name: &str, items: &[Inert]) {
        let said: Vec<String> = items.iter().map(line_of).filter(|item| !item.is_empty()).collect();
        if said.is_empty() {
            return;
        }
        self.line(format!("{name}:"));
        for item in said.iter().take(MOST_ITEMS) {
            self.line(format!("- {item}"));
        }
        if said.len() > MOST_ITEMS {
            self.line(format!("- … and {} more", said.len() - MOST_ITEMS));
        }
    }

    fn summary(&mut self, examiner: &Examiner, row: &Listed, remote: Option<&Comparison>) {
        let handoff = &row.handoff;
        self.field("North star", north_star(row));
        let record = match &handoff.record {
            Record::Memtomem(record) => Some(&**record),
            _ => None,
        };
        self.field("Record", record.and_then(|record| sender(handoff, record)));
        self.field("Objective", record.and_then(|record| record.objective.as_ref()).map(line_of));
        self.field("Plan", plan(row));
        self.field("Phase", handoff.phase.as_ref().map(line_of));
        self.field("Status", handoff.status.as_ref().map(line_of));
        self.work(examiner, row);
        if let Some(record) = record {
            self.list("Changed files", &record.changed_files);
        }
        self.field("Git state", git_state(handoff));
        self.field("This checkout", remote.map(Comparison::words));
        if let Some(record) = record {
            self.field("Validation", field(handoff, "validation"));
            // Pointers: what they name is not read.
            self.list("Artifacts (not read)", &record.artifacts);
        }
        let artifact = handoff.root().and_then(|root| root.active_artifact.as_ref());
        self.field("Artifact", artifact.map(ToString::to_string));
        self.list("Decisions", &handoff.decisions);
        self.list("Blockers", &handoff.blockers);
        self.list("Open", &handoff.open_items);
    }

    /// What was done last: by the family's own fields, by a section of the page that says so; else its title and what
    /// the page says in sentences.
    fn work(&mut self, examiner: &Examiner, row: &Listed) {
        // Only a freeform page is asked: the other families have fields for it.
        let is_page = row.handoff.family == Family::Freeform;
        let page = || is_page.then(|| examiner.present(row)).flatten();
        match completed(&row.handoff.fields).or_else(|| done_by_page(&page()?.text, &row.handoff)) {
            Some(done) => self.field("Last work", Some(shortened(&done))),
            None => {
                let said = page().and_then(|page| lead(&page.text, row.handoff.format));
                self.field("Title", title(&row.handoff));
                self.field("Text", said.map(|said| shortened(&line_of(&said))));
            }
        }
    }

    /// What was recorded of each lane, and how it is judged now: one that cannot be resumed is context all the same.
    fn lanes(&mut self, handoff: &Handoff, report: &Report) {
        if handoff.lanes.is_empty() {
            return;
        }
        self.line("Lanes (as recorded; what is true now is said behind each):");
        for (index, lane) in handoff.lanes.iter().enumerate() {
            let said = [
                lane.harness.map(|harness| harness.as_str().to_owned()),
                lane.worktree.as_ref().map(|path| format!("in {path}")),
                lane.branch.as_ref().map(|branch| format!("branch {branch}")),
                lane.head.as_ref().map(|head| format!("at {}", head.short())),
                lane.artifact.as_ref().map(|path| format!("works on {path}")),
                lane.fields
                    .get("status")
                    .and_then(|field| field.value.as_text())
                    .map(|status| format!("was {}", line_of(status))),
                lane.reason.as_ref().map(line_of).filter(|reason| !reason.is_empty()),
            ];
            let said: Vec<String> = said.into_iter().flatten().map(|text| shortened(&text)).collect();
            let now = report.lanes.iter().find(|judged| judged.index == index);
            let now = now.map_or_else(
                || "not judged".to_owned(),
                |judged| {
                    let why = judged.reasons.first().map(|why| format!(": {}", line_of(why)));
                    format!("{}{}", judged.verdict.words(), why.unwrap_or_default())
                },
            );
            self.line(format!("- {}: {} (now {now})", lane_name(handoff, index), said.join(", ")));
        }
    }

    fn next_step(&mut self, handoff: &Handoff) {
        match handoff.next_actions.split_first() {
            None => self.line("Next step: not recorded"),
            Some((first, rest)) => {
                self.line(format!("Next step: {}", line_of(first)));
                self.list("Then", rest);
            }
        }
    }

    fn warnings(&mut self, warnings: &[String]) {
        if warnings.is_empty() {
            return;
        }
        self.line("Warnings:");
        for warning in warnings {
            self.line(format!("- {warning}"));
        }
    }

    /// Each continuation in turn, quoted, so that its text cannot pass for this block's own.
    fn chain(&mut self, row: &Listed) {
        let links = Chain::walk(row);
        for (name, text) in &links.links {
            self.line(format!("[Continued in: {name}]"));
            for line in text.lines() {
                self.line(format!("> {line}").trim_end());
            }
        }
        if let Some(why) = links.stopped {
            self.line(format!("[The chain ends here: {why}]"));
        }
    }
}

/// The north star's path: recorded or the format's own, where there is such a file.
fn north_star(row: &Listed) -> Option<String> {
    let recorded = row.handoff.root().and_then(|root| root.north_star.clone());
    let rel = recorded.or_else(|| RelPath::parse(".thunderkit/NORTH_STAR.md").ok())?;
    let there = Beneath::open(&row.root).and_then(|beneath| beneath.kind(&rel));
    matches!(there, Ok((Kind::File, _))).then(|| name_of(&row.root.join(rel.as_path())))
}

/// The plan: as recorded, else the directory that a plan's handoff lies in.
fn plan(row: &Listed) -> Option<String> {
    if let Record::Theonekit(record) = &row.handoff.record
        && let Some(path) = record.plan_path.as_ref().filter(|path| !is_nothing(path.raw()))
    {
        return Some(line_of(path));
    }
    let is_plan = row.scope == Scope::Plan;
    is_plan.then(|| row.relative.parent()).flatten().map(name_of)
}

/// The title, where it is more than the word for such a file.
fn title(handoff: &Handoff) -> Option<String> {
    let title = handoff.title.as_ref().map(line_of)?;
    (!title.to_lowercase().starts_with("handoff")).then(|| shortened(&title))
}

/// What a page says was done.
fn done_by_page(text: &str, handoff: &Handoff) -> Option<String> {
    let items = done(text, handoff.format);
    let said: Vec<String> = items.iter().map(line_of).filter(|item| !is_nothing(item)).collect();
    (!said.is_empty()).then(|| said.join("; "))
}

/// The first field, however deep, that says what was completed.
fn completed(fields: &Fields) -> Option<String> {
    fields.iter().find_map(|field| match &field.value {
        Value::Map(inner) => completed(inner),
        value => {
            let is_done = field.name.raw().to_lowercase().starts_with("completed");
            is_done.then(|| words(value)).filter(|text| !text.is_empty())
        }
    })
}

/// At most [`LONGEST_FIELD`] characters of a text, and a mark where it goes on.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST_FIELD) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// A value's words on one line.
fn words(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::Bool(yes) => yes.to_string(),
        Value::Number(n) => n.to_string(),
        Value::Text(text) => {
            let said: Vec<String> =
                text.raw().lines().map(unmarked).filter(|line| !line.is_empty()).collect();
            said.join("; ")
        }
        Value::List(items) => {
            let said: Vec<String> = items.iter().map(words).filter(|word| !word.is_empty()).collect();
            said.join("; ")
        }
        Value::Map(fields) => {
            let said: Vec<String> = fields.iter().map(|field| words(&field.value)).collect();
            said.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
        }
    }
}

/// A line of a list without its mark and its box.
fn unmarked(line: &str) -> String {
    let line = line_of(&line.into());
    let text = line.trim_start_matches(['-', '*', '+']).trim_start();
    let text = ["[x]", "[X]", "[ ]"].into_iter().find_map(|mark| text.strip_prefix(mark)).unwrap_or(text);
    text.trim_start().to_owned()
}

/// Which record of its file it is, from whom, and for whom.
fn sender(handoff: &Handoff, record: &MemtomemRecord) -> Option<String> {
    let id = handoff.record_id.as_ref()?;
    let who = |name: &Option<Inert>| name.as_ref().map_or_else(|| "nobody named".to_owned(), line_of);
    Some(format!("{id}, from {} to {}", who(&record.from_runtime), who(&record.to_runtime)))
}

/// What a field of a record says, where it says something.
fn field(handoff: &Handoff, name: &str) -> Option<String> {
    let said = handoff.fields.get(name).map(|field| words(&field.value))?;
    (!is_nothing(&said)).then(|| shortened(&said))
}

/// Branch, commit and state of the worktree as recorded.
fn git_state(handoff: &Handoff) -> Option<String> {
    let detached = handoff.root().is_some_and(|root| root.detached);
    let branch = match &handoff.branch {
        Some(branch) => Some(format!("branch {branch}")),
        None if detached => Some("detached".to_owned()),
        None => None,
    };
    let commit = handoff.commit.as_ref().map(|commit| format!("commit {commit}"));
    let state = match &handoff.record {
        Record::Memtomem(record) => record.worktree_state.as_ref().map(line_of),
        _ => None,
    };
    let said: Vec<String> = branch.into_iter().chain(commit).chain(state).collect();
    (!said.is_empty()).then(|| said.join(", "))
}

/// A text on one line, for machines.
fn line_of(text: &Inert) -> String {
    one_line(&text.plain())
}

/// A path on one line, for machines.
fn name_of(path: &Path) -> String {
    one_line(&plain(&path.display().to_string()).0)
}
