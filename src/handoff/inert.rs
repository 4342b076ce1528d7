//! Text that came out of a file somebody else wrote.
//!
//! A handoff can hold escape sequences, bidirectional overrides, invisible letters and anything else that
//! would make a terminal or a reader see what is not there. [`Inert`] keeps such text exactly as it was found
//! and has no `Display`, so it cannot reach a screen, a log or an argument array by accident. The ways out are
//! named after what they do: [`Inert::shown`] makes every odd character visible, [`Inert::plain`] removes them
//! for machines, and [`Inert::raw`] hands out the original for comparing and for writing back into a file.

use std::borrow::Cow;

use serde::{Serialize, Serializer};

/// Text from a file, inert: it can be compared and shown, never interpreted.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Inert(String);

impl Inert {
    /// Takes any text in as inert.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text as it was found: for comparing, parsing and writing back, never for a screen.
    pub fn raw(&self) -> &str {
        &self.0
    }

    /// Whether nothing but white space is in it.
    pub fn is_blank(&self) -> bool {
        self.0.trim().is_empty()
    }

    /// The text with every control, invisible and direction-changing character made visible (`␛`, `<U+202E>`);
    /// line breaks stay line breaks, tabs become four blanks. A joiner or a selector stays as it is only behind a
    /// letter or a picture that it changes the looks of ([`is_at_home`]).
    pub fn shown(&self) -> String {
        shown(&self.0)
    }

    /// Like [`Inert::shown`], on one line: each run of white space becomes one blank.
    pub fn shown_line(&self) -> String {
        one_line(&self.shown())
    }

    /// The text with CSI and OSC sequences removed whole and C0, C1, bidi and other invisible characters
    /// removed; ZWJ and ZWNJ are kept, because scripts need them. This is what `--json` prints.
    pub fn plain(&self) -> String {
        plain_text(&self.0).into_owned()
    }

    /// How many characters [`Inert::plain`] leaves out.
    pub fn removed(&self) -> usize {
        plain(&self.0).1
    }
}

impl From<&str> for Inert {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

impl From<String> for Inert {
    fn from(text: String) -> Self {
        Self(text)
    }
}

/// `Debug` shows the text with everything odd made visible, so that a panic message is inert too.
impl std::fmt::Debug for Inert {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Inert({:?})", self.shown())
    }
}

impl Serialize for Inert {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&plain_text(&self.0))
    }
}

/// Whether a character is invisible, changes direction or controls a terminal: C0 but `\n` and `\t`, DEL, C1,
/// every format character (Cf), line and paragraph separators, fillers, variation selectors beyond VS16, the
/// tag block, and the combining grapheme joiner. ZWJ, ZWNJ and VS15/VS16 join letters and emoji and are not odd by
/// themselves: [`is_at_home`] says where.
pub fn is_odd(c: char) -> bool {
    match c {
        '\n' | '\t' => false,
        '\u{200C}' | '\u{200D}' | '\u{FE0E}' | '\u{FE0F}' => false,
        '\u{0}'..='\u{1F}' | '\u{7F}'..='\u{9F}' => true,
        '\u{AD}'
        | '\u{34F}'
        | '\u{600}'..='\u{605}'
        | '\u{61C}'
        | '\u{6DD}'
        | '\u{70F}'
        | '\u{890}'..='\u{891}' => true,
        '\u{8E2}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}' | '\u{180B}'..='\u{180F}' => true,
        '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' => true,
        '\u{3164}' | '\u{FE00}'..='\u{FE0D}' | '\u{FEFF}' | '\u{FFA0}' | '\u{FFF0}'..='\u{FFFB}' => true,
        '\u{110BD}' | '\u{110CD}' | '\u{13430}'..='\u{1343F}' | '\u{1BCA0}'..='\u{1BCA3}' => true,
        '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E0FFF}' => true,
        _ => false,
    }
}

