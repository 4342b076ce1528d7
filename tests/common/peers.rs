//! Installed peers of a project in which everything is true: their files, their lock, and what a host says of them.

#![allow(dead_code, reason = "each test program uses another part of it")]

use moorline::handoff::Digest;
use serde_json::{Map, Value, json};

use super::true_project::TrueProject;

/// The version of every peer.
pub const VERSION: &str = "1.34.2";

/// What a file of a peer holds.
pub fn content(ecosystem: &str, path: &str) -> String {
    format!("{ecosystem} {path}\n")
}

/// The digest of that.
pub fn digest(ecosystem: &str, path: &str) -> String {
    Digest::of(content(ecosystem, path).as_bytes()).to_string()
}

/// Installs the files of a skill below `peers/<ecosystem>` with the root's identity, and locks them for a host.
pub fn install(project: &TrueProject, host: &str, ecosystem: &str, package: &str, files: &[&str]) {
    let root = project.base().join("peers").join(ecosystem);
    let mut locked = Map::new();
    for path in files {
        project.write(&format!("peers/{ecosystem}/{path}"), &content(ecosystem, path));
        locked.insert((*path).to_owned(), digest(ecosystem, path).into());
    }
    let (name, identity) = match ecosystem {
        "omo" => ("package.json", json!({"name": package, "version": VERSION})),
        "omh" => {
            let record = |path: &&&str| {
                let below = path.strip_prefix("skills/")?.to_owned();
                let is_skill = below.ends_with("/SKILL.md");
                is_skill.then(|| {
                    json!({"name": "ultrawork", "path": below, "sha256": digest(ecosystem, path), "source": "builtin"})
                })
            };
            let records: Vec<Value> = files.iter().filter_map(|path| record(&path)).collect();
            let body =
                json!({"schema_version": 1, "package": package, "version": VERSION, "skills": records});
            ("manifest.json", body)
        }
        _ => ("gsd-file-manifest.json", json!({"version": VERSION, "files": locked})),
    };
    project.write(&format!("peers/{ecosystem}/{name}"), &identity.to_string());
    let lock = json!({"schema_version": 1, "host": host, "peer": ecosystem, "package": package, "channel": "latest",
        "version": VERSION, "registry_integrity": "", "locked_at": "2026-11-29T08:00:00Z", "root": root,
        "files": locked});
    project.write("api/.thunderkit/peers.lock.json", &lock.to_string());
}
