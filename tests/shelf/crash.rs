//! The program is killed at each of its system calls, one run for each; nothing may be lost, and the next run must
//! bring everything to one of the two whole states and say so.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::world::{World, handoff_text, names};

/// The calls by which a file system is changed, or which lead to such a call.
const CALLS: &str = "openat,openat2,write,rename,renameat,renameat2,unlinkat,unlink,mkdirat,mkdir,rmdir,fsync,fdatasync,fchmod,utimensat,copy_file_range,flock,chmod,linkat,close";

/// What is killed.
struct Scene {
    /// What is typed.
    words: &'static [&'static str],
    /// Names of the handoffs that it moves.
    handoffs: Vec<String>,
    /// What has been typed before.
    before: &'static [&'static [&'static str]],
    /// Home and project lie on two file systems.
    is_across: bool,
    /// The log is so long that it is made shorter, and tells of one more action that can be undone.
    is_long: bool,
}

/// A world whose home may lie elsewhere.
struct Stage {
    world: World,
    _home: Option<tempfile::TempDir>,
}

impl Scene {
    fn stage(&self) -> Stage {
        let memory = Path::new("/dev/shm");
        let (world, home) = match self.is_across {
            false => (World::in_memory(), None),
            true => {
                let home = tempfile::tempdir_in(memory).expect("made");
                let world = World::new();
                fs::remove_dir_all(world.home()).expect("removed");
                fs::create_dir_all(home.path().join("home/.claude/handoffs")).expect("made");
                (world.with_home(home.path().join("home")), Some(home))
            }
        };
        for name in &self.handoffs {
            world.handoff(&format!(".claude/handoffs/{name}.md"));
        }
        if self.is_long {
            world.handoff("docs/HANDOFF.md");
            let (code, said) = world.types(&["trash", "docs/HANDOFF.md"]);
            assert_eq!(code, 0, "the scene is set: {said}");
            lengthen(&log(&world));
        }
        for words in self.before {
            let (code, said) = world.types(words);
            assert_eq!(code, 0, "the scene is set: {said}");
        }
        Stage { world, _home: home }
    }

