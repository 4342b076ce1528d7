//! What may lie where a handoff is saved: links, modes, owners, attributes. One rule each, as a person without any
//! privilege meets it.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use moorline::save::file::{self, Around, NotWritten};

use super::nobody;

const OLD: &[u8] = b"the old bytes\n";
const NEW: &[u8] = b"the new bytes, which are longer\n";

/// What a save at a path does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rule {
    /// This file, below the base, has the new bytes.
    Written(&'static str),
    /// Nothing is changed.
    Refused,
}

use Rule::{Refused, Written};

/// Makes what lies there.
type Arrange = fn(&Path);
/// Looks at what became of it besides.
type Look = fn(&Path);

const NOTHING: Look = |_| {};

const RULES: &[(&str, &str, Arrange, Rule, Look)] = &[
    ("a new file", "root/a.md", |_| {}, Written("root/a.md"), NOTHING),
    ("a new directory", "root/x/y/a.md", |_| {}, Written("root/x/y/a.md"), NOTHING),
    ("a file", "root/a.md", |b| put(b, "root/a.md"), Written("root/a.md"), NOTHING),
    ("mode 600", "root/a.md", |b| put_mode(b, 0o600), Written("root/a.md"), |b| mode(b, 0o600)),
    ("mode 644", "root/a.md", |b| put_mode(b, 0o644), Written("root/a.md"), |b| mode(b, 0o644)),
    ("mode 664", "root/a.md", |b| put_mode(b, 0o664), Written("root/a.md"), |b| mode(b, 0o664)),
    ("mode 755", "root/a.md", |b| put_mode(b, 0o755), Written("root/a.md"), |b| mode(b, 0o755)),
    ("read-only", "root/a.md", |b| put_mode(b, 0o444), Refused, |b| mode(b, 0o444)),
    ("a directory that is read-only", "root/d/a.md", read_only_directory, Refused, NOTHING),
    ("a directory that may not be entered", "root/d/a.md", closed_directory, Refused, NOTHING),
    (
        "a link inside",
        "root/l.md",
        |b| link(b, "a.md", "root/l.md"),
        Written("root/a.md"),
        |b| is_link(b, "root/l.md"),
    ),
    ("an absolute link inside", "root/l.md", absolute_link, Written("root/a.md"), |b| {
        is_link(b, "root/l.md")
    }),
    ("two links", "root/m.md", two_links, Written("root/a.md"), |b| is_link(b, "root/m.md")),
    ("a linked directory inside", "root/l/a.md", linked_directory, Written("root/d/a.md"), |b| {
        is_link(b, "root/l")
    }),
    ("a link out", "root/l.md", |b| link(b, "../out/a.md", "root/l.md"), Refused, |b| old(b, "out/a.md")),
    (
        "a linked directory out",
        "root/l/a.md",
        |b| link(b, "../out", "root/l"),
        Refused,
        |b| old(b, "out/a.md"),
    ),
    (
        "a link to nothing",
        "root/l.md",
        |b| link(b, "nowhere", "root/l.md"),
        Refused,
        |b| is_link(b, "root/l.md"),
    ),
    ("a link to itself", "root/l.md", |b| link(b, "l.md", "root/l.md"), Refused, NOTHING),
    ("another hard link", "root/a.md", hard_link, Written("root/a.md"), |b| old(b, "root/twin.md")),
    (
        "a directory of that name",
        "root/a.md",
        |b| fs::create_dir(b.join("root/a.md")).expect("made"),
        Refused,
        NOTHING,
    ),
    ("a FIFO", "root/a.md", fifo, Refused, NOTHING),
    ("a path out", "root/../out/a.md", |_| {}, Refused, |b| old(b, "out/a.md")),
    ("attributes", "root/a.md", attributes, Written("root/a.md"), has_attributes),
];

fn put(base: &Path, name: &str) {
    fs::create_dir_all(base.join(name).parent().expect("a directory")).expect("made");
    fs::write(base.join(name), OLD).expect("written");
}

fn put_mode(base: &Path, mode: u32) {
    put(base, "root/a.md");
    fs::set_permissions(base.join("root/a.md"), fs::Permissions::from_mode(mode)).expect("its own file");
}

fn mode(base: &Path, mode: u32) {
    let now = fs::metadata(base.join("root/a.md")).expect("there").mode() & 0o7777;
    assert_eq!(now, mode, "the mode stays");
}

fn read_only_directory(base: &Path) {
    put(base, "root/d/a.md");
    fs::set_permissions(base.join("root/d"), fs::Permissions::from_mode(0o555)).expect("its own directory");
}

fn closed_directory(base: &Path) {
    put(base, "root/d/a.md");
    fs::set_permissions(base.join("root/d"), fs::Permissions::from_mode(0o000)).expect("its own directory");
}

