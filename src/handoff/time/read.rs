//! Reading of days and times out of text, in the spellings and languages that handoffs use.
//!
//! The text is cut into numbers, words and marks once, so that every spelling is a pattern over a few tokens
//! and the work is linear in the text's length.

use chrono::{FixedOffset, NaiveDate, NaiveTime, TimeZone};

use super::words::{Month, is_link, is_of, month, zone_minutes};
use super::{Moment, hijri};
use crate::handoff::fold::ascii_digit;

/// How `05/10/2026` is meant where both numbers could be the month.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DayOrder {
    /// The surroundings do not say: such a date is not read.
    Unknown,
    /// The language puts the day first.
    DayFirst,
}

/// What a text says about a date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// Exactly one day (or several times the same).
    Found(Moment),
    /// Something that is written like a date and is none, or could be two.
    Doubtful(&'static str),
    /// No date at all, or several different ones.
    Nothing,
}

impl Reading {
    /// The moment, when there is exactly one.
    pub fn moment(self) -> Option<Moment> {
        match self {
            Self::Found(moment) => Some(moment),
            _ => None,
        }
    }
}

/// The longest text that a date is looked for in, in characters; a date stands at the beginning of a value.
const LONGEST: usize = 400;

/// Reads a field's value: the date it begins with, else the only date in it.
pub fn value(text: &str, order: DayOrder) -> Reading {
    let tokens = tokens(text);
    let first_number = tokens.iter().position(|t| matches!(t.what, What::Number(_))).unwrap_or(0);
    match date_at(&tokens, first_number, order, false) {
        Some(Ok((moment, _))) => Reading::Found(moment),
        Some(Err(why)) => Reading::Doubtful(why),
        None => only(&tokens, order, false),
    }
}

/// Reads a heading, or a line that is a date and nothing else: the only date in it, so that a span of days is none.
pub fn heading(text: &str) -> Reading {
    only(&tokens(text), DayOrder::Unknown, false)
}

/// Reads a file name: the only date in it, compact spellings such as `260921` included.
pub fn file_name(name: &str) -> Reading {
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    only(&tokens(stem), DayOrder::Unknown, true)
}

/// Whether the text begins with a date, after marks and words such as `Session`; for headings of logs.
pub fn begins_with_date(text: &str) -> bool {
    let tokens = tokens(text);
    let first = tokens.iter().position(|t| matches!(t.what, What::Number(_))).unwrap_or(0);
    // The month or the era can stand in front of the number.
    let begins = |at: usize| matches!(date_at(&tokens, at, DayOrder::Unknown, false), Some(Ok(_)));
    first <= 3 && (begins(first) || first > 0 && begins(first - 1))
}

fn only(tokens: &[Token], order: DayOrder, compact: bool) -> Reading {
    let mut found: Option<Moment> = None;
    let mut doubt = None;
    let mut i = 0;
    while i < tokens.len() {
        match date_at(tokens, i, order, compact) {
            Some(Ok((moment, next))) => {
                if found.is_some_and(|earlier| earlier.day() != moment.day()) {
                    return Reading::Nothing;
                }
                found = found.or(Some(moment));
                i = next.max(i + 1);
            }
            Some(Err(why)) => {
                doubt = doubt.or(Some(why));
                i += 1;
            }
            None => i += 1,
        }
    }
    match (found, doubt) {
        (Some(moment), _) => Reading::Found(moment),
        (None, Some(why)) => Reading::Doubtful(why),
        (None, None) => Reading::Nothing,
    }
}

#[derive(Debug, Clone, PartialEq)]
enum What {
    Number(String),
    Word(String),
    Mark(char),
}

#[derive(Debug, Clone, PartialEq)]
struct Token {
    what: What,
    /// White space stands before it.
    gap: bool,
}

impl Token {
    fn number(&self) -> Option<&str> {
        match &self.what {
            What::Number(digits) => Some(digits),
            _ => None,
        }
    }
    fn word(&self) -> Option<&str> {
        match &self.what {
            What::Word(word) => Some(word),
            _ => None,
        }
    }
    fn mark(&self) -> Option<char> {
        match self.what {
            What::Mark(c) => Some(c),
            _ => None,
        }
    }
}

