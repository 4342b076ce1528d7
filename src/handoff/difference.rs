//! How one text became another, line by line.

use imara_diff::{Algorithm, Diff, InternedInput};

/// How many unchanged lines stand around each change.
const AROUND: usize = 3;

/// One line of a difference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DiffLine {
    /// A line of both texts.
    Same(String),
    /// A line that only the old text has.
    Gone(String),
    /// A line that only the new text has.
    New(String),
    /// So many unchanged lines that are left out here.
    LeftOut(usize),
}

/// What was taken out and put in, with a little of what stands around it; empty where both texts are equal. The lines
/// are those of the texts, as raw as they are.
pub fn lines(old: &str, new: &str) -> Vec<DiffLine> {
    let input = InternedInput::new(old, new);
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_lines(&input);
    let text = |token| bare(input.interner[token]);
    let part = |range: std::ops::Range<u32>| range.start as usize..range.end as usize;
    let mut out = Vec::new();
    let mut at = 0;
    for hunk in diff.hunks() {
        let (before, after) = (part(hunk.before), part(hunk.after));
        let same: Vec<_> = input.after[at..after.start].iter().map(|&token| text(token)).collect();
        calm(&mut out, same, at > 0, true);
        out.extend(input.before[before].iter().map(|&token| DiffLine::Gone(text(token))));
        at = after.end;
        out.extend(input.after[after].iter().map(|&token| DiffLine::New(text(token))));
    }
    if !out.is_empty() {
        calm(&mut out, input.after[at..].iter().map(|&token| text(token)).collect(), true, false);
    }
    out
}

/// Unchanged lines: all of a short run, the ends of a long one that stand beside a change.
fn calm(out: &mut Vec<DiffLine>, same: Vec<String>, follows: bool, leads: bool) {
    let (head, tail) = (if follows { AROUND } else { 0 }, if leads { AROUND } else { 0 });
    let left_out = same.len().saturating_sub(head + tail);
    for (n, line) in same.into_iter().enumerate() {
        match n {
            // A mark for one line would be as long as the line.
            n if left_out > 1 && n == head => out.push(DiffLine::LeftOut(left_out)),
            n if left_out > 1 && n > head && n < head + left_out => {}
            _ => out.push(DiffLine::Same(line)),
        }
    }
}

/// A line without its end.
fn bare(line: &str) -> String {
    line.strip_suffix('\n').unwrap_or(line).to_owned()
}

#[cfg(test)]
mod tests {
    use super::DiffLine::*;
    use super::*;

    fn of(old: &str, new: &str) -> String {
        let show = |line: DiffLine| match line {
            Same(text) => format!(" {text}\n"),
            Gone(text) => format!("-{text}\n"),
            New(text) => format!("+{text}\n"),
            LeftOut(count) => format!("…{count}\n"),
        };
        lines(old, new).into_iter().map(show).collect()
    }

    #[test]
    fn what_changed_is_shown_with_a_little_around_it() {
        assert_eq!(of("a\nb\n", "a\nb\n"), "", "equal texts have no difference");
        assert_eq!(of("a\nb\nc\n", "a\nx\nc\n"), " a\n-b\n+x\n c\n", "the line that changed");
        assert_eq!(of("", "a\nb"), "+a\n+b\n", "a new text is all new");
        assert_eq!(of("a\n", ""), "-a\n", "an emptied one all gone");
        let many: String = (0..40).map(|n| format!("{n}\n")).collect();
        let other = many.replace("\n20\n", "\nx\n");
        let want = "…17\n 17\n 18\n 19\n-20\n+x\n 21\n 22\n 23\n…16\n";
        assert_eq!(of(&many, &other), want, "far lines are counted, not shown");
    }

    #[test]
    fn every_line_of_the_new_text_is_shown_or_counted() {
        let old: String = (0..200).map(|n| format!("{}\n", n % 7)).collect();
        let new: String = (0..180).map(|n| format!("{}\n", n % 5)).collect();
        let (mut told, mut gone, mut left) = (0, 0, 0);
        for line in lines(&old, &new) {
            match line {
                Same(_) | New(_) => told += 1,
                Gone(_) => gone += 1,
                LeftOut(count) => left += count,
            }
        }
        assert_eq!(told + left, 180, "nothing of the new text is lost");
        assert!(gone > 0, "a positive control: something was taken out");
    }
}
