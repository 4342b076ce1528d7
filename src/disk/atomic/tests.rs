//! Every rule of the table, and the faults that a test process can make itself.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::path::Path;

use super::{Spot, WriteError, locate};
use crate::disk::DiskError;

fn put(root: &Path, path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    let spot = Spot::open(root, path)?;
    let old = spot.read()?;
    spot.write(bytes, old.as_deref())
}

fn names(dir: &Path) -> Vec<String> {
    let name =
        |entry: std::io::Result<fs::DirEntry>| entry.unwrap().file_name().to_string_lossy().into_owned();
    let mut names: Vec<_> = fs::read_dir(dir).unwrap().map(name).collect();
    names.sort();
    names
}

#[test]
fn a_new_file_comes_with_its_directories_and_nothing_else() {
    let temp = tempfile::tempdir().unwrap();
    let path = temp.path().join(".claude/handoffs/a.md");
    put(temp.path(), &path, b"one").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"one", "the bytes are there");
    put(temp.path(), &path, b"two").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"two", "and replaced whole");
    assert_eq!(names(path.parent().unwrap()), ["a.md"], "no temporary file stays");
}

#[test]
fn bytes_that_nobody_read_are_never_replaced() {
    let temp = tempfile::tempdir().unwrap();
    let path = temp.path().join("a.md");
    let spot = Spot::open(temp.path(), &path).unwrap();
    spot.write(b"one", None).unwrap();
    let other = Err(WriteError::Changed(Some(b"one".to_vec())));
    assert_eq!(spot.write(b"two", None), other, "a file where nothing was expected");
    assert_eq!(spot.write(b"two", Some(b"zero")), other, "other bytes than those that were read");
    assert_eq!(fs::read(&path).unwrap(), b"one", "the bytes stand");
    fs::remove_file(&path).unwrap();
    assert_eq!(
        spot.write(b"two", Some(b"one")),
        Err(WriteError::Changed(None)),
        "and one that is gone is said"
    );
    assert!(names(temp.path()).is_empty(), "a refusal leaves nothing behind");
    spot.write(b"two", None).unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"two", "the same call is good when what is there is known");
}

#[test]
fn permission_bits_stay_and_a_read_only_file_is_left_alone() {
    let temp = tempfile::tempdir().unwrap();
    let path = temp.path().join("a.md");
    for mode in [0o600, 0o640, 0o644, 0o664, 0o755, 0o200] {
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        let spot = Spot::open(temp.path(), &path).unwrap();
        // A file that is only writable can be read by nobody but root.
        if let Ok(old) = spot.read() {
            spot.write(b"new", old.as_deref()).unwrap();
            assert_eq!(fs::metadata(&path).unwrap().mode() & 0o7777, mode, "mode {mode:o} stays");
        }
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    }
    fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
    assert!(
        matches!(put(temp.path(), &path, b"x"), Err(WriteError::Disk(_))),
        "read-only is a person's word"
    );
    assert_eq!(names(temp.path()), ["a.md"], "and no temporary file stays");
}

#[test]
fn links_are_written_through_inside_the_root_and_refused_out_of_it() {
    let temp = tempfile::tempdir().unwrap();
    let (root, out) = (temp.path().join("root"), temp.path().join("out"));
    fs::create_dir_all(root.join("real")).unwrap();
    fs::create_dir_all(&out).unwrap();
    fs::write(root.join("real/a.md"), "old").unwrap();
    fs::write(out.join("a.md"), "theirs").unwrap();
    for (name, aim) in [
        ("relative.md", "real/a.md".into()),
        ("absolute.md", root.join("real/a.md")),
        ("twice.md", "relative.md".into()),
        ("dir", "real".into()),
    ] {
        symlink::<std::path::PathBuf, _>(aim, root.join(name)).unwrap();
        let path = if name == "dir" { root.join("dir/a.md") } else { root.join(name) };
        put(&root, &path, name.as_bytes()).unwrap();
        assert_eq!(
            fs::read(root.join("real/a.md")).unwrap(),
            name.as_bytes(),
            "{name}: the real file is written"
        );
        assert!(fs::symlink_metadata(root.join(name)).unwrap().is_symlink(), "{name}: the link stays one");
    }
    symlink(out.join("a.md"), root.join("out.md")).unwrap();
    symlink(&out, root.join("outdir")).unwrap();
    symlink("nowhere", root.join("dangling.md")).unwrap();
    symlink("loop.md", root.join("loop.md")).unwrap();
    for name in [
        "out.md",
        "outdir/a.md",
        "outdir/new/a.md",
        "dangling.md",
        "loop.md",
        "real",
        "../out/a.md",
        "x/../../out/b.md",
    ] {
        assert!(locate(&root, &root.join(name)).is_err(), "{name} is refused");
        assert!(put(&root, &root.join(name), b"x").is_err(), "{name} is not written either");
    }
    assert!(matches!(locate(&root, &root.join("out.md")), Err(DiskError::Escapes(_))), "and it is said why");
    assert_eq!(fs::read(out.join("a.md")).unwrap(), b"theirs", "nothing outside was touched");
    assert_eq!(names(&out), ["a.md"], "and nothing was made there");
}

#[test]
fn another_name_of_the_file_keeps_the_old_bytes() {
    let temp = tempfile::tempdir().unwrap();
    fs::write(temp.path().join("a.md"), "old").unwrap();
    fs::hard_link(temp.path().join("a.md"), temp.path().join("b.md")).unwrap();
    put(temp.path(), &temp.path().join("a.md"), b"new").unwrap();
    assert_eq!(fs::read(temp.path().join("b.md")).unwrap(), b"old", "the other name is another file now");
}

#[test]
fn what_killed_writers_left_is_swept_and_nothing_else() {
    let temp = tempfile::tempdir().unwrap();
    for name in
        [".a.md.moorline-1-0", ".a.md.moorline-77-3", ".b.md.moorline-1-0", ".a.md.swp", "a.md.moorline-1"]
    {
        fs::write(temp.path().join(name), "half").unwrap();
    }
    put(temp.path(), &temp.path().join("a.md"), b"new").unwrap();
    assert_eq!(
        names(temp.path()),
        [".a.md.swp", ".b.md.moorline-1-0", "a.md", "a.md.moorline-1"],
        "only this file's own temporary files go"
    );
}
