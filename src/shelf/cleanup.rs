//! Which handoffs are old enough for the archive, and what is spared.
//!
//! Only the two directories of dated files are swept: `.claude/handoffs/` of the project and of the home directory.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::model::{Plan, Spared, Verb};
use super::plan::{Ask, into_archives};
use crate::disk::{Beneath, DiskError, EntryKind};
use crate::handoff::age::Clock;
use crate::handoff::{ClockSource, Family};
use crate::place::{self, Listed, Scope, State};

/// The directory of dated handoffs, below a project and below the home directory.
pub const DATED: &str = ".claude/handoffs";
/// Bytes read of a plan's text.
const CAP: u64 = 256 << 10;

/// What decides besides the rows.
#[derive(Debug, Clone)]
pub struct Rule {
    /// The directories that are swept.
    pub swept: Vec<PathBuf>,
    /// Older than so many days, by the saved time.
    pub days: u32,
    /// Now.
    pub clock: Clock,
    /// The active plan's own texts: what they name is spared.
    pub plan: Vec<(PathBuf, String)>,
}

/// What a cleanup would archive, and the old ones that it does not touch.
#[derive(Debug, Clone, Default)]
pub struct Sorted {
    /// Old enough, and not spared.
    pub old: Vec<Arc<Listed>>,
    /// Old enough, and spared.
    pub spared: Vec<Spared>,
}

/// Which handoffs are archived after so many days, and which never are: one sentence each.
pub fn rule_words(days: u32) -> [String; 2] {
    [
        format!(
            "Handoffs that were saved more than {days} days ago go to the archive/ beside them: those in \
             .claude/handoffs/ of this project, and in ~/.claude/handoffs/."
        ),
        "Never touched: plans, rolling files, the newest of a series, what the active plan names.".to_owned(),
    ]
}

/// Archives what is older than `days` by its saved time. `from` is where the person stands: plans are looked for
/// there first.
///
/// # Errors
/// The active plan is there and cannot be read: what it refers to is not known, and nothing may be swept.
pub fn plan(ask: Ask<'_>, rows: &[Arc<Listed>], days: u32, from: &Path) -> Result<Plan, DiskError> {
    let clock = Clock { unix: ask.now.timestamp(), east: ask.now.offset().local_minus_utc() };
    let project = &ask.roots.project;
    let rule = Rule {
        swept: vec![project.join(DATED), ask.shelf.home.join(DATED)],
        days,
        clock,
        plan: plan_texts(project, from)?,
    };
    let sorted = sort(rows, &rule);
    let mut plan = into_archives(ask, Verb::Cleanup, &sorted.old);
    plan.rule = rule_words(days).to_vec();
    plan.spared.splice(0..0, sorted.spared);
    Ok(plan)
}

/// Tells the old from the spared.
pub fn sort(rows: &[Arc<Listed>], rule: &Rule) -> Sorted {
    let mut sorted = Sorted::default();
    let newest = newest_of_series(rows, rule);
    let mut last: Option<&Path> = None;
    for row in rows.iter().filter(|row| row.state == State::Live && is_old(row, rule)) {
        // A day file has many records and is one file.
        if last == Some(&row.path) {
            continue;
        }
        last = Some(&row.path);
        match reason(row, rule, &newest) {
            Some(reason) => sorted.spared.push(Spared { path: row.path.clone(), reason }),
            None => sorted.old.push(Arc::clone(row)),
        }
    }
    keep_chains_whole(rows, &mut sorted);
    sorted
}

/// Older than the rule's days by the saved time, or of no known age at all.
fn is_old(row: &Listed, rule: &Rule) -> bool {
    rule.clock.since(&row.saved_at.moment) > i64::from(rule.days) * 86_400
}

/// Why an old handoff is not swept.
fn reason(row: &Listed, rule: &Rule, newest: &HashMap<Series, i64>) -> Option<String> {
    if row.handoff.family == Family::Memtomem {
        return Some("is a file of memtomem's records, which are never moved".to_owned());
    }
    if row.scope == Scope::Plan {
        return Some("belongs to a plan".to_owned());
    }
    let folder = row.path.parent().unwrap_or(&row.path);
    let series = series(row);
    if series.is_some() && !rule.swept.iter().any(|swept| swept == folder) {
        return Some("is neither in this project's .claude/handoffs/ nor in ~/.claude/handoffs/".to_owned());
    }
    let (true, Some(series)) = (rule.swept.iter().any(|swept| swept == folder), series) else {
        return Some("is a rolling handoff: it lies under a fixed name, and is saved over".to_owned());
    };
    if row.saved_at.source == ClockSource::Mtime || !row.saved_at.moment.is_plausible() {
        return Some("does not say when it was saved".to_owned());
    }
    if newest.get(&series) == Some(&row.saved_at.moment.order_key(rule.clock.east)) {
        return Some(format!("is the newest of its series ({})", series.slug));
    }
    let named = rule.plan.iter().find(|(_, text)| names(text, row));
    named.map(|(path, _)| {
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        let folder = path.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
        format!("the active plan refers to it ({folder}/{file})")
    })
}