fn tokens(text: &str) -> Vec<Token> {
    let mut out: Vec<Token> = Vec::new();
    let mut gap = false;
    let text: String = crate::handoff::inert::plain(&text.chars().take(LONGEST).collect::<String>()).0;
    for c in text.chars().map(ascii_digit).flat_map(char::to_lowercase) {
        if c.is_whitespace() || c == '\u{307}' {
            gap |= c.is_whitespace();
            continue;
        }
        // Joiners and markup are not seen by a reader either.
        if matches!(c, '\u{200C}' | '\u{200D}' | '*' | '`' | '\u{FE0F}') {
            continue;
        }
        let last = out.last_mut().filter(|_| !gap).map(|token| &mut token.what);
        match (c, last) {
            (c, Some(What::Number(digits))) if c.is_ascii_digit() => digits.push(c),
            // `10月5日` is four tokens, however many letters follow a unit.
            (c, Some(What::Word(word))) if c.is_alphabetic() && !ends_in_unit(word) => word.push(c),
            (c, _) => {
                let what = match c {
                    c if c.is_ascii_digit() => What::Number(c.to_string()),
                    c if c.is_alphabetic() => What::Word(c.to_string()),
                    c => What::Mark(c),
                };
                out.push(Token { what, gap });
            }
        }
        gap = false;
    }
    out
}

fn ends_in_unit(word: &str) -> bool {
    matches!(word, "年" | "月" | "日" | "号" | "號" | "時" | "时" | "点" | "點" | "分" | "秒")
        || matches!(word, "년" | "월" | "일" | "시" | "분" | "초")
}

type At<T> = Option<Result<(T, usize), &'static str>>;

/// A date that begins at a token, with the time behind it; `Err` for what is written like one and is none.
fn date_at(tokens: &[Token], i: usize, order: DayOrder, compact: bool) -> At<Moment> {
    if !starts_fresh(tokens, i) {
        return None;
    }
    let found = compact_day(tokens, i, compact)
        .or_else(|| year_first(tokens, i))
        .or_else(|| era(tokens, i))
        .or_else(|| with_month_name(tokens, i))
        .or_else(|| vietnamese(tokens, i))
        .or_else(|| year_last(tokens, i, order));
    Some(found?.map(|(day, next)| clock_after(tokens, day, next)))
}

/// A date does not begin in the middle of a number with dots, a hash or a word.
fn starts_fresh(tokens: &[Token], i: usize) -> bool {
    let (Some(token), Some(before)) = (tokens.get(i), i.checked_sub(1).and_then(|b| tokens.get(b))) else {
        return i < tokens.len();
    };
    if token.gap {
        return true;
    }
    match &before.what {
        What::Number(_) => false,
        What::Word(word) => !word.is_ascii() && token.number().is_some(),
        What::Mark('.' | '-' | '/' | '+') => {
            i < 2
                || tokens[i - 2].number().is_none()
                    && !(before.mark() == Some('-') && hex_word(&tokens[i - 2]))
        }
        What::Mark(_) => true,
    }
}

fn hex_word(token: &Token) -> bool {
    token.word().is_some_and(|word| word.len() < 3 && word.bytes().all(|b| matches!(b, b'a'..=b'f')))
}

fn small(token: Option<&Token>) -> Option<u32> {
    token?.number().filter(|digits| digits.len() <= 2)?.parse().ok()
}

fn year(token: Option<&Token>) -> Option<i32> {
    token?.number().filter(|digits| digits.len() == 4)?.parse().ok()
}

fn is_word(token: Option<&Token>, words: &[&str]) -> bool {
    token.and_then(Token::word).is_some_and(|word| words.contains(&word))
}

fn is_mark(token: Option<&Token>, mark: char) -> bool {
    token.and_then(Token::mark) == Some(mark)
}

/// `20260819`, `20260819_0715`, in file names also `260819` and `260819-0715`.
fn compact_day(tokens: &[Token], i: usize, compact: bool) -> At<NaiveDate> {
    let digits = tokens[i].number()?;
    let (year, rest) = match digits.len() {
        8 => (digits[..4].parse().ok()?, &digits[4..]),
        14 => (digits[..4].parse().ok()?, &digits[4..8]),
        6 if compact => (2000 + digits[..2].parse::<i32>().ok()?, &digits[2..]),
        _ => return None,
    };
    if !(2000..2100).contains(&year) {
        return None;
    }
    let day = NaiveDate::from_ymd_opt(year, rest[..2].parse().ok()?, rest[2..].parse().ok()?)?;
    Some(Ok((day, i + 1)))
}

