//! How little of a store is read to open one lane, as the kernel counts it. The watcher is `strace`; where it is not on
//! the machine these tests say so and prove nothing.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use moorline::handoff::HarnessName;

use super::other_lanes::OtherLane;
use super::strace::strace;
use super::true_project::TrueProject;
use super::{Made, Places, SESSIONS, lay_out};

/// What opens, reads and copies.
const CALLS: &str = "openat,open,read,pread64,readv,preadv,preadv2,mmap,copy_file_range,sendfile,splice";

/// The bytes that were read of each file that was opened, by its path.
type Bytes = BTreeMap<PathBuf, u64>;

/// Runs moorline on the lane's project under the watch, and counts what it read of the files beneath `under`.
fn watched(lane: &OtherLane, arguments: &[&str], under: &Path) -> Option<(Bytes, String)> {
    let log = lane.project.base().join("trace");
    let mut command = Command::new(strace()?);
    command.args(["-f", "-y", "-qq", "-s", "0", "-e", "signal=none", "-e"]).arg(format!("trace={CALLS}"));
    command.arg("-o").arg(&log).arg(env!("CARGO_BIN_EXE_moorline")).arg("-C").arg(lane.project.root());
    command.args(arguments).env_clear().envs(lane.around().vars);
    let output = command.env("TMPDIR", lane.project.base().join("tmp")).output().expect("it runs");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let log = fs::read_to_string(&log).expect("the trace is written");
    let counted = count(&log).into_iter().filter(|(path, _)| path.starts_with(under)).collect();
    Some((counted, format!("{said}{}", String::from_utf8_lossy(&output.stderr))))
}

/// Counts a trace. A call that another thread interrupted stands there in two pieces, of which only the first names
/// the file.
fn count(log: &str) -> Bytes {
    let mut bytes = Bytes::new();
    let mut interrupted: HashMap<&str, (&str, PathBuf)> = HashMap::new();
    for line in log.lines() {
        let (thread, call) = line.split_once(' ').expect("each line begins with its thread");
        let call = call.trim_start();
        let result = || call.rsplit_once(" = ").map(|(_, result)| result);
        let (name, path) = if call.starts_with("<... ") {
            let Some(begun) = interrupted.remove(thread) else { continue };
            begun
        } else {
            let Some((name, rest)) = call.split_once('(') else { continue };
            let path = named(rest).unwrap_or_default();
            if call.ends_with("<unfinished ...>") {
                interrupted.insert(thread, (name, path));
                continue;
            }
            (name, path)
        };
        let Some(result) = result() else { continue };
        match name {
            // The path of an opened file stands with its number, links resolved; a directory's is listed, not read.
            "openat" | "open" => {
                if let Some(path) = named(result).filter(|_| !call.contains("O_DIRECTORY")) {
                    bytes.entry(path).or_default();
                }
            }
            "mmap" => {}
            _ => {
                let read =
                    result.split(' ').next().and_then(|number| number.parse::<u64>().ok()).unwrap_or(0);
                *bytes.entry(path).or_default() += read;
            }
        }
    }
    bytes
}

/// The path in the first `<…>`.
fn named(text: &str) -> Option<PathBuf> {
    let (_, rest) = text.split_once('<')?;
    rest.split_once('>').map(|(path, _)| PathBuf::from(path))
}

/// A true lane of this client, whose store has three hundred other sessions as well.
fn crowded(name: HarnessName) -> (OtherLane, Vec<Made>) {
    let lane = match name {
        HarnessName::Opencode => {
            let lane = OtherLane::recorded(TrueProject::build(), name);
            lane.install("exit 0\n");
            lane
        }
        _ => OtherLane::build(name),
    };
    let home = lane.project.home();
    let made = lay_out(name, &home, &Places::lay_out(lane.project.base()));
    fs::create_dir(lane.project.base().join("tmp")).expect("a directory");
    if name == HarnessName::Opencode {
        let database =
            rusqlite::Connection::open(home.join(".local/share/opencode/opencode.db")).expect("it opens");
        let (id, cwd) = (&lane.id, lane.project.worktree().display().to_string());
        let setup = format!(
            "INSERT INTO session VALUES ('{id}', NULL, '{cwd}', '1.18.33', 1, 1, NULL);
             INSERT INTO message VALUES ('own', '{id}', 2,
                '{{\"role\":\"assistant\",\"modelID\":\"{}\",\"time\":{{\"completed\":2}},\"finish\":\"stop\"}}');",
            lane.model()
        );
        database.execute_batch(&setup).expect("its own session");
    }
    (lane, made)
}

fn size(path: &Path) -> u64 {
    fs::metadata(path).expect("there").len()
}

