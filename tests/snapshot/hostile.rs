//! A store that somebody else prepared: no manifest in it leads a load anywhere else.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use moorline::handoff::Digest;
use serde_json::{Value, json};

use super::{Bench, code, everything, said};

/// Puts bytes into the store under the name that they must have.
fn object(bench: &Bench, bytes: &[u8]) -> Digest {
    let digest = Digest::of(bytes);
    let (folder, name) = digest.as_str().split_at(2);
    let path = bench.store.join("objects").join(folder);
    fs::create_dir_all(&path).expect("made");
    fs::write(path.join(name), bytes).expect("written");
    digest
}

fn object_file(bench: &Bench, digest: &Digest) -> std::path::PathBuf {
    let (folder, name) = digest.as_str().split_at(2);
    bench.store.join("objects").join(folder).join(name)
}

/// Puts a manifest in under its right name; gives the id.
fn put(bench: &Bench, bytes: &[u8]) -> String {
    let id = Digest::of(bytes).to_string();
    fs::create_dir_all(bench.store.join("snapshots")).expect("made");
    fs::write(bench.store.join("snapshots").join(format!("{id}.json")), bytes).expect("written");
    id
}

/// A manifest of one file with some bytes, that is taken.
fn good(bench: &Bench) -> Value {
    let digest = object(bench, b"some bytes");
    json!({
        "schema_version": 1,
        "identity": "kiln",
        "scope": "project",
        "created_at": "2026-11-30T10:00:00Z",
        "project_root": "/somewhere",
        "sources": ["docs"],
        "files": [{"path": "docs/a.md", "mode": "4777", "size": 10, "sha256": digest.as_str()}],
        "omissions": [],
        "context": null,
        "history": {"status": "not_requested"},
    })
}

/// Loads it into a new directory; gives the exit code and what was said.
fn load(bench: &Bench, id: &str) -> (i32, String) {
    let to = bench.repo.beside("out");
    let output = bench.ask("load", &[id, "--identity", "kiln", "--to", &to.display().to_string()]);
    (code(&output), said(&output))
}

/// A change of a good manifest.
type Change = fn(&mut Value);