/// `2026-10-05`, `2026/10/5`, `2026. 10. 5.`, `2026年10月5日`, `2026년 10월 5일`, `1405/08/12`.
fn year_first(tokens: &[Token], i: usize) -> At<NaiveDate> {
    let year = year(tokens.get(i))?;
    let separator = tokens.get(i + 1)?;
    let month = small(tokens.get(i + 2))?;
    let again = tokens.get(i + 3)?;
    let day = small(tokens.get(i + 4))?;
    let fits = match separator.mark() {
        Some('.') => again.mark() == Some('.'),
        Some(mark @ ('-' | '/' | '‑' | '–')) => {
            again.mark() == Some(mark) && tokens[i + 1..=i + 4].iter().all(|token| !token.gap)
        }
        _ => {
            is_word(Some(separator), &["年", "년"])
                && is_word(Some(again), &["月", "월"])
                && is_word(tokens.get(i + 5), &["日", "号", "號", "일"])
        }
    };
    if !fits {
        return None;
    }
    // `2026-10-05-3` is a name and `2026.10.5.7` a version.
    let next = if separator.word().is_some() { i + 6 } else { i + 5 };
    if is_mark(tokens.get(next), '.') && tokens.get(next + 1).is_some_and(|t| t.number().is_some() && !t.gap)
    {
        return None;
    }
    Some(day_of(year, month, day).map(|day| (day, next)))
}

/// `令和8年10月5日`, `民國115年10月5日`.
fn era(tokens: &[Token], i: usize) -> At<NaiveDate> {
    let first = match tokens.get(i)?.word()? {
        "令和" => 2018,
        "民國" | "民国" => 1911,
        _ => return None,
    };
    let year: i32 = tokens.get(i + 1)?.number().filter(|n| n.len() <= 3)?.parse().ok()?;
    let (month, day) = (small(tokens.get(i + 3))?, small(tokens.get(i + 5))?);
    (is_word(tokens.get(i + 2), &["年"]) && is_word(tokens.get(i + 4), &["月"]))
        .then(|| day_of(first + year, month, day).map(|day| (day, i + 7)))
}

/// `5 Oct 2026`, `October 5th, 2026`, `5. Oktober 2026`, `5 de outubro de 2026`, `2026 Oct 5`, `۱۲ آبان ۱۴۰۵`.
fn with_month_name(tokens: &[Token], i: usize) -> At<NaiveDate> {
    let skip = |mut j: usize| {
        while j < tokens.len()
            && (tokens[j].word().is_some_and(is_of)
                || matches!(tokens[j].mark(), Some('.' | ',' | '-' | '/' | 'º')))
        {
            j += 1;
        }
        j
    };
    let name_at = |j: usize| tokens.get(j).and_then(Token::word).and_then(month);
    if let Some(name) = name_at(i) {
        let j = skip(i + 1);
        let day = small(tokens.get(j))?;
        let k = skip(j + 1);
        return Some(named_day(year(tokens.get(k))?, name, day).map(|day| (day, k + 1)));
    }
    let j = skip(i + 1);
    let name = name_at(j)?;
    let k = skip(j + 1);
    match (year(tokens.get(i)), small(tokens.get(i))) {
        (Some(year), _) => Some(named_day(year, name, small(tokens.get(k))?).map(|day| (day, k + 1))),
        (None, Some(day)) => Some(named_day(year(tokens.get(k))?, name, day).map(|day| (day, k + 1))),
        _ => None,
    }
}

/// `ngày 5 tháng 10 năm 2026`, `5 tháng 10, 2026`.
fn vietnamese(tokens: &[Token], i: usize) -> At<NaiveDate> {
    let start = if is_word(tokens.get(i), &["ngày"]) { i + 1 } else { i };
    let day = small(tokens.get(start))?;
    if !is_word(tokens.get(start + 1), &["tháng"]) {
        return None;
    }
    let month = small(tokens.get(start + 2))?;
    let mut j = start + 3;
    while is_word(tokens.get(j), &["năm"]) || matches!(tokens.get(j).and_then(Token::mark), Some(',' | '/'))
    {
        j += 1;
    }
    Some(day_of(year(tokens.get(j))?, month, day).map(|day| (day, j + 1)))
}

