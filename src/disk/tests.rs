use std::fs;
use std::os::unix::fs::symlink;
use std::sync::atomic::{AtomicBool, Ordering};

use super::*;
use crate::handoff::RelPath;

fn rel(text: &str) -> RelPath {
    RelPath::parse(text).expect("a fixture path is contained")
}

fn fifo(path: &Path) {
    rustix::fs::mknodat(
        rustix::fs::CWD,
        path,
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::from_raw_mode(0o600),
        0,
    )
    .expect("a FIFO can be made in a temporary directory");
}

#[test]
fn only_regular_files_are_read_and_a_fifo_is_never_waited_for() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    fs::write(at("plain"), b"bytes").unwrap();
    fifo(&at("fifo"));
    symlink("/dev/zero", at("zero")).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(at("socket")).unwrap();

    assert_eq!(read(&at("plain"), 100).unwrap().bytes, b"bytes", "control: a regular file is read");
    for name in ["fifo", "zero", "socket", "."] {
        assert!(
            matches!(read(&at(name), 100), Err(DiskError::NotAFile(_))),
            "{name} is no regular file and must be refused, not read or waited for"
        );
    }
    assert!(matches!(read(&at("gone"), 1), Err(DiskError::NotFound(_))), "an absence is told as one");

    let root = Beneath::open(dir.path()).unwrap();
    assert!(matches!(root.read(&rel("fifo"), 9), Err(DiskError::NotAFile(_))), "beneath a root as well");
    assert!(
        matches!(root.read(&rel("zero"), 9), Err(DiskError::Escapes(_))),
        "a device lies outside the root"
    );
}

#[test]
fn the_cap_bounds_what_is_read_whatever_the_size() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("sparse");
    fs::File::create(&path).unwrap().set_len(1 << 40).unwrap();
    let content = read(&path, 1000).unwrap();
    assert_eq!(
        (content.bytes.len(), content.cut),
        (1000, true),
        "a sparse terabyte is read up to the cap, and said"
    );
    assert_eq!(content.meta.len, 1 << 40, "the whole size is known all the same");

    fs::write(&path, b"12345").unwrap();
    assert!(!read(&path, 5).unwrap().cut, "a file that ends exactly at the cap is whole");
    assert!(read(&path, 4).unwrap().cut, "one byte more than the cap is a cut");
}

#[test]
fn links_inside_the_root_are_followed_and_links_out_of_it_are_not() {
    let dir = tempfile::tempdir().unwrap();
    let root_path = dir.path().join("root");
    fs::create_dir_all(root_path.join("real")).unwrap();
    fs::write(root_path.join("real/file"), b"in").unwrap();
    fs::write(dir.path().join("outside"), b"out").unwrap();
    symlink("real", root_path.join("relative")).unwrap();
    symlink(root_path.join("real"), root_path.join("absolute")).unwrap();
    symlink("../outside", root_path.join("escape")).unwrap();
    symlink(dir.path().join("outside"), root_path.join("escape-absolute")).unwrap();
    symlink("loop", root_path.join("loop")).unwrap();

    let root = Beneath::open(&root_path).unwrap();
    for inside in ["real/file", "relative/file", "absolute/file"] {
        assert_eq!(root.read(&rel(inside), 9).unwrap().bytes, b"in", "{inside} stays inside and is read");
    }
    for out in ["escape", "escape-absolute"] {
        assert!(fs::read(root_path.join(out)).is_ok(), "control: {out} does lead to a file");
        assert_eq!(
            root.read(&rel(out), 9).unwrap_err(),
            DiskError::Escapes(root_path.join(out)),
            "{out} is refused"
        );
        assert!(matches!(root.kind(&rel(out)), Err(DiskError::Escapes(_))), "{out} is not even looked at");
        assert!(matches!(root.digest(&rel(out)), Err(DiskError::Escapes(_))), "{out} is not hashed");
    }
    assert!(
        matches!(root.read(&rel("loop"), 9), Err(DiskError::Io(..))),
        "a loop is an error, not an absence"
    );
    let same = [root.kind(&rel("relative")).unwrap(), root.kind(&rel("real")).unwrap()];
    assert_eq!(same[0], same[1], "two spellings of one directory are one directory");
    assert_eq!(root.kind(&rel(".")).unwrap(), (Kind::Directory, root.id()), "the root may be named");
}