const CHANGES: &[(&str, Change)] = &[
    ("a path that climbs", |m| m["files"][0]["path"] = "../escaped".into()),
    ("a path that climbs from below", |m| m["files"][0]["path"] = "docs/../../escaped".into()),
    ("an absolute path", |m| m["files"][0]["path"] = "/tmp/escaped".into()),
    ("a home path", |m| m["files"][0]["path"] = "~/escaped".into()),
    ("a backslash", |m| m["files"][0]["path"] = "docs\\..\\escaped".into()),
    ("an empty path", |m| m["files"][0]["path"] = "".into()),
    ("the root as a file", |m| m["files"][0]["path"] = ".".into()),
    ("a path with a NUL", |m| m["files"][0]["path"] = "a\u{0}b".into()),
    ("a path with a line break", |m| m["files"][0]["path"] = "a\nb".into()),
    ("a path that shows as another", |m| m["files"][0]["path"] = "a\u{202e}b".into()),
    ("an endless path", |m| m["files"][0]["path"] = "x/".repeat(2_000).as_str().trim_end_matches('/').into()),
    ("the same path twice", |m| {
        let file = m["files"][0].clone();
        m["files"].as_array_mut().expect("a list").push(file);
    }),
    ("a file in a file", |m| {
        let mut file = m["files"][0].clone();
        file["path"] = "docs/a.md/b".into();
        m["files"].as_array_mut().expect("a list").push(file);
    }),
    ("files out of order", |m| {
        let mut file = m["files"][0].clone();
        file["path"] = "a".into();
        m["files"].as_array_mut().expect("a list").push(file);
    }),
    ("a huge size", |m| m["files"][0]["size"] = u64::MAX.into()),
    ("a size over the limit", |m| m["files"][0]["size"] = ((64_u64 << 20) + 1).into()),
    ("sizes that overflow together", |m| {
        let files = (0..100).map(|n| {
            let mut file = m["files"][0].clone();
            file["path"] = format!("f{n:03}").into();
            file["size"] = (64_u64 << 20).into();
            file
        });
        m["files"] = files.collect();
    }),
    ("a negative size", |m| m["files"][0]["size"] = (-1).into()),
    ("a broken size", |m| m["files"][0]["size"] = json!(10.5)),
    ("a size that is a text", |m| m["files"][0]["size"] = "10".into()),
    ("a wrong size", |m| m["files"][0]["size"] = 11.into()),
    ("a digest that is a path", |m| m["files"][0]["sha256"] = "../../../../etc/passwd".into()),
    ("a digest in capitals", |m| m["files"][0]["sha256"] = "A".repeat(64).into()),
    ("an object that is not there", |m| m["files"][0]["sha256"] = "0".repeat(64).into()),
    ("a mode that is a number", |m| m["files"][0]["mode"] = 493.into()),
    ("a mode with a sign", |m| m["files"][0]["mode"] = "+755".into()),
    ("another version", |m| m["schema_version"] = 2.into()),
    ("another scope", |m| m["scope"] = "global".into()),
    ("an identity that clears the screen", |m| m["identity"] = "kiln\u{1b}[2J".into()),
    ("an unknown key", |m| m["restore_to"] = "/tmp/escaped".into()),
    ("an unknown key of a file", |m| m["files"][0]["exec"] = true.into()),
    ("a context that is no file of it", |m| {
        m["context"] = json!({"path": "b", "ignored": false, "saved_at": null, "saved_at_source": null, "age_seconds": null});
    }),
    ("a context that climbs", |m| {
        m["context"] = json!({"path": "../b", "ignored": false, "saved_at": null, "saved_at_source": null, "age_seconds": null});
    }),
    ("an unknown history", |m| m["history"]["status"] = "run".into()),
    ("a bundle over the limit", |m| {
        m["history"] = json!({"status": "captured", "ref": "refs/heads/main", "head": "0".repeat(40), "commits": 1,
            "objects": 1, "size": u64::MAX, "sha256": "0".repeat(64)});
    }),
    ("no files at all said", |m| drop(m.as_object_mut().expect("an object").remove("files"))),
];

#[test]
fn hostile_manifests_lead_nowhere() {
    let bench = Bench::with_docs();
    let all = bench.repo.dir().parent().expect("it has one");
    let control = put(&bench, good(&bench).to_string().as_bytes());
    let (code_of_good, text) = load(&bench, &control);
    assert_eq!(code_of_good, 0, "the untouched manifest is taken: the control: {text}");
    let out = bench.repo.beside("out");
    assert_eq!(fs::read(out.join("files/docs/a.md")).expect("copied"), b"some bytes");
    let mode =
        std::os::unix::fs::MetadataExt::mode(&fs::metadata(out.join("files/docs/a.md")).expect("there"));
    assert_eq!(mode & 0o7777, 0o600, "set-user-id is told and not restored");
    fs::remove_dir_all(&out).expect("removed");
    for (name, change) in CHANGES {
        let mut manifest = good(&bench);
        change(&mut manifest);
        let id = put(&bench, manifest.to_string().as_bytes());
        let before = everything(all);
        let (code, text) = load(&bench, &id);
        assert_eq!(code, 1, "{name} is refused: {text}");
        assert!(!text.contains('\u{1b}'), "{name}: nothing of it reaches the terminal raw: {text:?}");
        assert_eq!(everything(all), before, "{name}: and nothing is written anywhere");
        assert_eq!(super::code(&bench.ask("verify", &[])), 1, "{name}: verify says no");
        fs::remove_file(bench.store.join("snapshots").join(format!("{id}.json"))).expect("removed");
    }
    assert!(!Path::new("/tmp/escaped").exists(), "nothing escaped");
}

