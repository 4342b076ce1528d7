//! The lists of a page: next steps, blockers, decisions and what is open.

use super::facts::Facts;
use crate::handoff::facts::{branch_of, commit_of};
use crate::handoff::inert::Inert;
use crate::handoff::items::{Item, content, keyed};
use crate::handoff::labels::{self, Fit, Label, is_nothing, is_placeholder};
use crate::handoff::markdown::{Kind, Line};
use crate::handoff::outline::{Outline, Section};
use crate::handoff::pairs::{self, Pair};
use crate::handoff::time::read;

/// Sections in which a label is part of a list about something else.
pub(super) fn says_nothing_now(label: Label) -> bool {
    matches!(label, Label::Past | Label::Decisions | Label::Open)
}

/// What a section lists as steps. Where fields stand among them, the section is about more, and the one inside it that
/// is named for the steps has them.
fn steps_of(lines: &[Line<'_>], outline: &Outline, section: usize) -> Vec<Inert> {
    let found = outline.content(lines, section);
    if found.items.is_empty() && found.fields.len() > 1 {
        return steps_of_fields(&found.fields);
    }
    let under_title = Some(section) == outline.title;
    // What is quoted under the title tells of the page.
    let is_quoted = |item: &Item| {
        let line = lines.iter().find(|line| line.number == item.line);
        under_title && line.is_some_and(|line| line.text.trim_start().starts_with('>'))
    };
    // `Use this prompt:` over code only leads to what is not read, and a heading that only says when is over a story.
    let tells = outline.sections[section].known.is_none_or(|(_, fit)| fit != Fit::Vague);
    let paragraph =
        || found.paragraph.iter().filter(|item| tells && !item.text.ends_with([':', '：'])).collect();
    let items: Vec<&Item> = if found.items.is_empty() { paragraph() } else { found.items.iter().collect() };
    let all = items.len();
    // `next: mend it` among fields says which of them is the step.
    let named: Vec<Inert> = items.iter().filter_map(|item| named_step(&item.text)).collect();
    if !named.is_empty() {
        return named;
    }
    let steps: Vec<&Item> =
        items.into_iter().filter(|item| !is_field(&item.text, under_title) && !is_quoted(item)).collect();
    if steps.len() < all
        && let Some(inner) =
            outline.inside(section).find(|&s| outline.sections[s].label() == Some(Label::Next))
    {
        let inner = steps_of(lines, outline, inner);
        if !inner.is_empty() {
            return inner;
        }
    }
    let open = steps.into_iter().filter(|item| item.ticked != Some(true)).map(|item| item.text.as_str());
    open.filter(|text| says_something(text)).map(Inert::from).collect()
}

/// The steps in a paragraph of bold fields: the one that says what to do (`**Task:** …`), or all where they are numbered
/// (`**Priority 1:** …`). Any other field says something about the next sitting.
fn steps_of_fields(fields: &[Item]) -> Vec<Inert> {
    let named = fields.iter().filter_map(|field| keyed(&field.text));
    let task = named.into_iter().find(|(name, _)| labels::says_what_to_do(name)).map(|(_, value)| value);
    let numbered = || {
        let is_step = |field: &&Item| labels::step_of(&field.text.replace("**", "")).is_some();
        fields.iter().filter(is_step).map(|field| field.text.as_str())
    };
    let steps: Vec<&str> = task.map_or_else(|| numbered().collect(), |task| vec![task]);
    steps.into_iter().filter(|text| says_something(text)).map(Inert::from).collect()
}

/// The step that an item names as such: `next: mend it`.
fn named_step(text: &str) -> Option<Inert> {
    let pairs = pairs::pairs(text);
    let pair = pairs.first().filter(|pair| pair.name.eq_ignore_ascii_case("next") && !pair.bare)?;
    says_something(&pair.value).then(|| Inert::from(pair.value.as_str()))
}

/// Whether an item is a field of the file and no step; under a title that says `Next`, any label makes it one.
fn is_field(text: &str, under_title: bool) -> bool {
    let pairs = pairs::pairs(text);
    let is_value = |pair: &Pair| match pair.known.label {
        Label::Branch => branch_of(&pair.value).is_some(),
        Label::Commit => commit_of(&pair.value).is_some(),
        Label::Saved | Label::Dated => read::begins_with_date(&pair.value),
        Label::Blockers => true,
        _ => false,
    };
    pairs.first().is_some_and(|pair| under_title || is_value(pair))
}

/// The steps: a tag for them, front matter, the section, a label, and at last what is left to do.
pub(super) fn next_actions(lines: &[Line<'_>], outline: &Outline, facts: &Facts) -> Vec<Inert> {
    let steps = |section: usize| steps_of(lines, outline, section);
    let said: Vec<Inert> = facts
        .next
        .iter()
        .filter(|text| says_something(text))
        .map(|text| Inert::from(text.as_str()))
        .collect();
    let first = |label, tag| {
        let own = sections(outline, label, tag).filter(|&section| Some(section) != outline.title);
        own.map(steps).find(|steps| !steps.is_empty())
    };
    let under_title = || sections(outline, Label::Next, false).map(steps).find(|steps| !steps.is_empty());
    first(Label::Next, true)
        .or_else(|| first(Label::Next, false))
        .or_else(|| (!said.is_empty()).then_some(said))
        .or_else(under_title)
        .or_else(|| first(Label::Todo, false))
        .unwrap_or_default()
}

/// The blockers: the section that is named so (a "none" there ends the matter), a label, else troubles.
pub(super) fn blockers(lines: &[Line<'_>], outline: &Outline, facts: &Facts) -> Vec<Inert> {
    let listed = |section: usize| -> Option<Vec<Inert>> {
        let found = outline.content(lines, section);
        let items: Vec<&Item> = if found.items.is_empty() {
            found.paragraph.iter().collect()
        } else {
            found.items.iter().collect()
        };
        let open = items
            .iter()
            .filter(|item| item.ticked != Some(true) || is_nothing(&item.text))
            .map(|item| item.text.as_str());
        (!items.is_empty()).then(|| open.filter(|text| blocks(text)).map(Inert::from).collect())
    };
    let first =
        |label| sections(outline, label, true).chain(sections(outline, label, false)).find_map(listed);
    if let Some(found) = first(Label::Blockers) {
        return found;
    }
    if !facts.blocked.is_empty() {
        return facts
            .blocked
            .iter()
            .filter(|text| says_something(text))
            .map(|text| Inert::from(text.as_str()))
            .collect();
    }
    first(Label::Trouble).unwrap_or_default()
}

/// Whether an item says something, also behind a name of its own: `Risk: none` does not.
fn blocks(text: &str) -> bool {
    let denies = keyed(text).is_some_and(|(name, value)| {
        !value.is_empty() && name.split_whitespace().count() <= 3 && is_nothing(value)
    });
    says_something(text) && !denies
}

fn says_something(text: &str) -> bool {
    !is_nothing(text) && !is_placeholder(text)
}

/// Sections of a kind that are not about the past, the surest names first.
fn sections(outline: &Outline, label: Label, tag: bool) -> impl Iterator<Item = usize> {
    let now = move |section: &Section| {
        section.label() == Some(label)
            && section.tag == tag
            && outline.path(section.parent).all(|around| around.label().is_none_or(|l| !says_nothing_now(l)))
    };
    let mut found: Vec<(Fit, usize)> = outline
        .sections
        .iter()
        .enumerate()
        .filter(|(_, s)| now(s))
        .filter_map(|(i, s)| Some((s.known?.1, i)))
        .collect();
    found.sort();
    found.into_iter().map(|(_, i)| i)
}

/// What was decided, in file order.
pub(super) fn decisions(lines: &[Line<'_>], outline: &Outline) -> Vec<Inert> {
    listed(lines, outline, Label::Decisions)
}

fn listed(lines: &[Line<'_>], outline: &Outline, label: Label) -> Vec<Inert> {
    let each = outline.sections.iter().enumerate().filter(|(_, s)| s.label() == Some(label));
    let outer = each.filter(|(_, s)| outline.path(s.parent).all(|around| around.label() != Some(label)));
    outer
        .flat_map(|(i, _)| {
            let found = outline.content(lines, i);
            if found.items.is_empty() { found.paragraph.into_iter().collect() } else { found.items }
        })
        // A decision that is ticked was taken; anything else that is ticked is no longer open.
        .filter(|item| label == Label::Decisions || item.ticked != Some(true))
        .filter(|item| says_something(&item.text))
        .map(|item| Inert::from(item.text))
        .collect()
}

/// Open questions, what is left, and every box that is not ticked outside of the steps and blockers.
pub(in crate::handoff) fn open_items(lines: &[Line<'_>], outline: &Outline) -> Vec<Inert> {
    let mut out = listed(lines, outline, Label::Open);
    out.extend(listed(lines, outline, Label::Todo));
    for (i, line) in lines.iter().enumerate().filter(|(_, line)| line.kind == Kind::Text) {
        let Some(item) = line.item().filter(|item| item.ticked == Some(false)) else {
            continue;
        };
        let elsewhere = outline
            .path(outline.owner[i])
            .all(|s| !matches!(s.label(), Some(Label::Next | Label::Blockers | Label::Open | Label::Todo)));
        if elsewhere && says_something(item.text) {
            // A wrapped box goes on in the next lines.
            let whole = content(&lines[i..lines.len().min(i + 6)]).items.into_iter().next();
            out.push(whole.map_or_else(|| Inert::from(item.text), |item| Inert::from(item.text)));
        }
    }
    out
}
