//! Putting lines into cells: clipped to their area, wide characters whole, and a last look at every cell.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr;

use super::super::text;
use super::super::theme::{Role, Theme};
use crate::handoff::inert::is_odd;

/// A brush: where to paint and with what.
pub struct Painter<'a> {
    /// The cells.
    pub buf: &'a mut Buffer,
    /// The colours and glyphs.
    pub theme: &'a Theme,
}

impl Painter<'_> {
    /// A run of text in a role.
    pub fn span(&self, text: impl Into<String>, role: Role) -> Span<'static> {
        Span::styled(text.into(), self.theme.style(role))
    }

    /// One row of an area, none where it is outside.
    fn row(&self, area: Rect, y: u16) -> Option<Rect> {
        let row = Rect { y: area.y.checked_add(y)?, height: 1, ..area };
        (y < area.height).then(|| row.intersection(self.buf.area)).filter(|row| row.area() > 0)
    }

    /// A line at a row of an area, cut with `…` where it is too long.
    pub fn line(&mut self, area: Rect, y: u16, line: &Line<'_>) {
        if let Some(row) = self.row(area, y) {
            let line = clip_line(line, usize::from(row.width));
            self.buf.set_line(row.x, row.y, &line, row.width);
        }
    }

    /// Text left and right on one row; where both do not fit, the left is cut.
    pub fn spread(&mut self, area: Rect, y: u16, left: &Line<'_>, right: &Line<'_>) {
        let right_width = line_width(right).min(usize::from(area.width));
        let left_width = usize::from(area.width).saturating_sub(right_width + usize::from(right_width > 0));
        self.line(area, y, &clip_line(left, left_width));
        let right_width = u16::try_from(right_width).unwrap_or(area.width);
        let right_area = Rect { x: area.x + (area.width - right_width), width: right_width, ..area };
        self.line(right_area, y, right);
    }

    /// Empties an area.
    pub fn clear(&mut self, area: Rect) {
        let area = area.intersection(self.buf.area);
        for y in area.top()..area.bottom() {
            for x in area.left()..area.right() {
                if let Some(cell) = self.buf.cell_mut((x, y)) {
                    cell.reset();
                }
            }
        }
    }

    /// Marks a row as selected: a bar, and reversed where its pane has the keys.
    pub fn select(&mut self, area: Rect, y: u16, has_keys: bool) {
        let Some(row) = self.row(area, y) else { return };
        let bar = self.span(self.theme.glyphs.bar, if has_keys { Role::Accent } else { Role::Plain });
        self.buf.set_span(row.x, row.y, &bar, 1);
        if has_keys {
            self.buf.set_style(row, self.theme.style(Role::Selected));
        }
    }

    /// A horizontal rule along the first row of an area.
    pub fn rule(&mut self, area: Rect) {
        let rule = self.theme.glyphs.horizontal.repeat(usize::from(area.width));
        let line = Line::from(self.span(rule, Role::Rule));
        self.line(area, 0, &line);
    }

    /// One glyph of the rules at a place.
    pub fn joint(&mut self, x: u16, y: u16, glyph: &'static str) {
        let span = self.span(glyph, Role::Rule);
        if self.buf.area.contains((x, y).into()) {
            self.buf.set_span(x, y, &span, 1);
        }
    }

    /// A rule with a title at its beginning and a note at its end.
    pub fn titled_rule(&mut self, area: Rect, title: Line<'_>, note: Line<'_>) {
        self.rule(area);
        let inner = Rect { x: area.x + 1.min(area.width), width: area.width.saturating_sub(2), ..area };
        let framed = |line: Line<'_>| {
            let mut spans = vec![Span::raw(" ")];
            spans.extend(
                line.spans.into_iter().map(|span| Span::styled(span.content.into_owned(), span.style)),
            );
            spans.push(Span::raw(" "));
            Line::from(spans)
        };
        let (title_empty, note_empty) = (title.spans.is_empty(), note.spans.is_empty());
        let title = framed(title);
        let title_width = line_width(&title);
        if !title_empty {
            self.line(inner, 0, &title);
        }
        let note = framed(note);
        let note_width = line_width(&note);
        if !note_empty && title_width + note_width < usize::from(inner.width) {
            let width = u16::try_from(note_width).unwrap_or(inner.width);
            self.line(Rect { x: inner.right() - width, width, ..inner }, 0, &note);
        }
    }

    /// A framed box over everything, with its title; returns the room inside. Where there is no room for a
    /// frame, the whole area is the room.
    pub fn overlay(&mut self, screen: Rect, wanted: (u16, u16), title: &str) -> Rect {
        if screen.width < 24 || screen.height < 8 {
            self.clear(screen);
            return screen;
        }
        let width = wanted.0.saturating_add(4).min(screen.width - 2);
        let height = wanted.1.saturating_add(2).clamp(3, screen.height - 2);
        let area = Rect {
            x: screen.x + (screen.width - width) / 2,
            y: screen.y + (screen.height - height) / 2,
            width,
            height,
        };
        self.clear(area);
        let glyphs = self.theme.glyphs;
        let last = height - 1;
        for y in 0..height {
            let row = Rect { y: area.y + y, height: 1, ..area };
            if y == 0 || y == last {
                self.rule(row);
                let corners = if y == 0 {
                    [glyphs.corners[0], glyphs.corners[1]]
                } else {
                    [glyphs.corners[2], glyphs.corners[3]]
                };
                self.joint(area.x, row.y, corners[0]);
                self.joint(area.right() - 1, row.y, corners[1]);
            } else {
                self.joint(area.x, row.y, glyphs.vertical);
                self.joint(area.right() - 1, row.y, glyphs.vertical);
            }
        }
        let title =
            Line::from(self.span(format!(" {} ", text::clip(title, usize::from(width) - 6)), Role::Heading));
        self.line(Rect { x: area.x + 2, width: width - 4, height: 1, ..area }, 0, &title);
        Rect { x: area.x + 2, y: area.y + 1, width: width - 4, height: height - 2 }
    }

    /// An input with its cursor, scrolled so that the cursor is seen.
    pub fn input(&mut self, area: Rect, y: u16, input: &tui_input::Input) {
        let shown: String = input.value().chars().map(|c| if c == '\n' { '\u{1}' } else { c }).collect();
        let newline = self.theme.glyphs.newline;
        let before: String = shown.chars().take(input.cursor()).collect();
        let after: String = shown.chars().skip(input.cursor()).collect();
        let safe = |text: &str| text.split('\u{1}').map(text::tame).collect::<Vec<_>>().join(newline);
        let (before, after) = (safe(&before), safe(&after));
        let room = usize::from(area.width).saturating_sub(1);
        let skip = text::width(&before).saturating_sub(room);
        let before = skip_columns(&before, skip);
        let mut clusters = unicode_segmentation::UnicodeSegmentation::graphemes(after.as_str(), true);
        let under = clusters.next().unwrap_or(" ").to_owned();
        let cursor = Style::new().add_modifier(Modifier::REVERSED);
        let line = Line::from(vec![
            Span::raw(before),
            Span::styled(under, cursor),
            Span::raw(clusters.collect::<String>()),
        ]);
        if let Some(row) = self.row(area, y) {
            self.buf.set_line(row.x, row.y, &line, row.width);
        }
    }
}

