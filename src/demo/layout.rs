//! Where everything of the sample lies.
//!
//! Below the temporary directory: `api/` (the project), `home/` (stores, global handoffs, trash), `bin/claude`
//! and the package it belongs to.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;

use super::DemoError;
use super::stamps::Stamps;
use super::store::{Rows, VERSION, file_of};
use crate::handoff::{BranchName, CommitId, Digest};
use crate::repo::RepoError;
use crate::repo::sample::{Files, Sample};

/// What the plan says; its digest is in the handoff.
const PLAN: &str = "# Plan\n\n1. Login endpoint\n2. Session table\n3. Token rotation\n";

/// The sample's plans: how long ago they were opened, their names, their texts.
const PLANS: [(&str, &str, &str); 2] = [
    ("6d", "auth", "# Auth\n\n## Phase 3 — Auth API\n"),
    ("8d", "db-schema", "# Schema\n\n## Phase 2 — DB schema\n"),
];

/// A lane of the sample and what is to be wrong with it.
struct LaneSpec {
    id: &'static str,
    harness: &'static str,
    key: &'static str,
    provider: &'static str,
    model: &'static str,
    family: &'static str,
    session: &'static str,
    status: &'static str,
    reason: &'static str,
    fate: Fate,
}

/// What became of a lane after the handoff was saved.
#[derive(PartialEq)]
enum Fate {
    /// Everything is as it was recorded.
    AsRecorded,
    /// Somebody committed in its worktree.
    HeadMoved,
    /// A process is at work in it.
    Running,
    /// It was done already.
    Completed,
}

const LANES: [LaneSpec; 4] = [
    LaneSpec {
        id: "L1-auth",
        harness: "claude",
        key: "opus48",
        provider: "anthropic",
        model: "claude-opus-4-8",
        family: "anthropic",
        session: "3f0c8a52-7d1e-4b7a-9c55-0d8f2f1b6a11",
        status: "blocked",
        reason: "stopped for the night after the session table",
        fate: Fate::AsRecorded,
    },
    LaneSpec {
        id: "L2-docs",
        harness: "claude",
        key: "opus48",
        provider: "anthropic",
        model: "claude-opus-4-8",
        family: "anthropic",
        session: "8a1d3c60-52b7-4e0f-8d6b-1f7c9e2a4b35",
        status: "blocked",
        reason: "waits for the endpoint names",
        fate: Fate::HeadMoved,
    },
    LaneSpec {
        id: "L3-tests",
        harness: "claude",
        key: "opus48",
        provider: "anthropic",
        model: "claude-opus-4-8",
        family: "anthropic",
        session: "c7e2b9f4-0a36-4d18-b5c9-6e8f1a2d3b47",
        status: "running",
        reason: "left running over night",
        fate: Fate::Running,
    },
    LaneSpec {
        id: "L4-cache",
        harness: "codex",
        key: "sol",
        provider: "openai-codex",
        model: "gpt-5.6-sol",
        family: "openai",
        session: "019bcb3e-59cd-79d1-a41f-5069a76aaa3e",
        status: "completed",
        reason: "cache headers are done and reviewed",
        fate: Fate::Completed,
    },
];

/// Lays everything out below `root` and returns the project directory.
pub fn lay_out(root: &Path, stamps: &Stamps, program: &Path) -> Result<PathBuf, DemoError> {
    let project = root.join("api");
    let home = root.join("home");
    for directory in [&project, &home] {
        fs::create_dir_all(directory).map_err(DemoError::of("a directory"))?;
    }
    install_stand_in(root, program)?;
    let heads = repository(&project, stamps)?;
    let scribe = Scribe { stamps, project: &project, home: &home, heads: &heads };
    scribe.thunderkit()?;
    scribe.context_families()?;
    scribe.put_away()?;
    scribe.sessions()?;
    Ok(project)
}