    fn command(&self, world: &World) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_moorline"));
        command.arg("-C").arg(world.project()).args(self.words).current_dir(world.project());
        command.env_clear().env("HOME", world.home()).env("XDG_STATE_HOME", world.base.join("state"));
        command.env("TZ", "UTC");
        command
    }

    /// How often each call is made from the first line of the log on: (before it, all).
    fn calls(&self) -> Option<BTreeMap<String, (usize, usize)>> {
        let stage = self.stage();
        let trace = stage.world.base.join("trace");
        let mut traced = strace(&trace, &["-e", &format!("trace={CALLS}")]);
        run(&mut traced, &self.command(&stage.world))?;
        let text = fs::read_to_string(&trace).ok()?;
        let mut counts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
        let mut has_begun = false;
        for line in text.lines().filter(|line| !line.starts_with(['+', '-'])) {
            let Some((call, _)) = line.split_once('(') else { continue };
            has_begun = has_begun || line.contains("shelf.jsonl");
            let count = counts.entry(call.to_owned()).or_default();
            count.1 += 1;
            if !has_begun {
                count.0 = count.1;
            }
        }
        assert!(has_begun, "the log is written: {text}");
        Some(counts)
    }

    /// Kills the program at the nth call of that name and looks what is left. Gives what the next start says.
    fn killed(&self, call: &str, nth: usize) -> String {
        let what = format!("{:?} killed at {call} number {nth}", self.words);
        let stage = self.stage();
        let world = &stage.world;
        let (before, trash_before) = (world.tree(), names(&world.trash()).len());
        let trace = world.base.join("trace");
        let inject = format!("inject={call}:signal=KILL:when={nth}");
        let mut traced = strace(&trace, &["-e", &format!("trace={call}"), "-e", &inject]);
        run(&mut traced, &self.command(world)).expect("strace was here a moment ago");

        let places = self.places(world);
        assert!(places.iter().all(|(_, at)| !at.is_empty()), "{what}: a file is lost: {places:?}");
        let settled = world.shelf().settle().unwrap_or_else(|error| panic!("{what}: {error}"));
        assert!(
            settled.iter().all(|one| one.unsettled.is_empty()),
            "{what}: nothing is left open: {settled:?}"
        );
        let places = self.places(world);
        assert!(places.iter().all(|(_, at)| at.len() == 1), "{what}: a file lies twice: {places:?}");
        let folders: BTreeSet<_> = places.values().flatten().filter_map(|path| path.parent()).collect();
        assert_eq!(folders.len(), 1, "{what}: all of them went, or none: {folders:?}");
        assert!(world.leftovers().is_empty(), "{what}: no half copy stays: {:?}", world.leftovers());
        let records = names(&world.trash());
        let of_files = records.iter().filter(|name| !name.ends_with(".trashinfo")).count();
        assert_eq!(of_files * 2, records.len(), "{what}: each trashed file has its record: {records:?}");
        assert!(world.shelf().settle().expect("again").is_empty(), "{what}: what is settled stays so");
        let has_moved = world.tree() != before;
        if has_moved && self.words != ["undo", "--yes"] {
            // What was finished can be undone like any other action.
            let plan = world.shelf().undo(None).expect("it is in the log");
            world.act(&plan);
            world.is_as(&before, &format!("{what}: and then all is as it was ({trash_before} in the trash)"));
        }
        if self.is_long {
            let plan = world.shelf().undo(None).unwrap_or_else(|error| panic!("{what}: {error}"));
            assert!(plan.beside().is_empty(), "{what}: no line of the log is damaged: {:?}", plan.beside());
            world.act(&plan);
            let kept = world.project().join("docs/HANDOFF.md");
            assert!(kept.is_file(), "{what}: an action of long ago is still in the log, and goes back");
        }
        settled.into_iter().map(|one| one.said).collect()
    }

    /// Where each handoff lies, by its text.
    fn places(&self, world: &World) -> BTreeMap<String, Vec<PathBuf>> {
        let folders = [world.handoffs(), world.handoffs().join("archive"), world.trash()];
        let mut texts: BTreeMap<String, Vec<PathBuf>> = self
            .handoffs
            .iter()
            .map(|name| (handoff_text(&world.handoffs().join(format!("{name}.md"))), Vec::new()))
            .collect();
        for folder in folders {
            for name in names(&folder).into_iter().filter(|name| !name.starts_with('.')) {
                let path = folder.join(name);
                if path.is_file()
                    && let Some(places) = fs::read_to_string(&path).ok().and_then(|text| texts.get_mut(&text))
                {
                    places.push(path);
                }
            }
        }
        texts
    }

    /// Kills at every `step`th point; gives how many points there were and in how many the next start had something
    /// to say.
    fn kill_everywhere(&self, step: usize) -> Option<(usize, usize)> {
        let calls = self.calls()?;
        let points: Vec<_> = calls
            .iter()
            .flat_map(|(call, &(from, to))| (from + 1..=to).map(move |nth| (call, nth)))
            .collect();
        let tried: Vec<_> = points.iter().step_by(step).collect();
        let said = tried.iter().filter(|(call, nth)| !self.killed(call, *nth).is_empty()).count();
        Some((tried.len(), said))
    }
}

fn log(world: &World) -> PathBuf {
    world.base.join("state/moorline/shelf.jsonl")
}

