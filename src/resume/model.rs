//! Who will answer: the sentence on the confirm screen, and the note where somebody else did.

use crate::handoff::Inert;
use crate::harness::{Answer, Harness, ResumeForm, Session};

/// The model that will answer and why.
pub(super) fn sentence(
    client: &dyn Harness,
    form: &ResumeForm,
    session: &Session,
    fallback: &Answer<Inert>,
) -> Inert {
    if form.keeps_model {
        return match &session.model {
            Some(model) => format!("{} (the session keeps its own)", model.raw()).into(),
            None => "the session's own model, which its store does not name".into(),
        };
    }
    let name = client.name().as_str();
    match fallback {
        Answer::Found(model) => {
            format!("{} (the default that {name} is configured with)", model.raw()).into()
        }
        Answer::Absent(place) => format!("{name}'s own default: none is configured in {place}").into(),
        Answer::Unknown(why) => format!("{name}'s configured default, which is unknown: {why}").into(),
    }
}

/// A note where another model answered than before.
pub(super) fn change(before: &Session, after: &Session) -> Option<String> {
    match (&before.model, &after.model) {
        (Some(old), Some(new)) if old != new => {
            Some(format!("the model changed from {} to {}", old.shown_line(), new.shown_line()))
        }
        _ => None,
    }
}
