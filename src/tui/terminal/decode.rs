//! Bytes of a terminal as keys and pastes.
//!
//! Why not the reader that comes with the terminal library: it blocks on an unfinished sequence, spins when the
//! terminal hangs up, and keeps a paste of any size. Here a sequence may end late or never, whatever is no key
//! (late replies, focus, mouse) is read and dropped, and a paste is bounded and ends at the latest when nothing
//! more comes of it.

use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// One thing that came from the terminal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// A key.
    Key(KeyEvent),
    /// A bracketed paste, cut at [`LONGEST_PASTE`] bytes.
    Paste(String),
}

/// How much of a paste is kept, in bytes.
pub const LONGEST_PASTE: usize = 128 << 10;
/// The longest sequence that is waited for; a longer one is dropped as far as it came.
const LONGEST_SEQUENCE: usize = 4096;
/// How long the rest of an unfinished sequence is waited for; then an escape was the key.
const SEQUENCE: Duration = Duration::from_millis(30);
/// How long the rest of an unfinished paste is waited for. Longer than a link stalls, because what comes after it
/// are keys again. There is no size at which it ends for the same reason: the rest of a large one would be keys.
const PASTE: Duration = Duration::from_secs(2);
const PASTE_END: &[u8] = b"\x1b[201~";
/// A mouse report of the oldest kind: this, then a button, a column and a row, one byte each.
const MOUSE: &[u8] = b"\x1b[M";
const MOUSE_LENGTH: usize = MOUSE.len() + 3;

/// Keeps what is unfinished between two reads.
#[derive(Debug, Default)]
pub struct Decoder {
    pending: Vec<u8>,
    paste: Option<Vec<u8>>,
}

/// What the beginning of some bytes is.
enum Step {
    /// So many bytes are this input.
    Is(usize, Input),
    /// So many bytes are nothing for us.
    Drop(usize),
    /// It may go on.
    Unfinished,
}

impl Decoder {
    /// Takes bytes in and gives out what they end.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<Input> {
        let mut out = Vec::new();
        let mut rest = bytes;
        while !rest.is_empty() {
            if self.paste.is_some() {
                rest = self.push_paste(rest, &mut out);
            } else {
                // Sequences are short; long input without a paste mark is taken in slices, to stay bounded.
                let (slice, after) = rest.split_at(rest.len().min(LONGEST_SEQUENCE));
                self.pending.extend_from_slice(slice);
                rest = after;
                let left_over = self.decode(&mut out);
                if !left_over.is_empty() {
                    let mut joined = left_over;
                    joined.extend_from_slice(rest);
                    out.extend(self.push(&joined));
                    return out;
                }
            }
        }
        out
    }

    /// How long the rest of what is unfinished is waited for, an escape key, a sequence or a paste; `None` while
    /// nothing is.
    pub fn patience(&self) -> Option<Duration> {
        match self.paste {
            Some(_) => Some(PASTE),
            None => (!self.pending.is_empty()).then_some(SEQUENCE),
        }
    }

    /// Nothing more came: an escape alone is the key, a paste is what came of it, and any other unfinished sequence
    /// is dropped.
    pub fn give_up(&mut self) -> Vec<Input> {
        let pending = std::mem::take(&mut self.pending);
        if let Some(mut kept) = self.paste.take() {
            keep(&mut kept, &pending);
            return vec![pasted(&kept)];
        }
        if pending == b"\x1b" { vec![key(KeyCode::Esc, KeyModifiers::NONE)] } else { Vec::new() }
    }

    /// Decodes what is pending; the bytes after the beginning of a paste come back.
    fn decode(&mut self, out: &mut Vec<Input>) -> Vec<u8> {
        let mut at = 0;
        while at < self.pending.len() {
            match step(&self.pending[at..]) {
                Step::Is(length, input) => {
                    out.push(input);
                    at += length;
                }
                Step::Drop(length) => {
                    let begins_paste = &self.pending[at..at + length] == b"\x1b[200~";
                    at += length;
                    if begins_paste {
                        self.paste = Some(Vec::new());
                        let after = self.pending[at..].to_vec();
                        self.pending.clear();
                        return after;
                    }
                }
                Step::Unfinished => break,
            }
        }
        self.pending.drain(..at);
        if self.pending.len() > LONGEST_SEQUENCE {
            self.pending.clear();
        }
        Vec::new()
    }

    /// Takes in a part of a paste; the bytes after its end come back. `pending` holds what may be the beginning
    /// of the end mark.
    fn push_paste<'a>(&mut self, bytes: &'a [u8], out: &mut Vec<Input>) -> &'a [u8] {
        let kept = self.paste.get_or_insert_default();
        let mut rest = bytes;
        while let Some((&byte, after)) = rest.split_first() {
            if self.pending.is_empty() && byte != PASTE_END[0] {
                let text = rest.iter().position(|&b| b == PASTE_END[0]).unwrap_or(rest.len());
                keep(kept, &rest[..text]);
                rest = &rest[text..];
                continue;
            }
            rest = after;
            self.pending.push(byte);
            if self.pending == PASTE_END {
                out.push(pasted(kept));
                self.paste = None;
                self.pending.clear();
                return rest;
            }
            while !PASTE_END.starts_with(&self.pending) {
                keep(kept, &[self.pending.remove(0)]);
            }
        }
        &[]
    }
}

