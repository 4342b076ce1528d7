//! A picture of the screen for the README: the cells as text runs in an SVG, so that it can be compared line by
//! line and holds nothing but what was drawn. Readable on light and dark pages.

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};

/// Width and height of a cell in the picture's own units.
const CELL: (usize, usize) = (8, 17);

const STYLE: &str = "\
.screen{font:13px 'DejaVu Sans Mono','SF Mono',Menlo,Consolas,monospace}
.page{fill:#fbfaf8}.plain{fill:#24292f}.good{fill:#1a7f37}.bad{fill:#b3261e}.unsure{fill:#855d00}
.running{fill:#0b6f7d}.accent{fill:#0a55b5}.code{fill:#8a2f9e}.bold{font-weight:bold}.dim{opacity:.62}
.bar{fill:#24292f}.on{fill:#fbfaf8}
@media(prefers-color-scheme:dark){.page{fill:#16181d}.plain{fill:#d7dae0}.good{fill:#6fce7f}.bad{fill:#ff8077}
.unsure{fill:#e0b341}.running{fill:#5fd0de}.accent{fill:#7fb2ff}.code{fill:#d79be6}.bar{fill:#d7dae0}.on{fill:#16181d}}";

/// The cells as an SVG.
pub fn picture(buf: &Buffer, what: &str) -> String {
    let (columns, rows) = (usize::from(buf.area.width), usize::from(buf.area.height));
    let (width, height) = (columns * CELL.0 + 16, rows * CELL.1 + 16);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" role=\"img\" \
         aria-label=\"{}\">\n<style>\n{STYLE}\n</style>\n<rect class=\"page\" width=\"{width}\" height=\"{height}\" \
         rx=\"6\"/>\n<g class=\"screen\" xml:space=\"preserve\">\n",
        escaped(what)
    );
    for (y, row) in buf.content.chunks(columns.max(1)).enumerate() {
        let mut x = 0;
        while x < row.len() {
            let length = row[x..].iter().take_while(|cell| look(cell) == look(&row[x])).count();
            run(&mut out, &row[x..x + length], x, y);
            x += length;
        }
    }
    out.push_str("</g>\n</svg>\n");
    out
}

/// One run of cells that look alike.
fn run(out: &mut String, cells: &[Cell], x: usize, y: usize) {
    let text: String = cells.iter().map(Cell::symbol).collect();
    let (class, reversed) = look(&cells[0]);
    let (left, top) = (8 + x * CELL.0, 8 + y * CELL.1);
    if reversed {
        let (width, height) = (cells.len() * CELL.0, CELL.1);
        out.push_str(&format!(
            "<rect class=\"bar\" x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\"/>\n"
        ));
    }
    // Each word is placed by itself: a font of another width then moves no column.
    let mut at = 0;
    for word in text.split_inclusive("  ") {
        let length = word.chars().count();
        let shown = word.trim_end();
        let lead = shown.chars().take_while(|c| *c == ' ').count();
        let shown = shown.trim_start();
        if !shown.is_empty() {
            let (x, y) = (left + (at + lead) * CELL.0, top + 13);
            let span = shown.chars().count() * CELL.0;
            out.push_str(&format!(
                "<text class=\"{class}\" x=\"{x}\" y=\"{y}\" textLength=\"{span}\">{}</text>\n",
                escaped(shown)
            ));
        }
        at += length;
    }
}

/// The class of a cell, and whether it is reversed.
fn look(cell: &Cell) -> (String, bool) {
    let reversed = cell.modifier.contains(Modifier::REVERSED);
    let colour = match cell.fg {
        _ if reversed => "on",
        Color::Green => "good",
        Color::Red => "bad",
        Color::Yellow => "unsure",
        Color::Cyan => "running",
        Color::Blue => "accent",
        Color::Magenta => "code",
        _ => "plain",
    };
    let mut class = colour.to_owned();
    for (modifier, word) in [(Modifier::BOLD, " bold"), (Modifier::DIM, " dim")] {
        if cell.modifier.contains(modifier) && !reversed {
            class.push_str(word);
        }
    }
    (class, reversed)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[test]
fn the_picture_in_the_readme_is_what_the_screen_draws() {
    let mut stage = super::fixture::Stage::new(116, 31);
    stage.keys("jj<enter>");
    let fresh =
        picture(&stage.draw(), "moorline: handoffs on the left, lanes and checks of one on the right");
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/screen.svg");
    if std::env::var_os("MOORLINE_WRITE_PICTURE").is_some() {
        std::fs::write(path, &fresh).unwrap();
    }
    let kept = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        kept == fresh,
        "the screen looks otherwise now: run this test with MOORLINE_WRITE_PICTURE=1 and look"
    );
}
