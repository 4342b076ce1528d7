//! How moorline behaves at scale, as ratios against public tools in the same run.
//!
//! `cargo bench --bench scale` builds everything it needs in a temporary directory and prints one line per
//! figure: the median of paired runs. `rg` and `git` must be on the machine; a figure whose tool is missing
//! is said to be not measured. Nothing is asserted here: a clock is no test.
#![allow(clippy::print_stdout, reason = "a benchmark speaks by printing")]

#[path = "scale/files.rs"]
mod files;
#[path = "scale/past.rs"]
mod past;
#[path = "scale/screen.rs"]
mod screen;

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const RUNS: usize = 7;

fn main() {
    let dir = tempfile::tempdir().expect("a temporary directory can be made");
    let home = dir.path().join("home");
    std::fs::create_dir_all(&home).expect("a home directory can be made");
    let bench = Bench { moorline: env!("CARGO_BIN_EXE_moorline"), home: &home };
    // A word after `--` takes only what it names: `cargo bench --bench scale -- past`.
    let asked: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let is_asked = |name: &str| asked.is_empty() || asked.iter().any(|word| word == name);
    if is_asked("list") {
        bench.list(&dir.path().join("many"));
    }
    if is_asked("screen") {
        bench.screen(&dir.path().join("thousand"));
    }
    if is_asked("check") {
        bench.check(&dir.path().join("repositories"));
    }
    if is_asked("versions") {
        bench.versions(&dir.path().join("rolling"));
    }
    if is_asked("past") {
        bench.past(&dir.path().join("past"));
    }
}

struct Bench<'a> {
    moorline: &'static str,
    home: &'a Path,
}

impl Bench<'_> {
    /// 10,000 handoffs of mixed families: `list --json` against ripgrep reading the same files.
    fn list(&self, root: &Path) {
        let bytes = files::mixed(root, 10_000);
        println!("list: 10,000 handoffs, {} MB", bytes / 1_000_000);
        let mut list = self.command(root);
        list.args(["list", "--json"]);
        let mut rg = Command::new("rg");
        rg.args(["--hidden", "--no-ignore", "-c", "."]).arg(root);
        pair("list --json", &mut list, "rg --hidden --no-ignore -c .", &mut rg);
    }

    /// 1,000 handoffs: from exec to the first full screen over a pty.
    fn screen(&self, root: &Path) {
        files::mixed(root, 1_000);
        let mut times: Vec<_> =
            (0..RUNS).map(|_| screen::first_full_screen(self.moorline, root, self.home)).collect();
        times.sort();
        println!(
            "screen: 1,000 handoffs, 120x30, exec to full screen: median {:.1} ms",
            millis(times[RUNS / 2])
        );
    }

    /// 1,000 handoffs in 50 repositories: `check --all --json` against a shell loop of two git calls and a
    /// `sha256sum` per handoff.
    fn check(&self, root: &Path) {
        let projects = files::repositories(root, 50, 20);
        let list: Vec<_> = projects.iter().map(|p| format!("{:?}", p.display().to_string())).collect();
        let config = self.home.join("config.toml");
        std::fs::write(&config, format!("projects = [{}]\n", list.join(", ")))
            .expect("settings can be written");
        let mut check = self.command(&projects[0]);
        check.args(["check", "--all", "--json", "--config"]).arg(&config);
        let mut naive = Command::new("bash");
        naive.arg("-c").arg(
            "for f in \"$0\"/*/plans/*/HANDOFF.md \"$0\"/*/docs/handoffs/*.md; do d=${f%%/plans/*}; d=${d%%/docs/*}; \
             git -C \"$d\" rev-parse HEAD; git -C \"$d\" status --porcelain; sha256sum \"$f\"; done",
        );
        naive.arg(root);
        pair(
            "check --all --json (1,000 in 50)",
            &mut check,
            "git rev-parse + git status + sha256sum loop",
            &mut naive,
        );
    }

    /// 1,000 freeform handoffs in a repository of 5,000 commits: `check` against one walk and one status by git.
    fn past(&self, root: &Path) {
        past::repository(root);
        println!("past: 1,000 freeform handoffs, 5,000 commits");
        let mut check = self.command(root);
        check.args(["check", "--json"]);
        let mut naive = Command::new("bash");
        naive
            .arg("-c")
            .arg("git -C \"$0\" log --format=%H --name-only >/dev/null; git -C \"$0\" status --porcelain");
        naive.arg(root).env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null");
        pair(
            "check --json (1,000 in 1)",
            &mut check,
            "git log --format=%H --name-only + git status",
            &mut naive,
        );
    }

    /// A file with 800 versions in 5,000 commits: the first one, and all, against `git log --follow`.
    fn versions(&self, root: &Path) {
        past::rolling(root);
        let median = |mut times: Vec<Duration>| {
            times.sort();
            millis(times[times.len() / 2])
        };
        let (mut firsts, mut alls, mut gits, mut keys, mut counted) =
            (vec![], vec![], vec![], vec![], vec![]);
        let mut count = 0;
        for _ in 0..RUNS {
            let (found, first, all) = past::versions(root, self.home);
            count = found;
            firsts.push(first);
            alls.push(all);
            let mut git = past::git(root, &["log", "--follow", "--format=%H %s", "--", past::ROLLING]);
            gits.extend(time(&mut git));
            let (first, all) = screen::first_version(self.moorline, root, self.home, past::VERSIONS - 1);
            keys.push(first);
            counted.push(all);
        }
        println!(
            "versions: {count} of one file in 5,000 commits: the first after {:.1} ms, all after {:.1} ms · git log \
             --follow: {:.1} ms · on the screen: the first {:.1} ms after its key, all counted after {:.1} ms",
            median(firsts),
            median(alls),
            median(gits),
            median(keys),
            median(counted)
        );
    }

    fn command(&self, project: &Path) -> Command {
        let mut command = Command::new(self.moorline);
        command.env_clear().env("HOME", self.home).env("PATH", "/usr/bin:/bin").arg("-C").arg(project);
        command
    }
}

/// Runs two commands in turn and prints both medians and the median of the pairwise ratios.
fn pair(a_name: &str, a: &mut Command, b_name: &str, b: &mut Command) {
    let mut rows = Vec::new();
    for run in 0..=RUNS {
        let (Some(a), Some(b)) = (time(a), time(b)) else {
            println!("  {a_name}: not measured, {b_name} is not on this machine");
            return;
        };
        // The first pair warms the caches.
        if run > 0 {
            rows.push((a, b, a.as_secs_f64() / b.as_secs_f64()));
        }
    }
    let median = |mut values: Vec<f64>| {
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    };
    let a_ms = median(rows.iter().map(|row| millis(row.0)).collect());
    let b_ms = median(rows.iter().map(|row| millis(row.1)).collect());
    let ratio = median(rows.iter().map(|row| row.2).collect());
    println!("  {a_name}: {a_ms:.1} ms · {b_name}: {b_ms:.1} ms · ratio {ratio:.3}");
}

fn time(command: &mut Command) -> Option<Duration> {
    let start = Instant::now();
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status().ok()?;
    Some(start.elapsed())
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}
