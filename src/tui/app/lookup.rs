//! The lookup form: a missing session of the selected lane, looked for by the host's own component.

use std::path::PathBuf;
use std::sync::Arc;

use tui_input::{Input, InputRequest};

use super::super::effect::Effect;
use super::typing::{LONGEST_QUERY, clean_paste, insert};
use super::{Overlay, State};
use crate::check::lane_name;
use crate::handoff::HarnessName;
use crate::resume::lookup::{Found, Question};

/// How many sessions the component may look at.
const BUDGET: u32 = 20;

/// The form.
#[derive(Debug)]
pub struct Lookup {
    /// Names this form in answers.
    pub ticket: u64,
    /// The lane's name.
    pub lane: String,
    /// Whose session it was.
    pub platform: HarnessName,
    /// The directory it worked in.
    pub cwd: PathBuf,
    /// What is typed, field by field.
    pub inputs: [Input; 3],
    /// The field that has the keys.
    pub at: usize,
    /// It is being decided.
    pub asking: bool,
    /// What it came to.
    pub found: Option<Arc<Found>>,
}

/// What each field is for.
pub const FIELDS: [&str; 3] =
    ["what it was about", "the host's capability snapshot (a file)", "the id that the component returned"];

impl Lookup {
    fn question(&self, project: &std::path::Path) -> Option<Question> {
        let [query, capabilities, returned] = self.inputs.each_ref().map(|input| input.value().trim());
        let named = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        Some(Question {
            query: named(query)?,
            platform: self.platform,
            cwd: self.cwd.clone(),
            since: None,
            until: None,
            budget: BUDGET,
            config: None,
            capabilities: named(capabilities).map(|path| project.join(path)),
            lock: None,
            returned: named(returned),
            lane: Some(self.lane.clone()),
        })
    }

    /// What is worth copying: the draft of a verified id, else the request.
    pub fn to_copy(&self) -> Option<String> {
        let found = self.found.as_ref()?;
        found.draft.as_ref().or(found.request.as_ref()).map(ToString::to_string)
    }
}

impl State {
    fn lookup_mut(&mut self) -> Option<&mut Lookup> {
        match &mut self.overlay {
            Some(Overlay::Lookup(form)) => Some(form),
            _ => None,
        }
    }

    /// The form that is open, if it is.
    pub fn lookup(&self) -> Option<&Lookup> {
        match &self.overlay {
            Some(Overlay::Lookup(form)) => Some(form),
            _ => None,
        }
    }

    /// Opens the form for the selected lane.
    pub(super) fn open_lookup(&mut self) -> Vec<Effect> {
        let Some((row, index)) = self.list.selected().zip(self.selected_lane()) else { return Vec::new() };
        let listed = row.listed.clone();
        let Some(lane) = listed.handoff.lanes.get(index) else { return Vec::new() };
        let Some(platform) = lane.harness else {
            self.notice =
                Some(("The lane names no harness whose session could be missing.".to_owned(), false));
            return Vec::new();
        };
        let worktree = lane.worktree.as_ref().map(|path| path.as_path().to_owned()).unwrap_or_default();
        self.ticket += 1;
        let form = Lookup {
            ticket: self.ticket,
            lane: lane_name(&listed.handoff, index),
            platform,
            cwd: listed.root.join(worktree),
            inputs: Default::default(),
            at: 0,
            asking: false,
            found: None,
        };
        self.lay_over(Overlay::Lookup(Box::new(form)));
        Vec::new()
    }

    pub(super) fn typed_in_lookup(&mut self, request: InputRequest) -> Vec<Effect> {
        if let Some(form) = self.lookup_mut() {
            let input = &mut form.inputs[form.at];
            if input.value().len() < LONGEST_QUERY || !matches!(request, InputRequest::InsertChar(_)) {
                input.handle(request);
            }
        }
        Vec::new()
    }

    pub(super) fn pasted_in_lookup(&mut self, text: &str) -> Vec<Effect> {
        if let Some(form) = self.lookup_mut() {
            let input = &mut form.inputs[form.at];
            let (clean, _) = clean_paste(text, LONGEST_QUERY.saturating_sub(input.value().len()), false);
            insert(input, &clean);
        }
        Vec::new()
    }