/// The commits that the texts name.
struct Heads {
    base: CommitId,
    head: CommitId,
}

fn branch(name: &str) -> BranchName {
    BranchName::parse(name).expect("the sample's branch names are well formed")
}

fn files(list: &[(&str, &str)]) -> Files {
    list.iter().map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec())).collect()
}

/// A history of three commits and a linked worktree per lane.
fn repository(project: &Path, stamps: &Stamps) -> Result<Heads, DemoError> {
    let said = |error: RepoError| DemoError(error.to_string());
    let sample = Sample::init(project, "https://example.org/acme/api.git").map_err(said)?;
    let config = json!({
        "schema_version": 2,
        "classes": {"planner": "opus48", "executors": ["opus48", "sol"], "reviewers": "all"}
    });
    let mut tree = files(&[
        (".gitignore", "/target/\n/.thunderkit/runs/\n"),
        (".thunderkit/NORTH_STAR.md", "# North star\n\nNobody is logged out by surprise.\n"),
        (".thunderkit/config.json", &format!("{config:#}\n")),
        ("PLAN.md", PLAN),
        ("docs/notes.md", "# Notes\n"),
        (
            "src/auth/legacy.rs",
            "pub fn login() {}\npub fn logout() {}\n// the old way in, kept for the client\n",
        ),
        ("config/limits.toml", "logins_a_minute = 5\n"),
        ("src/limits.rs", "pub const LIMIT: u32 = 5;\n"),
    ]);
    for (ago, name, text) in PLANS {
        tree.insert(format!("plans/{}-{name}/plan.md", stamps.yymmdd(ago)), text.as_bytes().to_vec());
    }
    let feature = branch("feat/auth");
    let at = |ago| stamps.seconds(ago);
    let base = sample.commit(&feature, None, &tree, "Add the session table", at("10d")).map_err(said)?;
    let compat = tree.remove("src/auth/legacy.rs").unwrap_or_default();
    tree.insert("src/auth/compat.rs".into(), compat);
    let head =
        sample.commit(&feature, Some(&base), &tree, "Rename the compat module", at("4d")).map_err(said)?;
    sample.check_out(&feature, &tree).map_err(said)?;
    for lane in &LANES {
        let name = branch(&format!("tk/{}", lane.id));
        let mut head = sample.commit(&name, Some(&head), &tree, "Begin the lane", at("15h")).map_err(said)?;
        if lane.fate == Fate::HeadMoved {
            head = sample
                .commit(&name, Some(&head), &tree, "Write the endpoint names down", at("3h"))
                .map_err(said)?;
        }
        let _tip = head;
        let worktree = project.join(".thunderkit/runs/r1/worktrees").join(lane.id);
        sample.add_worktree(&worktree, &name, &tree).map_err(said)?;
    }
    Ok(Heads { base, head })
}

/// Writes the sample's texts.
struct Scribe<'a> {
    stamps: &'a Stamps,
    project: &'a Path,
    home: &'a Path,
    heads: &'a Heads,
}