/// The text without its first columns; a wide character that is cut becomes blanks.
fn skip_columns(text: &str, columns: usize) -> String {
    let mut skipped = 0;
    let mut out = String::new();
    for cluster in unicode_segmentation::UnicodeSegmentation::graphemes(text, true) {
        if skipped >= columns {
            out.push_str(cluster);
            continue;
        }
        skipped += text::width(cluster);
        if skipped > columns {
            out.push_str(&" ".repeat(skipped - columns));
        }
    }
    out
}

/// Columns of a line.
pub fn line_width(line: &Line<'_>) -> usize {
    line.spans.iter().map(|span| text::width(&span.content)).sum()
}

/// A line cut to so many columns, its end replaced by `…` where something was cut.
pub fn clip_line(line: &Line<'_>, columns: usize) -> Line<'static> {
    let own = |span: &Span<'_>| Span::styled(span.content.clone().into_owned(), line.style.patch(span.style));
    if line_width(line) <= columns {
        return Line::from(line.spans.iter().map(own).collect::<Vec<_>>());
    }
    let mut room = columns;
    let mut spans = Vec::new();
    for span in &line.spans {
        let wide = text::width(&span.content);
        if wide < room {
            spans.push(own(span));
            room -= wide;
        } else {
            let cut =
                if wide == room { format!("{} ", span.content) } else { span.content.clone().into_owned() };
            spans.push(Span::styled(text::clip(&cut, room), line.style.patch(span.style)));
            break;
        }
    }
    Line::from(spans)
}

/// The last look at every cell: whatever came this far, nothing that is invisible, controls the terminal or
/// takes another width than its cell reaches the terminal; and nothing but ASCII where the locale has no more.
pub fn scrub(buf: &mut Buffer, ascii: bool) {
    let width = usize::from(buf.area.width.max(1));
    let mut hidden = 0_usize;
    for (n, cell) in buf.content.iter_mut().enumerate() {
        if n % width == 0 {
            hidden = 0;
        }
        let symbol = cell.symbol();
        let columns = if symbol.is_ascii() { symbol.len() } else { symbol.width() };
        let visible = if symbol.is_ascii() {
            columns == 1 && !symbol.bytes().any(|b| b.is_ascii_control())
        } else {
            (1..=2).contains(&columns) && symbol.chars().count() <= 12 && !symbol.chars().any(stray) && !ascii
        };
        let fits = columns <= width - n % width;
        if hidden > 0 {
            hidden -= 1;
            if symbol != " " {
                cell.set_symbol(" ");
            }
        } else if visible && fits {
            hidden = columns - 1;
        } else {
            cell.set_symbol(if ascii { spelling(symbol) } else { "?" });
        }
    }
}

/// How ASCII writes what texts and this screen use most; `?` only for what has no spelling.
fn spelling(symbol: &str) -> &'static str {
    match symbol {
        "…" => "~",
        "‐" | "‑" | "‒" | "–" | "—" | "―" | "−" => "-",
        "‘" | "’" | "‚" | "′" => "'",
        "“" | "”" | "„" | "″" | "«" | "»" => "\"",
        "•" | "·" | "∙" => "*",
        "→" | "⇒" => ">",
        "←" | "⇐" => "<",
        "≠" => "!",
        "✓" | "✔" => "+",
        "✗" | "✘" | "×" => "x",
        _ => "?",
    }
}