/// Whether a joiner (ZWNJ, ZWJ) or a presentation selector (VS15, VS16) stands behind a character that it changes
/// the looks of. Anywhere else it is as invisible as any other format character, and can hide as much.
pub fn is_at_home(before: Option<char>, c: char) -> bool {
    match c {
        '\u{200C}' => before.is_some_and(joins),
        '\u{200D}' => {
            before.is_some_and(|before| joins(before) || !before.is_ascii() && is_pictograph(before))
        }
        '\u{FE0E}' | '\u{FE0F}' => {
            before.is_some_and(|before| is_pictograph(before) && !matches!(before, '\u{200D}' | '\u{FE0F}'))
        }
        _ => false,
    }
}

/// Whether a letter belongs to a script that needs the joiners: Arabic and its relatives, the Indic scripts,
/// Khmer and Mongolian.
pub fn joins(c: char) -> bool {
    matches!(c, '\u{0620}'..='\u{08FF}' | '\u{0900}'..='\u{0DFF}' | '\u{1780}'..='\u{18AF}' | '\u{FB50}'..='\u{FEFC}')
}

/// Whether a character is a picture that selectors, skin tones and joiners combine with, or one of these itself.
pub fn is_pictograph(c: char) -> bool {
    matches!(c, '#' | '*' | '0'..='9' | '©' | '®' | '\u{2010}'..='\u{33FF}' | '\u{1F000}'..='\u{1FAFF}')
        || matches!(c, '\u{FE0F}' | '\u{200D}')
}

/// Whether a character joins letters or chooses between two looks of a picture.
fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200C}' | '\u{200D}' | '\u{FE0E}' | '\u{FE0F}')
}

/// Whether nobody sees a character where it stands: an odd one, or one that only changes the looks of another. No
/// part of an identity.
pub fn is_unseen(c: char) -> bool {
    is_odd(c) || is_joiner(c)
}

/// Makes every odd character of any text visible; see [`Inert::shown`].
pub fn shown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut before = None;
    for c in text.chars() {
        let behind = before.replace(c);
        match c {
            '\n' => out.push('\n'),
            '\t' => out.push_str("    "),
            '\u{0}'..='\u{1F}' => out.push(char::from_u32(0x2400 + c as u32).unwrap_or('␀')),
            '\u{7F}' => out.push('␡'),
            c if is_odd(c) || is_joiner(c) && !is_at_home(behind, c) => {
                out.push_str(&format!("<U+{:04X}>", c as u32));
            }
            c => out.push(c),
        }
    }
    out
}

/// Folds white space so that the text takes one line.
pub fn one_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

/// Whether any character is odd. Most text is printable ASCII, which is told by its bytes, many at a time.
pub fn has_odd(text: &str) -> bool {
    let mut rest = text;
    loop {
        rest = &rest[printable_ascii(rest.as_bytes())..];
        match rest.chars().next() {
            Some(c) if is_odd(c) => return true,
            Some(c) => rest = &rest[c.len_utf8()..],
            None => return false,
        }
    }
}

/// How many bytes of printable ASCII, line breaks and tabs a text begins with.
fn printable_ascii(bytes: &[u8]) -> usize {
    /// Bytes that are looked at in one go.
    const BLOCK: usize = 32;
    let printable = |b: &u8| matches!(b, b' '..=b'~' | b'\n' | b'\t');
    // Without a way out in the middle, so that the compiler takes a block as a whole.
    let all = |block: &[u8]| block.iter().fold(true, |all, b| all & printable(b));
    let blocks = bytes.chunks_exact(BLOCK).take_while(|block| all(block)).count();
    // What is odd lies in the next block; behind it nobody has to look.
    let tail = &bytes[blocks * BLOCK..];
    blocks * BLOCK + tail.iter().take(BLOCK).take_while(|b| printable(b)).count()
}

/// The text of [`plain`], copied only where something has to go.
pub fn plain_text(text: &str) -> Cow<'_, str> {
    if has_odd(text) { Cow::Owned(plain(text).0) } else { Cow::Borrowed(text) }
}

