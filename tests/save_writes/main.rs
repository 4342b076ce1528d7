//! A save that is killed, raced, or refused by the system leaves the old bytes or the new ones.

mod child;
mod faults;
mod inodes;
#[path = "../common/nobody.rs"]
mod nobody;
mod order;
mod rules;

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use child::{Saver, command, document, is_whole, target};

/// A project with the first document, a home and a state directory.
fn base() -> tempfile::TempDir {
    let temp = tempfile::tempdir().expect("a temporary directory can be made");
    fs::create_dir_all(target(temp.path()).parent().expect("it has a directory")).expect("made");
    fs::create_dir_all(temp.path().join("home")).expect("made");
    fs::write(target(temp.path()), document(1)).expect("written");
    temp
}

/// Names of temporary files beside the target.
fn leftovers(base: &Path) -> usize {
    let dir = target(base);
    let entries = fs::read_dir(dir.parent().expect("it has a directory")).expect("listed");
    entries.filter(|entry| entry.as_ref().expect("an entry").file_name() != "HANDOFF.md").count()
}

/// Kills a busy saver at a random moment, again and again; gives how often the file was torn then.
fn kills(task: &str, rounds: usize) -> usize {
    let temp = base();
    let mut torn = 0;
    let mut random = 0x9E37_79B9_7F4A_7C15_u64;
    for _ in 0..rounds {
        if !is_whole(&fs::read(target(temp.path())).expect("the file is there")) {
            fs::write(target(temp.path()), document(1)).expect("written");
        }
        let mut child = command(task, temp.path()).stdout(Stdio::piped()).spawn().expect("started");
        let mut lines = BufReader::new(child.stdout.take().expect("piped")).lines();
        assert!(lines.any(|line| line.expect("text").contains("READY")), "the saver is at work");
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        // The moment of the kill is what is tried here; nothing waits for anything.
        std::thread::sleep(Duration::from_micros(random >> 33 & 0x7FF));
        child.kill().expect("killed");
        child.wait().expect("waited for");
        torn += usize::from(!is_whole(&fs::read(target(temp.path())).expect("the file is there")));
        // Kept bytes would fill the disk over so many rounds.
        let _none_yet = fs::remove_dir_all(temp.path().join("home/.claude"));
    }
    if task == "save-for-ever" {
        let said = command("save-once", temp.path()).output().expect("started").stdout;
        assert!(String::from_utf8_lossy(&said).contains("SAVED"), "the next save works");
        assert_eq!(leftovers(temp.path()), 0, "and sweeps what the killed ones left");
    }
    torn
}

#[test]
fn a_killed_save_leaves_a_whole_file() {
    assert_eq!(kills("save-for-ever", 300), 0, "old bytes or new bytes, never some of both");
    nobody::again(a_killed_save_leaves_a_whole_file);
}

#[test]
fn a_killed_naive_writer_tears_it() {
    let torn = kills("naive-for-ever", 100);
    eprintln!("of 100 files that were written in place {torn} were torn");
    assert!(torn >= 90, "the same kills tear a file that is written in place: {torn} of 100");
    nobody::again(a_killed_naive_writer_tears_it);
}

#[test]
#[ignore = "a thousand kills take a minute"]
fn nine_of_ten_killed_naive_writers_tear_it() {
    let torn = kills("naive-for-ever", 1_000);
    eprintln!("of 1,000 files that were written in place {torn} were torn");
    assert!(torn >= 900, "the same kills tear a file that is written in place: {torn} of 1,000");
    nobody::again(nine_of_ten_killed_naive_writers_tear_it);
}

#[test]
#[ignore = "ten thousand kills take minutes"]
fn ten_thousand_killed_saves_leave_a_whole_file() {
    let torn = kills("save-for-ever", 10_000);
    eprintln!("10,000 kills, {torn} torn");
    assert_eq!(torn, 0, "old bytes or new bytes, never some of both");
    nobody::again(ten_thousand_killed_saves_leave_a_whole_file);
}