/// Whether a character must never be in a cell, not even beside a letter.
fn stray(c: char) -> bool {
    is_odd(c) || c.is_control() || matches!(c, '\u{FE0E}' | '\u{FE0F}')
}

#[cfg(test)]
mod tests {
    use super::super::super::theme::UNICODE;
    use super::*;

    #[test]
    fn a_line_that_just_fits_is_whole_and_a_longer_one_says_so() {
        let line = Line::from(vec![Span::raw("abc"), Span::raw("def")]);
        assert_eq!(clip_line(&line, 6).to_string(), "abcdef", "six columns hold six letters");
        assert_eq!(clip_line(&line, 5).to_string(), "abcd…", "five say that something is cut");
        assert_eq!(clip_line(&line, 3).to_string(), "ab…", "also at a seam between two runs");
        assert_eq!(clip_line(&line, 0).to_string(), "", "no room, no text");
    }

    #[test]
    fn whatever_reaches_a_cell_is_looked_at_once_more() {
        let mut buf = Buffer::empty(Rect::new(0, 0, 6, 1));
        for (x, symbol) in ["\u{1b}", "\u{202e}", "a\u{200b}", "漢", "x", "漢"].iter().enumerate() {
            buf.content[x].set_symbol(symbol);
        }
        scrub(&mut buf, false);
        let cells: Vec<_> = buf.content.iter().map(|cell| cell.symbol()).collect();
        assert_eq!(
            cells,
            ["?", "?", "?", "漢", " ", "?"],
            "controls go, a wide one hides its neighbour or goes"
        );
        scrub(&mut buf, true);
        assert!(buf.content.iter().all(|cell| cell.symbol().is_ascii()), "an ASCII terminal gets ASCII");
    }

    #[test]
    fn an_ascii_terminal_reads_cuts_and_dashes_as_what_they_are() {
        let mut buf = Buffer::empty(Rect::new(0, 0, 6, 1));
        for (x, symbol) in ["…", "—", "–", "’", "→", "漢"].iter().enumerate() {
            buf.content[x].set_symbol(symbol);
        }
        scrub(&mut buf, true);
        let cells: String = buf.content.iter().map(|cell| cell.symbol()).collect();
        assert_eq!(cells, "~--'>?", "`?` stands only for what has no spelling");
    }

    #[test]
    fn the_cursor_of_a_long_input_is_seen() {
        let theme = Theme { colour: false, glyphs: &UNICODE };
        let mut buf = Buffer::empty(Rect::new(0, 0, 10, 1));
        let area = buf.area;
        Painter { buf: &mut buf, theme: &theme }.input(
            area,
            0,
            &tui_input::Input::new("0123456789abcdef".into()),
        );
        assert_eq!(buf.content[8].symbol(), "f", "the last letter stands before the cursor");
        assert!(buf.content[9].modifier.contains(Modifier::REVERSED), "the cursor stands in the last column");
    }
}
