//! What a place in a page can tell: whether labels and sentences there are facts about now.

use super::lists::says_nothing_now;
use crate::handoff::labels::Label;
use crate::handoff::markdown::{Kind, Line, is_rule};
use crate::handoff::outline::Outline;

/// How many visible lines may hold facts outside of a section for them.
const HEAD_LINES: usize = 60;
/// How many lines a page may have below its last rule for them to be its foot.
const MOST_FOOT_LINES: usize = 8;

/// What a place in the file can tell.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    /// The section whose facts must agree: the innermost one, or the first of those that stand side by side.
    pub section: Option<usize>,
    /// Labels count, `Next:` and `Blocked:` with a value behind them too.
    pub holds_facts: bool,
    /// It is a section of steps near the top: only labels that say `current` count.
    pub is_plan: bool,
    /// Sentences count too: the file begins here, or says where things stand.
    pub says_where: bool,
    /// It stands before the first section, or under the title only.
    pub is_head: bool,
    /// It is indented like code.
    pub in_code: bool,
    /// It is quoted.
    pub quoted: bool,
}

impl Place {
    /// The place of a line in this section, the `seen`th that a reader sees.
    pub fn of(outline: &Outline, owner: Option<usize>, seen: usize) -> Self {
        let mut facts_section = false;
        let mut past = false;
        let mut lists = false;
        let title = outline.title.map(|title| outline.sections[title].at);
        for section in outline.path(owner).filter(|section| Some(section.at) != title) {
            match section.label() {
                Some(Label::Facts | Label::Status | Label::Branch | Label::Commit) => facts_section = true,
                Some(label) if says_nothing_now(label) => past = true,
                Some(Label::Past) => past = true,
                Some(Label::Next | Label::Blockers | Label::Trouble | Label::Todo) => lists = true,
                _ => {}
            }
        }
        let is_head = owner.is_none() || owner == outline.title;
        let holds_facts = !past && !lists && (seen <= HEAD_LINES || facts_section);
        Self {
            section: first_of_row(outline, owner).or(owner),
            holds_facts,
            is_plan: !past && lists && seen <= HEAD_LINES,
            says_where: holds_facts && (is_head || facts_section),
            is_head: is_head && seen <= 15,
            in_code: false,
            quoted: false,
        }
    }

    /// The value of a section that is named like a field.
    pub fn of_section(section: usize) -> Self {
        Self {
            section: Some(section),
            holds_facts: true,
            is_plan: false,
            says_where: false,
            is_head: false,
            in_code: false,
            quoted: false,
        }
    }
}

/// The first of several sections that stand side by side, each about one of a kind (`Lane A`, `Lane B`), where the
/// section is in one of them: what they say of themselves is true of the file only where they agree.
fn first_of_row(outline: &Outline, owner: Option<usize>) -> Option<usize> {
    let around = std::iter::successors(owner, |&s| outline.sections[s].parent);
    let mut rows = around.filter_map(|at| {
        let own = &outline.sections[at];
        if !own.one_of_row {
            return None;
        }
        outline.sections.iter().position(|s| s.parent == own.parent && s.level == own.level && s.one_of_row)
    });
    rows.next()
}

/// From which line on a page has its foot: the last few lines below a rule, with no heading among them.
pub(super) fn foot(lines: &[Line<'_>]) -> usize {
    let last_of = |is: fn(&Line<'_>) -> bool| lines.iter().rposition(is);
    let rule = last_of(|line| line.kind == Kind::Text && is_rule(&line.text));
    let heading = last_of(|line| matches!(line.kind, Kind::Heading(_)));
    let is_short = |from: usize| {
        lines[from..].iter().filter(|line| line.kind == Kind::Text).count() <= MOST_FOOT_LINES + 1
    };
    rule.filter(|&from| heading.is_none_or(|at| at < from) && is_short(from)).unwrap_or(lines.len())
}