/// Adds lines of actions that nobody can take back any more.
fn lengthen(log: &Path) {
    let mut text = fs::read_to_string(log).expect("a log");
    for number in 0..400 {
        let id = format!("{number:016x}");
        let end = |name: &str| format!(r#"{{"root":"/gone","path":"/gone/{name}/{}"}}"#, "a".repeat(100));
        let way = format!(r#"{{"from":{},"to":{},"sha256":"","bytes":1}}"#, end("x"), end("y"));
        text +=
            &format!(r#"{{"event":"begin","action":"{id}","verb":"archive","time":"2026-11-01T00:00:00Z","#);
        text += &format!("\"moves\":[{way}],\"made\":[]}}\n");
        text += &format!("{{\"event\":\"end\",\"action\":\"{id}\",\"moved\":[],\"how\":\"done\"}}\n");
    }
    fs::write(log, text).expect("written");
}

fn strace(trace: &Path, more: &[&str]) -> Command {
    let mut strace = Command::new("strace");
    strace.args(["-qq", "-o"]).arg(trace).args(more);
    strace
}

/// Runs a command under another one; `None` where that one is not here.
fn run(under: &mut Command, command: &Command) -> Option<()> {
    under.arg(command.get_program()).args(command.get_args());
    under.env_clear().envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    under.env("PATH", std::env::var_os("PATH").unwrap_or_default());
    under.current_dir(command.get_current_dir().unwrap_or(Path::new("/")));
    under.output().ok().map(drop)
}

fn old(count: usize) -> Vec<String> {
    (0..count).map(|number| format!("26{:02}{:02}-task{number}", number % 9 + 1, number % 28 + 1)).collect()
}

/// Fifty old handoffs, cleaned up.
fn cleanup() -> Scene {
    Scene { words: &["cleanup", "--yes"], handoffs: old(50), before: &[], is_across: false, is_long: false }
}

/// The other actions, small, so that every point of them is tried each time.
fn small() -> [Scene; 4] {
    let trash: &[&[&str]] = &[&["trash", "260101-task0", "260202-task1", "--yes"]];
    let words = trash[0];
    [
        Scene { words, handoffs: old(2), before: &[], is_across: false, is_long: false },
        Scene { words, handoffs: old(2), before: &[], is_across: true, is_long: false },
        Scene {
            words: &["put-back", "260101-task0", "260202-task1", "--yes"],
            handoffs: old(2),
            before: trash,
            is_across: true,
            is_long: false,
        },
        Scene { words: &["undo", "--yes"], handoffs: old(2), before: trash, is_across: true, is_long: false },
    ]
}

/// A handoff goes into the trash, and the log is made shorter.
fn shorter() -> Scene {
    let words = &["trash", "260101-task0"];
    Scene { words, handoffs: old(1), before: &[], is_across: false, is_long: true }
}

fn report(scene: &Scene, step: usize) -> String {
    let Some((tried, said)) = scene.kill_everywhere(step) else {
        return "not tried: strace is not here".to_owned();
    };
    assert!(said > 0, "the control: some kills do leave something to settle");
    let across = if scene.is_across { ", across file systems" } else { "" };
    format!("{:?}{across}: {tried} points, {said} times something was settled and said", scene.words)
}

#[test]
fn a_cleanup_of_fifty_files_killed_at_a_sample_of_its_calls_loses_nothing() {
    println!("{}", report(&cleanup(), 211));
}

#[test]
#[ignore = "kills at every call of a cleanup of fifty files, which takes minutes"]
fn a_cleanup_of_fifty_files_killed_at_each_of_its_calls_loses_nothing() {
    println!("{}", report(&cleanup(), 1));
}

#[test]
fn moves_between_two_file_systems_killed_at_a_sample_of_their_calls_lose_nothing() {
    for scene in small() {
        println!("{}", report(&scene, 41));
    }
}

#[test]
#[ignore = "kills at every call of four actions, which takes minutes"]
fn moves_between_two_file_systems_killed_at_each_of_their_calls_lose_nothing() {
    let words = &[
        "trash",
        "260101-task0",
        "260202-task1",
        "260303-task2",
        "260404-task3",
        "260505-task4",
        "260606-task5",
        "--yes",
    ];
    let six = Scene { words, handoffs: old(6), before: &[], is_across: true, is_long: false };
    for scene in small().iter().chain([&six]) {
        println!("{}", report(scene, 1));
    }
}

#[test]
fn a_log_that_is_made_shorter_under_a_kill_is_the_old_one_or_the_new_one() {
    let stage = shorter().stage();
    let lines = || fs::read_to_string(log(&stage.world)).expect("a log").lines().count();
    let before = lines();
    stage.world.types(shorter().words);
    assert!(
        before > 800 && lines() < 10,
        "the control: it is made shorter: {before} lines, then {}",
        lines()
    );
    println!("{}", report(&shorter(), 7));
}

#[test]
#[ignore = "kills at every call while a log is made shorter, which takes a minute"]
fn a_log_that_is_made_shorter_under_a_kill_at_each_call_is_the_old_one_or_the_new_one() {
    println!("{}", report(&shorter(), 1));
}
