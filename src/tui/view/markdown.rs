//! Markdown as people read it: headings, lists, boxes, code, quotes and tables as styled lines. HTML and
//! everything unusual stays as it is written.

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

use super::super::text;
use super::super::theme::{Role, Theme};
use crate::handoff::inert;

/// Columns up to which a line of the source keeps its end.
const SHORT_LINE: usize = 56;

/// Lays markdown out in so many columns.
pub fn lines(body: &str, width: usize, theme: &Theme) -> Vec<Line<'static>> {
    // Made visible first: what a control character could hide from the parser, it cannot hide from a reader.
    let shown = inert::shown(body);
    let options = Options::ENABLE_TABLES | Options::ENABLE_TASKLISTS | Options::ENABLE_STRIKETHROUGH;
    let mut out = Writer { theme, width: width.max(1), ..Writer::new(theme) };
    let (front, page) = without_front_matter(&shown);
    if !front.is_empty() {
        out.code_lines(front);
        out.gap();
    }
    for event in Parser::new_ext(page, options) {
        out.event(event);
    }
    out.flush();
    while out.lines.last().is_some_and(|line| line.spans.is_empty()) {
        out.lines.pop();
    }
    out.lines
}

/// The lines of a front matter, and the page behind it: for markdown itself that is a rule and a heading.
fn without_front_matter(body: &str) -> (&str, &str) {
    let behind = body.strip_prefix("---\n");
    let end =
        behind.and_then(|behind| behind.find("\n---\n").map(|end| (&behind[..end], &behind[end + 5..])));
    end.unwrap_or(("", body))
}

/// What is open while the events come in.
struct Writer<'a> {
    theme: &'a Theme,
    width: usize,
    lines: Vec<Line<'static>>,
    spans: Vec<Span<'static>>,
    styles: Vec<Style>,
    /// Open lists: the next number, or none for bullets.
    lists: Vec<Option<u64>>,
    quotes: usize,
    code: bool,
    /// The cells of the table row being read.
    row: Option<Vec<Vec<Span<'static>>>>,
    table: Vec<Vec<Vec<Span<'static>>>>,
    /// Written before the next line of the item, instead of its indent.
    marker: Option<String>,
}

impl<'a> Writer<'a> {
    fn new(theme: &'a Theme) -> Self {
        Self {
            theme,
            width: 1,
            lines: Vec::new(),
            spans: Vec::new(),
            styles: Vec::new(),
            lists: Vec::new(),
            quotes: 0,
            code: false,
            row: None,
            table: Vec::new(),
            marker: None,
        }
    }

    /// Columns of the line that is being written.
    fn written(&self) -> usize {
        self.spans.iter().map(|span| text::width(&span.content)).sum()
    }