/// Removes terminal sequences and odd characters; returns the text and how many characters went.
pub fn plain(text: &str) -> (String, usize) {
    if !has_odd(text) {
        return (text.to_owned(), 0);
    }
    let mut out = String::with_capacity(text.len());
    let mut removed = 0;
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\u{1B}' => {
                removed += 1;
                removed += match rest.peek() {
                    Some('[') => {
                        rest.next();
                        1 + skip_csi(&mut rest)
                    }
                    Some(']' | 'P' | 'X' | '^' | '_') => {
                        rest.next();
                        1 + skip_string(&mut rest)
                    }
                    _ => 0,
                };
            }
            '\u{9B}' => removed += 1 + skip_csi(&mut rest),
            '\u{90}' | '\u{98}' | '\u{9D}' | '\u{9E}' | '\u{9F}' => removed += 1 + skip_string(&mut rest),
            c if is_odd(c) => removed += 1,
            c => out.push(c),
        }
    }
    (out, removed)
}

/// The longest run of characters that is believed to be one control string; a longer one is text after a stray
/// introducer, and text must not vanish.
const LONGEST_SEQUENCE: usize = 4096;

/// Skips the parameters, intermediates and the final byte of a CSI sequence.
fn skip_csi(rest: &mut std::iter::Peekable<std::str::Chars<'_>>) -> usize {
    let mut skipped = 0;
    while let Some(&c) = rest.peek() {
        match c {
            '\u{20}'..='\u{3F}' if skipped < LONGEST_SEQUENCE => {
                rest.next();
                skipped += 1;
            }
            '\u{40}'..='\u{7E}' => {
                rest.next();
                return skipped + 1;
            }
            _ => break,
        }
    }
    skipped
}

/// Skips an OSC, DCS, SOS, PM or APC string up to its terminator; an unterminated one ends at its line's end.
fn skip_string(rest: &mut std::iter::Peekable<std::str::Chars<'_>>) -> usize {
    let mut skipped = 0;
    while let Some(&c) = rest.peek() {
        if c == '\n' || skipped >= LONGEST_SEQUENCE {
            break;
        }
        rest.next();
        skipped += 1;
        match c {
            '\u{7}' | '\u{9C}' => break,
            '\u{1B}' => {
                if rest.peek() == Some(&'\\') {
                    rest.next();
                    skipped += 1;
                }
                break;
            }
            _ => {}
        }
    }
    skipped
}

#[cfg(test)]
mod tests {
    use std::ops::RangeInclusive;

    use super::*;

    #[test]
    fn a_screen_gets_marks_and_a_machine_gets_plain_text() {
        let text = Inert::from("a\u{1b}[31mred\u{1b}]0;title\u{7}\u{202e}b\r");
        assert_eq!(text.shown(), "a␛[31mred␛]0;title␇<U+202E>b␍", "everything odd is visible on a screen");
        assert_eq!(text.plain(), "aredb", "sequences are removed whole for a machine");
        assert_eq!(text.removed(), 5 + 10 + 2, "and the count says how much went");
    }

    #[test]
    fn what_is_odd_is_found_wherever_it_stands() {
        for place in 0..100 {
            for (mark, odd) in
                [("\u{202E}", true), ("\u{1B}", true), ("\r", true), ("\u{7F}", true), ("ж\n\t…", false)]
            {
                let text = format!("{}{mark}{}", "a".repeat(place), "é".repeat(place % 7));
                assert_eq!(has_odd(&text), odd, "{mark:?} behind {place} letters");
                assert_eq!(has_odd(&text), text.chars().any(is_odd), "and it is told as it is one by one");
            }
        }
    }

    /// Every code point of the general category Cf in Unicode 16, 170 of them.
    const FORMAT: [RangeInclusive<u32>; 21] = [
        0xAD..=0xAD,
        0x600..=0x605,
        0x61C..=0x61C,
        0x6DD..=0x6DD,
        0x70F..=0x70F,
        0x890..=0x891,
        0x8E2..=0x8E2,
        0x180E..=0x180E,
        0x200B..=0x200F,
        0x202A..=0x202E,
        0x2060..=0x2064,
        0x2066..=0x206F,
        0xFEFF..=0xFEFF,
        0xFFF9..=0xFFFB,
        0x110BD..=0x110BD,
        0x110CD..=0x110CD,
        0x13430..=0x1343F,
        0x1BCA0..=0x1BCA3,
        0x1D173..=0x1D17A,
        0xE0001..=0xE0001,
        0xE0020..=0xE007F,
    ];

