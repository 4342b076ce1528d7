//! Secrets in text: found before anything is saved, blacked out before anything of a child's is shown or kept.
//!
//! Four kinds are known: tokens that say by their beginning whose they are; values behind a label such as `password`,
//! also in a table, on the next line or on a command line; what an address or a header carries; and private keys in
//! PEM armour. The value of a finding is never handed out.

mod bare;
mod labels;
mod layout;
mod tokens;
mod urls;
mod value;

#[cfg(test)]
mod tests;

use std::ops::Range;

/// One secret, without its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Finding {
    /// The line it stands on, from 1.
    pub line: usize,
    /// What it is: `GitHub token`, `password`.
    pub kind: &'static str,
}

/// Where a secret stands in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Hit {
    span: Range<usize>,
    kind: &'static str,
}

/// All secrets of a text in its order.
pub fn find(text: &str) -> Vec<Finding> {
    let line_of = |at: usize| text.as_bytes()[..at].iter().filter(|&&b| b == b'\n').count() + 1;
    hits(text).iter().map(|hit| Finding { line: line_of(hit.span.start), kind: hit.kind }).collect()
}

/// The text with every secret replaced by `[redacted: <kind>]`.
pub fn redact(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for hit in hits(text) {
        out.push_str(&text[from..hit.span.start]);
        out.push_str("[redacted: ");
        out.push_str(hit.kind);
        out.push(']');
        from = hit.span.end;
    }
    out.push_str(&text[from..]);
    out
}

/// Everything that any of the searches finds, in order and without overlaps: in the text as it stands, and in what a
/// person reads of it, because a character that nobody sees takes nothing of a secret away.
fn hits(text: &str) -> Vec<Hit> {
    // What is read names the kind better than what is left of a name with a gap in it.
    let mut all = Vec::new();
    if let Some(bared) = bare::of(text) {
        let found = hits_in(&bared.text).into_iter();
        all.extend(found.map(|hit| Hit { span: bared.span(&hit.span), ..hit }));
    }
    all.extend(hits_in(text));
    all.sort_by_key(|hit| (hit.span.start, std::cmp::Reverse(hit.span.end)));
    let mut end = 0;
    all.retain(|hit| {
        let free = hit.span.start >= end;
        end = end.max(hit.span.end);
        free
    });
    all
}

fn hits_in(text: &str) -> Vec<Hit> {
    let mut all = private_keys(text);
    all.extend(layout::find(text));
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let shifted = |hit: Hit| Hit { span: hit.span.start + at..hit.span.end + at, ..hit };
        all.extend(tokens::find(line).into_iter().map(shifted));
        all.extend(labels::find(line).into_iter().map(shifted));
        all.extend(urls::find(line).into_iter().map(shifted));
        at += line.len();
    }
    all
}

/// Private keys in PEM armour, from their first line to their last one (or to the end of the text).
fn private_keys(text: &str) -> Vec<Hit> {
    const BEGIN: &str = "-----BEGIN ";
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(start) = text[from..].find(BEGIN).map(|at| from + at) {
        let label_at = start + BEGIN.len();
        let label = text[label_at..].split("-----").next().unwrap_or_default();
        let is_key =
            label.len() < 64 && (label.ends_with("PRIVATE KEY") || label.ends_with("PRIVATE KEY BLOCK"));
        if !is_key {
            from = label_at;
            continue;
        }
        let end_mark = ["-----END ", label, "-----"].concat();
        let end = text[label_at..].find(&end_mark).map_or(text.len(), |at| label_at + at + end_mark.len());
        found.push(Hit { span: start..end, kind: "private key" });
        from = end;
    }
    found
}

/// Whether a value is a stand-in that people write where a secret would be: `xxxx`, `****`, `....`.
fn is_masked(value: &str) -> bool {
    value.bytes().all(|b| matches!(b, b'x' | b'X' | b'*' | b'.' | b'_' | b'-' | b'#' | b'?'))
}
