//! What the selected handoff is about: its facts with what is true of them now, then its text.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::super::action::{Extent, Key};
use super::super::app::{Body, Row, State};
use super::super::filter::family_word;
use super::super::text;
use super::super::theme::{Role, verdict_word};
use super::names::{self, count, size};
use super::paint::Painter;
use super::{drift, markdown};
use crate::check::{Check, CheckId, Report};
use crate::handoff::age;
use crate::handoff::none::{Topic, is_data, says_none};
use crate::handoff::{Fields, Format, Handoff, Inert, Problem, Value, count_of};
use crate::place::Listed;

/// Columns of a fact's name.
const LABEL: usize = 10;

/// The laid-out text of the row that was drawn last: parsed once per text and width, drawn by what is seen.
#[derive(Debug, Default)]
pub struct Cache {
    of: Option<(Key, usize, Arc<str>)>,
    lines: Vec<Line<'static>>,
}

/// Draws it.
pub fn draw(painter: &mut Painter<'_>, area: Rect, state: &State, cache: &mut Cache) -> Extent {
    let Some(row) = state.list.selected() else { return Extent::default() };
    let inner = Rect { x: area.x + 1.min(area.width), width: area.width.saturating_sub(2), ..area };
    let width = usize::from(inner.width);
    let head = head(painter, state, row, width);
    let body = body(painter, state, row, width, cache);
    let lines = head.len() + body.len();
    let height = usize::from(inner.height);
    let top = state.detail_top.min(lines.saturating_sub(1));
    for (y, line) in (0..inner.height).zip(head.iter().chain(body).skip(top)) {
        painter.line(inner, y, line);
    }
    Extent { lines, height }
}

/// Which other files have the same bytes, in one line, however many they are.
fn same_bytes(listed: &Listed, state: &State) -> Option<String> {
    let shown = |path: &Path| text::path(path, state.home.as_deref());
    let root = |twin: &PathBuf| {
        let above = twin.ancestors().nth(listed.relative.components().count())?;
        (twin.ends_with(&listed.relative)).then(|| shown(above))
    };
    match listed.twins.as_slice() {
        [] => None,
        [twin] => Some(format!("same as {}", shown(twin))),
        twins => {
            let roots: Option<Vec<String>> = twins.iter().map(root).collect();
            let (what, names) = match roots {
                Some(roots) => ("worktrees", roots),
                None => ("places", twins.iter().map(|twin| shown(twin)).collect()),
            };
            Some(format!("same bytes in {} other {what}: {}", twins.len(), names.join(", ")))
        }
    }
}

