//! What a former handoff said, as a narrative: for a save that goes on from it.

use super::narrative::{Body, Narrative, Topic};
use crate::handoff::{Handoff, Inert, Record, Value};

impl Narrative {
    /// What a handoff says that only a person can say. Facts (branch, commits, lanes) are left out: they are
    /// captured anew. theonekit's sections come word for word, those of other families as their items.
    pub fn of(handoff: &Handoff) -> Self {
        let text = |text: &Option<Inert>| {
            let line = text.as_ref().map(|text| text.raw().trim().to_owned());
            line.filter(|line| !line.is_empty() && !line.contains(['\n', '\r']))
        };
        let mut narrative = Self { phase: text(&handoff.phase), ..Self::default() };
        match &handoff.record {
            Record::Theonekit(_) => {
                narrative.status = text(&handoff.status);
                narrative.topics = sections(handoff);
                narrative.unpack_notes();
            }
            record => {
                if let Record::Thunderkit(root) = record {
                    narrative.artifact = root.active_artifact.as_ref().map(|path| path.as_str().to_owned());
                }
                let lists = [
                    (Topic::Decisions, &handoff.decisions),
                    (Topic::Blockers, &handoff.blockers),
                    (Topic::Next, &handoff.next_actions),
                    (Topic::Open, &handoff.open_items),
                ];
                let said = lists.into_iter().filter(|(_, list)| !list.is_empty());
                narrative.topics = said
                    .map(|(topic, list)| {
                        (topic, Body::Items(list.iter().map(|i| i.raw().to_owned()).collect()))
                    })
                    .collect();
            }
        }
        narrative
    }

    /// Takes from `before` what is not said here. Lanes are never taken: those of the replaced file are carried on
    /// by themselves.
    pub fn fill(&mut self, before: Self) {
        let fill = |own: &mut Option<String>, before| *own = own.take().or(before);
        fill(&mut self.task, before.task);
        fill(&mut self.phase, before.phase);
        fill(&mut self.status, before.status);
        fill(&mut self.artifact, before.artifact);
        for (topic, body) in before.topics {
            if self.body(topic).is_none() {
                self.topics.push((topic, body));
            }
        }
    }
}

impl Narrative {
    /// Takes out of the notes what a save puts there because theonekit has no other place for it: the task has a
    /// place of its own again, and how full the context was is no word to carry.
    fn unpack_notes(&mut self) {
        let Some(at) = self.topics.iter().position(|(topic, _)| *topic == Topic::Notes) else { return };
        let whole = self.topics[at].1.whole();
        let mut notes = Vec::new();
        for line in whole.lines() {
            match line.strip_prefix("Task: ").map(str::trim).filter(|task| !task.is_empty()) {
                Some(task) => self.task = Some(task.to_owned()),
                None if line.starts_with("Context at save: ") => {}
                None => notes.push(line),
            }
        }
        let notes = notes.join("\n").trim_matches('\n').to_owned();
        match notes.trim().is_empty() {
            true => drop(self.topics.remove(at)),
            false => self.topics[at].1 = Body::Text(notes),
        }
    }
}

/// The sections and groups of tasks that have a topic, word for word.
fn sections(handoff: &Handoff) -> Vec<(Topic, Body)> {
    let mut topics: Vec<(Topic, Body)> = Vec::new();
    let mut take = |name: &str, value: &Value| {
        let topic = topic_of(name).filter(|topic| topics.iter().all(|(own, _)| own != topic));
        if let (Some(topic), Some(text)) = (topic, text_of(value).filter(|text| !text.trim().is_empty())) {
            topics.push((topic, Body::Text(text)));
        }
    };
    for field in handoff.fields.iter() {
        match &field.value {
            Value::Map(groups) => {
                for group in groups.iter() {
                    // What stands before the first group is the section's own.
                    let name = if group.name.raw().is_empty() { field.name.raw() } else { group.name.raw() };
                    take(name, &group.value);
                }
            }
            value => take(field.name.raw(), value),
        }
    }
    let further = further_notes(handoff, &mut topics);
    topics.extend(further);
    topics
}

