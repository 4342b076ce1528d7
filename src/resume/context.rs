//! The block that puts a handoff's context before an agent or a person. It starts nothing.

use std::collections::HashSet;
use std::path::Path;

use crate::check::{Check, Claim, Examiner, Outcome, Report, lane_name};
use crate::disk::{Beneath, FileId, Kind};
use crate::handoff::inert::{one_line, plain};
use crate::handoff::{
    self, BranchName, ClockSource, CommitId, Family, Fields, Habit, Handoff, Inert, Record, RelPath, Source,
    Value,
};
use crate::place::{Listed, Scope};

/// How many continuations are walked at most.
const LONGEST_CHAIN: usize = 64;
/// How much of each continuation is read, in bytes: the cap that saving keeps to, twice.
const LINK_CAP: u64 = 64 << 10;
/// How much of one field is said, in characters.
const LONGEST_FIELD: usize = 400;
/// How many items of a list are named.
const MOST_ITEMS: usize = 12;

/// The block that `context` prints, for every family.
pub fn context_block(examiner: &Examiner, row: &Listed, chain: bool) -> String {
    let report = examiner.examine(row);
    let mut block = Block::default();
    block.line(format!("[Handoff loaded: {}]", name_of(&row.path)));
    block.line(format!("Resuming session from {}. Context:", row.saved_at.moment.day().format("%Y-%m-%d")));
    block.summary(row);
    block.lanes(&row.handoff, &report);
    block.next_step(&row.handoff);
    block.warnings(&warnings(row, &report));
    if chain {
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

    fn summary(&mut self, row: &Listed) {
        let handoff = &row.handoff;
        self.field("North star", north_star(row));
        self.field("Plan", plan(row));
        self.field("Phase", handoff.phase.as_ref().map(line_of));
        self.field("Status", handoff.status.as_ref().map(line_of));
        self.field("Last work", last_work(handoff));
        self.field("Git state", git_state(handoff));
        let artifact = handoff.root().and_then(|root| root.active_artifact.as_ref());
        self.field("Artifact", artifact.map(ToString::to_string));
        self.list("Decisions", &handoff.decisions);
        self.list("Blockers", &handoff.blockers);
        self.list("Open", &handoff.open_items);
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

/// The files that go on from a handoff.
#[derive(Default)]
struct Chain {
    links: Vec<(String, String)>,
    /// Why it ends before its last file.
    stopped: Option<String>,
}

impl Chain {
    fn walk(row: &Listed) -> Self {
        let mut chain = Self::default();
        let Some(dir) = row.path.parent() else { return chain };
        let beneath = match Beneath::open(dir) {
            Ok(beneath) => beneath,
            Err(why) => return Self { stopped: Some(why.to_string()), ..chain },
        };
        let mut seen = HashSet::from([row.file]);
        let mut next = row.handoff.continuation.clone();
        while let Some(name) = next.take() {
            match link(&beneath, dir, &name, &mut seen) {
                Ok(link) if chain.links.len() < LONGEST_CHAIN => {
                    next = link.continuation;
                    chain.links.push((link.path, link.text));
                }
                Ok(_) => chain.stopped = Some(format!("more than {LONGEST_CHAIN} continuations")),
                Err(why) => chain.stopped = Some(why),
            }
        }
        chain
    }
}

struct Link {
    path: String,
    text: String,
    continuation: Option<Inert>,
}

/// One continuation: a file of the same directory that was not met before.
fn link(beneath: &Beneath, dir: &Path, name: &Inert, seen: &mut HashSet<FileId>) -> Result<Link, String> {
    let shown = line_of(name);
    let rel = RelPath::parse(name.raw().trim()).map_err(|why| format!("{shown}: {why}"))?;
    if rel.as_str().contains('/') || rel.is_root() {
        return Err(format!("{shown} is not in the handoff's own directory"));
    }
    let (kind, id) = beneath.kind(&rel).map_err(|why| why.to_string())?;
    if kind != Kind::File {
        return Err(format!("{shown} is no regular file"));
    }
    if !seen.insert(id) {
        return Err(format!("{shown} was read already"));
    }
    let content = beneath.read(&rel, LINK_CAP).map_err(|why| why.to_string())?;
    let source = Source {
        bytes: &content.bytes,
        name: rel.as_str(),
        habit: Habit::Other,
        cut_from: content.cut.then_some(content.meta.len),
    };
    let continuation = handoff::read(&source).pop().and_then(|handoff| handoff.continuation);
    let mut text = plain(&String::from_utf8_lossy(&content.bytes)).0;
    if content.cut {
        text.push_str("\n… (the file goes on)");
    }
    Ok(Link { path: name_of(&dir.join(rel.as_path())), text, continuation })
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
        && let Some(path) = &record.plan_path
    {
        return Some(line_of(path));
    }
    let is_plan = row.scope == Scope::Plan;
    is_plan.then(|| row.relative.parent()).flatten().map(name_of)
}

/// What was done last, in the family's own words; a title that is more than a date where there are none.
fn last_work(handoff: &Handoff) -> Option<String> {
    let done = completed(&handoff.fields);
    let title = handoff.title.as_ref().map(line_of);
    done.or_else(|| title.filter(|title| !title.to_lowercase().starts_with("handoff")))
        .map(|text| shortened(&text))
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

/// Branch and commit as recorded.
fn git_state(handoff: &Handoff) -> Option<String> {
    let detached = handoff.root().is_some_and(|root| root.detached);
    let branch = match &handoff.branch {
        Some(branch) => Some(format!("branch {branch}")),
        None if detached => Some("detached".to_owned()),
        None => None,
    };
    let commit = handoff.commit.as_ref().map(|commit| format!("commit {commit}"));
    let said: Vec<String> = branch.into_iter().chain(commit).collect();
    (!said.is_empty()).then(|| said.join(", "))
}

/// What a reader should not believe, and why.
fn warnings(row: &Listed, report: &Report) -> Vec<String> {
    let mut out = Vec::new();
    if row.saved_at.source == ClockSource::Mtime {
        out.push("the date is the file's modification time: the file itself names none".to_owned());
    }
    if row.edited_after {
        out.push("the file was edited after the time it says it was saved".to_owned());
    }
    if row.handoff.family == Family::ThunderkitLegacy {
        out.push("an older format: readable, never resumable".to_owned());
    }
    let errors = row.handoff.problems.iter().filter(|problem| problem.is_error());
    out.extend(errors.take(MOST_ITEMS).map(|problem| line_of(&problem.message)));
    if let Some(count) = report.drift.commits.filter(|&count| count > 0) {
        let commits = if count == 1 { "commit" } else { "commits" };
        out.push(format!("{count} {commits} since it was saved"));
    }
    if report.drift.diverged == Some(true) {
        out.push("the recorded commit is not in the current history".to_owned());
    }
    let failed = |check: &&Check| matches!(check.outcome, Outcome::Failed);
    out.extend(report.checks.iter().filter(failed).map(check_words));
    out.extend(report.drift.notes.iter().map(line_of));
    let gone = report.claims.iter().filter(|claim| claim.holds == Some(false) && !is_a_lanes(row, claim));
    out.extend(gone.take(MOST_ITEMS).map(|claim| {
        let (text, state) = (line_of(&claim.text), line_of(&claim.state));
        format!("{} {text} (line {}): {state}", claim.kind, claim.line)
    }));
    out
}

/// Whether a claim is only what a lane records of its own worktree, which its checks compare.
fn is_a_lanes(row: &Listed, claim: &Claim) -> bool {
    let mut lanes = row.handoff.lanes.iter();
    let text = claim.text.raw();
    lanes.any(|lane| {
        let head = lane.head.as_ref().map(CommitId::as_str);
        let branch = lane.branch.as_ref().map(BranchName::as_str);
        [head, branch].contains(&Some(text))
    })
}

fn check_words(check: &Check) -> String {
    let why = check.reason.as_ref().map_or_else(|| "failed".to_owned(), line_of);
    format!("{}: {why}", check.id.as_str())
}

/// A text on one line, for machines.
fn line_of(text: &Inert) -> String {
    one_line(&text.plain())
}

/// A path on one line, for machines.
fn name_of(path: &Path) -> String {
    one_line(&plain(&path.display().to_string()).0)
}
