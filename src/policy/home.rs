//! The home of a native run: one directory of one run, inside the project, on a local disk.
//!
//! A routing tool writes into the home of the process that runs, so a flag or a similar path proves nothing: the
//! string must be exactly `<project>/.thunderkit/runs/<run>/hermes-home`, the directory must be there without a link
//! on the way, and its file system must be a local one, by the kernel's own table of mounts.

use super::provenance::Fault;

/// File systems of a local disk.
const LOCAL: &[&str] = &["ext2", "ext3", "ext4", "xfs", "btrfs", "f2fs"];

/// Largest table of mounts that is believed, in bytes.
pub const MOUNTS_CAP: u64 = 4 << 20;

/// The run that a home belongs to, if the string has exactly the form of one of this project.
pub fn run_of<'a>(home: &'a str, project: &str) -> Option<&'a str> {
    let below = home.strip_prefix(project)?.strip_prefix("/.thunderkit/runs/")?;
    let run = below.strip_suffix("/hermes-home")?;
    let is_segment =
        !matches!(run, "" | "." | "..") && !run.contains('/') && !run.chars().any(char::is_control);
    is_segment.then_some(run)
}

/// Whether a string is the proved home of a run of this project. `directory` tells whether a path below the project
/// is a directory without a link on the way; `mounts` is the kernel's table (`/proc/self/mountinfo`).
///
/// # Errors
/// Why it is not, for people.
pub fn prove(
    home: &str,
    project: &str,
    directory: &dyn Fn(&str) -> Result<(), Fault>,
    mounts: Option<&str>,
) -> Result<(), String> {
    let Some(run) = run_of(home, project) else {
        return Err("the home is not `<project>/.thunderkit/runs/<run>/hermes-home`".into());
    };
    directory(&format!(".thunderkit/runs/{run}/hermes-home")).map_err(|fault| fault.words().to_owned())?;
    match mounts.and_then(|mounts| filesystem(home, mounts)) {
        Some(kind) if LOCAL.contains(&kind.as_str()) => Ok(()),
        Some(kind) => Err(format!("the home lies on {kind}, which is no local disk")),
        None => Err("it cannot be told on which file system the home lies".into()),
    }
}

/// The file system that a path lies on, by a table of mounts; `None` where the table is none. Of two mounts on one
/// place the later one covers the earlier one.
pub fn filesystem(path: &str, mounts: &str) -> Option<String> {
    if mounts.len() as u64 > MOUNTS_CAP || !mounts.ends_with('\n') {
        return None;
    }
    let mut best: Option<(usize, &str)> = None;
    for line in mounts.split_terminator('\n') {
        let fields: Vec<_> = line.split(' ').collect();
        let separator = fields.iter().position(|field| *field == "-")?;
        if separator < 6 || fields.len() != separator + 4 || fields.iter().any(|field| field.is_empty()) {
            return None;
        }
        let place = unescaped(fields[4])?;
        let within = path == place
            || path.strip_prefix(place.trim_end_matches('/')).is_some_and(|rest| rest.starts_with('/'));
        if within && best.is_none_or(|(length, _)| place.len() >= length) {
            best = Some((place.len(), fields[separator + 1]));
        }
    }
    best.map(|(_, kind)| kind.to_owned())
}

/// A mount point with its octal escapes resolved; `None` where one is none, or the place is no absolute path.
fn unescaped(field: &str) -> Option<String> {
    let mut parts = field.split('\\');
    let mut out = parts.next()?.to_owned();
    for part in parts {
        let (code, rest) = part.split_at_checked(3)?;
        out.push(match code {
            "040" => ' ',
            "011" => '\t',
            "012" => '\n',
            "134" => '\\',
            _ => return None,
        });
        out.push_str(rest);
    }
    out.starts_with('/').then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_exact_form_is_a_home() {
        assert_eq!(
            run_of("/p/.thunderkit/runs/r1/hermes-home", "/p"),
            Some("r1"),
            "control: the form itself"
        );
        for bad in [
            ".thunderkit/runs/r1/hermes-home",
            "/q/.thunderkit/runs/r1/hermes-home",
            "/p/x/.thunderkit/runs/r1/hermes-home",
            "/p/.thunderkit/runs/other/../r1/hermes-home",
            "/p/.thunderkit/runs//r1/hermes-home",
            "/p/.thunderkit/runs/../hermes-home",
            "/p/.thunderkit/runs//hermes-home",
            "/p/.thunderkit/runs/r1/hermes-home/",
            "/p/.thunderkit/runs/r1/hermes-home2",
            "/p/.thunderkit/runs/hermes-home",
            "/home/me/.hermes",
        ] {
            assert_eq!(run_of(bad, "/p"), None, "{bad} is none");
        }
    }

    #[test]
    fn the_longest_and_latest_mount_decides() {
        let table = "1 0 1:1 / / rw - overlay overlay rw\n2 1 1:2 / /work rw - ext4 /dev/a rw\n\
            3 1 1:3 / /work/deep rw shared:1 - nfs host rw\n";
        for (path, kind) in
            [("/worker", "overlay"), ("/work/a", "ext4"), ("/work", "ext4"), ("/work/deep/a", "nfs")]
        {
            assert_eq!(filesystem(path, table).as_deref(), Some(kind), "{path}");
        }
        let covered = format!("{table}4 1 1:4 / /work rw - tmpfs none rw\n");
        assert_eq!(filesystem("/work/a", &covered).as_deref(), Some("tmpfs"), "a later mount covers");
        let escaped = "1 0 1:1 / /a\\040b rw - xfs /dev/a rw\n";
        assert_eq!(filesystem("/a b/c", escaped).as_deref(), Some("xfs"), "escapes are resolved");
        for bad in [
            "",
            "1 0 1:1 / / rw - ext4 /dev/a rw",
            "1 0 1:1 / / rw -\n",
            "nonsense\n",
            "1 0 1:1 / /a\\999 rw - xfs d rw\n",
        ] {
            assert_eq!(filesystem("/a", bad), None, "{bad:?} is no table");
        }
    }

    #[test]
    fn a_home_needs_all_three_proofs() {
        let (project, home) = ("/p", "/p/.thunderkit/runs/r1/hermes-home");
        let there = |_: &str| Ok(());
        let gone = |_: &str| Err(Fault::Contradicted("is a link".into()));
        let table = |kind: &str| format!("1 0 1:1 / / rw - {kind} /dev/a rw\n");
        for kind in ["ext4", "xfs", "btrfs"] {
            assert_eq!(prove(home, project, &there, Some(&table(kind))), Ok(()), "{kind} is local");
        }
        for kind in ["fuseblk", "overlay", "nfs", "tmpfs"] {
            assert!(prove(home, project, &there, Some(&table(kind))).is_err(), "{kind} is not");
        }
        assert!(prove(home, project, &there, None).is_err(), "no table, no proof");
        assert!(prove(home, project, &gone, Some(&table("ext4"))).is_err(), "a link is none");
        assert!(prove("/p/.hermes", project, &there, Some(&table("ext4"))).is_err(), "nor is another place");
    }
}
