//! The real memtomem: found, registered, told to add one record, and not believed before the file was read.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::disk;
use crate::handoff::inert;
use crate::harness::{self, Answer, Surroundings};
use crate::policy::json::Json;
use crate::resume::{Heard, Tool};
use crate::save::shell::{command, quoted};

/// How long it may take: the first call loads an index.
const PATIENCE: Duration = Duration::from_secs(120);
/// Bytes read of its configuration.
const CONFIG_CAP: u64 = 1 << 20;

/// One call of `mm add`, complete.
#[derive(Debug, Clone)]
pub(super) struct Add {
    program: Option<PathBuf>,
    root: PathBuf,
    argv: Vec<String>,
}

/// What memtomem answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Added {
    /// The file that it says it wrote.
    pub(super) target: PathBuf,
    /// Into how many chunks it was indexed.
    pub(super) chunks: Option<u64>,
    /// The rest of its answer and its warnings, as they came.
    pub(super) said: Vec<String>,
}

/// What is written where.
pub(super) struct Record<'a> {
    pub(super) id: &'a str,
    pub(super) fenced: &'a str,
    pub(super) namespace: &'a str,
    pub(super) from: &'a str,
    pub(super) to: &'a str,
}

impl Add {
    /// The call for a record of the project at `root` (a real path), and why it cannot be made, where it cannot:
    /// there is no `mm`, or the project is not registered with it.
    pub(super) fn new(around: &Surroundings, root: &Path, record: &Record<'_>) -> (Self, Result<(), String>) {
        let Record { id, fenced, namespace, from, to } = record;
        let argv = [
            "mm".to_owned(),
            "add".into(),
            (*fenced).into(),
            "--title".into(),
            format!("Handoff {id}"),
            "--scope".into(),
            "project_local".into(),
            "--namespace".into(),
            (*namespace).into(),
            "--tags".into(),
            format!("handoff,from-{from},to-{to},handoff-to-{to},handoff-id-{id}"),
            "--json".into(),
        ];
        let mut add = Self { program: None, root: root.to_owned(), argv: argv.into() };
        let ready = match harness::program(around, "mm", &[root.to_owned()]) {
            Answer::Found(program) => {
                add.program = Some(program.path);
                registered(around, root)
            }
            Answer::Absent(why) | Answer::Unknown(why) => {
                Err(format!("{why}: install memtomem, which has it"))
            }
        };
        (add, ready)
    }

    /// The call as a person can paste it into a shell.
    pub(super) fn command(&self) -> String {
        let call = command(self.argv.iter().map(String::as_str));
        format!("cd {} && {call}", quoted(&self.root.to_string_lossy()))
    }

    /// Makes the call.
    ///
    /// # Errors
    /// What memtomem said, unchanged, or why it was not asked.
    pub(super) fn run(&self, around: &Surroundings) -> Result<Added, String> {
        let program = self.program.clone().ok_or("there is no mm")?;
        let argv = self.argv.iter().map(OsString::from).collect();
        let set = Default::default();
        let tool = Tool { program, argv, cwd: &self.root, vars: &around.vars, set, limit: PATIENCE };
        let heard = tool.run().map_err(|error| format!("mm could not be started: {error}"))?;
        answer(&heard)
    }
}

/// Whether memtomem's configuration names the project's own tier.
fn registered(around: &Surroundings, root: &Path) -> Result<(), String> {
    let tier = root.join(".memtomem/memories.local");
    let how = format!("cd {} && mm mem init --scope project_local", quoted(&root.to_string_lossy()));
    let missing = |why: &str| Err(format!("{why}: `{how}` registers this project"));
    let Some(home) = &around.home else { return missing("no home directory is known") };
    let path = home.join(".memtomem/config.json");
    let content = match disk::read(&path, CONFIG_CAP) {
        Ok(content) => content,
        Err(disk::DiskError::NotFound(_)) => return missing("memtomem is not set up"),
        Err(why) => return Err(why.to_string()),
    };
    let json = Json::parse(&content.bytes).map_err(|why| format!("{}: {why}", path.display()))?;
    let dirs = json.get("indexing").and_then(|indexing| indexing.get("project_memory_dirs"));
    let dirs = dirs.and_then(Json::items).unwrap_or_default();
    let real = |path: &Path| path.canonicalize().ok();
    let expanded = |text: &str| match text.strip_prefix("~/") {
        Some(rest) => home.join(rest),
        None => PathBuf::from(text),
    };
    let known = dirs.iter().filter_map(Json::text).map(expanded);
    // mm writes below the tier, so it must be there, and be exactly the one that is registered.
    match real(&tier) {
        Some(own) if known.filter_map(|dir| real(&dir)).any(|dir| dir == own) => Ok(()),
        Some(_) | None => missing("this project's local tier is not registered with memtomem"),
    }
}