/// Handoffs of one directory with one slug.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Series {
    folder: PathBuf,
    slug: String,
}

/// The series of a dated file (`<YYMMDD>-<slug>[-N].md`), archived ones with those that are live; `None` for a name
/// without a date.
fn series(row: &Listed) -> Option<Series> {
    let place = row.origin.as_deref().filter(|_| row.state == State::Archived).unwrap_or(&row.path);
    let stem = place.file_stem()?.to_string_lossy().to_lowercase();
    let stem = stem.split_once(".handoff-").map_or(stem.as_str(), |(head, _)| head);
    let (date, slug) = stem.split_once('-').unwrap_or((stem, ""));
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let slug = match (date.len(), is_number(date)) {
        (6 | 8, true) => slug,
        // `2026-09-01-slug`
        (4, true) => {
            let mut parts = slug.splitn(3, '-');
            let is_date = parts.next().is_some_and(is_number) && parts.next().is_some_and(is_number);
            if is_date { parts.next().unwrap_or("") } else { return None }
        }
        _ => return None,
    };
    let slug = match slug.rsplit_once('-') {
        Some((slug, number)) if is_number(number) => slug,
        _ => slug,
    };
    Some(Series { folder: place.parent()?.to_owned(), slug: slug.to_owned() })
}

/// The time of the newest handoff of each series; one alone is no series.
fn newest_of_series(rows: &[Arc<Listed>], rule: &Rule) -> HashMap<Series, i64> {
    let mut all: HashMap<Series, Vec<i64>> = HashMap::new();
    for row in rows.iter().filter(|row| row.state != State::Trashed) {
        if let Some(series) = series(row).filter(|series| !series.slug.is_empty()) {
            all.entry(series).or_default().push(row.saved_at.moment.order_key(rule.clock.east));
        }
    }
    let several = all.into_iter().filter(|(_, times)| times.len() > 1);
    several.filter_map(|(series, times)| Some((series, times.into_iter().max()?))).collect()
}

/// Whether a text names this handoff's file, with or without its ending, as a word of its own.
fn names(text: &str, row: &Listed) -> bool {
    let stem = row.path.file_stem().unwrap_or_default().to_string_lossy();
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    text.match_indices(stem.as_ref())
        .any(|(at, _)| !text[..at].ends_with(is_part) && !text[at + stem.len()..].starts_with(is_part))
}

/// A file that another one goes on in is swept only together with it, and the other way round.
fn keep_chains_whole(rows: &[Arc<Listed>], sorted: &mut Sorted) {
    let next = |row: &Listed| {
        let link = row.handoff.continuation.as_ref()?;
        row.path.parent().map(|folder| folder.join(link.raw()))
    };
    loop {
        let is_old = |path: &Path| sorted.old.iter().any(|row| row.path == path);
        let is_live = |path: &Path| rows.iter().any(|row| row.state == State::Live && row.path == path);
        let broken = |row: &Arc<Listed>| {
            let onward = next(row).is_some_and(|link| is_live(&link) && !is_old(&link));
            let back = rows.iter().any(|head| {
                head.state == State::Live && next(head).as_deref() == Some(&row.path) && !is_old(&head.path)
            });
            onward || back
        };
        let Some(at) = sorted.old.iter().position(broken) else { return };
        let row = sorted.old.remove(at);
        let reason = "is part of a chain of which another part stays".to_owned();
        sorted.spared.push(Spared { path: row.path.clone(), reason });
    }
}

/// The texts of the active plan, of all where several tie.
fn plan_texts(project: &Path, from: &Path) -> Result<Vec<(PathBuf, String)>, DiskError> {
    let Some(active) = place::active_plan(project, from)? else { return Ok(Vec::new()) };
    let mut texts = Vec::new();
    for folder in std::iter::once(&active.folder).chain(&active.tied) {
        let beneath = Beneath::open(folder)?;
        for entry in beneath.list(Path::new(""))?.1.into_iter().filter(|entry| entry.kind == EntryKind::File)
        {
            let content = beneath.read_found(Path::new(&entry.name), CAP)?;
            texts.push((folder.join(&entry.name), String::from_utf8_lossy(&content.bytes).into_owned()));
        }
    }
    Ok(texts)
}