/// Keeps more of a paste, up to its bound.
fn keep(kept: &mut Vec<u8>, more: &[u8]) {
    let room = LONGEST_PASTE.saturating_sub(kept.len());
    kept.extend_from_slice(&more[..more.len().min(room)]);
}

fn pasted(kept: &[u8]) -> Input {
    Input::Paste(String::from_utf8_lossy(kept).into_owned())
}

fn key(code: KeyCode, modifiers: KeyModifiers) -> Input {
    Input::Key(KeyEvent::new(code, modifiers))
}

/// What these bytes begin with.
fn step(bytes: &[u8]) -> Step {
    let plain = |code| Step::Is(1, key(code, KeyModifiers::NONE));
    match *bytes {
        [] => Step::Unfinished,
        [0x1B] => Step::Unfinished,
        [0x1B, b'[', ..] => csi(bytes),
        [0x1B, b'O', ..] => match bytes.get(2) {
            None => Step::Unfinished,
            Some(&last) => {
                named(last).map_or(Step::Drop(3), |code| Step::Is(3, key(code, KeyModifiers::NONE)))
            }
        },
        [0x1B, b']' | b'P' | b'X' | b'^' | b'_', ..] => string(bytes),
        [0x1B, 0x1B, ..] => plain(KeyCode::Esc),
        [0x1B, ..] => match step(&bytes[1..]) {
            Step::Is(length, Input::Key(event)) => {
                Step::Is(length + 1, key(event.code, event.modifiers | KeyModifiers::ALT))
            }
            Step::Is(length, _) | Step::Drop(length) => Step::Drop(length + 1),
            Step::Unfinished => Step::Unfinished,
        },
        [b'\r' | b'\n', ..] => plain(KeyCode::Enter),
        [b'\t', ..] => plain(KeyCode::Tab),
        [0x7F | 0x08, ..] => plain(KeyCode::Backspace),
        [0, ..] => Step::Is(1, key(KeyCode::Char(' '), KeyModifiers::CONTROL)),
        [c @ 1..=26, ..] => Step::Is(1, key(KeyCode::Char(char::from(c - 1 + b'a')), KeyModifiers::CONTROL)),
        [c @ 28..=31, ..] => {
            Step::Is(1, key(KeyCode::Char(char::from(c - 28 + b'4')), KeyModifiers::CONTROL))
        }
        _ => character(bytes),
    }
}