/// The facts above the text.
fn head(painter: &Painter<'_>, state: &State, row: &Row, width: usize) -> Vec<Line<'static>> {
    let listed = &row.listed;
    let handoff = &listed.handoff;
    let mut lines = Vec::new();
    let mut add = |line: Line<'static>, indent| lines.extend(text::wrap(&line, width, indent));
    add(Line::from(painter.span(names::title(listed, &state.project), Role::Heading)), 0);
    let path = text::path(&listed.path, state.home.as_deref());
    add(Line::from(painter.span(text::clip_middle(&path, width), Role::Quiet)), 0);
    if let Some(origin) = &listed.origin {
        let was = format!("was {}", text::path(origin, state.home.as_deref()));
        add(Line::from(painter.span(text::clip_middle(&was, width), Role::Quiet)), 0);
    }
    if let Some(twins) = same_bytes(listed, state) {
        add(Line::from(painter.span(text::clip(&twins, width), Role::Quiet)), 0);
    }
    add(saved(painter, state, row), 2);
    add(Line::default(), 0);
    let (glyph, role) = painter.theme.verdict(row.verdict());
    let mut verdict = vec![painter.span(format!("{glyph} {}", verdict_word(row.verdict())), role)];
    if let Some(report) = row.report() {
        if report.validated.1 > 0 {
            let (yes, all) = report.validated;
            verdict.push(Span::raw(format!("  {yes} of {all} lanes validated")));
        }
        if let Some(reason) = &report.reason {
            verdict.push(Span::raw(format!("  {}", text::line_of(reason))));
        }
    }
    add(fact(painter, "Verdict", verdict), LABEL);
    for line in recorded(painter, handoff, page(state, row), row.report().map(Arc::as_ref)) {
        add(line, LABEL);
    }
    if let Some(report) = row.report() {
        lines.extend(claims(painter, report, width));
    }
    lines.extend(problems(painter, &handoff.problems, width));
    lines
}

/// When and by whose habit it was saved, and how large it is.
fn saved(painter: &Painter<'_>, state: &State, row: &Row) -> Line<'static> {
    let listed = &row.listed;
    let saved = &listed.saved_at;
    let dot = painter.theme.glyphs.dot;
    // What a file dates into the future is its word, and no more.
    let saying = if age::is_ahead(state.clock, &saved.moment) { "says it was saved" } else { "saved" };
    let when = format!(
        "{saying} {} ({}, {})",
        age::sentence(state.clock, &saved.moment),
        age::source(saved),
        age::absolute(&saved.moment)
    );
    let mut spans = vec![
        painter.span(when, Role::Plain),
        painter.span(
            format!(" {dot} {} {dot} {}", family_word(listed.handoff.family), size(listed.bytes)),
            Role::Quiet,
        ),
    ];
    if listed.edited_after {
        spans.push(painter.span(format!(" {dot} edited after saving"), Role::Unsure));
    }
    if !listed.handoff.readable {
        spans.push(painter.span(format!(" {dot} an unfilled template"), Role::Unsure));
    }
    Line::from(spans)
}

/// A named fact.
fn fact(painter: &Painter<'_>, name: &'static str, value: Vec<Span<'static>>) -> Line<'static> {
    let mut spans = vec![painter.span(text::fit(name, LABEL), Role::Quiet)];
    spans.extend(value);
    Line::from(spans)
}

/// The text in which a handoff can say that there is none of something.
#[derive(Clone, Copy)]
enum Page<'a> {
    /// Its fields say everything.
    Fields,
    /// This is all of it.
    Text(&'a str),
    /// It is not read, or not to its end.
    Unread,
}

/// The row's text, as far as it matters here.
fn page<'a>(state: &'a State, row: &Row) -> Page<'a> {
    match &state.body {
        _ if is_data(&row.listed.handoff) => Page::Fields,
        Some((key, Body::Loaded(text))) if *key == row.key && text.left_out == 0 => Page::Text(&text.body),
        _ => Page::Unread,
    }
}

/// What stands where a handoff has nothing of a topic: that there is none, or that nobody said.
fn nothing(handoff: &Handoff, page: Page<'_>, topic: Topic) -> &'static str {
    let text = if let Page::Text(text) = page { Some(text) } else { None };
    match (says_none(handoff, text, topic), page) {
        (true, _) => "none",
        (false, Page::Unread) => "not read",
        (false, _) => "not recorded",
    }
}

/// What the file records, each with what is true of it now.
fn recorded(
    painter: &Painter<'_>,
    handoff: &Handoff,
    page: Page<'_>,
    report: Option<&Report>,
) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    let none = |word: &str| painter.span(format!("{} {word}", painter.theme.glyphs.none), Role::Quiet);
    let said = |value: &Option<String>| match value {
        Some(value) => Span::raw(value.clone()),
        None => none("not recorded"),
    };
    if let Some(phase) = handoff.phase.as_ref().map(text::line_of) {
        let name = if handoff.root().is_some() { "Stage" } else { "Phase" };
        lines.push(fact(painter, name, vec![Span::raw(phase)]));
    }
    if let Some(status) = &handoff.status {
        lines.push(fact(painter, "Status", vec![Span::raw(text::line_of(status))]));
    }
    let next: Vec<String> = handoff.next_actions.iter().take(3).map(text::line_of).collect();
    let first = next.first().cloned().map(Span::raw);
    let first = first.unwrap_or_else(|| none(nothing(handoff, page, Topic::Next)));
    lines.push(fact(painter, "Next", vec![first]));
    lines.extend(next.into_iter().skip(1).map(|next| fact(painter, "", vec![Span::raw(next)])));
    let more = handoff.next_actions.len().saturating_sub(3);
    if more > 0 {
        lines.push(fact(painter, "", vec![painter.span(format!("and {more} more"), Role::Quiet)]));
    }
    match handoff.blockers.as_slice() {
        [] => lines.push(fact(painter, "Blockers", vec![none(nothing(handoff, page, Topic::Blockers))])),
        blockers => {
            let line = |(n, blocker): (usize, &Inert)| {
                fact(
                    painter,
                    if n == 0 { "Blockers" } else { "" },
                    vec![painter.span(text::line_of(blocker), Role::Unsure)],
                )
            };
            lines.extend(blockers.iter().take(3).enumerate().map(line));
        }
    }
    let branch = handoff.branch.as_ref().map(|branch| branch.to_string());
    let detached = handoff.root().is_some_and(|root| root.detached);
    let branch = branch.or_else(|| detached.then(|| "detached".to_owned()));
    let mut spans = vec![said(&branch)];
    spans.extend(now(painter, report, &[CheckId::Branch, CheckId::RootBranch]));
    lines.push(fact(painter, "Branch", spans));
    let commit = handoff.commit.as_ref().map(|commit| commit.as_str().chars().take(7).collect::<String>());
    let mut spans = vec![said(&commit)];
    spans.extend(now(painter, report, &[CheckId::Commit, CheckId::RootHead]));
    let is_told = spans.iter().any(|span| span.content.contains(" changed"));
    if let Some(files) = report.and_then(|report| report.drift.file_count).filter(|&n| n > 0 && !is_told) {
        spans.push(painter.span(format!("  {} changed", count(files, "file")), Role::Unsure));
    }
    lines.push(fact(painter, "Commit", spans));
    if let Some(root) = handoff.root() {
        let artifact = root.active_artifact.as_ref().map(|artifact| artifact.to_string());
        let mut spans = vec![said(&artifact)];
        spans.extend(now(painter, report, &[CheckId::ActiveArtifact]));
        lines.push(fact(painter, "Artifact", spans));
        let contract = root.model_contract.as_ref().map(|_| "recorded".to_owned());
        let mut spans = vec![said(&contract)];
        spans.extend(now(painter, report, &[CheckId::ModelContract]));
        lines.push(fact(painter, "Contract", spans));
    }
    lines
}

/// How the check of a recorded fact came out, in a glyph and words.
fn now(painter: &Painter<'_>, report: Option<&Report>, ids: &[CheckId]) -> Vec<Span<'static>> {
    let find = |report: &Report| report.checks.iter().find(|check| ids.contains(&check.id)).cloned();
    let Some(Check { outcome, observed, reason, .. }) = report.and_then(find) else { return Vec::new() };
    let (glyph, word, role) = painter.theme.outcome(outcome);
    use crate::check::Outcome as O;
    let said = match outcome {
        O::Passed => Some("same".to_owned()),
        O::Failed | O::Unknown => reason.or(observed).map(|text| text::line_of(&text)),
        O::NotApplicable => None,
    };
    vec![painter.span(format!("  {glyph} {}", said.unwrap_or_else(|| word.to_owned())), role)]
}

/// `1 claim no longer holds`, `2 claims no longer hold`.
fn gone_title(n: usize) -> String {
    format!("{} no longer {}", count(n, "claim"), if n == 1 { "holds" } else { "hold" })
}

/// The claims that no longer hold.
fn claims(painter: &Painter<'_>, report: &Report, width: usize) -> Vec<Line<'static>> {
    let gone: Vec<_> = report.claims.iter().filter(|claim| claim.holds == Some(false)).collect();
    if gone.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![Line::default()];
    lines.push(Line::from(painter.span(gone_title(gone.len()), Role::Heading)));
    lines.extend(gone.iter().take(8).map(|claim| drift::claim_line(painter, claim, width)));
    if gone.len() > 8 {
        lines.push(Line::from(
            painter.span(format!("   and {} more under drift", gone.len() - 8), Role::Quiet),
        ));
    }
    lines
}

/// What the reader objects to, each with its place and what to do.
fn problems(painter: &Painter<'_>, problems: &[Problem], width: usize) -> Vec<Line<'static>> {
    if problems.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![Line::default()];
    lines.push(Line::from(
        painter
            .span(count_of(problems.len(), "finding of the reader", "findings of the reader"), Role::Heading),
    ));
    for problem in problems.iter().take(50) {
        let (glyph, role) = if problem.is_error() {
            (painter.theme.glyphs.bad, Role::Bad)
        } else {
            (painter.theme.glyphs.dot, Role::Quiet)
        };
        let place = problem.at.map(|at| format!("line {}:{} ", at.line, at.column)).unwrap_or_default();
        let line = Line::from(vec![
            painter.span(format!(" {glyph} "), role),
            painter.span(place, Role::Quiet),
            Span::raw(format!("{}: {}", problem.code, text::line_of(&problem.message))),
        ]);
        lines.extend(text::wrap(&line, width, 3));
        if let Some(help) = &problem.help {
            let help = Line::from(painter.span(format!("   help: {}", text::line_of(help)), Role::Quiet));
            lines.extend(text::wrap(&help, width, 9));
        }
    }
    if problems.len() > 50 {
        lines.push(Line::from(painter.span(format!("   and {} more", problems.len() - 50), Role::Quiet)));
    }
    lines
}

/// The laid-out text: rendered markdown, or the fields of a structured file, or the text as it is.
fn body<'a>(
    painter: &Painter<'_>,
    state: &State,
    row: &Row,
    width: usize,
    cache: &'a mut Cache,
) -> &'a [Line<'static>] {
    let quiet = |sentence: String| vec![Line::default(), Line::from(painter.span(sentence, Role::Quiet))];
    let text = match &state.body {
        Some((key, Body::Loaded(text))) if *key == row.key => text,
        other => {
            cache.of = None;
            cache.lines = match other {
                Some((key, Body::Failed(why))) if *key == row.key => quiet(text::tame(why)),
                _ => quiet("Reading the text …".into()),
            };
            return &cache.lines;
        }
    };
    let wanted = (row.key.clone(), width, text.body.clone());
    let same = cache.of.as_ref().is_some_and(|(key, columns, body)| {
        (key, *columns) == (&wanted.0, width) && Arc::ptr_eq(body, &wanted.2)
    });
    if !same {
        let mut lines = vec![
            Line::default(),
            Line::from(painter.span(painter.theme.glyphs.horizontal.repeat(width), Role::Rule)),
        ];
        lines.extend(match row.listed.handoff.format {
            Format::Markdown => markdown::lines(&text.body, width, painter.theme),
            Format::Yaml | Format::Json if !row.listed.handoff.fields.is_empty() => {
                fields(painter, &row.listed.handoff.fields, 0, width)
            }
            _ => verbatim(&text.body, width),
        });
        if text.left_out > 0 {
            lines.extend(quiet(format!("{} more are not shown here.", size(text.left_out))));
        }
        cache.lines = lines;
        cache.of = Some(wanted);
    }
    &cache.lines
}

/// Text as it is, wrapped.
fn verbatim(body: &str, width: usize) -> Vec<Line<'static>> {
    let shown = crate::handoff::inert::shown(body);
    shown.lines().flat_map(|line| text::wrap(&Line::from(text::tame(line)), width, 0)).collect()
}

/// Recorded fields, one per line, nested ones indented.
fn fields(painter: &Painter<'_>, fields: &Fields, depth: usize, width: usize) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    for field in fields {
        let name = text::line_of(&field.name);
        value(painter, &format!("{name}: "), &field.value, depth, width, &mut lines);
    }
    lines
}

