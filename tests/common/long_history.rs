//! A repository with a long history of files that come, change, move and go, made by one `git fast-import`; and handoffs
//! by the thousand that name them.
#![allow(dead_code, reason = "a test and a benchmark compile this file and each uses another part of it")]

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// The date of the first commit: 2026-09-21 14:13:20 UTC. The others follow a minute after each other.
const FIRST_DATE: u64 = 1_790_000_000;

/// How many files stay.
const FILES: usize = 400;

/// The file that is written over and over, by its name now and before it was renamed halfway.
pub const ROLLING: &str = "docs/SESSION_HANDOFF.md";
const ROLLING_BEFORE: &str = "SESSION_HANDOFF.md";

/// A git command that goes by nothing of this machine.
pub fn git(dir: &Path, args: &[&str]) -> Command {
    let mut git = Command::new("git");
    git.arg("-C")
        .arg(dir)
        .args(args)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_SYSTEM", "/dev/null");
    git.env("GIT_TERMINAL_PROMPT", "0").stdin(Stdio::null());
    git
}

fn done(mut command: Command) {
    assert!(command.status().is_ok_and(|status| status.success()), "{command:?} works");
}

/// Makes a repository of so many commits on `main`, in which the rolling file has `versions` versions; gives the ids of
/// the commits, the oldest first.
pub fn repository(dir: &Path, commits: usize, versions: usize) -> Vec<String> {
    fs::create_dir_all(dir).expect("a directory can be made");
    done(git(dir, &["init", "-q", "-b", "main"]));
    let mut import =
        git(dir, &["fast-import", "--quiet"]).stdin(Stdio::piped()).spawn().expect("git is here");
    let stream = stream(commits, versions);
    import.stdin.take().expect("it has an input").write_all(stream.as_bytes()).expect("it reads");
    assert!(import.wait().is_ok_and(|status| status.success()), "git fast-import works");
    done(git(dir, &["reset", "-q", "--hard"]));
    let log = git(dir, &["rev-list", "--reverse", "--first-parent", "HEAD"]).output().expect("git is here");
    String::from_utf8_lossy(&log.stdout).lines().map(str::to_owned).collect()
}

/// Every 100th commit is a merge of a branch of one commit, which is gone since.
pub fn merged_branch(n: usize) -> String {
    format!("feat/part-{n}")
}

/// A file that commit `n` (a multiple of 20 that is none of 40) brings and commit `n + 10` takes away.
pub fn gone_file(n: usize) -> String {
    format!("src/old/gone_{n}.rs")
}

/// A file that commit `n` (a multiple of 40) brings and commit `n + 10` moves.
pub fn moved_file(n: usize) -> String {
    format!("src/old/moved_{n}.rs")
}

/// A file that stays.
pub fn file(n: usize) -> String {
    format!("src/m{}/f{}.rs", n % 20, n % FILES)
}

/// The rolling file's text at its version `n`: every version drops one item and brings another.
pub fn rolling_text(n: usize) -> String {
    let mut text = format!("# Session handoff, version {n}\n\n## Next steps\n\n");
    for item in n..n + 8 {
        let _ = writeln!(text, "- [ ] Look into station {item:04}");
    }
    text.push_str("\n## Notes\n\n");
    for note in 0..20 {
        let _ = writeln!(text, "- Note {note}: the queue was drained before the worker was restarted.");
    }
    text
}

