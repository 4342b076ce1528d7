//! The plan that a handoff belongs to, its newer handoffs, and open items that vanished between two of them.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

use super::evidence::{PlanSeen, Seen};
use super::report::Claim;
use super::survey::Survey;
use super::{Examiner, vanished, versions};
use crate::handoff::{ClockSource, Handoff, Inert, Record, RelPath};
use crate::place::{self, Found, Listed, Scope, State};

/// What became of the plan that this handoff belongs to; `None` when it belongs to none. One that only lies in a
/// plan's directory and says nothing of its plan is held to nothing but a newer handoff there.
pub(super) fn seen(survey: &Survey<'_>, text: &str) -> Option<PlanSeen> {
    if !survey.is_about_here {
        return None;
    }
    let named = named(survey.handoff);
    let directory = directory(survey.row, survey.handoff)?;
    let newer = newest(survey, &directory, |row| is_newer(row, survey.row));
    let is_named = named.is_some() || names_plan(text, &directory);
    if !is_named && newer.is_none() {
        return None;
    }
    let there = match RelPath::parse(&directory) {
        _ if !is_named => Seen::known((), directory.clone()),
        Err(why) => Seen::unknown(format!("its path is not one in this project: {why}"), directory.clone()),
        Ok(directory) => plan_file(survey, &directory),
    };
    Some(PlanSeen {
        named: named.unwrap_or_else(|| directory.as_str().into()),
        there,
        newer: newer.map(|row| row.relative.clone()),
    })
}

/// `plan.md` in the plan's directory; a recorded file that is the plan itself will do.
fn plan_file(survey: &Survey<'_>, directory: &RelPath) -> Seen<()> {
    let Ok(file) = RelPath::parse(&format!("{directory}/plan.md")) else {
        return Seen::unknown("its path is too long", directory.as_str());
    };
    let is_file = directory.as_str().ends_with(".md");
    let wanted = if is_file { directory.clone() } else { file };
    survey.contained(&wanted, |beneath| beneath.kind(&wanted).map(drop))
}

/// Whether a text names the plan of this directory: the directory itself, its `plan.md`, or `plan.md` alone.
fn names_plan(text: &str, directory: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '/');
    let stands_alone = |name: &str| {
        text.match_indices(name).any(|(at, _)| {
            let before = text[..at].strip_suffix("./").unwrap_or(&text[..at]);
            let after = &text[at + name.len()..];
            let after = after.strip_prefix('/').unwrap_or(after);
            !before.ends_with(is_part) && !after.starts_with(is_part)
        })
    };
    stands_alone(directory) || stands_alone("plan.md") || stands_alone(&format!("{directory}/plan.md"))
}

/// The plan's path as the file names it.
fn named(handoff: &Handoff) -> Option<Inert> {
    match &handoff.record {
        Record::Theonekit(record) => record.plan_path.clone(),
        _ => None,
    }
}

/// The plan's directory relative to the project root: where the handoff lies, else what it names.
fn directory(row: &Listed, handoff: &Handoff) -> Option<String> {
    if row.scope == Scope::Plan {
        return row.relative.parent().map(|parent| parent.to_string_lossy().into_owned());
    }
    let named = named(handoff)?;
    let text = named.raw().trim().trim_matches('`');
    let text = text.strip_prefix("./").unwrap_or(text);
    let inside = Path::new(text).strip_prefix(&row.root).ok().and_then(Path::to_str).unwrap_or(text);
    let inside = inside.strip_suffix("plan.md").unwrap_or(inside).trim_end_matches('/');
    (inside.contains('/')).then(|| inside.to_owned())
}

/// The newest live handoff of the same plan that fits, this one left out. A plan may have thousands of them, and each
/// asks: the times are compared before the paths, and none is copied.
fn newest<'a>(
    survey: &Survey<'a>,
    directory: &str,
    fits: impl Fn(&Listed) -> bool,
) -> Option<&'a Arc<Listed>> {
    let of_plan = survey.examiner.plans().get(directory)?;
    of_plan.iter().rfind(|row| fits(row) && row.path != survey.row.path)
}

/// By the times that the files themselves say: a modification time never makes one newer.
fn is_newer(row: &Listed, than: &Listed) -> bool {
    let own = |row: &Listed| row.saved_at.source != ClockSource::Mtime;
    own(row) && own(than) && row.saved_at.moment.order_key(0) > than.saved_at.moment.order_key(0)
}

/// Open items of the next older handoff of the same plan that this one neither has nor calls done.
pub(super) fn dropped(survey: &Survey<'_>, text: &str) -> Vec<Claim> {
    let Some(directory) = directory(survey.row, survey.handoff) else { return Vec::new() };
    if is_part(survey.examiner, survey.row) {
        return Vec::new();
    }
    let older = newest(survey, &directory, |row| is_newer(survey.row, row));
    let Some(older) = older else { return Vec::new() };
    let claim = |item: Inert| Claim {
        kind: "item",
        text: item,
        line: survey.handoff.lines.0,
        state: format!("open in {}, and neither done nor open here", older.relative.display()).into(),
        holds: None,
        counts: false,
    };
    let before = versions::read(older).map(|older| older.text).unwrap_or_default();
    let gone = vanished::vanished(&older.handoff, &before, Some(survey.handoff), text);
    gone.into_iter().map(claim).collect()
}

/// The handoffs of a row's plan that are older than it by their own times, the nearest first.
pub(super) fn older(examiner: &Examiner, row: &Listed) -> Vec<Arc<Listed>> {
    let Some(directory) = directory(row, &row.handoff) else { return Vec::new() };
    if is_part(examiner, row) {
        return Vec::new();
    }
    let of_plan = examiner.plans().get(&directory).into_iter().flatten();
    of_plan.rev().filter(|other| other.path != row.path && is_newer(row, other)).cloned().collect()
}

/// Whether a row is the middle or the end of a handoff, also where it was read by itself: no handoff is an earlier
/// version of that.
fn is_part(examiner: &Examiner, row: &Listed) -> bool {
    row.is_part() || examiner.parts().contains(&row.path)
}

impl Examiner {
    /// The files that are further parts of a handoff.
    fn parts(&self) -> &HashSet<PathBuf> {
        self.cache.parts.get_or_init(|| {
            let parts = self.rows().iter().filter(|row| row.is_part());
            parts.map(|row| row.path.clone()).collect()
        })
    }

    /// The live handoffs of each plan directory, oldest first.
    fn plans(&self) -> &HashMap<String, Vec<Arc<Listed>>> {
        self.cache.plans.get_or_init(|| {
            let mut plans = HashMap::<String, Vec<Arc<Listed>>>::new();
            for row in self.rows().iter().filter(|row| row.state == State::Live && !row.is_part()) {
                if let Some(directory) = directory(row, &row.handoff) {
                    plans.entry(directory).or_default().push(Arc::clone(row));
                }
            }
            for rows in plans.values_mut() {
                rows.sort_by_key(|row| row.saved_at.moment.order_key(0));
            }
            plans
        })
    }

    /// Every handoff of the project, scanned once, when the first one that belongs to a plan asks for it.
    fn rows(&self) -> &[Arc<Listed>] {
        self.cache.rows.get_or_init(|| {
            let found = Mutex::new(Vec::<Found>::new());
            place::scan(&self.roots(), &AtomicBool::new(false), &|batch| {
                found.lock().unwrap_or_else(PoisonError::into_inner).extend(batch);
                true
            });
            place::settle(found.into_inner().unwrap_or_else(PoisonError::into_inner)).0
        })
    }
}