/// Groups below the notes that no topic has a name for: notes, with their headings.
fn further_notes(handoff: &Handoff, topics: &mut [(Topic, Body)]) -> Option<(Topic, Body)> {
    let is_notes = |name: &str| topic_of(name) == Some(Topic::Notes);
    let mut further = String::new();
    for field in handoff.fields.iter().filter(|field| is_notes(field.name.raw())) {
        let Value::Map(groups) = &field.value else { continue };
        for group in groups.iter().filter(|group| !group.name.raw().is_empty()) {
            if let (None, Some(text)) = (topic_of(group.name.raw()), text_of(&group.value)) {
                further.push_str(&format!("### {}\n{text}\n\n", group.name.raw()));
            }
        }
    }
    let further = further.trim_end();
    if further.is_empty() {
        return None;
    }
    match topics.iter_mut().find(|(topic, _)| *topic == Topic::Notes) {
        Some((_, body)) => {
            *body = Body::Text(format!("{}\n\n{further}", body.whole()));
            None
        }
        None => Some((Topic::Notes, Body::Text(further.to_owned()))),
    }
}

/// The topic that a section or group of this name has.
fn topic_of(name: &str) -> Option<Topic> {
    let name = name.trim().trim_end_matches(':').to_lowercase();
    Topic::ALL.iter().find(|(_, _, names)| names.contains(&name.as_str())).map(|(topic, ..)| *topic)
}

/// A value's text, a list's items on lines of their own.
fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::Text(text) => Some(text.raw().to_owned()),
        Value::List(items) => {
            let lines = items.iter().filter_map(Value::as_text).map(Inert::raw);
            Some(lines.collect::<Vec<_>>().join("\n"))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::handoff::{Habit, Source, read};

    const BEFORE: &str = "# Handoff — 2026-10-05 09:30\nGenerated by: moorline save\nLocation: x\n\n## Active Plan\n\
        - Current phase: 2 of 3\n- Phase status: in_progress\n\n## Progress\n\n### Completed Tasks\n- [x] Graft\n\n\
        ### In Progress\n- [ ] Water\n\n## Key Decisions Made\n- Keep it\n\n## Blockers\n- (none)\n\n\
        ## Next Steps\n1. Count\n2. Sell\n\n## Git State\n- Branch: old\n\n## Session Notes\nA note\n\nTask: Grow\n\n\
        Context at save: 91%\n\n### Weather\nRain\n\n### Validation\n- counted\n\n### Open questions\n- when\n";

    fn of(text: &str) -> Narrative {
        let source =
            Source { bytes: text.as_bytes(), name: "HANDOFF.md", habit: Habit::Other, cut_from: None };
        Narrative::of(&read(&source)[0])
    }

    #[test]
    fn what_is_not_said_again_is_carried_and_facts_never_are() {
        let mut said = Narrative::parse(r#"{"next": "Rest", "status": "done"}"#).unwrap();
        said.fill(of(BEFORE));
        let text = |topic| said.body(topic).map(Body::whole);
        assert_eq!(text(Topic::Next).as_deref(), Some("Rest"), "what is said stands");
        assert_eq!(said.status.as_deref(), Some("done"), "also in a line");
        assert_eq!(said.phase.as_deref(), Some("2 of 3"), "what is not said is carried");
        assert_eq!(text(Topic::Decisions).as_deref(), Some("- Keep it"), "word for word");
        assert_eq!(text(Topic::Completed).as_deref(), Some("- [x] Graft"), "the groups of tasks, too");
        assert_eq!(text(Topic::Blockers).as_deref(), Some("- (none)"), "also that there was nothing");
        assert!(!format!("{said:?}").contains("old"), "the branch is captured anew");
        assert_eq!(said.task.as_deref(), Some("Grow"), "what was put into the notes has its own place again");
        assert_eq!(text(Topic::Validation).as_deref(), Some("- counted"), "also here");
        assert_eq!(text(Topic::Open).as_deref(), Some("- when"), "and here");
        let notes = text(Topic::Notes).expect("notes");
        assert!(
            notes.starts_with("A note") && notes.ends_with("### Weather\nRain"),
            "the rest stays: {notes}"
        );
        assert!(!notes.contains("91%"), "how full the context was then is no word of now");
    }
}
