//! The sections of a file: headings, and what people use as headings (bold lines, `Next:` alone, `<tags>`,
//! a list item with its list below), each with the lines that belong to it.

use std::ops::Range;

use super::fold::fold_identifier;
use super::items::{Content, Item, content, is_delimiter_row, keyed, marked};
use super::labels::{self, Fit, Known, Label};
use super::markdown::{Kind, Line};

/// Level of what is used as a heading: below all real ones.
pub(super) const PSEUDO: u8 = 7;
/// Level of a list item that heads a list of its own.
const ITEM: u8 = 8;

/// One section.
#[derive(Debug, Clone)]
pub(super) struct Section {
    /// 1 to 6 for headings, more for what is used as one.
    pub level: u8,
    /// Its name as written.
    pub name: String,
    /// What it is about, where that is known.
    pub known: Option<(Known, Fit)>,
    /// One of several that stand side by side, each with facts of its own.
    pub one_of_row: bool,
    /// A `<tag>`: what stands in it was put there for a machine.
    pub tag: bool,
    /// Text behind the name on its own line.
    pub inline: Option<Item>,
    /// Where its heading stands, as an index into the lines.
    pub at: usize,
    /// Its lines without the heading, subsections included.
    pub body: Range<usize>,
    /// The section around it.
    pub parent: Option<usize>,
}

impl Section {
    /// What it is about.
    pub fn label(&self) -> Option<Label> {
        self.known.map(|(known, _)| known.label)
    }
}

/// All sections of a file, in file order.
#[derive(Debug, Clone, Default)]
pub(super) struct Outline {
    /// The sections.
    pub sections: Vec<Section>,
    /// For each line the innermost section it stands in.
    pub owner: Vec<Option<usize>>,
    /// The title: the first level-1 heading.
    pub title: Option<usize>,
}