fn value(
    painter: &Painter<'_>,
    label: &str,
    value_of: &Value,
    depth: usize,
    width: usize,
    lines: &mut Vec<Line<'static>>,
) {
    let indent = "  ".repeat(depth.min(8));
    let mut add = |spans: Vec<Span<'static>>| {
        let mut all = vec![Span::raw(indent.clone()), painter.span(label.to_owned(), Role::Quiet)];
        all.extend(spans);
        lines.extend(text::wrap(&Line::from(all), width, indent.len() + 2));
    };
    match value_of {
        Value::Null => add(vec![painter.span(format!("{} null", painter.theme.glyphs.none), Role::Quiet)]),
        Value::Bool(yes) => add(vec![Span::raw(yes.to_string())]),
        Value::Number(number) => add(vec![Span::raw(number.to_string())]),
        Value::Text(text) => add(vec![Span::raw(text::line_of(text))]),
        Value::List(items) if items.is_empty() => add(vec![painter.span("none", Role::Quiet)]),
        Value::List(items) => {
            add(Vec::new());
            let bullet = format!("{} ", painter.theme.glyphs.bullet);
            for item in items {
                value(painter, &bullet, item, depth + 1, width, lines);
            }
        }
        Value::Map(map) => {
            add(Vec::new());
            lines.extend(fields(painter, map, depth + 1, width));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::fixture::{Stage, rows};
    use super::*;

    #[test]
    fn equal_files_are_one_line_however_many_they_are() {
        let stage = Stage::new(80, 24);
        let mut row = Listed::clone(&rows()[0]);
        assert_eq!(same_bytes(&row, &stage.state), None, "a control: without any nothing is said");
        let copy = |number: usize| Path::new("/src").join(format!("lane-{number}")).join(&row.relative);
        let copies: Vec<PathBuf> = (1..5).map(copy).collect();
        row.twins = copies[..1].to_vec();
        let one = format!("same as {}", copies[0].display());
        assert_eq!(same_bytes(&row, &stage.state), Some(one), "one is named whole");
        row.twins = copies;
        let four = "same bytes in 4 other worktrees: /src/lane-1, /src/lane-2, /src/lane-3, /src/lane-4";
        assert_eq!(same_bytes(&row, &stage.state).as_deref(), Some(four), "several by their worktrees");
        row.twins.push("/src/copy.md".into());
        let five = same_bytes(&row, &stage.state).unwrap_or_default();
        assert!(five.starts_with("same bytes in 5 other places: "), "or by their paths: {five}");
    }
}
