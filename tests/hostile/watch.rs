//! What a terminal would obey in a stream of bytes, and what a benign twin of it does not cause.

use std::collections::BTreeMap;

use moorline::handoff::inert::is_unseen;

/// Something that a terminal obeys, or that nobody sees, and what stands before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leak {
    /// The sequence, or the character's number.
    pub what: String,
    /// The last payload's mark before it.
    pub mark: Option<String>,
}

/// Every sequence and every odd character of a stream. Cursor moves are one kind, wherever they go within the window:
/// the text decides where.
pub fn controls(bytes: &[u8], window: (u32, u32)) -> Vec<(usize, String)> {
    let text = String::from_utf8_lossy(bytes);
    let mut all = Vec::new();
    let mut rest = text.char_indices().peekable();
    while let Some((at, c)) = rest.next() {
        match c {
            '\u{1b}' if rest.next_if(|(_, c)| *c == '[').is_some() => {
                let mut body = String::new();
                while let Some((_, c)) = rest.next_if(|(_, c)| ('\u{20}'..='\u{3f}').contains(c)) {
                    body.push(c);
                }
                let last = rest.next_if(|(_, c)| ('\u{40}'..='\u{7e}').contains(c));
                all.push((at, sequence(&body, last.map(|(_, c)| c), window)));
            }
            '\u{1b}' => {
                let next = rest.next_if(|(_, c)| ('\u{20}'..='\u{7e}').contains(c)).map(|(_, c)| c);
                all.push((at, format!("ESC {}", next.map(String::from).unwrap_or_default())));
            }
            c if is_unseen(c) => all.push((at, format!("U+{:04X}", c as u32))),
            _ => {}
        }
    }
    all
}

fn sequence(body: &str, last: Option<char>, (rows, cols): (u32, u32)) -> String {
    let place: Vec<u32> = body.split(';').filter_map(|n| n.parse().ok()).collect();
    match (last, place.as_slice()) {
        (Some('H'), &[row, col]) if (1..=rows).contains(&row) && (1..=cols).contains(&col) => {
            "CSI H".to_owned()
        }
        (Some(last), _) => format!("CSI {body}{last}"),
        (None, _) => format!("CSI {body}, broken off"),
    }
}

/// Whether a sequence sets a foreground and a background of the sixteen colours, or of the terminal's own, at once, as
/// the screen does for each run of cells. Which pairs a picture needs depends on what was painted before it, and a
/// verdict may come one picture later; no payload is of this shape.
fn is_pair_of_colours(what: &str) -> bool {
    let one = |part: &str, own: &str, of: &str| {
        part == own || part.strip_prefix(of).is_some_and(|n| n.parse::<u8>().is_ok_and(|n| n < 16))
    };
    let body = what.strip_prefix("CSI ").and_then(|rest| rest.strip_suffix('m')).unwrap_or_default();
    body.match_indices(';')
        .any(|(at, _)| one(&body[..at], "39", "38;5;") && one(&body[at + 1..], "49", "48;5;"))
}

/// What stands in a stream and not in its benign twin, or more often than there; of cursor moves and colours nobody
/// counts how many a picture takes.
pub fn leaks(bytes: &[u8], benign: &[u8], window: (u32, u32)) -> Vec<Leak> {
    let mut counts = BTreeMap::new();
    for (_, what) in controls(benign, window) {
        *counts.entry(what).or_insert(0_usize) += 1;
    }
    let text = String::from_utf8_lossy(bytes);
    let mut extra = controls(bytes, window);
    extra.retain(|(_, what)| match counts.get_mut(what) {
        None => !is_pair_of_colours(what),
        Some(_) if what == "CSI H" || what.ends_with('m') => false,
        Some(0) => true,
        Some(left) => {
            *left -= 1;
            false
        }
    });
    extra.into_iter().map(|(at, what)| Leak { what, mark: mark_before(&text[..at]) }).collect()
}

/// The last mark of a payload in a text: `zk` and three digits.
fn mark_before(text: &str) -> Option<String> {
    text.rmatch_indices("zk").find_map(|(at, _)| {
        let mark = text.get(at..at + 5)?;
        mark[2..].bytes().all(|b| b.is_ascii_digit()).then(|| mark.to_owned())
    })
}