impl Outline {
    /// Finds the sections of these lines.
    pub fn of(lines: &[Line<'_>]) -> Self {
        let mut outline = Self { owner: Vec::with_capacity(lines.len()), ..Self::default() };
        let mut open: Vec<(usize, usize)> = Vec::new();
        for (i, line) in lines.iter().enumerate() {
            close_items(&mut outline, &mut open, line, i);
            close_lists(&mut outline, &mut open, line, i);
            if let Some(mut section) = section_at(lines, i) {
                while let Some(&(inner, _)) =
                    open.last().filter(|(s, _)| outline.sections[*s].level >= section.level)
                {
                    outline.sections[inner].body.end = i;
                    open.pop();
                }
                let indent = line.item().map_or(0, |item| item.indent);
                section.parent = open.last().map(|&(s, _)| s);
                open.push((outline.sections.len(), indent));
                outline.sections.push(section);
            }
            outline.owner.push(open.last().map(|&(s, _)| s));
        }
        for (section, _) in open {
            outline.sections[section].body.end = lines.len();
        }
        outline.name_title();
        outline
    }

    /// The title names the file: it is about everything, unless it is the only heading there is.
    fn name_title(&mut self) {
        self.title = self.sections.iter().position(|s| s.level == 1 && !s.name.trim().is_empty());
        let others = self.sections.iter().filter(|s| s.level <= PSEUDO).count() > 1;
        if let Some(title) = self.title.map(|t| &mut self.sections[t]) {
            title.known = title.known.filter(|(known, fit)| {
                !others && *fit == Fit::Whole && matches!(known.label, Label::Next | Label::Blockers)
            });
        }
    }

    /// The section and those around it, innermost first.
    pub fn path(&self, section: Option<usize>) -> impl Iterator<Item = &Section> {
        std::iter::successors(section, |&s| self.sections[s].parent).map(|s| &self.sections[s])
    }

    /// The sections inside a section, in file order.
    pub fn inside(&self, section: usize) -> impl Iterator<Item = usize> {
        let end = self.sections[section].body.end;
        (section + 1..self.sections.len()).take_while(move |&s| self.sections[s].at < end)
    }

    /// What stands in a section, up to the first section in it that is about something else.
    pub fn content(&self, lines: &[Line<'_>], section: usize) -> Content {
        let own = &self.sections[section];
        let inner = || self.inside(section).map(|s| &self.sections[s]);
        let other = inner().find(|s| s.label().is_some_and(|label| Some(label) != own.label()));
        let mut end = other.map_or(own.body.end, |s| s.at);
        // A second title is about all that follows; only what stands right below it is its content.
        if own.level == 1 && self.title != Some(section) {
            end = inner().find(|s| s.level < PSEUDO).map_or(end, |s| s.at.min(end));
        }
        if let Some(step) = own.inline.as_ref().filter(|_| own.level < PSEUDO) {
            // `## Next: mend the parser` says the step itself, unless a list stands right below it.
            let direct = inner().find(|s| s.level < PSEUDO).map_or(end, |s| s.at.min(end));
            if content(&lines[own.body.start..direct]).items.is_empty() {
                return Content { paragraph: Some(step.clone()), ..Content::default() };
            }
        }
        let lines = &lines[own.body.start..end];
        let mut found = content(lines);
        if let Some(level) = level_of_steps(lines) {
            // `### 1. Fix the parser`: the subheadings are the list.
            let steps = lines.iter().filter(|line| line.kind == Kind::Heading(level));
            let numbered: Vec<Item> = steps
                .filter_map(|line| {
                    let (text, ticked) = match marked(&line.text) {
                        Some(item) => (item.text, item.ticked),
                        None => (labels::step_of(&line.text)?, None),
                    };
                    Some(Item { text: text.to_owned(), ticked, line: line.number })
                })
                .collect();
            if !numbered.is_empty() {
                found.items = numbered;
            }
        }
        if found.items.is_empty() {
            found.items = steps_of_table(&found.rows, lines);
        }
        if found.items.is_empty() && found.paragraph.is_none() {
            found.paragraph = own.inline.clone();
        }
        found
    }
}

/// The level of the headings that these lines begin with, also behind a line that leads to them (`In this order:`).
fn level_of_steps(lines: &[Line<'_>]) -> Option<u8> {
    let mut lead: Option<&str> = None;
    for line in lines {
        match line.kind {
            Kind::Heading(level) => {
                return lead.is_none_or(|text| text.ends_with([':', '：'])).then_some(level);
            }
            Kind::Text => {
                let text = line.bare().trim();
                if line.item().is_some() || text.starts_with('|') {
                    return None;
                }
                lead = Some(text);
            }
            _ => {}
        }
    }
    None
}

/// A list item that heads a list ends where an item begins that is not indented further.
fn close_items(outline: &mut Outline, open: &mut Vec<(usize, usize)>, line: &Line<'_>, i: usize) {
    while let Some(&(section, indent)) = open.last().filter(|(s, _)| outline.sections[*s].level == ITEM) {
        let outside = line.kind == Kind::Text
            && (line.item().is_some_and(|item| item.indent <= indent)
                || !line.bare().starts_with([' ', '\t']));
        if !outside {
            break;
        }
        outline.sections[section].body.end = i;
        open.pop();
    }
}

/// A list under a bold name ends where a bold field begins that is about something else: `**Blockers:** none` below
/// `**Next steps:**` is no part of the steps.
fn close_lists(outline: &mut Outline, open: &mut Vec<(usize, usize)>, line: &Line<'_>, i: usize) {
    if line.kind != Kind::Text || !line.text.starts_with("**") {
        return;
    }
    let field = keyed(&line.text).filter(|(_, value)| !value.is_empty());
    let Some(field) = field.and_then(|(name, _)| labels::of_label(name)) else { return };
    let is_list = |section: &Section| {
        let other = section.label() != Some(field.label);
        section.level >= PSEUDO && !section.tag && other && ends_a_list(field.label)
    };
    while let Some(&(section, _)) = open.last().filter(|(s, _)| is_list(&outline.sections[*s])) {
        outline.sections[section].body.end = i;
        open.pop();
    }
}

/// Whether a field of this kind stands for itself, and is not one of a list's own (`**Then:** tag it`).
fn ends_a_list(label: Label) -> bool {
    matches!(
        label,
        Label::Blockers
            | Label::Branch
            | Label::Commit
            | Label::Saved
            | Label::Dated
            | Label::Created
            | Label::Decisions
            | Label::Past
            | Label::Status
    )
}

/// The section that begins on a line.
fn section_at(lines: &[Line<'_>], i: usize) -> Option<Section> {
    let line = &lines[i];
    let section = |level, name: &str, known| Section {
        one_of_row: level < PSEUDO && labels::is_one_of_row(name),
        level,
        name: name.to_owned(),
        known,
        tag: false,
        inline: None,
        at: i,
        body: i + 1..i + 1,
        parent: None,
    };
    match line.kind {
        Kind::Heading(level) => {
            let inline = labels::step_behind(&line.text).map(|text| Item {
                text: text.to_owned(),
                ticked: None,
                line: line.number,
            });
            Some(Section { inline, ..section(level, &line.text, labels::heading(&line.text).known) })
        }
        Kind::Text => {
            let trimmed = line.bare().trim();
            // A row of a table is no name, though its cells can be some.
            if trimmed.len() > 4000 || trimmed.starts_with('|') {
                return None;
            }
            if let Some(tag) = tag_at(trimmed) {
                let known = labels::of_key(&fold_identifier(tag.name))
                    .map(|known| (known, Fit::Whole))
                    .filter(|_| !tag.closes);
                let inline =
                    tag.inline.map(|text| Item { text: text.to_owned(), ticked: None, line: line.number });
                return Some(Section { tag: true, inline, ..section(PSEUDO, tag.name, known) });
            }
            let item = line.item();
            let level = if item.is_some_and(|item| item.ticked.is_none()) { ITEM } else { PSEUDO };
            let name_text = item.map_or(trimmed, |item| item.text);
            let name = alone(name_text)?;
            // The place is asked about first: nearly every line of prose fails there, and the name is dear.
            let stands_apart = i == 0 || lines[i - 1].kind != Kind::Text;
            let may_be_bare = item.is_none() && stands_apart && name_text.len() < 60;
            let may_be = (name.how != How::Bare || may_be_bare && followed_by_text(lines, i))
                && (level != ITEM || next_is_deeper(lines, i));
            if !may_be {
                return None;
            }
            // A bare line is a heading only by its whole name: a sentence needs no more looking up.
            let known = match name.how {
                How::Bare => labels::of_whole(name.text),
                How::Bold | How::Colon => labels::heading(name.text).known,
            };
            let is_whole = known.is_some_and(|(_, fit)| fit == Fit::Whole);
            let is_name = match name.how {
                How::Bold => {
                    item.is_none() || is_whole || known.is_some_and(|(known, _)| known.label == Label::Next)
                }
                How::Colon => {
                    known.is_some_and(|(known, fit)| fit < Fit::Loose || known.label == Label::Next)
                }
                How::Bare => is_whole,
            };
            is_name.then(|| section(level, name.text, known))
        }
        _ => None,
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum How {
    Bold,
    Colon,
    Bare,
}

#[derive(Debug, Clone, Copy)]
struct Name<'a> {
    text: &'a str,
    how: How,
}

/// A line that is nothing but a name: bold, with a colon behind it, or bare (also between `==` or in brackets).
fn alone(text: &str) -> Option<Name<'_>> {
    let text = text.trim();
    let without_colon = text.trim_end_matches(['*', '_']).strip_suffix([':', '：']);
    let bold = |t: &str| {
        (t.starts_with("**") || t.starts_with("__"))
            && t.len() > 4
            && (t.ends_with("**") || t.ends_with("__"))
    };
    let inner = text.trim_end_matches([':', '：']);
    if bold(inner) && !inner[2..inner.len() - 2].contains("**") {
        return Some(Name {
            text: inner[2..inner.len() - 2].trim().trim_end_matches([':', '：']),
            how: How::Bold,
        });
    }
    if let Some(name) = without_colon {
        return (name.chars().count() <= 60)
            .then_some(Name { text: name.trim_matches(['*', '_', ' ']), how: How::Colon });
    }
    let bare =
        text.trim_matches(['=', '*', '-', '#', '[', ']', '~', ' ', '<', '>', '【', '】', '■', '─', '━']);
    (!bare.is_empty() && bare.chars().count() <= 60).then_some(Name { text: bare, how: How::Bare })
}

/// `<next_action>`, `<next_action>text</next_action>`, `</next_action>`.
struct Tag<'a> {
    name: &'a str,
    closes: bool,
    inline: Option<&'a str>,
}

fn tag_at(text: &str) -> Option<Tag<'_>> {
    let inner = text.strip_prefix('<')?;
    let (inner, closes) = inner.strip_prefix('/').map_or((inner, false), |rest| (rest, true));
    let (name, rest) = inner.split_once('>')?;
    let is_name = name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.bytes().all(|b| b.is_ascii_lowercase() || matches!(b, b'_' | b'-'))
        && name.len() > 2;
    if !is_name {
        return None;
    }
    let rest = rest.trim();
    let rest = rest.rsplit_once("</").map_or(rest, |(before, _)| before).trim();
    Some(Tag { name, closes, inline: (!rest.is_empty()).then_some(rest) })
}

fn next_is_deeper(lines: &[Line<'_>], i: usize) -> bool {
    let Some(own) = lines[i].item() else { return false };
    let next = lines[i + 1..].iter().find(|line| line.kind != Kind::Blank);
    next.filter(|line| line.kind == Kind::Text)
        .and_then(Line::item)
        .is_some_and(|next| next.indent > own.indent)
}

fn followed_by_text(lines: &[Line<'_>], i: usize) -> bool {
    lines[i + 1..].iter().find(|line| line.kind != Kind::Blank).is_some_and(|line| line.kind == Kind::Text)
}

/// Steps that stand in a table: the cells of the column that is named so, else of the last but a number.
fn steps_of_table(rows: &[Vec<String>], lines: &[Line<'_>]) -> Vec<Item> {
    let [head, delimiter, body @ ..] = rows else { return Vec::new() };
    if !is_delimiter_row(delimiter) {
        return Vec::new();
    }
    // `| Step | Detail |` over numbers: the column beside them says what the step is.
    let is_number = |cell: &String| cell.chars().all(|c| !c.is_alphabetic());
    let tells = |column: &usize| body.iter().filter_map(|row| row.get(*column)).any(|cell| !is_number(cell));
    let named = (0..head.len()).filter(|&column| labels::is_step_column(&head[column]));
    let Some(column) = named.clone().find(tells).or_else(|| named.clone().next()) else { return Vec::new() };
    let line =
        lines.iter().find(|line| line.text.trim_start().starts_with('|')).map_or(0, |line| line.number);
    let cells = body.iter().enumerate().filter_map(|(i, row)| Some((i, row.get(column)?)));
    cells
        .filter(|(_, cell)| !cell.is_empty())
        .map(|(i, cell)| Item {
            text: cell.clone(),
            ticked: None,
            line: line + 2 + u32::try_from(i).unwrap_or(0),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::handoff::markdown::{Dialect, scan};

    fn names(text: &str) -> Vec<(u8, String)> {
        Outline::of(&scan(text, Dialect::Markdown)).sections.into_iter().map(|s| (s.level, s.name)).collect()
    }

    #[test]
    fn what_people_use_as_headings() {
        assert_eq!(names("**Next steps:**\n1. a"), [(7, "Next steps".into())], "a bold line");
        assert_eq!(names("Blockers:\n- a"), [(7, "Blockers".into())], "a known name with a colon");
        assert_eq!(
            names("- **Blockers:**\n  - a\n- b"),
            [(8, "Blockers".into())],
            "an item with its own list"
        );
        assert_eq!(
            names("**Next steps:**\n1. a\n\n**Blockers:** b").len(),
            1,
            "a bold field is no heading, and ends the list"
        );
        assert_eq!(names("| Branch | HEAD |\n|---|---|\n| `x` | `y` |"), [], "nor is a table's head");
        assert_eq!(names("<next_action>\nx\n</next_action>").len(), 2, "a tag opens and closes");
        assert_eq!(names("Some words:\n- a"), [], "an unknown name with a colon is prose");
    }

    #[test]
    fn subheadings_with_numbers_are_the_steps() {
        let steps = |text: &str| -> Vec<String> {
            let lines = scan(text, Dialect::Markdown);
            Outline::of(&lines).content(&lines, 0).items.into_iter().map(|item| item.text).collect()
        };
        for text in [
            "## Next\n\n### 1. a\n- x\n### 2. b\n",
            "## Next\n\nIn this order:\n\n### Step 1: a\n\n- x\n\n### Step 2: b\n",
            "## 次\n\n### ステップ1：a\n- x\n### ステップ2：b\n",
        ] {
            assert_eq!(steps(text), ["a", "b"], "{text:?}");
        }
        assert_eq!(
            steps("## Next\n\nMend it.\n\n### 1. a\n"),
            [""; 0],
            "a paragraph that says the step itself"
        );
        assert_eq!(
            steps("## Next\n\n### Today\n- x\n### Later\n- y\n"),
            ["x"],
            "names without numbers are none: the first list is"
        );
    }

    #[test]
    fn a_section_ends_where_something_else_begins() {
        let text = "## Next\n\n1. a\n\n**Blockers:**\n- b\n\n## More\n- c\n";
        let lines = scan(text, Dialect::Markdown);
        let outline = Outline::of(&lines);
        let items = outline.content(&lines, 0).items;
        assert_eq!(items.len(), 1, "the blockers inside are no steps: {items:?}");
    }
}