/// `05.10.2026` everywhere; with other marks only where the order is sure.
fn year_last(tokens: &[Token], i: usize, order: DayOrder) -> At<NaiveDate> {
    let (first, second) = (small(tokens.get(i))?, small(tokens.get(i + 2))?);
    let mark = tokens.get(i + 1)?.mark().filter(|mark| matches!(mark, '.' | '/' | '-'))?;
    let year = year(tokens.get(i + 4))?;
    let tight = tokens[i + 1..=i + 4].iter().all(|token| !token.gap) || mark == '.';
    // `01-01-2013-0` is a number of something.
    let goes_on =
        is_mark(tokens.get(i + 5), '-') && tokens.get(i + 6).is_some_and(|t| !t.gap && t.number().is_some());
    if tokens.get(i + 3)?.mark() != Some(mark) || !tight || goes_on {
        return None;
    }
    let (month, day) = match (first, second) {
        (first, second) if mark == '.' || first > 12 || order == DayOrder::DayFirst => (second, first),
        (first, second) if second > 12 || first == second => (first, second),
        _ => return Some(Err("day and month cannot be told apart")),
    };
    Some(day_of(year, month, day).map(|day| (day, i + 5)))
}

fn day_of(year: i32, month: u32, day: u32) -> Result<NaiveDate, &'static str> {
    let found = match year {
        1300..=1499 => hijri::to_gregorian(year, month, day),
        _ => NaiveDate::from_ymd_opt(year, month, day),
    };
    found.ok_or("there is no such day")
}

fn named_day(year: i32, name: Month, day: u32) -> Result<NaiveDate, &'static str> {
    match name {
        Month::Gregorian(month) => NaiveDate::from_ymd_opt(year, month, day),
        Month::SolarHijri(month) => hijri::to_gregorian(year, month, day),
    }
    .ok_or("there is no such day")
}

/// The day with the time and zone that may follow it.
fn clock_after(tokens: &[Token], day: NaiveDate, next: usize) -> (Moment, usize) {
    let plain = (Moment::Day(day, None), next);
    let mut i = next;
    // A compact time is joined to its day: `20260819_071503`, `260830-2340`.
    if let Some(mark) =
        tokens.get(i).filter(|t| !t.gap && (matches!(t.mark(), Some('_' | '-')) || t.word() == Some("t")))
    {
        let _ = mark;
        if let Some(digits) = tokens.get(i + 1).and_then(Token::number).filter(|d| matches!(d.len(), 4 | 6)) {
            let part =
                |at: usize| digits.get(at..at + 2).and_then(|two| two.parse::<u32>().ok()).unwrap_or(0);
            let Some(time) = NaiveTime::from_hms_opt(part(0), part(2), part(4)) else { return plain };
            return zoned(tokens, day, time, i + 2);
        }
    }
    let mut skipped = 0;
    while let Some(token) = tokens.get(i).filter(|_| skipped < 6) {
        let between = match &token.what {
            What::Word(word) => {
                is_link(word) || skipped > 0 && in_brackets(tokens, i) || weekday_or_half(word)
            }
            What::Mark(mark) => {
                matches!(mark, ',' | '.' | '(' | ')' | '（' | '）' | '·' | '@' | '-' | '–' | '—' | '،')
            }
            What::Number(_) => false,
        };
        if !between {
            break;
        }
        i += 1;
        skipped += 1;
    }
    let afternoon = tokens[next..i].iter().any(|t| is_word(Some(t), &["午後", "下午", "晚上", "오후"]));
    match clock(tokens, i, afternoon) {
        Some((time, end)) => zoned(tokens, day, time, end),
        None => plain,
    }
}

fn in_brackets(tokens: &[Token], i: usize) -> bool {
    i > 0 && matches!(tokens[i - 1].mark(), Some('(' | '（'))
}

fn weekday_or_half(word: &str) -> bool {
    word.ends_with("曜日")
        || word.ends_with("요일")
        || word.starts_with("星期")
        || word.starts_with("周")
        || matches!(word, "午前" | "午後" | "上午" | "下午" | "晚上" | "오전" | "오후")
        || matches!(word, "mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")
        || word.ends_with("day") && word.len() <= 9
}