fn link(base: &Path, to: &str, at: &str) {
    put(base, "root/a.md");
    symlink(to, base.join(at)).expect("linked");
}

fn absolute_link(base: &Path) {
    put(base, "root/a.md");
    symlink(base.join("root/a.md"), base.join("root/l.md")).expect("linked");
}

fn two_links(base: &Path) {
    link(base, "a.md", "root/l.md");
    symlink("l.md", base.join("root/m.md")).expect("linked");
}

fn linked_directory(base: &Path) {
    put(base, "root/d/a.md");
    symlink("d", base.join("root/l")).expect("linked");
}

fn hard_link(base: &Path) {
    put(base, "root/a.md");
    fs::hard_link(base.join("root/a.md"), base.join("root/twin.md")).expect("linked");
}

fn fifo(base: &Path) {
    let made = Command::new("mkfifo").arg(base.join("root/a.md")).status().expect("mkfifo is there");
    assert!(made.success(), "a FIFO lies there");
}

fn attributes(base: &Path) {
    put(base, "root/a.md");
    // Where the file system has none, there is none to keep.
    let _none =
        rustix::fs::setxattr(base.join("root/a.md"), "user.note", b"mine", rustix::fs::XattrFlags::empty());
    fs::write(base.join("had"), attribute(base).unwrap_or_default()).expect("written");
}

fn attribute(base: &Path) -> Option<Vec<u8>> {
    let mut value = vec![0; 64];
    let count = rustix::fs::getxattr(base.join("root/a.md"), "user.note", &mut value).ok()?;
    Some(value[..count].to_vec())
}

fn has_attributes(base: &Path) {
    let had = fs::read(base.join("had")).expect("written down");
    assert_eq!(attribute(base).unwrap_or_default(), had, "a person's own attributes stay");
}

fn is_link(base: &Path, name: &str) {
    assert!(fs::symlink_metadata(base.join(name)).expect("there").is_symlink(), "{name} is still a link");
}

fn old(base: &Path, name: &str) {
    assert_eq!(fs::read(base.join(name)).expect("there"), OLD, "{name} has its old bytes");
}

/// Everything below a directory that can be read, without what a save may change.
fn tree(dir: &Path) -> Vec<(PathBuf, Option<Vec<u8>>)> {
    let mut all = Vec::new();
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        let path = entry.path();
        let is = entry.file_type().expect("a kind");
        if is.is_dir() {
            all.extend(tree(&path));
        }
        all.push((path.clone(), is.is_file().then(|| fs::read(&path).ok()).flatten()));
    }
    all.sort();
    all
}

/// Tries every rule below a directory of one's own; gives how many there are.
fn try_all(base: &Path) -> usize {
    let mut tried = 0;
    for (at, (name, path, arrange, rule, look)) in RULES.iter().enumerate() {
        let base = base.join(format!("rule-{at}"));
        fs::create_dir_all(base.join("root")).expect("made");
        put(&base, "out/a.md");
        arrange(&base);
        let around = Around {
            state: base.join("state"),
            home: base.join("home"),
            project: base.join("root"),
            now: chrono::DateTime::UNIX_EPOCH.fixed_offset(),
        };
        fs::create_dir_all(&around.home).expect("made");
        let before = tree(&base.join("root"));
        let there = base.join(path);
        let last_read = there.is_file().then(|| fs::read(&there).ok()).flatten();
        let done = file::write(&around, &base.join("root"), &there, NEW, last_read.as_deref(), None);
        match rule {
            Written(file) => {
                assert!(done.is_ok(), "{name} is written: {done:?}");
                assert_eq!(fs::read(base.join(file)).expect("there"), NEW, "{name}: all of it");
            }
            Refused => {
                assert!(matches!(done, Err(NotWritten::Refused(_))), "{name} is refused: {done:?}");
                assert_eq!(tree(&base.join("root")), before, "{name}: and nothing is changed");
            }
        }
        look(&base);
        let left = tree(&base.join("root"))
            .into_iter()
            .find(|(path, _)| path.to_string_lossy().contains(".moorline-"));
        assert_eq!(left, None, "{name}: no temporary file stays");
        tried += 1;
    }
    assert!(tried >= 20, "enough rules were tried: {tried}");
    tried
}

#[test]
fn every_rule_holds_for_a_person_without_privileges() {
    if nobody::is_root() {
        // Root may do everything, and would not meet half of the rules.
        nobody::again(every_rule_holds_for_a_person_without_privileges);
        return;
    }
    let temp = tempfile::tempdir().expect("a directory");
    let tried = try_all(temp.path());
    eprintln!("{tried} rules hold");
    // So that the directory can be removed.
    let _open = Command::new("chmod").args(["-R", "u+rwx"]).arg(temp.path()).output();
}
