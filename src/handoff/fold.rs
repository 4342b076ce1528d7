//! Folding of names, so that one label is one key however a file spells it: case, accents written apart,
//! emoji, markup, joiners, punctuation and the two spellings of Arabic letters do not matter.

use unicode_normalization::UnicodeNormalization;

use super::inert;

/// A name as a key: words in lower case, one blank between them, nothing but letters and digits.
pub(super) fn fold(text: &str) -> String {
    if text.bytes().all(|b| matches!(b, b' '..=b'~' | b'\n' | b'\t')) {
        return fold_ascii(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut gap = false;
    for c in inert::plain_text(text).nfc().flat_map(char::to_lowercase) {
        match c {
            // Joiners, variation selectors, apostrophes and accents that found no letter stand inside words.
            '\u{200C}' | '\u{200D}' | '\u{FE00}'..='\u{FE0F}' | '\'' | '’' | '\u{300}'..='\u{36F}' => {}
            c if c.is_alphanumeric() => {
                if gap && !out.is_empty() {
                    out.push(' ');
                }
                gap = false;
                out.push(one_spelling(c));
            }
            _ => gap = true,
        }
    }
    out
}

/// What [`fold`] does, where no letter has a second spelling and nothing is invisible: nearly all labels.
fn fold_ascii(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut gap = false;
    for b in text.bytes() {
        match b {
            b'\'' => {}
            b if b.is_ascii_alphanumeric() => {
                if gap && !out.is_empty() {
                    out.push(' ');
                }
                gap = false;
                out.push(char::from(b.to_ascii_lowercase()));
            }
            _ => gap = true,
        }
    }
    out
}

/// A key of JSON or YAML as a key of ours: `headSha`, `head_sha` and `head-sha` are all `head sha`.
pub(super) fn fold_identifier(text: &str) -> String {
    let mut spaced = String::with_capacity(text.len() + 8);
    let mut after_lower = false;
    for c in text.chars() {
        if c.is_uppercase() && after_lower {
            spaced.push(' ');
        }
        after_lower = c.is_lowercase() || c.is_ascii_digit();
        spaced.push(c);
    }
    fold(&spaced)
}

/// A key as people write it who leave accents out; `None` where it has none.
pub(super) fn unaccented(key: &str) -> Option<String> {
    let bare = |c: char| if c == 'ł' { 'l' } else { c };
    let plain: String = key.nfd().filter(|c| !matches!(c, '\u{300}'..='\u{36F}')).map(bare).nfc().collect();
    (plain != key).then_some(plain)
}

/// The key without numbering in front: `3. Next step` and `۳. گام بعدی` are named by their words.
pub(super) fn without_number(key: &str) -> &str {
    let mut rest = key;
    while let Some((first, tail)) = rest.split_once(' ') {
        if !first.chars().all(char::is_numeric) {
            break;
        }
        rest = tail;
    }
    rest
}

/// Decimal digits of the scripts that dates are written in, as ASCII; everything else as it is.
pub(super) fn ascii_digit(c: char) -> char {
    let zero = match c {
        '\u{660}'..='\u{669}' => 0x660,
        '\u{6F0}'..='\u{6F9}' => 0x6F0,
        '\u{FF10}'..='\u{FF19}' => 0xFF10,
        _ => return c,
    };
    char::from_digit(c as u32 - zero, 10).unwrap_or(c)
}

fn one_spelling(c: char) -> char {
    match c {
        'ي' | 'ى' => 'ی',
        'ك' => 'ک',
        'ё' => 'е',
        c => ascii_digit(c),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_label_is_one_key_however_it_is_spelled() {
        for (spelling, key) in [
            ("**🧭 Next  Steps:**", "next steps"),
            ("What's next?", "whats next"),
            ("آخرین به‌روزرسانی", "آخرین بهروزرسانی"),
            ("It's\tNext-steps!", "its next steps"),
            ("It’s\tNext—steps!", "its next steps"),
            ("Nha\u{301}nh", "nhánh"),
            ("İLERİ", "ileri"),
        ] {
            assert_eq!(fold(spelling), key, "{spelling:?} is one of the spellings of {key:?}");
        }
        assert_eq!(
            fold_identifier("headSha"),
            fold_identifier("head_sha"),
            "camel and snake case are one key"
        );
        assert_eq!(without_number("3 4 next step"), "next step", "numbering is no part of a name");
        assert_eq!(without_number("42"), "42", "a number alone is all the name there is");
    }
}