/// `14:30`, `14:30:05.402`, `2:30 pm`, `14h30`, `19時40分`, `19시 40분`, `22点18分`.
fn clock(tokens: &[Token], i: usize, afternoon: bool) -> Option<(NaiveTime, usize)> {
    let mut hour = small(tokens.get(i))?;
    let separator = tokens.get(i + 1)?;
    let with_units = is_word(Some(separator), &["時", "时", "点", "點", "시"]);
    if !with_units && !matches!(separator.mark(), Some(':' | '：')) && separator.word() != Some("h") {
        return None;
    }
    let minute = small(tokens.get(i + 2));
    let mut end = i + 2 + usize::from(minute.is_some());
    let mut second = 0;
    let mut nanosecond = 0;
    if with_units {
        end += usize::from(is_word(tokens.get(end), &["分", "분"]));
    } else {
        minute?;
        if matches!(tokens.get(end).and_then(Token::mark), Some(':')) {
            second = small(tokens.get(end + 1))?;
            end += 2;
            if matches!(tokens.get(end).and_then(Token::mark), Some('.' | ','))
                && let Some(fraction) = tokens.get(end + 1).filter(|t| !t.gap).and_then(Token::number)
            {
                nanosecond = format!("{fraction:0<9.9}").parse().unwrap_or(0);
                end += 2;
            }
        }
    }
    if is_word(tokens.get(end), &["am", "pm"]) {
        let pm = is_word(tokens.get(end), &["pm"]);
        hour = match (hour, pm) {
            (12, false) => 0,
            (1..=11, true) => hour + 12,
            _ => hour,
        };
        end += 1;
    } else if afternoon && (1..=11).contains(&hour) {
        hour += 12;
    }
    Some((NaiveTime::from_hms_nano_opt(hour, minute.unwrap_or(0), second, nanosecond)?, end))
}

/// An instant where a certain zone follows, else the day with its local time.
fn zoned(tokens: &[Token], day: NaiveDate, time: NaiveTime, end: usize) -> (Moment, usize) {
    let local = Moment::Day(day, Some(time));
    let Some((minutes, next)) = zone(tokens, end) else { return (local, end) };
    let instant = FixedOffset::east_opt(minutes * 60)
        .and_then(|offset| offset.from_local_datetime(&day.and_time(time)).single())
        .map(Moment::Instant);
    (instant.unwrap_or(local), next)
}

fn zone(tokens: &[Token], i: usize) -> Option<(i32, usize)> {
    let i = if matches!(tokens.get(i).and_then(Token::mark), Some('(' | '（' | ',')) { i + 1 } else { i };
    if let Some(offset) = numeric_offset(tokens, i) {
        return Some(offset);
    }
    let mut name = tokens.get(i)?.word()?.to_owned();
    let mut next = i + 1;
    if matches!(name.as_str(), "utc" | "gmt")
        && tokens.get(next).is_some_and(|t| !t.gap)
        && let Some(offset) = numeric_offset(tokens, next)
    {
        return Some(offset);
    }
    while let (Some(mark), Some(word)) = (
        tokens.get(next).filter(|t| !t.gap).and_then(Token::mark).filter(|m| matches!(m, '/' | '_')),
        tokens.get(next + 1).filter(|t| !t.gap).and_then(Token::word),
    ) {
        name.push(mark);
        name.push_str(word);
        next += 2;
    }
    Some((zone_minutes(&name)?, next))
}

