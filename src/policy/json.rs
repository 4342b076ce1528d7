//! Strict JSON: UTF-8, no duplicate key, no overflowing number, every error with line and column.
//!
//! serde_json keeps the last of two equal keys and forgets where a value stood; a policy file must be refused
//! for the first and blamed by the second, so this room reads the text itself: RFC 8259 and nothing more.

use std::iter::Peekable;
use std::str::Chars;

use super::PolicyError;
use crate::handoff::Position;

/// How deep values may be nested: no policy file needs more, and the reader's stack stays small.
const DEEPEST: usize = 64;

/// One value and where it begins.
#[derive(Debug, Clone, PartialEq)]
pub struct Json {
    /// The place of its first character.
    pub at: Position,
    /// The value.
    pub data: Data,
}

/// What a value is.
#[derive(Debug, Clone, PartialEq)]
pub enum Data {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A finite number; one without fraction and exponent is an integer.
    Number(serde_json::Number),
    /// A string with its escapes resolved.
    Text(String),
    /// Values in order.
    List(Vec<Json>),
    /// Members in file order, no key twice.
    Object(Vec<Member>),
}

/// One member of an object.
#[derive(Debug, Clone, PartialEq)]
pub struct Member {
    /// Its key.
    pub key: String,
    /// Where the key begins.
    pub key_at: Position,
    /// Its value.
    pub value: Json,
}

impl Json {
    /// Reads a whole document.
    ///
    /// # Errors
    /// The first breach, with its line and column.
    pub fn parse(bytes: &[u8]) -> Result<Self, PolicyError> {
        let text = std::str::from_utf8(bytes).map_err(|error| {
            let good = String::from_utf8_lossy(&bytes[..error.valid_up_to()]).into_owned();
            PolicyError::at(end_of(&good), "the file is not UTF-8 from here on")
        })?;
        if text.starts_with('\u{feff}') {
            return Err(PolicyError::at(
                Position::line(1),
                "a byte order mark stands before the JSON; remove it",
            ));
        }
        let mut reader = Reader { rest: text.chars().peekable(), at: Position::line(1) };
        let value = reader.value(DEEPEST)?;
        reader.blanks();
        match reader.rest.peek() {
            None => Ok(value),
            Some(_) => Err(reader.error("more text after the end of the JSON value")),
        }
    }

    /// An object without members.
    pub fn empty() -> Self {
        Self { at: Position::line(1), data: Data::Object(Vec::new()) }
    }

    /// Whether it is `null`.
    pub fn is_null(&self) -> bool {
        self.data == Data::Null
    }

    /// Where the key of this object stands, if it is one and has it.
    pub fn position_of(&self, key: &str) -> Option<Position> {
        self.members()?.iter().find(|member| member.key == key).map(|member| member.key_at)
    }

    /// The value under a key, if this is an object that has it.
    pub fn get(&self, key: &str) -> Option<&Json> {
        self.members()?.iter().find(|member| member.key == key).map(|member| &member.value)
    }

    /// The members, if this is an object.
    pub fn members(&self) -> Option<&[Member]> {
        match &self.data {
            Data::Object(members) => Some(members),
            _ => None,
        }
    }

    /// The values, if this is a list.
    pub fn items(&self) -> Option<&[Json]> {
        match &self.data {
            Data::List(items) => Some(items),
            _ => None,
        }
    }

    /// The text, if this is a string.
    pub fn text(&self) -> Option<&str> {
        match &self.data {
            Data::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The value, if this is an integer from zero up: a boolean or `2.0` is none.
    pub fn natural(&self) -> Option<u64> {
        match &self.data {
            Data::Number(number) => number.as_u64(),
            _ => None,
        }
    }

    /// What it is, for people: "a list".
    pub fn kind(&self) -> &'static str {
        match &self.data {
            Data::Null => "null",
            Data::Bool(_) => "a boolean",
            Data::Number(number) if number.is_f64() => "a number with fraction or exponent",
            Data::Number(_) => "an integer",
            Data::Text(_) => "a string",
            Data::List(_) => "a list",
            Data::Object(_) => "an object",
        }
    }
}

/// The place after a text.
fn end_of(text: &str) -> Position {
    let line = text.bytes().filter(|&byte| byte == b'\n').count() + 1;
    let last = text.rsplit('\n').next().unwrap_or_default();
    Position::at(line, last.chars().count() + 1)
}

/// The text that is left, and where it begins.
struct Reader<'a> {
    rest: Peekable<Chars<'a>>,
    at: Position,
}