fn stream(commits: usize, versions: usize) -> String {
    let mut out = String::new();
    let every = (commits / versions.max(1)).max(1);
    let mut version = 0;
    let mut is_renamed = false;
    for n in 0..commits {
        let is_merge = n > 0 && n % 100 == 0;
        if is_merge {
            let _ = writeln!(out, "reset refs/heads/side\nfrom refs/heads/main\n");
            head(&mut out, "side", n, "Part");
            inline(&mut out, &format!("src/parts/p{n}.rs"), &body(n));
            out.push('\n');
        }
        let subject = match is_merge {
            true => format!("Merge branch '{}'", merged_branch(n)),
            false => format!("Change {n}"),
        };
        head(&mut out, "main", n, &subject);
        if is_merge {
            out.push_str("merge refs/heads/side\n");
            inline(&mut out, &format!("src/parts/p{n}.rs"), &body(n));
        }
        if n == 0 {
            (0..FILES).for_each(|k| inline(&mut out, &file(k), &body(k)));
        } else {
            inline(&mut out, &file(n * 7), &format!("// {n}\n{}", body(n * 7)));
            inline(&mut out, &file(n * 13 + 1), &format!("// {n}\n{}", body(n * 13 + 1)));
        }
        match n % 40 {
            0 => inline(&mut out, &moved_file(n), &body(10_000 + n)),
            10 => {
                let moved = moved_file(n - 10);
                let _ = writeln!(out, "R {moved} {}", moved.replace("old", "kept"));
            }
            20 => inline(&mut out, &gone_file(n), &body(20_000 + n)),
            30 => _ = writeln!(out, "D {}", gone_file(n - 10)),
            _ => {}
        }
        // Not in a merge: `git log --follow` follows no file through one.
        if n % every == 1 % every && version < versions {
            if !is_renamed && version * 2 >= versions {
                let _ = writeln!(out, "R {ROLLING_BEFORE} {ROLLING}");
                is_renamed = true;
            }
            inline(&mut out, if is_renamed { ROLLING } else { ROLLING_BEFORE }, &rolling_text(version));
            version += 1;
        }
        out.push('\n');
    }
    out.push_str("reset refs/heads/side\nfrom 0000000000000000000000000000000000000000\n\ndone\n");
    out
}

fn head(out: &mut String, branch: &str, n: usize, subject: &str) {
    let date = FIRST_DATE + 60 * n as u64;
    let _ = writeln!(
        out,
        "commit refs/heads/{branch}\nauthor Ada Example <ada@example.org> {date} +0000\ncommitter Ada Example \
         <ada@example.org> {date} +0000\ndata {}\n{subject}",
        subject.len()
    );
}

fn inline(out: &mut String, path: &str, content: &str) {
    let _ = writeln!(out, "M 100644 inline {path}\ndata {}\n{content}", content.len());
}

fn body(n: usize) -> String {
    (0..12).map(|line| format!("pub fn f{n}_{line}() -> usize {{ {} }}\n", n * 31 + line * line)).collect()
}

/// Writes `count` freeform handoffs that name commits, branches and files of the repository, there and gone.
pub fn handoffs(dir: &Path, commits: &[String], count: usize) {
    let places = dir.join("docs/handoffs");
    fs::create_dir_all(&places).expect("a directory can be made");
    for n in 0..count {
        let far = n * commits.len() / count;
        let (forty, hundred) = (far / 40 * 40, (far / 100 * 100).max(100));
        let branch = if n % 3 == 0 { merged_branch(hundred) } else { "main".to_owned() };
        let text = format!(
            "# Session {n}\n\n**Date:** 2026-09-{:02}\n**Branch:** `{branch}`\n**Commit:** {}\n\n## Next steps\n\n\
             1. Look at `{}`\n2. [ ] Measure again\n\n## State\n\nThe solver lives in `{}`, its tables in `{}`. \
             Work of commit `{}` on branch `{branch}` went on. See `{}` and `{}`, and `src/never/n{n}.rs`.\n\n\
             ## Notes\n\n{}",
            n % 28 + 1,
            &commits[far][..10],
            file(n),
            file(n + 1),
            file(n + 2),
            &commits[(far + 3) % commits.len()][..12],
            moved_file(forty),
            gone_file(forty + 20),
            (0..20).map(|note| format!("- Note {note} of {n}: the queue was drained.\n")).collect::<String>(),
        );
        fs::write(places.join(format!("{n:04}.md")), text).expect("a handoff can be written");
    }
}