/// `+09:00`, `-0330`, `+9`.
fn numeric_offset(tokens: &[Token], i: usize) -> Option<(i32, usize)> {
    let sign = match tokens.get(i)?.mark()? {
        '+' => 1,
        '-' | '−' => -1,
        _ => return None,
    };
    let digits = tokens.get(i + 1).filter(|t| !t.gap)?.number()?;
    let (hours, minutes, next): (u32, u32, usize) = match digits.len() {
        1 | 2 if is_mark(tokens.get(i + 2), ':') => (digits.parse().ok()?, small(tokens.get(i + 3))?, i + 4),
        1 | 2 => (digits.parse().ok()?, 0, i + 2),
        4 => (digits[..2].parse().ok()?, digits[2..].parse().ok()?, i + 2),
        _ => return None,
    };
    let minutes: i32 = i32::try_from(hours * 60 + minutes).ok()?;
    (minutes <= 14 * 60).then_some((sign * minutes, next))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text_of(reading: Reading) -> Option<String> {
        reading.moment().map(|moment| moment.to_text())
    }

    #[test]
    fn the_same_day_in_every_spelling() {
        for written in [
            "2026-10-05",
            "2026/10/5",
            "2026. 10. 5.",
            "2026年10月5日",
            "2026年 10月 5号（星期一）",
            "2026년 10월 5일 (월)",
            "5 Oct 2026",
            "Oct 5, 2026",
            "October 5th, 2026",
            "Monday, 5 October 2026",
            "2026 Oct 5",
            "5. Oktober 2026",
            "5 de outubro de 2026",
            "5 de octubre de 2026",
            "5 октября 2026 г.",
            "5 Ekim 2026",
            "ngày 5 tháng 10 năm 2026",
            "5 tháng 10, 2026",
            "۱۳ مهر ۱۴۰۵",
            "۱۴۰۵/۰۷/۱۳",
            "05.10.2026",
            "20261005",
            "令和8年10月5日",
            "民國115年10月5日",
            "**2026-10-05** (Mon)",
            "2026-10-05, evening; see 2026-09-01",
            "２０２６－１０－０５".replace('－', "-").as_str(),
            "5th of October 2026",
            "5 Eki 2026 / 5 Ekim 2026 (5.10.2026)",
            "2026-10-05 25:61",
        ] {
            assert_eq!(
                text_of(value(written, DayOrder::Unknown)).as_deref(),
                Some("2026-10-05"),
                "{written:?}"
            );
        }
        assert_eq!(
            text_of(value("05/10/2026", DayOrder::DayFirst)).as_deref(),
            Some("2026-10-05"),
            "a language that puts the day first decides"
        );
    }

    #[test]
    fn a_time_is_an_instant_only_where_its_offset_is_certain() {
        for (written, instant) in [
            ("2026-10-20T13:07:51.402Z", "2026-10-20T13:07:51.402Z"),
            ("2026-09-02T10:44:00+02:00", "2026-09-02T10:44:00+02:00"),
            ("2026-08-28 19:40 JST", "2026-08-28T19:40:00+09:00"),
            ("2026年8月28日 19時40分 JST", "2026-08-28T19:40:00+09:00"),
            ("2026-07-21 22:18 Asia/Shanghai", "2026-07-21T22:18:00+08:00"),
            ("2026-07-21 22:18 (UTC+8)", "2026-07-21T22:18:00+08:00"),
            ("5 Oct 2026, 3:40 PM UTC", "2026-10-05T15:40:00Z"),
            ("2026-10-05 18:00 -0330", "2026-10-05T18:00:00-03:30"),
            ("11.10.2026 18:20 МСК", "2026-10-11T18:20:00+03:00"),
            ("2026-07-21 22:18 CET", "2026-07-21"),
            ("2026-07-21 22:18", "2026-07-21"),
            ("2026-07-21 22:18 America/New_York", "2026-07-21"),
        ] {
            assert_eq!(text_of(value(written, DayOrder::Unknown)).as_deref(), Some(instant), "{written:?}");
        }
        assert!(
            matches!(value("2026-07-21 22:18", DayOrder::Unknown), Reading::Found(Moment::Day(_, Some(_)))),
            "the time of day is kept beside a day without zone"
        );
    }

    #[test]
    fn what_is_no_date_gives_none() {
        for written in [
            "",
            "soon",
            "v1.2.2026.4",
            "10.5",
            "2026-13",
            "session 41",
            "5b0de1d4-77aa-4c31",
            "99999999",
            "11 октября",
        ] {
            assert_eq!(value(written, DayOrder::Unknown), Reading::Nothing, "{written:?} holds no date");
        }
        for written in ["2026-02-30", "05/10/2026", "31 April 2026", "۳۱ آبان ۱۴۰۵", "2026-00-10"] {
            assert!(
                matches!(value(written, DayOrder::Unknown), Reading::Doubtful(_)),
                "{written:?} is like a date and is none, or could be two"
            );
        }
    }

    #[test]
    fn names_and_headings_give_the_only_date_in_them() {
        for (name, day) in [
            ("handoff_20260819_071503.md", Some("2026-08-19")),
            ("260921-seed-catalogue.md", Some("2026-09-21")),
            ("260830-2340-orchard.md", Some("2026-08-30")),
            ("2026-09-17-ledger-import.md", Some("2026-09-17")),
            ("HANDOFF-12.md", None),
            ("HANDOFF-991340.md", None),
        ] {
            assert_eq!(text_of(file_name(name)).as_deref(), day, "{name}");
        }
        assert_eq!(
            text_of(heading("Handoff — 2026-08-30 23:40 (part 2)")).as_deref(),
            Some("2026-08-30"),
            "a title"
        );
        assert_eq!(heading("From 2026-08-30 to 2026-09-02"), Reading::Nothing, "two days are no saved time");
    }
}