    /// What else nobody sees: the grapheme joiner, fillers, vowels without a shape, the separators of lines and
    /// paragraphs, selectors, and what is reserved for more of the kind.
    const UNSEEN: [RangeInclusive<u32>; 14] = [
        0x34F..=0x34F,
        0x115F..=0x1160,
        0x17B4..=0x17B5,
        0x180B..=0x180D,
        0x180F..=0x180F,
        0x2028..=0x2029,
        0x2065..=0x2065,
        0x3164..=0x3164,
        0xFE00..=0xFE0F,
        0xFFA0..=0xFFA0,
        0xFFF0..=0xFFF8,
        0xE0000..=0xE0000,
        0xE0002..=0xE001F,
        0xE0080..=0xE0FFF,
    ];

    fn characters(ranges: &[RangeInclusive<u32>]) -> Vec<char> {
        ranges.iter().cloned().flatten().map(|code| char::from_u32(code).unwrap()).collect()
    }

    #[test]
    fn nothing_invisible_gets_out_unmarked_and_none_is_part_of_an_identity() {
        use super::super::ident::{BranchName, CommitId, LaneId, RecordId, RelPath, Revision, SessionId};
        let format = characters(&FORMAT);
        assert_eq!(format.len(), 170, "the table is whole");
        for c in format.into_iter().chain(characters(&UNSEEN)) {
            let code = c as u32;
            let text = Inert::new(format!("pass{c}word"));
            let mark = format!("pass<U+{code:04X}>word");
            assert_eq!(text.shown(), mark, "U+{code:04X} is a mark on a screen");
            assert_eq!(text.shown_line(), mark, "and on a line");
            assert!(!format!("{text:?}").contains(c), "U+{code:04X} stays out of a log");
            // A machine's reader keeps what scripts and pictures are made of; everything else is left out and counted.
            let kept = is_joiner(c);
            assert_eq!(text.removed(), usize::from(!kept), "U+{code:04X} is counted");
            assert_eq!(text.plain().contains(c), kept, "U+{code:04X} for a machine");
            let branch = format!("feat/a{c}b");
            assert!(BranchName::parse(&branch).is_err(), "U+{code:04X} in the name of a branch");
            assert!(RelPath::parse(&format!("src/a{c}b")).is_err(), "U+{code:04X} in a path");
            let id = format!("a{c}b");
            assert!(SessionId::parse(&id).is_err() && LaneId::parse(&id).is_err(), "U+{code:04X} in an id");
            let hash = format!("{}{c}", "a1".repeat(20));
            assert!(
                CommitId::parse(&hash).is_err() && Revision::parse(&hash).is_err(),
                "U+{code:04X} in a commit"
            );
            let record = format!("5c0f6a52-3b1d-4c3e-8a70-9f2f5d1b7e10{c}");
            assert!(RecordId::parse(&record).is_err(), "U+{code:04X} in a record's id");
        }
        assert_eq!(Inert::from("password").shown(), "password", "the control: what is seen stays as it is");
        assert!(BranchName::parse("feat/ab").is_ok() && RelPath::parse("src/ab").is_ok(), "and is a name");
    }

    #[test]
    fn scripts_that_need_joiners_keep_them() {
        let text = Inert::from("مرحله\u{200c}ی 👩\u{200d}💻 ❤\u{fe0f}\u{200d}🔥 1\u{fe0f}");
        assert_eq!(text.plain(), text.raw(), "ZWNJ and ZWJ are letters' own business");
        assert_eq!(text.shown(), text.raw(), "on a screen too");
        let hidden = Inert::from("a\u{200c}b 1\u{200d}2 👩\u{200c}x \u{200d}");
        assert_eq!(
            hidden.shown(),
            "a<U+200C>b 1<U+200D>2 👩<U+200C>x <U+200D>",
            "where nothing is joined they are seen"
        );
    }

    #[test]
    fn an_introducer_without_an_end_does_not_swallow_the_text() {
        assert_eq!(
            plain("\u{1b}]8;;no end\nnext line").0,
            "\nnext line",
            "an open string ends with its line"
        );
    }
}