/// A UTF-8 character.
fn character(bytes: &[u8]) -> Step {
    let length = match bytes[0] {
        0x20..=0x7E => 1,
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF4 => 4,
        _ => return Step::Drop(1),
    };
    if bytes.len() < length {
        return if bytes[1..].iter().all(|b| (0x80..0xC0).contains(b)) {
            Step::Unfinished
        } else {
            Step::Drop(1)
        };
    }
    match std::str::from_utf8(&bytes[..length]).ok().and_then(|text| text.chars().next()) {
        Some(c) if !c.is_control() => Step::Is(length, key(KeyCode::Char(c), KeyModifiers::NONE)),
        Some(_) => Step::Drop(length),
        None => Step::Drop(1),
    }
}

/// A control sequence: `ESC [`, parameters, intermediates, a final byte.
fn csi(bytes: &[u8]) -> Step {
    if bytes.starts_with(MOUSE) {
        return mouse(bytes);
    }
    let body = &bytes[2..];
    let Some(end) = body.iter().position(|b| !(0x20..=0x3F).contains(b)) else {
        return if bytes.len() > LONGEST_SEQUENCE { Step::Drop(bytes.len()) } else { Step::Unfinished };
    };
    let length = end + 3;
    if !(0x40..=0x7E).contains(&body[end]) {
        // Broken off by another sequence or a control: what came so far is nothing.
        return Step::Drop(end + 2);
    }
    let Ok(parameters) = std::str::from_utf8(&body[..end]) else { return Step::Drop(length) };
    let mut numbers = parameters.split(';');
    let first = numbers.next().unwrap_or_default();
    let modifiers = modifiers(numbers.next().unwrap_or("1"));
    let Some(modifiers) = modifiers else { return Step::Drop(length) };
    let code = match body[end] {
        b'~' => match first {
            "1" | "7" => Some(KeyCode::Home),
            "2" => Some(KeyCode::Insert),
            "3" => Some(KeyCode::Delete),
            "4" | "8" => Some(KeyCode::End),
            "5" => Some(KeyCode::PageUp),
            "6" => Some(KeyCode::PageDown),
            _ => first.parse::<u8>().ok().and_then(function),
        },
        b'Z' if first.is_empty() => Some(KeyCode::BackTab),
        last if first.is_empty() || first == "1" => named(last),
        _ => None,
    };
    code.map_or(Step::Drop(length), |code| Step::Is(length, key(code, modifiers)))
}

/// An old mouse report, dropped whole: its three bytes look like keys. None of them is an escape, which begins
/// something else.
fn mouse(bytes: &[u8]) -> Step {
    let report = &bytes[MOUSE.len()..bytes.len().min(MOUSE_LENGTH)];
    match report.iter().position(|&byte| byte == 0x1B) {
        Some(cut) => Step::Drop(MOUSE.len() + cut),
        None if bytes.len() < MOUSE_LENGTH => Step::Unfinished,
        None => Step::Drop(MOUSE_LENGTH),
    }
}

/// A key that a single final letter names.
fn named(last: u8) -> Option<KeyCode> {
    Some(match last {
        b'A' => KeyCode::Up,
        b'B' => KeyCode::Down,
        b'C' => KeyCode::Right,
        b'D' => KeyCode::Left,
        b'F' => KeyCode::End,
        b'H' => KeyCode::Home,
        b'P' => KeyCode::F(1),
        b'Q' => KeyCode::F(2),
        b'S' => KeyCode::F(4),
        _ => return None,
    })
}

/// A function key by its number in `CSI n ~`.
fn function(number: u8) -> Option<KeyCode> {
    match number {
        11..=15 => Some(KeyCode::F(number - 10)),
        17..=21 => Some(KeyCode::F(number - 11)),
        23..=24 => Some(KeyCode::F(number - 12)),
        _ => None,
    }
}

