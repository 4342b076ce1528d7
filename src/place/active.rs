//! The active plan: the plan directory that was worked in last.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::order::natural;
use crate::disk::{Beneath, DiskError, EntryKind};

/// Modification times this close together are one moment: a fresh clone stamps everything at once.
const ONE_MOMENT: Duration = Duration::from_secs(1);

/// The plan that a save belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActivePlan {
    /// Its directory, absolute.
    pub folder: PathBuf,
    /// Other plan directories modified within the same second. Where there are any, `folder` is only the one with
    /// the newest date in its name: a guess, which must be said or asked about.
    pub tied: Vec<PathBuf>,
    /// The other plan directories beside it, those with the newest date in their name first.
    pub others: Vec<PathBuf>,
}

/// Finds the active plan: of the `plans/*/` directories that hold a `plan.md`, the one modified last, by its own
/// modification time or that of any file directly in it. Looks below `from` first, then below `project`; `None`
/// where neither has a plan.
///
/// # Errors
/// [`DiskError`] where a plans directory is there and cannot be read.
pub fn active_plan(project: &Path, from: &Path) -> Result<Option<ActivePlan>, DiskError> {
    for root in [from, project] {
        if let Some((name, tied, others)) = last_modified(plans(root)?) {
            let absolute = |name: String| root.join("plans").join(name);
            let all = |names: Vec<String>| names.into_iter().map(absolute).collect();
            return Ok(Some(ActivePlan { folder: absolute(name), tied: all(tied), others: all(others) }));
        }
    }
    Ok(None)
}

/// The plan directories of a root, each with the time it was modified last.
fn plans(root: &Path) -> Result<Vec<(String, SystemTime)>, DiskError> {
    let beneath = match Beneath::open(&root.join("plans")) {
        Ok(beneath) => beneath,
        Err(DiskError::NotFound(_)) => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut plans = Vec::new();
    for folder in beneath.list(Path::new(""))?.1 {
        // `reports` gathers reports of all plans, also where somebody put a plan.md into it.
        let (Some(name), EntryKind::Directory) = (folder.name.to_str(), folder.kind) else { continue };
        if name == "reports" {
            continue;
        }
        let (_, files) = beneath.list(Path::new(name))?;
        let is_plan = files.iter().any(|file| file.name == "plan.md" && file.kind == EntryKind::File);
        if !is_plan {
            continue;
        }
        let mut last = beneath.modified(Path::new(name))?;
        for file in files.iter().filter(|file| file.kind == EntryKind::File) {
            last = last.max(beneath.modified(&Path::new(name).join(&file.name))?);
        }
        plans.push((name.to_owned(), last));
    }
    Ok(plans)
}

/// The plan modified last, those that tie with it, and the rest; of several the one with the newest date in its
/// name, then the last by name.
fn last_modified(mut plans: Vec<(String, SystemTime)>) -> Option<(String, Vec<String>, Vec<String>)> {
    let newest = plans.iter().map(|(_, at)| *at).max()?;
    plans.sort_by(|(a, _), (b, _)| {
        date_of(b).cmp(&date_of(a)).then_with(|| natural(Path::new(b), Path::new(a)))
    });
    let is_last = |at: SystemTime| newest.duration_since(at).is_ok_and(|since| since <= ONE_MOMENT);
    let (last, others): (Vec<_>, Vec<_>) = plans.into_iter().partition(|(_, at)| is_last(*at));
    let mut last = last.into_iter().map(|(name, _)| name);
    Some((last.next()?, last.collect(), others.into_iter().map(|(name, _)| name).collect()))
}

/// The date that a plan directory's name begins with (`YYMMDD-HHMM-slug`, `YYMMDD-slug`, `YYYYMMDD-slug`), as one
/// comparable number; `None` for a bare slug.
fn date_of(name: &str) -> Option<u64> {
    let mut parts = name.split('-');
    let number = |part: Option<&str>, lengths: &[usize]| {
        let part =
            part.filter(|part| lengths.contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit()))?;
        part.parse::<u64>().ok()
    };
    let day = parts.next();
    let date = number(day, &[6, 8])?;
    let date = if day.is_some_and(|day| day.len() == 6) { date + 20_000_000 } else { date };
    Some(date * 10_000 + number(parts.next(), &[4]).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn at(seconds: u64) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)
    }

    fn chosen(plans: &[(&str, u64)]) -> Option<(String, Vec<String>, Vec<String>)> {
        last_modified(plans.iter().map(|(name, seconds)| ((*name).to_owned(), at(*seconds))).collect())
    }

    #[test]
    fn the_plan_modified_last_is_the_active_one_and_a_tie_is_told() {
        assert_eq!(chosen(&[]), None, "no plan, no active one");
        let alone = chosen(&[("260901-a", 100), ("261001-b", 50)]);
        let others = vec!["261001-b".into()];
        assert_eq!(alone, Some(("260901-a".into(), vec![], others)), "the time decides, not the name");
        let (name, tied, others) =
            chosen(&[("b", 100), ("260901-a", 100), ("20260902-c", 99), ("260902-0930-d", 100), ("e", 9)])
                .expect("there are plans");
        assert_eq!(name, "260902-0930-d", "in a tie the newest date in the name is guessed");
        assert_eq!(
            tied,
            ["20260902-c", "260901-a", "b"],
            "and the others are named, so that it can be asked"
        );
        assert_eq!(others, ["e"], "an older one can still be chosen");
    }

    #[test]
    fn plans_are_looked_for_where_the_person_stands_then_in_the_project() {
        let dir = tempfile::tempdir().unwrap();
        let (project, inner) = (dir.path(), dir.path().join("inner"));
        fs::create_dir_all(&inner).unwrap();
        let stamp = |path: &Path, seconds| fs::File::open(path).unwrap().set_modified(at(seconds)).unwrap();
        let plan = |root: &Path, name: &str, seconds| {
            let folder = root.join("plans").join(name);
            fs::create_dir_all(&folder).unwrap();
            fs::write(folder.join("plan.md"), "# Plan\n").unwrap();
            stamp(&folder.join("plan.md"), seconds);
            stamp(&folder, seconds);
            folder
        };
        assert_eq!(active_plan(project, &inner), Ok(None), "no plans anywhere");
        let old = plan(project, "260901-old", 100);
        plan(project, "reports", 900);
        fs::create_dir_all(project.join("plans/loose")).unwrap();
        let new = plan(project, "260801-new", 500);
        let folder = |from: &Path| active_plan(project, from).unwrap().map(|plan| plan.folder);
        assert_eq!(folder(&inner), Some(new), "reports and a directory without plan.md are no plans");
        fs::write(old.join("phase-02.md"), "").unwrap();
        stamp(&old.join("phase-02.md"), 1_000);
        stamp(&old, 100);
        assert_eq!(folder(&inner), Some(old), "any file directly in it counts");
        let nearer = plan(&inner, "260101-inner", 1);
        assert_eq!(folder(&inner), Some(nearer), "a plan where the person stands goes before the project's");
    }
}