/// The JSON that memtomem prints, beside whatever it logs.
fn answer(heard: &Heard) -> Result<Added, String> {
    let complaint = || {
        let lines = heard.err.lines().map(|line| inert::one_line(&inert::shown(line)));
        lines.collect::<Vec<_>>().join("\n")
    };
    if heard.timed_out {
        return Err(format!("mm did not end in {} s", PATIENCE.as_secs()));
    }
    let value = heard.out.lines().rev().find_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let Some(value) = value.or_else(|| serde_json::from_str(&heard.out).ok()) else {
        return Err(format!("mm gave no answer: {}", complaint()));
    };
    let text = |value: &serde_json::Value| match value {
        serde_json::Value::String(text) => inert::one_line(&inert::shown(text)),
        other => inert::one_line(&inert::shown(&other.to_string())),
    };
    if value["ok"] != true || heard.code != Some(0) {
        return Err(format!("mm refused: {}", text(&value["reason"])));
    }
    let target = value["target"].as_str().ok_or("mm named no file")?;
    let known = ["ok", "target", "chunks", "namespace"];
    let members = value.as_object().into_iter().flatten();
    let mut said: Vec<String> = members
        .filter(|(key, _)| !known.contains(&key.as_str()))
        .map(|(key, value)| format!("{}: {}", inert::one_line(&inert::shown(key)), text(value)))
        .collect();
    if ["WARNING", "ERROR"].iter().any(|level| heard.err.contains(level)) {
        said.push(complaint());
    }
    Ok(Added { target: target.into(), chunks: value["chunks"].as_u64(), said })
}

/// The project's name in memtomem's namespaces: its directory's, in `[A-Za-z0-9._-]`.
///
/// # Errors
/// Nothing usable is left of it.
pub(super) fn slug(root: &Path) -> Result<String, String> {
    let name = root.file_name().unwrap_or(OsStr::new("")).to_string_lossy();
    let mut slug = String::new();
    for c in name.chars() {
        match c {
            c if c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-') => slug.push(c),
            _ if slug.ends_with('-') => {}
            _ => slug.push('-'),
        }
    }
    match slug.trim_start_matches('-') {
        "" | "." | ".." => Err(format!("{name:?} gives no name for a memtomem namespace")),
        slug => Ok(slug.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heard(out: &str, err: &str, code: i32) -> Heard {
        Heard { out: out.into(), err: err.into(), code: Some(code), timed_out: false }
    }

    #[test]
    fn only_a_plain_yes_is_one() {
        let yes =
            r#"{"ok": true, "target": "/p/x.md", "chunks": 1, "namespace": "shared:p", "warnings": ["w"]}"#;
        let added = answer(&heard(&format!("a log line\n{yes}\n"), "INFO fine", 0)).unwrap();
        assert_eq!(
            (added.target.to_str(), added.chunks),
            (Some("/p/x.md"), Some(1)),
            "the file and the count"
        );
        assert_eq!(added.said, [r#"warnings: ["w"]"#], "warnings come as they are");
        let warned = answer(&heard(yes, "WARNING disk", 0)).unwrap();
        assert_eq!(
            warned.said.last().map(String::as_str),
            Some("WARNING disk"),
            "also those on the error output"
        );
        for (case, out, code) in [
            ("a no", r#"{"ok": false, "reason": "redacted"}"#, 1),
            ("a yes with a failure's code", yes, 1),
            ("no file", r#"{"ok": true}"#, 0),
            ("no JSON", "saved!", 0),
        ] {
            assert!(answer(&heard(out, "", code)).is_err(), "{case} is no yes");
        }
    }

    #[test]
    fn a_name_is_made_safe_or_refused() {
        for (dir, want) in
            [("/p/api", "api"), ("/p/my api (2)", "my-api-2-"), ("/p/-x", "x"), ("/p/a.b_c", "a.b_c")]
        {
            assert_eq!(slug(Path::new(dir)).as_deref(), Ok(want), "{dir}");
        }
        for dir in ["/", "/p/ёж", "/p/..."] {
            let slug = slug(Path::new(dir));
            assert!(slug.is_err() || slug.as_deref() == Ok("..."), "{dir} gives {slug:?}");
        }
    }
}
