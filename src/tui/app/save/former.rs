//! Words of before: carried over from the previous handoff, or brought back from a screen that ended before they were
//! saved. Both only into fields that are empty.

use tui_input::Input;

use super::super::super::effect::{Effect, SaveOrder};
use super::super::typing::{LONGEST_INPUT, clean_paste};
use super::Form;
use super::words::{Field, Word, without_bullet};
use crate::handoff::{Family, Handoff, Inert, count_of};
use crate::save::narrative::{Body, Narrative, Topic};

impl Form {
    /// Carries the previous handoff's words over, and says so.
    pub(super) fn carry(&mut self) -> ((String, bool), Vec<Effect>) {
        let Some(previous) = self.previous().cloned() else {
            return (("There is no previous handoff.".into(), false), Vec::new());
        };
        let name = previous.relative.display();
        match carry(&mut self.fields, self.format, &previous.handoff) {
            0 => ((format!("{name} has nothing for an empty field."), false), Vec::new()),
            count => {
                let effects = self.changed();
                (
                    (
                        format!(
                            "{} carried over from {name}, each marked: look whether they still hold.",
                            count_of(count, "text", "texts")
                        ),
                        true,
                    ),
                    effects,
                )
            }
        }
    }

    /// Brings words back that a screen before this one was left with. Where nothing was said yet they come with their
    /// format. Words of a field in which others stand by now stay where they are kept, and are offered again.
    pub(super) fn recall(&mut self) -> Option<((String, bool), Vec<Effect>)> {
        let left = self.left.take()?;
        if !self.has_words() {
            self.format = left.family;
        }
        let (count, mut others) = bring_back(&mut self.fields, self.format, &left.said);
        for word in &left.said.lanes {
            let own = self.lane_words.entry(word.id.clone()).or_insert_with(|| word.clone());
            if own != word && !others.contains(&"lanes") {
                others.push("lanes");
            }
        }
        let brought = format!("{} brought back", count_of(count, "field", "fields"));
        if others.is_empty() {
            let mut effects = vec![Effect::Save(self.ticket, SaveOrder::GoOn)];
            effects.extend(self.changed());
            return Some(((format!("{brought}: look whether that still holds."), true), effects));
        }
        self.left = Some(left);
        let said = format!(
            "{brought}; other words stand in {} by now: what was typed there before stays kept.",
            others.join(", ")
        );
        Some(((said, false), self.changed()))
    }
}

/// Carries the previous handoff's words over into the fields of this format that are empty; says how many texts.
fn carry(fields: &mut [Field], format: Family, from: &Handoff) -> usize {
    let mut count = 0;
    let before = Narrative::of(from);
    let said = |topic| -> Vec<Inert> {
        let items = before.body(topic).map(Body::items).unwrap_or_default();
        items
            .iter()
            .map(|text| without_bullet(text).into())
            .filter(|text: &Inert| text.raw() != "(none)")
            .collect()
    };
    let line = |text: &Option<String>| text.iter().map(|text| text.as_str().into()).collect();
    for field in fields.iter_mut().filter(|field| field.word.fits(format)) {
        let texts = match field.word {
            Word::Task => line(&before.task),
            Word::Phase => from.phase.clone().into_iter().collect(),
            Word::Status => from.status.clone().into_iter().collect(),
            Word::Next => from.next_actions.clone(),
            Word::Decisions => from.decisions.clone(),
            Word::Blockers => from.blockers.clone(),
            Word::Open if from.open_items.is_empty() => said(Topic::Open),
            Word::Open => from.open_items.clone(),
            Word::InProgress => said(Topic::InProgress),
            Word::Completed => said(Topic::Completed),
            Word::Blocked => said(Topic::Blocked),
            Word::Validation => said(Topic::Validation),
            Word::Notes => before.body(Topic::Notes).map(Body::whole).map(Inert::from).into_iter().collect(),
            Word::Artifact => line(&before.artifact),
            // How full it was then says nothing of now.
            Word::Context => Vec::new(),
        };
        count += field.carry(&texts);
    }
    count
}

/// Brings words back, as they were typed, into the fields that are empty; says how many fields got some, and in which
/// ones others stand.
fn bring_back(fields: &mut [Field], format: Family, said: &Narrative) -> (usize, Vec<&'static str>) {
    let (mut count, mut others) = (0, Vec::new());
    for field in fields {
        let Some(texts) = said.texts_of(field.word.key()) else { continue };
        let text = match field.word {
            word if word.is_one_line() => texts.join(" "),
            Word::Notes => texts.join("\n\n"),
            _ if texts.is_empty() => "none".to_owned(),
            _ => texts.iter().map(|text| text.replace('\n', "\n  ")).collect::<Vec<_>>().join("\n"),
        };
        let (text, _) = clean_paste(&text, LONGEST_INPUT, !field.word.is_one_line());
        if field.is_blank() {
            field.set(Input::new(text));
            count += 1;
        } else if field.input.value().trim() != text.trim() {
            others.push(field.word.label(format));
        }
    }
    (count, others)
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::super::words::{fields, narrative};
    use super::*;
    use crate::handoff::Format;

    #[test]
    fn what_was_carried_over_is_marked_until_it_is_changed() {
        let mut from = Handoff::empty(Family::Theonekit, Format::Markdown);
        from.next_actions = vec!["Rotate\u{202e} it".into(), "Then\nsell".into()];
        from.phase = Some("Two".into());
        let mut fields = fields(&[(Word::Phase, "Mine")]);
        assert_eq!(
            carry(&mut fields, Family::Theonekit, &from),
            2,
            "a field with words of its own is left alone"
        );
        let next = fields.iter().find(|field| field.word == Word::Next).unwrap();
        assert_eq!(next.items(), ["Rotate it", "Then\nsell"], "without what cannot be seen");
        assert!(next.is_carried("Rotate it") && next.is_carried("  sell"), "each line of it is marked");
        assert!(!next.is_carried("Rotate it now"), "a changed one is the person's own");
        let phase = fields.iter().find(|field| field.word == Word::Phase).unwrap();
        assert_eq!(phase.input.value(), "Mine", "nothing of theirs is overwritten");
    }

    #[test]
    fn words_come_back_as_they_were_typed() {
        let typed = [
            (Word::Task, "Rotate tokens"),
            (Word::Next, "Count them\nSell\n  in May"),
            (Word::Open, "none"),
            (Word::Notes, "one\ntwo\n\nthree"),
        ];
        let said = Value::Object(narrative(fields(&typed).iter())).to_string();
        let mut back = fields(&[(Word::Task, "Mine")]);
        let brought = bring_back(&mut back, Family::Theonekit, &Narrative::parse(&said).unwrap());
        assert_eq!(brought, (3, vec!["task"]), "into the empty fields, and the other one is named");
        let value = |word| back.iter().find(|field| field.word == word).unwrap().input.value();
        for (word, text) in &typed[1..] {
            assert_eq!(value(*word), *text, "line by line");
        }
        assert_eq!(value(Word::Task), "Mine", "and over nothing that was typed meanwhile");
    }
}