/// Modifiers as terminals number them: one more than a bit mask of shift, alt and control.
fn modifiers(text: &str) -> Option<KeyModifiers> {
    let mask = text.parse::<u8>().ok()?.checked_sub(1)?;
    let mut modifiers = KeyModifiers::NONE;
    modifiers.set(KeyModifiers::SHIFT, mask & 1 != 0);
    modifiers.set(KeyModifiers::ALT, mask & 2 != 0);
    modifiers.set(KeyModifiers::CONTROL, mask & 4 != 0);
    Some(modifiers)
}

/// A string sequence (OSC, DCS, …): dropped up to its terminator.
fn string(bytes: &[u8]) -> Step {
    let bell = bytes.iter().position(|&b| b == 0x07).map(|at| at + 1);
    let closed = bytes.windows(2).skip(1).position(|two| two == b"\x1b\\").map(|at| at + 3);
    match (bell, closed) {
        (Some(one), Some(other)) => Step::Drop(one.min(other)),
        (Some(end), None) | (None, Some(end)) => Step::Drop(end),
        (None, None) if bytes.len() > LONGEST_SEQUENCE => Step::Drop(bytes.len()),
        (None, None) => Step::Unfinished,
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::keymap::Key;
    use super::*;

    fn keys(bytes: &[u8]) -> Vec<String> {
        let mut decoder = Decoder::default();
        let mut inputs = decoder.push(bytes);
        inputs.extend(decoder.give_up());
        let name = |input| match input {
            Input::Key(event) => Key::of(&event).map(|key| key.to_string()).unwrap_or_default(),
            Input::Paste(text) => format!("paste {text:?}"),
        };
        inputs.into_iter().map(name).collect()
    }

    #[test]
    fn keys_of_all_kinds_are_read() {
        assert_eq!(keys(b"jG?\r\t\x7f"), ["j", "G", "?", "enter", "tab", "backspace"], "plain ones");
        assert_eq!(keys("é漢".as_bytes()), ["é", "漢"], "letters of more than one byte");
        assert_eq!(keys(b"\x03\x05\x1bx"), ["ctrl-c", "ctrl-e", "alt-x"], "with modifiers");
        assert_eq!(
            keys(b"\x1b[A\x1bOB\x1b[5~\x1b[H\x1b[4~"),
            ["up", "down", "pgup", "home", "end"],
            "named ones"
        );
        assert_eq!(keys(b"\x1b[Z\x1b[1;5C\x1b[15~"), ["backtab", "ctrl-right", "f5"], "and the rest");
        assert_eq!(keys(b"\x1b"), ["esc"], "an escape alone is the key");
        assert_eq!(keys(b"\x1b\x1b"), ["esc", "esc"], "twice is twice");
    }

    #[test]
    fn late_replies_and_odd_sequences_are_no_keys() {
        for reply in [
            &b"\x1b[?62;c"[..],
            b"\x1b[24;80R",
            b"\x1b[?2026;2$y",
            b"\x1b]11;rgb:0000/0000/0000\x1b\\",
            b"\x1b]11;rgb:0000/0000/0000\x07",
            b"\x1bP1$r0m\x1b\\",
            b"\x1b[I\x1b[O",
            b"\x1b[<0;10;10M",
            b"\x1b[32;10;10M",
            b"\x1b[M qq",
            b"\x1b[M ss",
            b"\x1b[M#\xff\x00",
            b"\x1b[99999999999;9999999999A",
            b"\xff\xfe\x80",
            b"\xc2\x9b",
        ] {
            assert_eq!(keys(reply), Vec::<String>::new(), "{reply:?} is nothing");
            let mut then = reply.to_vec();
            then.push(b'q');
            assert_eq!(keys(&then), ["q"], "and the key after {reply:?} is a key");
        }
    }

    #[test]
    fn an_unfinished_sequence_blocks_nothing() {
        let mut decoder = Decoder::default();
        assert_eq!(decoder.push(b"\x1b[12"), [], "it may go on");
        assert_eq!(decoder.patience(), Some(SEQUENCE), "and is waited for");
        assert_eq!(decoder.give_up(), [], "but not for ever");
        assert_eq!(decoder.push(b"q").len(), 1, "the next key is a key");
        assert_eq!(
            decoder.push(b"\x1b[").len() + decoder.push(b"A").len(),
            1,
            "a sequence in two reads is one key"
        );
        assert_eq!(decoder.patience(), None, "with nothing unfinished nothing is waited for");
    }

    #[test]
    fn an_old_mouse_report_is_no_key_in_whatever_pieces_it_comes() {
        let report = b"\x1b[M qs";
        for cut in 2..report.len() {
            let mut decoder = Decoder::default();
            assert_eq!(decoder.push(&report[..cut]), [], "{cut} bytes of it may go on");
            assert_eq!(decoder.patience(), Some(SEQUENCE), "and the rest is waited for");
            assert_eq!(decoder.push(&report[cut..]), [], "nor is what comes late");
            assert_eq!(decoder.patience(), None, "then it is over");
            assert_eq!(decoder.push(b"q").len(), 1, "and a key is a key");
        }
        let mut decoder = Decoder::default();
        assert!(report.iter().all(|byte| decoder.push(&[*byte]).is_empty()), "nor byte by byte");
        assert_eq!(decoder.push(b"\x1b[M q"), [], "one without an end");
        assert_eq!(decoder.give_up(), [], "is dropped");
        assert_eq!(decoder.push(b"q").len(), 1, "and the key after it is a key");
        assert_eq!(
            keys(b"\x1b[M q\x1b[200~qq\x1b[201~"),
            ["paste \"qq\""],
            "it eats no beginning of another"
        );
        assert_eq!(keys(b" qs"), ["space", "q", "s"], "a control: the same bytes alone are keys");
    }

    #[test]
    fn a_paste_without_an_end_is_over_when_nothing_more_comes() {
        let mut decoder = Decoder::default();
        assert_eq!(decoder.push(b"\x1b[200~some words\x1b[20"), [], "it may go on");
        assert_eq!(decoder.patience(), Some(PASTE), "and is waited for, longer than a sequence");
        assert_eq!(decoder.give_up(), [Input::Paste("some words\u{1b}[20".into())], "it is what came of it");
        assert_eq!(decoder.patience(), None, "then nothing is waited for");
        assert_eq!(decoder.push(b"q").len(), 1, "and a key is a key");
        assert_eq!(decoder.push(b"\x1b[201~"), [], "an end that comes too late is nothing");
    }

    #[test]
    fn a_paste_is_one_text_bounded_and_never_keys() {
        assert_eq!(
            keys(b"\x1b[200~qq\x1b[A\x03\x1b[201~j"),
            ["paste \"qq\\u{1b}[A\\u{3}\"", "j"],
            "one text"
        );
        let mut decoder = Decoder::default();
        let mut inputs = decoder.push(b"\x1b[200~");
        for _ in 0..160 {
            inputs.extend(decoder.push(&[b'q'; 64 << 10]));
        }
        assert_eq!(inputs, [], "ten megabytes are no key");
        inputs.extend(decoder.push(b"\x1b[201~q"));
        assert!(matches!(&inputs[0], Input::Paste(text) if text.len() == LONGEST_PASTE), "they are cut");
        assert_eq!(inputs.len(), 2, "and what follows are keys again");
    }

    #[test]
    fn any_bytes_in_any_slices_are_read_without_a_panic() {
        let bytes: Vec<u8> =
            (0..=255).chain(b"\x1b[200~\x1b]\x1bP\x1b[".iter().copied()).cycle().take(5_000).collect();
        for size in [1, 2, 3, 7, 100, 5_000] {
            let mut decoder = Decoder::default();
            for slice in bytes.chunks(size) {
                let _ = decoder.push(slice);
            }
            let _ = decoder.give_up();
        }
    }
}
