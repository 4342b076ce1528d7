//! Markdown and plain text.
//!
//! Order of reading: front matter, the labels of the first lines and of sections with facts, then the sections
//! for next steps, blockers, decisions and open questions. A section about the past, a list of commits or a
//! sample says nothing about now.

use super::facts::Facts;
use super::{data, lists, rolling};
use crate::handoff::inert::Inert;
use crate::handoff::items::keyed;
use crate::handoff::labels::is_placeholder;
use crate::handoff::markdown::{Dialect, Kind, Line, is_rule, scan};
use crate::handoff::model::{Family, Format, Handoff};
use crate::handoff::outline::Outline;
use crate::handoff::pairs;
use crate::handoff::state;

/// Reads markdown or plain text.
pub(super) fn read(text: &str, format: Format) -> Handoff {
    let dialect = if format == Format::Text { Dialect::Plain } else { Dialect::Markdown };
    let lines = scan(text, dialect);
    read_page(&lines, &Outline::of(&lines), format)
}

/// Reads a page whose lines and sections are known already.
pub(in crate::handoff) fn read_page(lines: &[Line<'_>], outline: &Outline, format: Format) -> Handoff {
    let mut handoff = Handoff::empty(Family::Freeform, format);
    handoff.lines = (1, lines.last().map_or(1, |line| line.number));
    handoff.title = title(lines, outline, format);

    let newest = rolling::newest(lines, outline).map(|(sitting, view)| {
        let outline = Outline::of(&view);
        (sitting, view, outline)
    });
    let (sitting, view, view_outline) = match &newest {
        Some((sitting, view, outline)) => (Some(sitting), view.as_slice(), outline),
        None => (None, lines, outline),
    };
    let mut facts = Facts::default();
    let front = data::front_matter(lines);
    facts.take_front(&front, &mut handoff);
    facts.take_lines(view, view_outline);
    facts.settle(&mut handoff, sitting, lines, outline);

    handoff.next_actions = lists::next_actions(view, view_outline, &facts);
    handoff.blockers = lists::blockers(view, view_outline, &facts);
    handoff.decisions = lists::decisions(view, view_outline);
    handoff.open_items = lists::open_items(view, view_outline);
    facts.fields_into(&mut handoff);
    state::take_lines(view, view_outline, &mut handoff);
    handoff.readable = is_readable(lines, outline, &handoff);
    handoff
}

/// The first level-1 heading; in a text file also its first line, when that stands alone like a title.
fn title(lines: &[Line<'_>], outline: &Outline, format: Format) -> Option<Inert> {
    let heading = outline.title.map(|t| outline.sections[t].name.trim().to_owned());
    if heading.is_some() || format != Format::Text {
        return heading.map(|name| Inert::from(without_html(&name)));
    }
    let first = lines
        .iter()
        .position(|line| matches!(line.kind, Kind::Text | Kind::Heading(_)) && !is_rule(&line.text))?;
    let is_field = |text: &str| {
        keyed(text).is_some_and(|(name, value)| !value.is_empty() && name.split_whitespace().count() <= 3)
    };
    let alone = lines
        .get(first + 1)
        .is_none_or(|next| next.kind != Kind::Text || is_rule(&next.text) || is_field(&next.text));
    let text = lines[first].text.trim().trim_matches(['=', '*', '-', '#', ' ', '~']);
    let is_title = alone
        && !text.is_empty()
        && text.chars().count() <= 100
        && !text.ends_with(['.', ';', ',', '。'])
        && pairs::pairs(text).is_empty()
        && !is_field(text)
        && lines[first].item().is_none();
    is_title.then(|| Inert::from(text))
}

/// A heading without tags around it.
fn without_html(name: &str) -> &str {
    match name.strip_prefix('<').and_then(|rest| rest.split_once('>')) {
        Some((_, inner)) => inner.split_once("</").map_or(name, |(text, _)| text.trim()),
        None => name,
    }
}

/// Whether a person gets anything out of it: any value, or any line that is no heading and no form's blank.
fn is_readable(lines: &[Line<'_>], outline: &Outline, handoff: &Handoff) -> bool {
    let says = handoff.branch.is_some()
        || handoff.commit.is_some()
        || !handoff.next_actions.is_empty()
        || !handoff.blockers.is_empty();
    if says {
        return true;
    }
    let mut blanks = 0;
    let mut words = 0;
    for (line, owner) in lines.iter().zip(&outline.owner) {
        let text = match line.kind {
            Kind::Text if !is_rule(&line.text) => line.bare(),
            Kind::Front => line.text.split_once(':').map_or("", |(_, value)| value),
            _ => continue,
        };
        let heads = owner.is_some_and(|s| outline.sections[s].at + 1 == line.number as usize);
        let text = crate::handoff::items::marked(text).map_or(text.trim(), |item| item.text);
        let value = pairs::row(text).map_or(text.to_owned(), |row| row.last().cloned().unwrap_or_default());
        let value = value.split_once([':', '：']).map_or(value.as_str(), |(_, after)| after);
        let value = value.trim_matches(['*', '_', ' ', '`']);
        if heads || value.is_empty() || value.chars().all(|c| matches!(c, '-' | ':' | ' ')) {
            continue;
        }
        if is_placeholder(value) || is_form_text(value) { blanks += 1 } else { words += 1 }
    }
    words > blanks
}

/// A value with blanks of a form in it: `Phase {n} — {name}`.
fn is_form_text(value: &str) -> bool {
    let opens = value.matches(['{', '<', '[']).count();
    opens > 0 && opens == value.matches(['}', '>', ']']).count() && {
        let mut depth = 0usize;
        let outside = value.chars().filter(|c| {
            match c {
                '{' | '<' | '[' => depth += 1,
                '}' | '>' | ']' => {
                    depth = depth.saturating_sub(1);
                    return false;
                }
                _ => {}
            }
            depth == 0 && c.is_alphanumeric()
        });
        outside.count() * 2 < value.chars().count()
    }
}
