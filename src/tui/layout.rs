//! Where things stand on a screen of any size.
//!
//! ```text
//! wide                          medium                 narrow        tiny
//! header                        header                 header        one line
//! ─────────┬─ detail ─────      ───────┬─ tabs ──      ─ tabs ──
//!   list   │ detail             list   │ one pane      one pane
//!          ├─ lanes ──────             │
//!          │ lanes                     │
//!          ├─ checks · drift           │
//!          │ checks or drift           │
//! ─────────┴──────────────      ───────┴─────────      ─────────
//! footer                        footer                 footer
//! ```

use ratatui::layout::Rect;

use super::app::Pane;

/// How much room there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Not enough for panes: one line.
    Tiny,
    /// One pane at a time.
    Narrow,
    /// The list and one pane.
    Medium,
    /// Everything at once.
    Wide,
}

/// A pane with its title rule above it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Which pane.
    pub pane: Pane,
    /// The rule above it, one row high.
    pub rule: Rect,
    /// The pane itself.
    pub area: Rect,
}

/// Where everything stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Places {
    /// How much room there is.
    pub kind: Kind,
    /// The top line.
    pub header: Rect,
    /// The rule above the footer.
    pub bottom_rule: Rect,
    /// The bottom line.
    pub footer: Rect,
    /// The rule between the list and what stands beside it.
    pub divider: Option<Rect>,
    /// The panes that are seen.
    pub panes: Vec<Place>,
}

/// What of the state decides about places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wish {
    /// The pane that has the keys.
    pub focus: Pane,
    /// The pane beside the list.
    pub beside: Pane,
    /// How many lanes the selected row has.
    pub lanes: usize,
}

/// How much room an area is.
pub fn kind(area: Rect) -> Kind {
    match (area.width, area.height) {
        (w, h) if w < 20 || h < 6 => Kind::Tiny,
        (w, _) if w < 64 => Kind::Narrow,
        (w, h) if w < 100 || h < 18 => Kind::Medium,
        _ => Kind::Wide,
    }
}

/// Gives everything its place.
pub fn arrange(area: Rect, wish: Wish) -> Places {
    let kind = kind(area);
    let row = |y: u16, height: u16| Rect { y: area.y + y, height, ..area };
    if kind == Kind::Tiny {
        let line = Rect { height: area.height.min(1), ..area };
        let none = Rect { width: 0, height: 0, ..area };
        return Places {
            kind,
            header: line,
            bottom_rule: none,
            footer: none,
            divider: None,
            panes: Vec::new(),
        };
    }
    let body = row(1, area.height - 3);
    let mut panes = Vec::new();
    let mut divider = None;
    match kind {
        Kind::Narrow | Kind::Tiny => panes.push(place(wish.focus, body)),
        Kind::Medium => {
            let (left, right) = beside(body, (area.width / 20 * 9).clamp(34, 46));
            divider = Some(between(left));
            panes.push(place(Pane::List, left));
            panes.push(place(if wish.focus == Pane::List { wish.beside } else { wish.focus }, right));
        }
        Kind::Wide => {
            let (left, right) = beside(body, (area.width / 20 * 9).clamp(44, 68));
            divider = Some(between(left));
            panes.push(place(Pane::List, left));
            let lower =
                if wish.focus == Pane::Drift || (wish.focus == Pane::List && wish.beside == Pane::Drift) {
                    Pane::Drift
                } else {
                    Pane::Checks
                };
            let lower_height = (right.height / 3).clamp(4, 16);
            let lanes_height = match wish.lanes {
                0 => 0,
                n => u16::try_from(n.saturating_add(2)).unwrap_or(u16::MAX).min(right.height / 4).max(3),
            };
            let detail_height = right.height - lower_height - lanes_height;
            let part = |y: u16, height: u16| Rect { y: right.y + y, height, ..right };
            panes.push(place(Pane::Detail, part(0, detail_height)));
            if lanes_height > 0 {
                panes.push(place(Pane::Lanes, part(detail_height, lanes_height)));
            }
            panes.push(place(lower, part(detail_height + lanes_height, lower_height)));
        }
    }
    Places {
        kind,
        header: row(0, 1),
        bottom_rule: row(area.height - 2, 1),
        footer: row(area.height - 1, 1),
        divider,
        panes,
    }
}

/// A pane whose first row is its rule.
fn place(pane: Pane, area: Rect) -> Place {
    let rule = Rect { height: area.height.min(1), ..area };
    Place { pane, rule, area: Rect { y: area.y + rule.height, height: area.height - rule.height, ..area } }
}

/// Splits for a list of a width, one column between.
fn beside(area: Rect, list: u16) -> (Rect, Rect) {
    let list = list.min(area.width.saturating_sub(2));
    let left = Rect { width: list, ..area };
    let right = Rect { x: area.x + list + 1, width: area.width - list - 1, ..area };
    (left, right)
}

/// The column right of the list.
fn between(left: Rect) -> Rect {
    Rect { x: left.x + left.width, width: 1, ..left }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_stands_inside_the_screen_and_nothing_overlaps_at_any_size() {
        for (width, height) in
            (0..=130).flat_map(|w| (0..=40).map(move |h| (w, h))).chain([(65535, 1), (1, 500)])
        {
            let area = Rect::new(0, 0, width, height);
            for (focus, lanes) in [(Pane::List, 0), (Pane::Drift, 3), (Pane::Detail, usize::MAX)] {
                let places = arrange(area, Wish { focus, beside: Pane::Detail, lanes });
                let mut all = vec![places.header, places.footer, places.bottom_rule];
                all.extend(places.divider);
                all.extend(places.panes.iter().flat_map(|place| [place.rule, place.area]));
                for (n, one) in all.iter().enumerate() {
                    let inside = one.right() <= area.right() && one.bottom() <= area.bottom();
                    assert!(inside || one.area() == 0, "{one:?} is inside {width}×{height}");
                    for other in &all[n + 1..] {
                        assert_eq!(
                            one.intersection(*other).area(),
                            0,
                            "{one:?} and {other:?} at {width}×{height}"
                        );
                    }
                }
                let has_focus = places.panes.iter().any(|place| place.pane == focus);
                assert!(
                    has_focus || places.kind == Kind::Tiny,
                    "the pane with the keys is seen at {width}×{height}"
                );
            }
        }
    }
}