#[test]
fn documents_that_are_no_manifests_are_problems_not_crashes() {
    let bench = Bench::with_docs();
    let good = good(&bench).to_string();
    let twice = good.replacen("\"schema_version\":1", "\"schema_version\":1,\"schema_version\":1", 1);
    assert_ne!(twice, good, "the key is there to be doubled");
    let cases: [(&str, Vec<u8>); 7] = [
        ("nothing", Vec::new()),
        ("no text", vec![0xFF, 0xFE, 0x00]),
        ("a key twice", twice.into_bytes()),
        ("a list", b"[]".to_vec()),
        ("more behind it", format!("{good} {good}").into_bytes()),
        ("a pit of brackets", b"[".repeat(200_000)),
        ("a deep object", [b"{\"files\":".repeat(100_000), b"1".to_vec()].concat()),
    ];
    for (name, bytes) in cases {
        let id = put(&bench, &bytes);
        let (code, text) = load(&bench, &id);
        assert_eq!(code, 1, "{name} is refused: {text}");
        assert!(text.contains("no manifest"), "{name}: with the reason: {text}");
        fs::remove_file(bench.store.join("snapshots").join(format!("{id}.json"))).expect("removed");
    }
    fs::write(bench.store.join("snapshots/notes.txt"), "mine").expect("written");
    put(&bench, good.as_bytes());
    let listed = bench.ask("list", &["--json"]);
    let shown = super::document(&listed);
    assert_eq!(code(&listed), 1, "what does not belong there is said: {shown}");
    assert_eq!(shown["snapshots"].as_array().map(Vec::len), Some(1), "and the good one is listed: {shown}");
}

#[test]
fn objects_that_are_no_files_of_the_store_are_not_read() {
    let bench = Bench::with_docs();
    let manifest = good(&bench);
    let digest = Digest::of(b"some bytes");
    let id = put(&bench, manifest.to_string().as_bytes());
    let file = object_file(&bench, &digest);
    let outside = bench.repo.beside("outside");
    fs::write(&outside, b"some bytes").expect("written");
    let cases: [(&str, &dyn Fn()); 5] = [
        ("a link out of the store, to the very bytes", &|| symlink(&outside, &file).expect("linked")),
        ("a link to nothing", &|| symlink("nowhere", &file).expect("linked")),
        ("a FIFO", &|| {
            assert!(Command::new("mkfifo").arg(&file).status().expect("mkfifo is there").success());
        }),
        ("a directory", &|| fs::create_dir(&file).expect("made")),
        ("a terabyte of nothing", &|| {
            fs::File::create(&file).expect("made").set_len(1 << 40).expect("sparse");
        }),
    ];
    for (name, make) in cases {
        fs::remove_file(&file).expect("removed");
        make();
        let (code, text) = load(&bench, &id);
        assert!(code == 1 || code == 3, "{name} is not given back: {text}");
        assert!(!bench.repo.beside("out").exists(), "{name}: and nothing is written");
        if file.is_dir() {
            fs::remove_dir(&file).expect("removed");
            fs::write(&file, "x").expect("written");
        }
    }
    fs::remove_file(&file).expect("removed");
    fs::write(&file, b"some bytes").expect("written");
    assert_eq!(load(&bench, &id).0, 0, "a plain file with the bytes is: the control");
}

#[test]
fn a_store_whose_directories_are_links_takes_nothing_in() {
    for name in ["objects", "snapshots", "incoming"] {
        let bench = Bench::with_docs();
        let outside = bench.repo.beside("outside");
        fs::create_dir(&outside).expect("made");
        symlink(&outside, bench.store.join(name)).expect("linked");
        let output = bench.capture(&[]);
        assert_eq!(code(&output), 1, "a linked {name} is refused: {}", said(&output));
        assert_eq!(
            fs::read_dir(&outside).expect("listed").count(),
            0,
            "nothing is written where {name} leads"
        );
        fs::remove_file(bench.store.join(name)).expect("removed");
        bench.captured(&[]);
    }
}