#[test]
fn the_digest_is_that_of_the_bytes() {
    let dir = tempfile::tempdir().unwrap();
    let bytes = vec![7_u8; 200_000];
    fs::write(dir.path().join("f"), &bytes).unwrap();
    let root = Beneath::open(dir.path()).unwrap();
    let expected = (Digest::of(&bytes), 200_000);
    assert_eq!(root.digest(&rel("f")).unwrap(), expected, "streaming changes nothing");
    assert_eq!(digest(&dir.path().join("f")).unwrap(), expected, "by absolute path as well");
}

#[test]
fn a_listing_names_links_as_links_and_keeps_odd_names() {
    use std::os::unix::ffi::OsStrExt as _;
    let dir = tempfile::tempdir().unwrap();
    let odd = std::ffi::OsStr::from_bytes(b"odd-\xff.md");
    fs::write(dir.path().join(odd), b"x").unwrap();
    fs::create_dir(dir.path().join("d")).unwrap();
    symlink("/etc", dir.path().join("l")).unwrap();
    fifo(&dir.path().join("p"));
    let root = Beneath::open(dir.path()).unwrap();
    let (id, entries) = root.list(Path::new("")).unwrap();
    assert_eq!(id, root.id(), "the listed directory is the root");
    let found: Vec<_> = entries.iter().map(|e| (e.name.as_os_str(), e.kind)).collect();
    let expected = [
        ("d".as_ref(), EntryKind::Directory),
        ("l".as_ref(), EntryKind::Link),
        (odd, EntryKind::File),
        ("p".as_ref(), EntryKind::Other),
    ];
    assert_eq!(found, expected, "every entry is named as what it is, sorted by name");
    assert_eq!(root.read_found(Path::new(odd), 9).unwrap().bytes, b"x", "a name need not be UTF-8");
    assert!(
        matches!(root.list(Path::new("l")), Err(DiskError::Escapes(_))),
        "a link out of the root is not listed"
    );
}

#[test]
fn no_open_escapes_while_a_link_is_exchanged_under_it() {
    let dir = tempfile::tempdir().unwrap();
    let root_path = dir.path().join("root");
    fs::create_dir_all(root_path.join("inside")).unwrap();
    fs::create_dir_all(dir.path().join("outside")).unwrap();
    fs::write(root_path.join("inside/file"), b"in").unwrap();
    fs::write(dir.path().join("outside/file"), b"OUT").unwrap();
    symlink("inside", root_path.join("door")).unwrap();
    let root = Beneath::open(&root_path).unwrap();
    let done = AtomicBool::new(false);

    let (escapes, control) = std::thread::scope(|scope| {
        scope.spawn(|| {
            let (door, next) = (root_path.join("door"), root_path.join("next"));
            let mut out = true;
            while !done.load(Ordering::Relaxed) {
                symlink(if out { "../outside" } else { "inside" }, &next).unwrap();
                fs::rename(&next, &door).unwrap();
                out = !out;
            }
        });
        let path = rel("door/file");
        let escapes =
            (0..20_000).filter(|_| root.read(&path, 9).is_ok_and(|content| content.bytes == b"OUT")).count();
        let checked_then_opened = || {
            let inside = root_path.join("door").canonicalize().is_ok_and(|real| real.starts_with(&root_path));
            inside && fs::read(root_path.join("door/file")).is_ok_and(|bytes| bytes == b"OUT")
        };
        let control = (0..200_000).any(|_| checked_then_opened());
        done.store(true, Ordering::Relaxed);
        (escapes, control)
    });
    assert_eq!(escapes, 0, "a contained open must never give the bytes of a file outside");
    assert!(
        control,
        "control: checking first and opening by name afterwards does escape under the same exchange"
    );
}

#[test]
fn a_reason_is_said_without_the_path_that_was_said_and_without_the_systems_number() {
    let temp = tempfile::tempdir().unwrap();
    let path = temp.path().join("HANDOFF.md");
    let away = DiskError::Escapes(path.clone());
    assert_eq!(away.reason_at(&path), "leads out of its root", "the path stands before it already");
    assert!(
        away.reason_at(temp.path().join("other").as_path()).contains("HANDOFF.md"),
        "another path is named"
    );
    let gone = super::real(&path).unwrap_err();
    assert_eq!(gone, DiskError::NotFound(path.clone()), "what is not there is told as such");
    std::os::unix::fs::symlink("HANDOFF.md", &path).unwrap();
    let circle = super::real(&path).unwrap_err();
    assert!(
        matches!(circle, DiskError::Io(..)),
        "the control: a circle is an error of the system: {circle:?}"
    );
    assert!(!circle.to_string().contains("os error"), "whose number tells people nothing: {circle}");
}