/// The lane's session was found, in its directory and with its model.
fn is_read(said: &str, name: HarnessName) {
    let document: serde_json::Value = serde_json::from_str(said).expect("one document");
    let mut left = vec![&document];
    let mut passed = Vec::new();
    while let Some(value) = left.pop() {
        if let Some(id) =
            value["id"].as_str().filter(|id| id.starts_with("session-") && value["outcome"] == "passed")
        {
            passed.push(id.to_owned());
        }
        left.extend(value.as_array().into_iter().flatten());
        left.extend(value.as_object().into_iter().flat_map(|members| members.values()));
    }
    for check in ["session-exists", "session-cwd", "session-model"] {
        assert!(passed.iter().any(|id| id == check), "{name:?}: {check} passed: {said}");
    }
}

#[test]
fn a_lane_with_a_file_of_its_own_is_opened_without_any_other() {
    for (name, store) in [(HarnessName::Claude, ".claude"), (HarnessName::Codex, ".codex")] {
        let (lane, _) = crowded(name);
        let own = if name == HarnessName::Claude { lane.project.session() } else { lane.rollout() };
        let under = lane.project.home().join(store);
        let Some((bytes, said)) = watched(&lane, &["check", "--json"], &under) else { return };
        is_read(&said, name);
        let sessions: Vec<_> = bytes.iter().filter(|(path, _)| is_session(path)).collect();
        assert_eq!(
            sessions,
            [(&own, &size(&own))],
            "{name:?}: that session, once, and none of the {SESSIONS} others"
        );
        let all: u64 = bytes.values().sum();
        println!(
            "{}: {} of {} files of the store opened, {all} bytes read ({} of the session)",
            name.as_str(),
            bytes.len(),
            SESSIONS + 1,
            size(&own)
        );
    }
}

fn is_session(path: &Path) -> bool {
    path.components().any(|part| part.as_os_str() == "projects" || part.as_os_str() == "sessions")
        || path.components().any(|part| part.as_os_str() == "archived_sessions")
}

#[test]
fn who_counts_codex_s_sessions_reads_no_more_than_their_first_rows() {
    let (lane, made) = crowded(HarnessName::Codex);
    let store = lane.project.home().join(".codex");
    let Some((bytes, said)) = watched(&lane, &["doctor", "--json"], &store) else { return };
    assert!(said.contains("moorline.doctor/1"), "the report is made: {said}");
    // A row is taken in pieces of 16 KiB, so the last piece may reach beyond it.
    let piece = 16 << 10;
    let sessions: Vec<_> = bytes.iter().filter(|(path, _)| is_session(path)).collect();
    assert!(
        sessions.len() > made.len() / 2,
        "the control: the watch sees that they are opened: {}",
        sessions.len()
    );
    let mut large = 0;
    for (path, read) in &sessions {
        let packed = path.extension().is_some_and(|ending| ending == "zst");
        let first =
            fs::read(path).expect("there").split(|byte| *byte == b'\n').next().map_or(0, <[u8]>::len) as u64;
        let most = if packed { piece } else { (first / piece + 1) * piece };
        assert!(**read <= most, "{} bytes of {}, whose first row has {first}", read, path.display());
        large += u64::from(size(path) > 100_000);
    }
    assert!(large > 10, "large ones were among them: {large}");
    let (read, whole) = (
        sessions.iter().map(|(_, read)| **read).sum::<u64>(),
        sessions.iter().map(|(path, _)| size(path)).sum::<u64>(),
    );
    println!("codex: {read} of {whole} bytes of {} files read for their first rows", sessions.len());
}

#[test]
fn a_lane_in_a_database_is_read_from_one_copy_by_its_id() {
    let stores = [
        (HarnessName::Hermes, ".hermes/state.db"),
        (HarnessName::Opencode, ".local/share/opencode/opencode.db"),
    ];
    for (name, store) in stores {
        let (lane, _) = crowded(name);
        let store = lane.project.home().join(store);
        let Some((bytes, said)) = watched(&lane, &["check", "--json"], lane.project.base()) else { return };
        is_read(&said, name);
        let whole = size(&store);
        // Once for the copy, and a head before and after it to see whether it held still.
        let read = bytes.get(&store).copied().unwrap_or_default();
        assert!(read >= whole, "{name:?}: the control: the watch sees the copy made: {read} of {whole}");
        assert!(read < whole + 4096, "{name:?}: it is copied once: {read} of {whole}");
        let copy: u64 = bytes
            .iter()
            .filter(|(path, _)| path.starts_with(lane.project.base().join("tmp")))
            .map(|(_, read)| read)
            .sum();
        assert!(
            copy > 0 && copy < whole / 10,
            "{name:?}: of the copy only this session's pages are read: {copy} of {whole}"
        );
        println!("{}: one copy of {whole} bytes, of which {copy} were read for the lane", name.as_str());
    }
}
