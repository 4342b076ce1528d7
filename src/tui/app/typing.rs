//! Typing and pasting into the filter and the prompt.

use tui_input::{Input, InputRequest};

use super::super::effect::Effect;
use super::super::keymap::Context;
use super::{Overlay, State, Step};

/// The longest prompt that is taken in, in bytes; a longer paste is cut and that is said.
pub(super) const LONGEST_INPUT: usize = 64 << 10;
/// The longest filter, in bytes: every row is compared with it at every key.
pub(super) const LONGEST_QUERY: usize = 512;

impl State {
    pub(super) fn typed(&mut self, request: InputRequest) -> Vec<Effect> {
        match self.context() {
            Context::Find => {
                let before = self.list.input.value().to_owned();
                if self.list.input.value().len() < LONGEST_QUERY
                    || !matches!(request, InputRequest::InsertChar(_))
                {
                    self.list.input.handle(request);
                }
                if self.list.input.value() == before { Vec::new() } else { self.filter_typed() }
            }
            Context::Form => self.typed_in_form(request),
            Context::Placing => {
                self.typed_place(request);
                Vec::new()
            }
            Context::Lookup => self.typed_in_lookup(request),
            Context::Prompt => {
                if let Some((prompt, empty)) = self.prompt_mut() {
                    if prompt.value().len() < LONGEST_INPUT || !matches!(request, InputRequest::InsertChar(_))
                    {
                        prompt.handle(request);
                    }
                    *empty = false;
                }
                Vec::new()
            }
            _ => Vec::new(),
        }
    }

    /// A paste goes into an input as text; anywhere else it does nothing, whatever letters are in it.
    pub(super) fn pasted(&mut self, text: &str) -> Vec<Effect> {
        let context = self.context();
        if context == Context::Form {
            return self.pasted_in_form(text);
        }
        if context == Context::Lookup {
            return self.pasted_in_lookup(text);
        }
        let input = match context {
            Context::Find => Some(&mut self.list.input),
            Context::Prompt => self.prompt_mut().map(|(prompt, _)| prompt),
            Context::Placing => self.place_mut(),
            _ => None,
        };
        let Some(input) = input else { return Vec::new() };
        let multi_line = context == Context::Prompt;
        let most = if multi_line { LONGEST_INPUT } else { LONGEST_QUERY };
        let room = most.saturating_sub(input.value().len());
        let (clean, cut) = clean_paste(text, room, multi_line);
        insert(input, &clean);
        if cut {
            self.notice = Some((cut_words(most), false));
        }
        if context == Context::Find { self.filter_typed() } else { Vec::new() }
    }

    fn filter_typed(&mut self) -> Vec<Effect> {
        self.list.filter_changed();
        self.search += 1;
        let words = self.list.query().words();
        if words.is_empty() {
            return Vec::new();
        }
        let rows = self.list.rows().iter().map(|row| row.listed.clone()).collect();
        vec![Effect::Search(self.search, words, rows)]
    }

    pub(super) fn prompt(&self) -> Option<&str> {
        match &self.overlay {
            Some(Overlay::Resume(resume)) => match &resume.step {
                Step::Asking { prompt, .. } => Some(prompt.value()),
                _ => None,
            },
            _ => None,
        }
    }

    pub(super) fn prompt_mut(&mut self) -> Option<(&mut Input, &mut bool)> {
        match &mut self.overlay {
            Some(Overlay::Resume(resume)) => match &mut resume.step {
                Step::Asking { prompt, empty, .. } => Some((prompt, empty)),
                _ => None,
            },
            _ => None,
        }
    }
}

/// What is said of a paste that was cut.
pub(super) fn cut_words(most: usize) -> String {
    format!("The paste was cut: {most} bytes are the most.")
}

/// What of a paste is text: no controls, line breaks as one kind or as blanks, and only as much as fits.
pub(super) fn clean_paste(text: &str, room: usize, multi_line: bool) -> (String, bool) {
    let mut clean = String::new();
    let mut before = ' ';
    for c in text.chars() {
        let kept = match c {
            '\n' if before == '\r' => None,
            '\r' | '\n' => Some(if multi_line { '\n' } else { ' ' }),
            '\t' => Some(' '),
            c if crate::handoff::inert::is_odd(c) => None,
            c => Some(c),
        };
        before = c;
        if let Some(c) = kept {
            if clean.len() + c.len_utf8() > room {
                return (clean, true);
            }
            clean.push(c);
        }
    }
    (clean, false)
}

/// Puts text into an input at its cursor, at once.
pub(super) fn insert(input: &mut Input, text: &str) {
    let at = input.cursor();
    let mut value: String = input.value().chars().take(at).collect();
    value.push_str(text);
    value.extend(input.value().chars().skip(at));
    *input = Input::new(value).with_cursor(at + text.chars().count());
}