impl Scribe<'_> {
    /// Fills a text and writes it as if that had been done `ago`.
    fn write(&self, path: &Path, ago: &str, text: &str, more: &[(&str, &str)]) -> Result<(), DemoError> {
        let project = self.project.to_string_lossy();
        let plan = Digest::of(PLAN.as_bytes());
        let mut names = vec![
            ("head", self.heads.head.as_str()),
            ("head_short", self.heads.head.short()),
            ("base_short", self.heads.base.short()),
            ("plan_sha256", plan.as_str()),
            ("project", &project),
        ];
        names.extend_from_slice(more);
        write(path, &self.stamps.fill(text, &names))?;
        let seconds = u64::try_from(self.stamps.seconds(ago)).unwrap_or(0);
        let when = std::time::UNIX_EPOCH + std::time::Duration::from_secs(seconds);
        let file = fs::File::options().write(true).open(path);
        file.and_then(|file| file.set_modified(when)).map_err(DemoError::of("a modification time"))
    }

    fn lane_head(&self, lane: &LaneSpec) -> Result<String, DemoError> {
        // The commit a lane began with is the parent of a moved tip: read it back instead of keeping a list.
        let path = self.project.join(".git/refs/heads/tk").join(lane.id);
        let tip = fs::read_to_string(&path).map_err(DemoError::of("a lane's branch"))?;
        Ok(match lane.fate {
            Fate::HeadMoved => self.heads.head.to_string(),
            _ => tip.trim().to_owned(),
        })
    }

    fn thunderkit(&self) -> Result<(), DemoError> {
        let mut lanes = String::new();
        for lane in &LANES {
            let head = self.lane_head(lane)?;
            let version = if lane.harness == "claude" { VERSION } else { "0.171.0" };
            lanes.push_str(&self.stamps.fill(
                include_str!("../../assets/demo/lane.md"),
                &[
                    ("id", lane.id),
                    ("lane_head", &head),
                    ("harness", lane.harness),
                    ("version", version),
                    ("session", lane.session),
                    ("key", lane.key),
                    ("provider", lane.provider),
                    ("model", lane.model),
                    ("family", lane.family),
                    ("status", lane.status),
                    ("reason", lane.reason),
                    ("plan_sha256", Digest::of(PLAN.as_bytes()).as_str()),
                ],
            ));
        }
        let text = include_str!("../../assets/demo/thunderkit.md");
        self.write(&self.project.join(".thunderkit/HANDOFF.md"), "14h", text, &[("lanes", &lanes)])?;
        let legacy = self.project.join(".thunderkit/runs/r1/worktrees/L4-cache/.thunderkit/HANDOFF.md");
        self.write(&legacy, "70d", include_str!("../../assets/demo/legacy.md"), &[])
    }

    fn context_families(&self) -> Result<(), DemoError> {
        let auth = self.project.join(format!("plans/{}-auth", self.stamps.yymmdd("6d")));
        let schema = self.project.join(format!("plans/{}-db-schema", self.stamps.yymmdd("8d")));
        let written = self.stamps.yymmdd("1d");
        let day = self.stamps.fill("{{day:3d}}", &[]);
        for (path, ago, text) in [
            (auth.join("HANDOFF.md"), "2h", include_str!("../../assets/demo/plan-auth.md")),
            (schema.join("HANDOFF.md"), "98h", include_str!("../../assets/demo/plan-schema.md")),
            (self.project.join("docs/HANDOFF.md"), "9d", include_str!("../../assets/demo/freeform.md")),
            (
                self.project.join("docs/handoffs/pasted.md"),
                "12d",
                include_str!("../../assets/demo/pasted.md"),
            ),
            (
                self.project.join(format!(".claude/handoffs/{written}-rate-limits.md")),
                "30h",
                include_str!("../../assets/demo/hand-written.md"),
            ),
            (
                self.project.join(".planning/HANDOFF.json"),
                "52h",
                include_str!("../../assets/demo/planning.json"),
            ),
            (
                self.project.join(".planning/.continue-here.md"),
                "52h",
                include_str!("../../assets/demo/planning.md"),
            ),
            (
                self.project.join(format!(".memtomem/memories.local/{day}--shared-api-00f1e2d3c4b5a697.md")),
                "74h",
                include_str!("../../assets/demo/memtomem.md"),
            ),
            (
                self.home.join(format!(".claude/handoffs/{}-kickoff.md", self.stamps.yymmdd("10d"))),
                "240h",
                include_str!("../../assets/demo/kickoff.md"),
            ),
        ] {
            self.write(&path, ago, text, &[])?;
        }
        Ok(())
    }

    /// One archived handoff and one in the trash, with the record of where it came from.
    fn put_away(&self) -> Result<(), DemoError> {
        let name = format!("{}-spike.md", self.stamps.yymmdd("45d"));
        let text = "# Spike: opaque tokens\n\nDate: {{day:45d}}\n\n## Next\n- Compare with signed tokens\n";
        self.write(&self.project.join(".claude/handoffs/archive").join(&name), "45d", text, &[])?;
        let name = format!("{}-dead-end.md", self.stamps.yymmdd("20d"));
        let text = "# Dead end: cookies only\n\nDate: {{day:20d}}\n\n## Next\n- Nothing, see the decision\n";
        let trash = self.home.join(".claude/.handoff-trash");
        self.write(&trash.join(&name), "20d", text, &[])?;
        let origin = self.project.join(".claude/handoffs").join(&name);
        let info =
            format!("[Trash Info]\nPath={}\nDeletionDate={{{{day:19d}}}}T09:00:00\n", origin.display());
        self.write(&trash.join(format!("{name}.trashinfo")), "19d", &info, &[])
    }

    fn sessions(&self) -> Result<(), DemoError> {
        let store = self.home.join(".claude");
        fs::create_dir_all(store.join("sessions")).map_err(DemoError::of("the session registry"))?;
        for lane in LANES.iter().filter(|lane| lane.harness == "claude") {
            let cwd = self.project.join(".thunderkit/runs/r1/worktrees").join(lane.id);
            let cwd = cwd.to_string_lossy();
            let branch = format!("tk/{}", lane.id);
            let rows = Rows { session: lane.session, cwd: &cwd, branch: &branch, model: lane.model };
            let mut text =
                rows.turn(1, &self.stamps.rfc3339("15h"), "Begin with the session table.", "Done.");
            text.push_str(&rows.turn(2, &self.stamps.rfc3339("14h"), "Stop here for tonight.", "Stopped."));
            write(&store.join(file_of(&cwd, lane.session)), &text)?;
            if lane.fate == Fate::Running {
                self.register(&store, lane, &cwd)?;
            }
        }
        Ok(())
    }

    /// The registry entry of a live owner. The demo itself is the process that is alive.
    fn register(&self, store: &Path, lane: &LaneSpec, cwd: &str) -> Result<(), DemoError> {
        let pid = std::process::id();
        let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
        let start = stat.rsplit(')').next().and_then(|rest| rest.split_whitespace().nth(19)).unwrap_or("0");
        let entry = json!({
            "pid": pid,
            "sessionId": lane.session,
            "cwd": cwd,
            "startedAt": self.stamps.seconds("14h") * 1000,
            "procStart": start,
            "version": VERSION,
            "kind": "interactive",
            "entrypoint": "cli",
            "status": "idle"
        });
        write(&store.join(format!("sessions/{pid}.json")), &entry.to_string())
    }
}

/// Puts this program into the sample's `bin` under the name `claude`, as an npm package would lie.
fn install_stand_in(root: &Path, program: &Path) -> Result<(), DemoError> {
    let package = root.join("lib/node_modules/@anthropic-ai/claude-code");
    let bin = root.join("bin");
    for directory in [&package, &bin] {
        fs::create_dir_all(directory).map_err(DemoError::of("the stand-in's directory"))?;
    }
    let about = json!({"name": "@anthropic-ai/claude-code", "version": VERSION});
    write(&package.join("package.json"), &format!("{about:#}\n"))?;
    let copy = package.join("claude");
    if fs::hard_link(program, &copy).is_err() {
        fs::copy(program, &copy).map_err(DemoError::of("the stand-in"))?;
    }
    std::os::unix::fs::symlink(&copy, bin.join("claude")).map_err(DemoError::of("the stand-in's link"))
}

fn write(path: &Path, text: &str) -> Result<(), DemoError> {
    let folder = path.parent().unwrap_or(path);
    let what = path.display().to_string();
    fs::create_dir_all(folder).map_err(DemoError::of(&what))?;
    fs::write(path, text).map_err(DemoError::of(&what))
}