impl Reader<'_> {
    fn error(&self, message: impl Into<String>) -> PolicyError {
        PolicyError::at(self.at, message)
    }

    fn next(&mut self) -> Option<char> {
        let c = self.rest.next()?;
        if c == '\n' {
            self.at = Position { line: self.at.line.saturating_add(1), column: 1 };
        } else {
            self.at.column = self.at.column.saturating_add(1);
        }
        Some(c)
    }

    fn blanks(&mut self) {
        while matches!(self.rest.peek(), Some(' ' | '\t' | '\n' | '\r')) {
            self.next();
        }
    }

    /// Takes the character if it comes next.
    fn takes(&mut self, wanted: char) -> bool {
        let there = self.rest.peek() == Some(&wanted);
        if there {
            self.next();
        }
        there
    }

    fn value(&mut self, depth: usize) -> Result<Json, PolicyError> {
        self.blanks();
        let at = self.at;
        let deeper = |reader: &Self| {
            depth.checked_sub(1).ok_or_else(|| reader.error("nested more than 64 levels deep"))
        };
        let data = match self.rest.peek() {
            Some('{') => Data::Object(self.object(deeper(self)?)?),
            Some('[') => Data::List(self.list(deeper(self)?)?),
            Some('"') => Data::Text(self.string()?),
            Some('-' | '0'..='9') => Data::Number(self.number()?),
            Some('a'..='z' | 'A'..='Z') => self.word()?,
            Some(_) => return Err(self.error("a JSON value is expected here")),
            None => return Err(self.error("the file ends where a JSON value is expected")),
        };
        Ok(Json { at, data })
    }

    fn object(&mut self, depth: usize) -> Result<Vec<Member>, PolicyError> {
        self.next();
        let mut members = Vec::<Member>::new();
        let mut seen = std::collections::HashMap::<String, Position>::new();
        self.blanks();
        if self.takes('}') {
            return Ok(members);
        }
        loop {
            self.blanks();
            let key_at = self.at;
            if self.rest.peek() != Some(&'"') {
                return Err(self.error("a key in double quotes is expected here"));
            }
            let key = self.string()?;
            if let Some(first) = seen.insert(key.clone(), key_at) {
                let message =
                    format!("the key {key:?} stands here a second time, first on line {}", first.line);
                return Err(PolicyError::at(key_at, message));
            }
            self.blanks();
            if !self.takes(':') {
                return Err(self.error("a `:` is expected after a key"));
            }
            let value = self.value(depth)?;
            members.push(Member { key, key_at, value });
            self.blanks();
            match self.next_is_end('}')? {
                true => return Ok(members),
                false => continue,
            }
        }
    }

    fn list(&mut self, depth: usize) -> Result<Vec<Json>, PolicyError> {
        self.next();
        let mut items = Vec::new();
        self.blanks();
        if self.takes(']') {
            return Ok(items);
        }
        loop {
            items.push(self.value(depth)?);
            self.blanks();
            if self.next_is_end(']')? {
                return Ok(items);
            }
        }
    }

    /// Takes the closing bracket (`true`) or the comma before a further element (`false`).
    fn next_is_end(&mut self, close: char) -> Result<bool, PolicyError> {
        if self.takes(close) {
            return Ok(true);
        }
        if self.takes(',') {
            return Ok(false);
        }
        Err(self.error(format!("`,` or `{close}` is expected here")))
    }

    fn word(&mut self) -> Result<Data, PolicyError> {
        let at = self.at;
        let mut word = String::new();
        while let Some(&c) = self.rest.peek()
            && c.is_ascii_alphanumeric()
            && word.len() < 16
        {
            word.push(c);
            self.next();
        }
        match word.as_str() {
            "null" => Ok(Data::Null),
            "true" => Ok(Data::Bool(true)),
            "false" => Ok(Data::Bool(false)),
            "NaN" | "Infinity" => Err(PolicyError::at(at, format!("{word} is not a JSON number"))),
            _ => Err(PolicyError::at(at, format!("{word:?} is not a JSON value; text needs double quotes"))),
        }
    }

    fn number(&mut self) -> Result<serde_json::Number, PolicyError> {
        let at = self.at;
        let mut text = String::new();
        let mut whole = true;
        if self.takes('-') {
            text.push('-');
        }
        let before = text.len();
        self.digits(&mut text)?;
        if text.len() > before + 1 && text.as_bytes()[before] == b'0' {
            return Err(PolicyError::at(at, "a number may not begin with 0"));
        }
        if self.takes('.') {
            whole = false;
            text.push('.');
            self.digits(&mut text)?;
        }
        if matches!(self.rest.peek(), Some('e' | 'E')) {
            whole = false;
            self.next();
            text.push('e');
            if let Some(&sign @ ('+' | '-')) = self.rest.peek() {
                self.next();
                text.push(sign);
            }
            self.digits(&mut text)?;
        }
        let too_large = || PolicyError::at(at, "the number is too large to be kept exactly");
        if whole {
            let natural = text.parse::<u64>().map(serde_json::Number::from);
            let integer = || text.parse::<i64>().map(serde_json::Number::from);
            return natural.or_else(|_| integer()).map_err(|_| too_large());
        }
        text.parse::<f64>().ok().and_then(serde_json::Number::from_f64).ok_or_else(too_large)
    }

    /// One digit or more.
    fn digits(&mut self, text: &mut String) -> Result<(), PolicyError> {
        let before = text.len();
        while let Some(&c @ '0'..='9') = self.rest.peek() {
            text.push(c);
            self.next();
        }
        if text.len() == before { Err(self.error("a digit is expected here")) } else { Ok(()) }
    }

    fn string(&mut self) -> Result<String, PolicyError> {
        let begin = self.at;
        self.next();
        let mut text = String::new();
        loop {
            let at = self.at;
            match self.next() {
                Some('"') => return Ok(text),
                Some('\\') => text.push(self.escape(at)?),
                Some(c) if c < ' ' => {
                    return Err(PolicyError::at(at, "a control character in a string must be escaped"));
                }
                Some(c) => text.push(c),
                None => return Err(PolicyError::at(begin, "the string that begins here has no end")),
            }
        }
    }

    /// The character that an escape stands for; `at` is the backslash.
    fn escape(&mut self, at: Position) -> Result<char, PolicyError> {
        let refuse = |message| Err(PolicyError::at(at, message));
        match self.next() {
            Some(c @ ('"' | '\\' | '/')) => Ok(c),
            Some('b') => Ok('\u{8}'),
            Some('f') => Ok('\u{c}'),
            Some('n') => Ok('\n'),
            Some('r') => Ok('\r'),
            Some('t') => Ok('\t'),
            Some('u') => {
                let first = self.hex(at)?;
                let code = match first {
                    0xD800..=0xDBFF => {
                        if !(self.takes('\\') && self.takes('u')) {
                            return refuse("half of a surrogate pair");
                        }
                        match self.hex(at)? {
                            second @ 0xDC00..=0xDFFF => {
                                0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00)
                            }
                            _ => return refuse("half of a surrogate pair"),
                        }
                    }
                    other => other,
                };
                char::from_u32(code).map_or_else(|| refuse("half of a surrogate pair"), Ok)
            }
            _ => refuse("not an escape that JSON has"),
        }
    }

    fn hex(&mut self, at: Position) -> Result<u32, PolicyError> {
        let mut code = 0;
        for _ in 0..4 {
            let digit = self.next().and_then(|c| c.to_digit(16));
            code = code * 16 + digit.ok_or_else(|| PolicyError::at(at, "`\\u` needs four hex digits"))?;
        }
        Ok(code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Line and column of the refusal.
    fn refused_at(text: &str) -> Option<(usize, usize)> {
        Json::parse(text.as_bytes()).expect_err("must be refused").at
    }

    #[test]
    fn order_values_and_places_are_kept() {
        let text = "{\n  \"b\": [1, -2, 0.5],\n  \"a\": {\"é\\u00e9\\ud83d\\ude00\": null}\n}\n";
        let json = Json::parse(text.as_bytes()).expect("good JSON is read");
        let keys: Vec<_> = json.members().expect("an object").iter().map(|m| m.key.as_str()).collect();
        assert_eq!(keys, ["b", "a"], "members keep the order of the file");
        assert_eq!(json.position_of("a"), Some(Position { line: 3, column: 3 }), "a key knows its place");
        let inner = json.get("a").and_then(|a| a.members()).expect("an object");
        assert_eq!(inner[0].key, "éé😀", "escapes and surrogate pairs are resolved");
        let numbers = json.get("b").and_then(Json::items).expect("a list");
        assert_eq!(numbers[0].natural(), Some(1), "an integer is one");
        assert_eq!(numbers[1].natural(), None, "a negative number is no natural one");
        assert_eq!(numbers[2].kind(), "a number with fraction or exponent", "a fraction is told apart");
    }

    #[test]
    fn each_breach_is_refused_at_its_place() {
        let cases: &[(&str, (usize, usize))] = &[
            ("", (1, 1)),
            ("{\"a\":1,\n \"a\":2}", (2, 2)),
            ("{\"a\":1,\"\\u0061\":2}", (1, 8)),
            ("{\"x\":{\"a\":1,\"a\":1}}", (1, 13)),
            ("[1e400]", (1, 2)),
            ("[-1e400]", (1, 2)),
            ("[99999999999999999999]", (1, 2)),
            ("[NaN]", (1, 2)),
            ("[Infinity]", (1, 2)),
            ("[-Infinity]", (1, 3)),
            ("[01]", (1, 2)),
            ("[1.]", (1, 4)),
            ("[.5]", (1, 2)),
            ("[+1]", (1, 2)),
            ("[0x10]", (1, 3)),
            ("[1,]", (1, 4)),
            ("{\"a\":1,}", (1, 8)),
            ("{a:1}", (1, 2)),
            ("{'a':1}", (1, 2)),
            ("{} {}", (1, 4)),
            ("{}\n]", (2, 1)),
            ("[True]", (1, 2)),
            ("// no\n{}", (1, 1)),
            ("\"a\nb\"", (1, 3)),
            ("\"\\x41\"", (1, 2)),
            ("\"\\ud800\"", (1, 2)),
            ("\"\\udc00\"", (1, 2)),
            ("\"open", (1, 1)),
            ("[1 2]", (1, 4)),
            ("{\"a\" 1}", (1, 6)),
            ("\u{feff}{}", (1, 1)),
            ("{\"é\":é}", (1, 6)),
            ("{", (1, 2)),
        ];
        for (text, place) in cases {
            assert_eq!(refused_at(text), Some(*place), "{text:?} is refused at its breach");
        }
        let error = Json::parse(b"{\n\"a\": \"\xff\"}").expect_err("not UTF-8");
        assert_eq!(error.at, Some((2, 7)), "a byte that is not UTF-8 has a place too");
        for good in ["{}", " [ ] ", "\"\\\"\"", "-0", "1E+2", "18446744073709551615", "-9223372036854775808"]
        {
            assert!(
                Json::parse(good.as_bytes()).is_ok(),
                "{good:?} is JSON: the control that the gate opens"
            );
        }
    }

    #[test]
    fn depth_is_bounded_and_never_a_stack_overflow() {
        let nest = |n: usize| "[".repeat(n) + &"]".repeat(n);
        assert!(Json::parse(nest(64).as_bytes()).is_ok(), "sixty-four levels are read");
        assert_eq!(refused_at(&nest(65)), Some((1, 65)), "the sixty-fifth is refused where it begins");
        assert!(
            Json::parse("[".repeat(2_000_000).as_bytes()).is_err(),
            "two million brackets are only refused"
        );
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = Json::parse(&bytes);
        }

        /// What this reader accepts serde_json accepts too.
        #[test]
        fn nothing_is_accepted_that_is_not_json(text in "[\\[\\]{}:,\"\\\\a-e0-9.eE+\\- \n]{0,40}") {
            if Json::parse(text.as_bytes()).is_ok() {
                prop_assert!(serde_json::from_str::<serde_json::Value>(&text).is_ok(), "{text:?} is JSON");
            }
        }
    }
}