/// Eight savers, each of which adds so many lines to one file; gives how often one was told of another.
fn savers(lines: usize) -> usize {
    let temp = base();
    fs::write(target(temp.path()), "").expect("written");
    let names: Vec<String> = (0..8).map(|number| format!("saver-{number}-{lines}")).collect();
    let start = |name: &String| command(name, temp.path()).stdout(Stdio::piped()).spawn().expect("started");
    let children: Vec<_> = names.iter().map(start).collect();
    let mut told = 0;
    for child in children {
        let output = child.wait_with_output().expect("waited for");
        assert!(output.status.success(), "every saver came through");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let said = text.lines().find_map(|line| line.split("TOLD ").nth(1)).expect("it counts");
        told += said.trim().parse::<usize>().expect("a number");
    }
    let text = fs::read_to_string(target(temp.path())).expect("read");
    assert_eq!(text.lines().count(), 8 * lines, "every line of every saver is there");
    for name in &names {
        let own: Vec<_> = text.lines().filter(|line| line.starts_with(&format!("{name} "))).collect();
        let want: Vec<_> = (0..lines).map(|number| format!("{name} {number}")).collect();
        assert_eq!(own, want, "each once and in order");
    }
    told
}

#[test]
fn eight_savers_at_once_lose_nothing() {
    assert!(savers(40) > 0, "they did get into each other's way, and were told");
    nobody::again(eight_savers_at_once_lose_nothing);
}

#[test]
#[ignore = "four thousand saves in each other's way take minutes"]
fn eight_savers_with_five_hundred_saves_each_lose_nothing() {
    let told = savers(500);
    eprintln!("8 x 500 saves, {told} times one was told of another");
    assert!(told > 0, "they did get into each other's way, and were told");
    nobody::again(eight_savers_with_five_hundred_saves_each_lose_nothing);
}

/// Saves on disks with these options; gives on how many there was room. `None` where none can be mounted here.
fn on_small_disks(options: &[String], saver: Saver) -> Option<usize> {
    let temp = base();
    saver.own(temp.path());
    let mount = temp.path().join("project");
    let umount = |dir: &Path| drop(Command::new("umount").arg(dir).stderr(Stdio::null()).status());
    let mut room = 0;
    for option in options {
        let mut mounting = Command::new("mount");
        mounting.args(["-t", "tmpfs", "-o", option, "tmpfs"]).arg(&mount).stderr(Stdio::null());
        if !mounting.status().is_ok_and(|status| status.success()) {
            return None;
        }
        let old = b"the old bytes\n";
        let made = fs::create_dir_all(target(temp.path()).parent().expect("it has a directory"))
            .and_then(|()| fs::write(target(temp.path()), old));
        if made.is_err() {
            // Not even the old file has room.
            umount(&mount);
            continue;
        }
        saver.own(&mount);
        let said = saver.save_once(temp.path());
        let (saved, now) = (said.contains("SAVED"), fs::read(target(temp.path())));
        let left = leftovers(temp.path());
        umount(&mount);
        let now = now.expect("the file is there");
        assert_eq!(now == document(2), saved, "{option}: saved is only said of the new bytes");
        assert!(saved || now == old, "{option}: else the old bytes are all there");
        assert_eq!(left, 0, "{option}: and nothing else is");
        room += usize::from(saved);
    }
    Some(room)
}

#[test]
fn a_full_disk_keeps_the_old_bytes() {
    let sizes: Vec<_> = (16..=96).step_by(8).map(|kib| format!("size={kib}k")).collect();
    for saver in Saver::BOTH {
        match on_small_disks(&sizes, saver) {
            Some(room) => assert!(room > 0 && room < sizes.len(), "some had room and some had not: {room}"),
            None => eprintln!("not tried: a small file system can only be mounted by root"),
        }
    }
}

#[test]
#[ignore = "hundreds of full disks take minutes"]
fn a_hundred_full_disks_keep_the_old_bytes() {
    let sizes: Vec<_> = (8..108).map(|kib| format!("size={kib}k")).collect();
    let inodes: Vec<_> = (4..=12).map(|count| format!("size=1m,nr_inodes={count}")).collect();
    for saver in Saver::BOTH {
        let room = on_small_disks(&sizes, saver).expect("small file systems can be mounted here");
        eprintln!("{saver:?}: {} sizes, {room} had room, {} had not", sizes.len(), sizes.len() - room);
        assert!(room > 0 && room < sizes.len(), "some had room and some had not");
        let room = on_small_disks(&inodes, saver).expect("small file systems can be mounted here");
        eprintln!("{saver:?}: {} numbers of inodes, {room} had room", inodes.len());
        assert!(room > 0 && room < inodes.len(), "some had room and some had not");
    }
}
