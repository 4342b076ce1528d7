//! What differs between two texts, in few lines: enough to see what somebody else wrote meanwhile.

use crate::handoff::inert;

/// How many lines of each side are shown.
const MOST: usize = 20;

/// The lines between the common beginning and the common end of both, `-` before those of `old` and `+` before
/// those of `new`, with everything odd made visible. Empty where both are equal.
pub(super) fn lines(old: &[u8], new: &[u8]) -> String {
    let (old, new) = (String::from_utf8_lossy(old), String::from_utf8_lossy(new));
    let (old, new): (Vec<_>, Vec<_>) = (old.lines().collect(), new.lines().collect());
    let same = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let (old, new) = (&old[same..], &new[same..]);
    let tail = old.iter().rev().zip(new.iter().rev()).take_while(|(a, b)| a == b).count();
    let (old, new) = (&old[..old.len() - tail], &new[..new.len() - tail]);
    let mut out = String::new();
    if !(old.is_empty() && new.is_empty()) {
        out.push_str(&format!("from line {}:\n", same + 1));
    }
    for (mark, side) in [('-', old), ('+', new)] {
        for line in side.iter().take(MOST) {
            out.push_str(&format!("{mark} {}\n", inert::one_line(&inert::shown(line))));
        }
        if side.len() > MOST {
            out.push_str(&format!("{mark} … {} lines more\n", side.len() - MOST));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_differs_is_shown_and_nothing_of_it_can_act() {
        assert_eq!(lines(b"a\nb\n", b"a\nb\n"), "", "equal texts have no difference");
        assert_eq!(lines(b"a\nb\nc\n", b"a\nx\ny\nc\n"), "from line 2:\n- b\n+ x\n+ y\n", "the middle alone");
        assert_eq!(
            lines(b"a\n", b"a\na\n"),
            "from line 2:\n+ a\n",
            "a line that is common to both counts once"
        );
        assert!(!lines(b"", b"\x1b[2J\n").contains('\x1b'), "an escape is shown, not passed on");
        let many = "line\n".repeat(100);
        assert!(lines(b"", many.as_bytes()).ends_with("… 80 lines more\n"), "and a long one is cut");
    }
}
