//! Whether a handoff says that there is none of something, which is more than not saying anything of it.

use super::labels::{self, Label, is_nothing};
use super::model::{Handoff, Value};

/// A list that a handoff may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Topic {
    /// What to do next.
    Next,
    /// What is in the way.
    Blockers,
    /// What was decided.
    Decisions,
    /// Open questions.
    Open,
}

impl Topic {
    fn fits(self, label: Label) -> bool {
        match self {
            Self::Next => matches!(label, Label::Next | Label::Todo),
            Self::Blockers => matches!(label, Label::Blockers | Label::Trouble),
            Self::Decisions => label == Label::Decisions,
            Self::Open => label == Label::Open,
        }
    }

    fn names(self, name: &str) -> bool {
        labels::of_heading(name).is_some_and(|(known, _)| self.fits(known.label))
    }
}

/// Whether a handoff says in a field, or a page under a heading, that there is none. `page` is the text that the
/// handoff was read from, where that is a page.
pub fn says_none(handoff: &Handoff, page: Option<&str>, topic: Topic) -> bool {
    let in_field = |name: &str, value: &Value| topic.names(name) && is_none(value);
    handoff.fields.iter().any(|field| in_field(field.name.raw(), &field.value))
        || page.is_some_and(|page| under_heading(page, topic))
}

fn is_none(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Text(text) => is_nothing(text.raw()),
        Value::List(items) => items.iter().all(is_none),
        Value::Bool(_) | Value::Number(_) | Value::Map(_) => false,
    }
}

/// The first line under such a heading that is not blank says so.
fn under_heading(page: &str, topic: Topic) -> bool {
    let mut lines = page.lines().map(str::trim).filter(|line| !line.is_empty()).peekable();
    while let Some(line) = lines.next() {
        let name = line.trim_start_matches('#').trim();
        if line.starts_with('#') && topic.names(name) {
            let next = lines.peek().map(|next| next.trim_start_matches(['-', '*', ' ']));
            if next.is_some_and(|next| !next.starts_with('#') && !next.is_empty() && is_nothing(next)) {
                return true;
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::super::{Habit, Source, read};
    use super::*;

    fn says(name: &str, text: &str, topic: Topic) -> bool {
        let source = Source { bytes: text.as_bytes(), name, habit: Habit::Other, cut_from: None };
        let handoff = read(&source).remove(0);
        says_none(&handoff, name.ends_with(".md").then_some(text), topic)
    }

    #[test]
    fn what_is_said_to_be_none_is_told_from_what_is_not_said() {
        let page = "# Handoff\n\n## Blockers\n\n- (none)\n\n## Next steps\n1. Measure\n";
        assert!(says("HANDOFF.md", page, Topic::Blockers), "a section that says so");
        assert!(!says("HANDOFF.md", page, Topic::Decisions), "a section that is not there says nothing");
        assert!(!says("HANDOFF.md", page, Topic::Next), "and one that says something is not none");
        assert!(
            !says("HANDOFF.md", "# H\n\n## Blockers\n\n## Next steps\n1. x\n", Topic::Blockers),
            "nor an empty one"
        );
        let data = "{\"next\": [\"a\"], \"blockers\": []}";
        assert!(says("handoff.json", data, Topic::Blockers), "an empty list says so");
        assert!(!says("handoff.json", data, Topic::Decisions), "a key that is not there does not");
        assert!(!says("handoff.json", "{\"next\": [", Topic::Next), "nor does a file that cannot be parsed");
    }
}