    /// Goes to another field.
    pub(super) fn step_in_lookup(&mut self, by: isize) {
        if let Some(form) = self.lookup_mut() {
            let count = isize::try_from(FIELDS.len()).unwrap_or(1);
            let now = isize::try_from(form.at).unwrap_or(0);
            form.at = usize::try_from((now + by).rem_euclid(count)).unwrap_or(0);
        }
    }

    /// Decides what is typed.
    pub(super) fn look_up(&mut self) -> Vec<Effect> {
        let project = self.project.clone();
        let Some(form) = self.lookup_mut() else { return Vec::new() };
        let (ticket, question) = (form.ticket, form.question(&project));
        match question {
            Some(question) => {
                (form.asking, form.found) = (true, None);
                vec![Effect::LookUp(ticket, question)]
            }
            None => {
                form.at = 0;
                self.notice = Some(("Say what the session was about.".to_owned(), false));
                Vec::new()
            }
        }
    }

    pub(super) fn looked_up(&mut self, ticket: u64, found: Arc<Found>) {
        if let Some(form) = self.lookup_mut().filter(|form| form.ticket == ticket) {
            (form.asking, form.found) = (false, Some(found));
            self.overlay_top = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::action::{Action, Answer};
    use super::super::super::fixture::Stage;
    use super::super::super::keymap::Context;
    use super::*;
    use crate::policy::Record;

    /// The form of the sample's first lane.
    fn open() -> Stage {
        let mut stage = Stage::new(120, 30);
        for _ in 0..stage.rows.len() {
            if stage.selected() == ".thunderkit/HANDOFF.md" {
                break;
            }
            stage.keys("j");
        }
        stage.silent = true;
        stage.keys("<enter>l");
        assert_eq!(stage.state.context(), Context::Lookup, "the form is open");
        stage
    }

    fn found() -> Arc<Found> {
        let record = Record::malformed(Some("tk-handoff"), Some("lookup"), "--capabilities is required");
        Arc::new(Found { record, request: None, returned: None, draft: None })
    }

    #[test]
    fn a_lookup_is_asked_only_with_words_and_its_own_answer_is_shown() {
        let mut stage = open();
        stage.keys("<enter>");
        assert!(!stage.state.lookup().unwrap().asking, "without words nothing is asked");
        stage.keys("token<tab>caps.json<tab>my-title<enter>");
        let form = stage.state.lookup().unwrap();
        assert!(form.asking, "with words it is");
        let texts = form.inputs.each_ref().map(|input| input.value().to_owned());
        assert_eq!(
            texts,
            ["token", "caps.json", "my-title"],
            "each field has its own words, letters are text"
        );
        let ticket = form.ticket;
        let question = form.question(&stage.state.project).unwrap();
        assert!(question.capabilities.unwrap().ends_with("caps.json"), "the snapshot is one of the project");
        assert_eq!(question.returned.as_deref(), Some("my-title"), "the id goes on as it was typed");
        stage.act(Action::Answer(Answer::LookedUp(ticket + 1, found())));
        assert!(stage.state.lookup().unwrap().found.is_none(), "another form's answer is dropped");
        stage.act(Action::Answer(Answer::LookedUp(ticket, found())));
        let screen = stage.screen();
        assert!(screen.contains("blocked (invalid_config)"), "the decision stands there:\n{screen}");
        assert!(screen.contains("missing"), "and what is missing:\n{screen}");
        assert!(!stage.state.can(super::super::super::keymap::Command::Copy), "there is nothing to copy");
        stage.keys("<esc>");
        assert_eq!(stage.state.context(), Context::Lanes, "and back to the lanes");
    }

    #[test]
    fn a_paste_is_text_and_the_fields_go_round() {
        let mut stage = open();
        stage.act(Action::Paste("one\ntwo\u{1b}[31m".to_owned()));
        assert_eq!(
            stage.state.lookup().unwrap().inputs[0].value(),
            "one two[31m",
            "no line breaks, no controls"
        );
        stage.keys("<backtab>");
        assert_eq!(stage.state.lookup().unwrap().at, 2, "before the first field comes the last one");
    }
}
