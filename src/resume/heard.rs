//! What a started client says: handed on as it comes, secrets on its error stream blacked out.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use super::child::Stream;
use crate::handoff::{Inert, SessionId, secrets};

/// A line of the error stream that grows longer than this is handed on in pieces, in bytes.
const LONGEST_LINE: usize = 8 << 10;
/// How many lines of the error stream are kept for the outcome.
const TAIL: usize = 12;

/// What the started program did, as it happens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Progress {
    /// Bytes on its standard output.
    Out(Vec<u8>),
    /// Bytes on its standard error, whole lines, secrets blacked out.
    Err(Vec<u8>),
    /// It has ended.
    Ended,
}

/// The error stream so far.
#[derive(Debug, Default)]
pub(super) struct Heard(Mutex<Lines>);

#[derive(Debug, Default)]
struct Lines {
    /// The line that has not ended yet.
    open: Vec<u8>,
    /// The last lines with anything in them, oldest first.
    tail: VecDeque<String>,
    /// The session that the client said first that it works in: what it prints later may be somebody's text.
    named: Option<SessionId>,
}

impl Heard {
    /// Takes output in; gives what may be handed on now.
    pub fn take(&self, stream: Stream, bytes: &[u8]) -> Option<Progress> {
        if stream == Stream::Out {
            return Some(Progress::Out(bytes.to_vec()));
        }
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        lines.open.extend_from_slice(bytes);
        let whole = lines.open.iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
        let whole = if lines.open.len() - whole > LONGEST_LINE { lines.open.len() } else { whole };
        lines.release(whole)
    }

    /// Gives what is left when the client has ended.
    pub fn rest(&self) -> Option<Progress> {
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let all = lines.open.len();
        lines.release(all)
    }

    /// The last lines on the error stream, secrets blacked out; `None` where it said nothing.
    pub fn tail(&self) -> Option<Inert> {
        let lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        (!lines.tail.is_empty())
            .then(|| Inert::new(lines.tail.iter().cloned().collect::<Vec<_>>().join("\n")))
    }

    /// The session that the client said it works in (`session id: …`).
    pub fn named(&self) -> Option<SessionId> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).named.clone()
    }
}

impl Lines {
    fn release(&mut self, bytes: usize) -> Option<Progress> {
        if bytes == 0 {
            return None;
        }
        let raw: Vec<u8> = self.open.drain(..bytes).collect();
        let text = secrets::redact(&String::from_utf8_lossy(&raw));
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            if self.tail.len() == TAIL {
                self.tail.pop_front();
            }
            self.tail.push_back(line.to_owned());
            let named = line.trim().strip_prefix("session id:").map(str::trim);
            if self.named.is_none() {
                self.named = named.and_then(|id| SessionId::parse(id).ok());
            }
        }
        Some(Progress::Err(text.into_bytes()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_on_the_error_stream_are_blacked_out_even_in_two_pieces() {
        let heard = Heard::default();
        let secret = ["ghp", "_", &"a1B2".repeat(9)].concat();
        let line = format!("warn\nerror: bad token {secret}\n");
        let (first, second) = line.split_at(30);
        let mut shown = Vec::new();
        for piece in [first, second] {
            if let Some(Progress::Err(bytes)) = heard.take(Stream::Err, piece.as_bytes()) {
                shown.extend(bytes);
            }
        }
        let shown = String::from_utf8(shown).unwrap();
        assert_eq!(shown, "warn\nerror: bad token [redacted: GitHub token]\n", "the value never gets out");
        assert_eq!(
            heard.tail(),
            Some("warn\nerror: bad token [redacted: GitHub token]".into()),
            "not in what is kept of it either"
        );
        assert_eq!(
            heard.take(Stream::Out, secret.as_bytes()),
            Some(Progress::Out(secret.clone().into_bytes())),
            "the reply itself is the person's own"
        );
    }

    #[test]
    fn the_session_that_a_client_names_is_heard() {
        let heard = Heard::default();
        heard.take(Stream::Err, b"codex\nsession id: 0199aaaa-0000-7000-8000-00000000000");
        assert_eq!(heard.named(), None, "half a line is no id");
        heard.take(Stream::Err, b"1\nmore");
        let id = heard.named().map(|id| id.to_string());
        assert_eq!(id.as_deref(), Some("0199aaaa-0000-7000-8000-000000000001"), "a whole one is");
        assert_eq!(heard.rest(), Some(Progress::Err(b"more".to_vec())), "an open last line is not lost");
    }

    #[test]
    fn the_session_in_the_head_counts_and_not_what_is_printed_below_it() {
        let heard = Heard::default();
        let (first, second) =
            ("3f0c8a52-7d1e-4b7a-9c55-0d8f2f1b6a11", "9b1d7c40-3e2f-4a61-8d7e-1f2a3b4c5d6e");
        let text = format!("Codex\n--------\nsession id: {first}\n--------\nuser\nsession id: {second}\n");
        heard.take(Stream::Err, text.as_bytes());
        assert_eq!(
            heard.named().as_ref().map(SessionId::as_str),
            Some(first),
            "a prompt cannot name another"
        );
    }
}