    fn style(&self) -> Style {
        self.styles.iter().fold(Style::new(), |all, style| all.patch(*style))
    }

    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) if self.code => self.code_lines(&text),
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => self.text(&text),
            Event::Code(code) => {
                let style = self.style().patch(self.theme.style(Role::Code));
                self.spans.push(Span::styled(text::tame(&code), style));
            }
            // Prose that was wrapped by hand flows; short lines one below the other were meant so.
            Event::SoftBreak if self.written() < SHORT_LINE => self.flush(),
            Event::SoftBreak => self.text(" "),
            Event::HardBreak => self.flush(),
            Event::Rule => {
                self.flush();
                let rule = self.theme.glyphs.horizontal.repeat(self.width);
                self.lines.push(Line::from(Span::styled(rule, self.theme.style(Role::Rule))));
                self.gap();
            }
            Event::TaskListMarker(done) => {
                let glyph = self.theme.glyphs.boxes[usize::from(!done)];
                self.marker = self.marker.take().map(|_| format!("{glyph} "));
            }
            Event::FootnoteReference(name) => self.text(&format!("[{name}]")),
            Event::InlineMath(text) | Event::DisplayMath(text) => self.text(&text),
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        let theme = self.theme;
        match tag {
            Tag::Heading { level, .. } => {
                self.flush();
                self.gap();
                self.styles.push(theme.style(Role::Heading));
                let marks = "#".repeat(level as usize);
                self.spans.push(Span::styled(format!("{marks} "), theme.style(Role::Quiet)));
            }
            Tag::BlockQuote(_) => {
                self.flush();
                self.quotes += 1;
            }
            Tag::CodeBlock(kind) => {
                self.flush();
                self.code = true;
                if let CodeBlockKind::Fenced(language) = kind
                    && !language.is_empty()
                {
                    self.lines
                        .push(Line::from(Span::styled(text::tame(&language), theme.style(Role::Quiet))));
                }
            }
            Tag::List(first) => {
                self.flush();
                self.lists.push(first);
            }
            Tag::Item => {
                self.flush();
                self.marker = Some(match self.lists.last_mut() {
                    Some(Some(number)) => {
                        *number = number.saturating_add(1);
                        format!("{}. ", *number - 1)
                    }
                    _ => format!("{} ", theme.glyphs.bullet),
                });
            }
            Tag::Emphasis => self.styles.push(Style::new().add_modifier(Modifier::ITALIC)),
            Tag::Strong => self.styles.push(Style::new().add_modifier(Modifier::BOLD)),
            Tag::Strikethrough => self.styles.push(Style::new().add_modifier(Modifier::CROSSED_OUT)),
            Tag::Link { .. } | Tag::Image { .. } => {
                self.styles.push(Style::new().add_modifier(Modifier::UNDERLINED))
            }
            Tag::Table(_) => self.flush(),
            Tag::TableHead | Tag::TableRow => self.row = Some(Vec::new()),
            Tag::HtmlBlock | Tag::Paragraph => self.flush(),
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(_) => {
                self.flush();
                self.styles.pop();
            }
            TagEnd::Paragraph | TagEnd::HtmlBlock => {
                self.flush();
                if self.lists.is_empty() {
                    self.gap();
                }
            }
            TagEnd::BlockQuote(_) => {
                self.flush();
                self.quotes = self.quotes.saturating_sub(1);
                self.gap();
            }
            TagEnd::CodeBlock => {
                self.code = false;
                self.gap();
            }
            TagEnd::List(_) => {
                self.flush();
                self.lists.pop();
                if self.lists.is_empty() {
                    self.gap();
                }
            }
            // An item without any text still shows its mark.
            TagEnd::Item if self.marker.is_some() => {
                self.spans.push(Span::raw(""));
                self.flush();
            }
            TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough | TagEnd::Link | TagEnd::Image => {
                self.styles.pop();
            }
            TagEnd::TableCell => {
                let cell = std::mem::take(&mut self.spans);
                if let Some(row) = &mut self.row {
                    row.push(cell);
                }
            }
            TagEnd::TableHead | TagEnd::TableRow => self.table.extend(self.row.take()),
            TagEnd::Table => self.write_table(),
            _ => {}
        }
    }

    fn text(&mut self, content: &str) {
        let style = self.style();
        let mut first = true;
        for line in content.split('\n') {
            if !first {
                self.flush();
            }
            first = false;
            if !line.is_empty() {
                self.spans.push(Span::styled(text::tame(line), style));
            }
        }
    }

    /// Code as it is written, cut at the edge only by wrapping.
    fn code_lines(&mut self, content: &str) {
        let style = self.theme.style(Role::Code);
        for line in content.lines() {
            let line = Line::from(vec![Span::raw("  "), Span::styled(text::tame(line), style)]);
            let prefix = self.prefix();
            self.put(line, &prefix, &prefix);
        }
    }

    /// The blanks and quote bars before a line.
    fn prefix(&self) -> String {
        let bar = format!("{} ", self.theme.glyphs.vertical);
        let depth = self.lists.len().saturating_sub(1).min(12);
        format!("{}{}", bar.repeat(self.quotes.min(8)), "  ".repeat(depth))
    }

    /// Ends the line that is being written.
    fn flush(&mut self) {
        if self.spans.is_empty() {
            return;
        }
        let prefix = self.prefix();
        let (first, later) = match self.marker.take() {
            Some(marker) => {
                (format!("{prefix}{marker}"), format!("{prefix}{}", " ".repeat(text::width(&marker))))
            }
            None if self.lists.is_empty() => (prefix.clone(), prefix),
            None => (format!("{prefix}  "), format!("{prefix}  ")),
        };
        let line = Line::from(std::mem::take(&mut self.spans));
        self.put(line, &first, &later);
    }

    /// Wraps a line behind its prefixes.
    fn put(&mut self, line: Line<'static>, first: &str, later: &str) {
        let columns = self.width.saturating_sub(text::width(first)).max(1);
        for (n, part) in text::wrap(&line, columns, 0).into_iter().enumerate() {
            let prefix = if n == 0 { first } else { later };
            let mut spans = Vec::with_capacity(part.spans.len() + 1);
            if !prefix.is_empty() {
                spans.push(Span::styled(prefix.to_owned(), self.theme.style(Role::Quiet)));
            }
            spans.extend(part.spans);
            self.lines.push(Line::from(spans));
        }
    }

    /// One empty line, never two.
    fn gap(&mut self) {
        if self.lines.last().is_some_and(|line| !line.spans.is_empty()) {
            self.lines.push(Line::default());
        }
    }

    /// A table with its columns lined up where there is room, else its cells one after another.
    fn write_table(&mut self) {
        let rows = std::mem::take(&mut self.table);
        let cell_width =
            |cell: &Vec<Span<'_>>| cell.iter().map(|span| text::width(&span.content)).sum::<usize>();
        let count = rows.iter().map(Vec::len).max().unwrap_or(0);
        let widths: Vec<usize> = (0..count)
            .map(|n| rows.iter().filter_map(|row| row.get(n)).map(cell_width).max().unwrap_or(0))
            .collect();
        let total = widths.iter().sum::<usize>() + 3 * count.saturating_sub(1);
        let lined_up = total <= self.width;
        let rule = self.theme.style(Role::Rule);
        for (r, row) in rows.into_iter().enumerate() {
            let mut spans = Vec::new();
            for (n, cell) in row.into_iter().enumerate() {
                if n > 0 {
                    spans.push(Span::styled(format!(" {} ", self.theme.glyphs.vertical), rule));
                }
                let fill = widths[n] - cell_width(&cell);
                spans.extend(cell);
                if lined_up && n + 1 < count {
                    spans.push(Span::raw(" ".repeat(fill)));
                }
            }
            let mut line = Line::from(spans);
            if r == 0 {
                line.style = self.theme.style(Role::Heading);
            }
            let prefix = self.prefix();
            self.put(line, &prefix, &format!("{prefix}  "));
        }
        self.gap();
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::theme::UNICODE;
    use super::*;

    fn show(body: &str, width: usize) -> String {
        let theme = Theme { colour: false, glyphs: &UNICODE };
        lines(body, width, &theme).iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn a_front_matter_is_no_heading() {
        let body = "---\ncontinuation: HANDOFF-3.md\n---\n# Title\n";
        assert_eq!(show(body, 40), "  continuation: HANDOFF-3.md\n\n# Title", "it is shown as it is written");
        assert_eq!(show("---\n\n# Title\n", 8), "────────\n\n# Title", "the control: a rule is one");
    }

    #[test]
    fn common_markdown_reads_like_a_page() {
        let body = "# Title\ntext *it* `code`\nnext\n\n- one\n  - two\n- [x] done\n- [ ] open\n\n1. a\n2. b\n\n> said\n\n```sh\nls -l\n```\n\n| a | bb |\n|---|---|\n| ccc | d |\n";
        let expected = "\
# Title
text it code
next

• one
  • two
☑ done
☐ open

1. a
2. b

│ said

sh
  ls -l

a   │ bb
ccc │ d";
        assert_eq!(show(body, 60), expected, "every block has its shape and one blank line after it");
    }

    #[test]
    fn long_items_hang_under_their_text() {
        assert_eq!(
            show("- one two three four", 10),
            "• one two \n  three \n  four",
            "later lines stand under the first"
        );
    }

    #[test]
    fn html_and_escapes_stay_visible() {
        let shown = show("<b>bold</b> \u{1b}[31mred\u{202e}", 80);
        assert!(shown.contains("<b>bold</b>"), "HTML is text here");
        assert!(shown.contains("␛[31m") && shown.contains("<U+202E>"), "and escapes are marks: {shown}");
    }

    #[test]
    fn any_text_at_any_width_lays_out() {
        let body = format!("{}\n{}\n| a |\n|-|\n| {} |", "> ".repeat(200), "- ".repeat(200), "x".repeat(500));
        for width in 0..30 {
            assert!(
                !lines(&body, width, &Theme { colour: true, glyphs: &UNICODE }).is_empty(),
                "width {width}"
            );
        }
    }
}
