//! The sample's session store: rows as Claude Code writes them, with invented talk.

use serde_json::{Value, json};

/// The version that the sample's client says it has.
pub const VERSION: &str = "2.1.332";

/// The file in which a session of a directory lies, relative to the store's root.
pub fn file_of(cwd: &str, session: &str) -> String {
    let encoded: String = cwd.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    format!("projects/{encoded}/{session}.jsonl")
}

/// What every row of a session carries.
pub struct Rows<'a> {
    /// The session's id.
    pub session: &'a str,
    /// The directory it works in.
    pub cwd: &'a str,
    /// The branch it is on.
    pub branch: &'a str,
    /// The model that answers.
    pub model: &'a str,
}

impl Rows<'_> {
    /// A question and its finished answer, as two lines with line ends. `at` is RFC 3339, `number` keeps ids apart.
    pub fn turn(&self, number: usize, at: &str, question: &str, answer: &str) -> String {
        let user =
            self.row("user", &format!("u{number:07}"), at, json!({"role": "user", "content": question}));
        let message = json!({
            "id": format!("msg_{number:08}"),
            "type": "message",
            "role": "assistant",
            "model": self.model,
            "content": [{"type": "text", "text": answer}],
            "stop_reason": "end_turn",
            "stop_sequence": null,
            "usage": {"input_tokens": 10, "output_tokens": 5}
        });
        let mut assistant = self.row("assistant", &format!("a{number:07}"), at, message);
        assistant["requestedModel"] = json!(self.model);
        format!("{user}\n{assistant}\n")
    }

    fn row(&self, kind: &str, uuid: &str, at: &str, message: Value) -> Value {
        json!({
            "type": kind,
            "uuid": uuid,
            "parentUuid": null,
            "isSidechain": false,
            "sessionId": self.session,
            "cwd": self.cwd,
            "gitBranch": self.branch,
            "version": VERSION,
            "entrypoint": "sdk-cli",
            "timestamp": at,
            "message": message
        })
    }
}
