//! What a page says in sentences, where it has no section about what was done.

use super::Inert;
use super::markdown::{Dialect, Kind, Line, scan};
use super::model::Format;
use super::outline::Outline;
use super::pairs::pairs;

/// How much of it is enough, in bytes; the paragraph that reaches it is taken whole.
const ENOUGH: usize = 400;

/// The first paragraphs of a page, one after the other; those of sections that are about something known (next steps,
/// blockers, …), lists, tables, code and fields are left out. Nothing for data, which has fields of its own.
pub fn lead(page: &str, format: Format) -> Option<Inert> {
    let dialect = match format {
        Format::Markdown => Dialect::Markdown,
        Format::Text => Dialect::Plain,
        Format::Json | Format::Yaml => return None,
    };
    let lines = scan(page, dialect);
    let outline = Outline::of(&lines);
    let mut said = String::new();
    let mut inside = false;
    for (at, line) in lines.iter().enumerate() {
        let about_known = || outline.path(outline.owner[at]).any(|section| section.label().is_some());
        let is_sentence = is_sentence(line, inside) && !about_known();
        if is_sentence {
            if !inside && said.len() >= ENOUGH {
                break;
            }
            said.push_str(if said.is_empty() { "" } else { " " });
            said.push_str(line.bare().trim());
        }
        inside = is_sentence;
    }
    (!said.is_empty()).then(|| said.into())
}

/// Whether a line is part of a paragraph; `inside` that the line above is.
fn is_sentence(line: &Line<'_>, inside: bool) -> bool {
    let text = line.bare().trim();
    let has_words = text.chars().any(char::is_alphanumeric);
    let is_mark = line.item().is_some() || text.starts_with(['|', '<']);
    line.kind == Kind::Text && has_words && !is_mark && (inside || pairs(text).is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(page: &str) -> Option<String> {
        lead(page, Format::Markdown).map(|text| text.raw().to_owned())
    }

    #[test]
    fn sentences_are_taken_and_what_has_a_place_of_its_own_is_not() {
        let page = "---\ntitle: x\n---\n# Where we are\n**Branch:** feat/x\n\nThe clock is mocked,\nso the test lies.\n\n\
                    - a list\n\n> a quote\n\n| a | table |\n|---|---|\n\n```\ncode\n```\n\n## Why\nIt was late.\n\n\
                    ## Next steps\nUn-mock it.\n";
        let wanted = "The clock is mocked, so the test lies. a quote It was late.";
        assert_eq!(said(page).as_deref(), Some(wanted), "three paragraphs, and nothing else");
        assert_eq!(said("# H\n\n- one\n\n## Next\nTwo.\n"), None, "no sentence outside of lists and steps");
        assert_eq!(lead("a: b\n", Format::Yaml), None, "data has fields of its own");
        let long = format!("# H\n\n{}\n\nMore.\n", "All day long. ".repeat(40));
        assert!(said(&long).is_some_and(|said| !said.ends_with("More.")), "and not the whole page");
    }
}
