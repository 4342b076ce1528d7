//! The table itself, grouped as the checks are.

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::symlink;

use moorline::check::CheckId;

use crate::changes::*;
use crate::true_project::{ARTIFACT, MODEL, PLAN, SESSION, WORKTREE, set_mode};
use crate::{Expect, Rows};

/// A session of somebody else.
const STRANGER: &str = "99999999-7d1e-4b7a-9c55-0d8f2f1b6a99";

/// Every row.
pub(crate) fn all() -> Rows {
    let mut rows = Vec::new();
    rows.extend(the_file());
    rows.extend(policy());
    rows.extend(repository());
    rows.extend(worktrees());
    rows.extend(bytes());
    rows.extend(models());
    rows.extend(programs());
    rows.extend(sessions());
    rows.extend(owners());
    rows.extend(records());
    rows
}

fn the_file() -> Rows {
    use CheckId::Schema;
    use Expect::{Fails, NothingToResume, Same};
    vec![
        ("nothing", |_, _| {}, Same),
        ("a comment line", |p, _| p.edit("saved_at:", "# a note\nsaved_at:"), Same),
        ("a comment after a stage", |p, _| p.edit("\"9 Execute\"", "9 Execute   # layer one"), Same),
        ("Windows line ends", |p, _| rewrite(p, HANDOFF, |text| text.replace('\n', "\r\n")), Same),
        ("a byte order mark", |p, _| rewrite(p, HANDOFF, |text| format!("\u{feff}{text}")), Same),
        ("a later saved time", |p, _| p.edit("09:00:00Z", "09:30:00Z"), Same),
        ("an unknown key", |p, _| p.edit("next_action:", "priority: \"high\"\nnext_action:"), Fails(Schema)),
        (
            "a key twice",
            |p, _| p.edit("branch: \"main\"", "branch: \"main\"\nbranch: \"main\""),
            Fails(Schema),
        ),
        (
            "a missing key",
            |p, _| p.edit("open_unknowns: \"How long a refresh token may live\"\n", ""),
            Fails(Schema),
        ),
        ("a tag", |p, _| p.edit("branch: \"main\"", "branch: !!str \"main\""), Fails(Schema)),
        ("an anchor", |p, _| p.edit("branch: \"main\"", "branch: &b \"main\""), Fails(Schema)),
        ("a tab", |p, _| p.edit("    status:", "\tstatus:"), Fails(Schema)),
        ("a second document", |p, _| append(p, HANDOFF, "---\nbranch: \"other\"\n"), Fails(Schema)),
        ("another version", |p, _| p.edit("schema_version: 1", "schema_version: 2"), Fails(Schema)),
        (
            "a stored command",
            |p, _| p.edit("    status:", "    resume: \"claude -c\"\n    status:"),
            Fails(Schema),
        ),
        ("a placeholder", |p, _| p.edit("\"9 Execute\"", "\"<stage>\""), Fails(Schema)),
        ("a short commit", |p, _| rewrite(p, HANDOFF, |text| shorten(&text, "head: \"")), Fails(Schema)),
        ("a shell in the id", |p, _| p.edit(SESSION, "3f0c;touch x"), Fails(Schema)),
        ("an empty file", |p, _| rewrite(p, HANDOFF, |_| String::new()), Fails(Schema)),
        ("no YAML at all", |p, _| rewrite(p, HANDOFF, |_| "# Handoff\nwent home\n".into()), Fails(Schema)),
        ("no lane", |p, _| rewrite(p, HANDOFF, without_lanes), NothingToResume),
    ]
}

fn policy() -> Rows {
    use CheckId::{Config, ModelBinding, ModelContract};
    use Expect::{Fails, Same, Unknown};
    vec![
        ("north star gone", |p, _| remove(p, "api/.thunderkit/NORTH_STAR.md"), Fails(Config)),
        ("north star leads out", |p, _| lead_out(p, ".thunderkit/NORTH_STAR.md"), Fails(Config)),
        ("another north star", |p, _| p.edit(".thunderkit/NORTH_STAR.md", "README.md"), Fails(Config)),
        ("config gone", |p, _| remove(p, CONFIG), Fails(Config)),
        ("config leads out", |p, _| lead_out(p, ".thunderkit/config.json"), Fails(Config)),
        ("config is no JSON", |p, _| rewrite(p, CONFIG, |text| text.replace(':', "=")), Fails(Config)),
        (
            "config key twice",
            |p, _| p.replace(CONFIG, "\"max_layers\": 3", "\"max_layers\": 3, \"max_layers\": 3"),
            Fails(Config),
        ),
        (
            "config key unknown",
            |p, _| p.replace(CONFIG, "\"max_layers\": 3", "\"max_layer\": 3"),
            Fails(Config),
        ),
        ("one family reviews", |p, _| p.replace(CONFIG, "_min\": 2", "_min\": 1"), Fails(Config)),
        ("config in another layout", |p, _| rewrite(p, CONFIG, |text| text.replace('\n', " ")), Same),
        ("delegation off", |p, _| p.replace(CONFIG, "\"auto\"", "\"off\""), Fails(ModelContract)),
        ("more layers", |p, _| p.replace(CONFIG, "layers\": 3", "layers\": 4"), Fails(ModelContract)),
        (
            "executors turned round",
            |p, _| p.replace(CONFIG, "[\"opus48\", \"sol\"]", "[\"sol\", \"opus48\"]"),
            Fails(ModelContract),
        ),
        (
            "frozen paths",
            |p, _| p.replace(CONFIG, "\"frozen_paths\": []", "\"frozen_paths\": [\"docs\"]"),
            Fails(ModelContract),
        ),
        (
            "another planner recorded",
            |p, _| p.edit("planner: \"opus48\"", "planner: \"sol\""),
            Fails(ModelContract),
        ),
        (
            "no contract",
            |p, _| rewrite(p, HANDOFF, |text| replace_contract(&text, " null\n")),
            Fails(ModelContract),
        ),
        (
            "a contract of another layout",
            |p, _| rewrite(p, HANDOFF, |text| replace_contract(&text, "\n  planner: \"opus48\"\n")),
            Unknown(ModelContract),
        ),
        (
            "out of its class",
            |p, _| {
                p.replace(CONFIG, "[\"opus48\", \"sol\"]", "[\"sol\"]");
                p.edit("[\"opus48\", \"sol\"]", "[\"sol\"]");
            },
            Fails(ModelBinding),
        ),
    ]
}

fn repository() -> Rows {
    use CheckId::{Repository, RootBranch, RootHead};
    use Expect::{Fails, Same, Unknown};
    vec![
        (
            "another remote",
            |p, _| git(p, &["remote", "set-url", "origin", "https://example.org/acme/web.git"]),
            Fails(Repository),
        ),
        ("no remote", |p, _| git(p, &["remote", "remove", "origin"]), Fails(Repository)),
        (
            "several remotes, no origin",
            |p, _| {
                git(p, &["remote", "rename", "origin", "mirror"]);
                git(p, &["remote", "add", "fork", "https://example.org/ada/api.git"]);
            },
            Unknown(Repository),
        ),
        (
            "the same remote by ssh",
            |p, _| git(p, &["remote", "set-url", "origin", "ssh://git@Example.org:22/acme/api"]),
            Same,
        ),
        (
            "the recorded one as a url",
            |p, _| p.edit("\"example.org/acme/api\"", "\"https://u:pw@example.org/acme/api.git\""),
            Same,
        ),
        (
            "a directory name against a remote",
            |p, _| p.edit("\"example.org/acme/api\"", "\"api\""),
            Fails(Repository),
        ),
        (
            "no repository",
            |p, _| fs::rename(p.root().join(".git"), p.base().join("gone")).expect("moved"),
            Fails(Repository),
        ),
        ("another branch", |p, _| git(p, &["switch", "-q", "-c", "dev"]), Fails(RootBranch)),
        ("detached", |p, _| git(p, &["checkout", "-q", "--detach"]), Fails(RootBranch)),
        ("unborn", |p, _| git(p, &["checkout", "-q", "--orphan", "new"]), Fails(RootBranch)),
        ("recorded as detached", |p, _| p.edit("branch: \"main\"", "branch: null"), Fails(RootBranch)),
        (
            "detached then and now",
            |p, _| {
                p.edit("branch: \"main\"", "branch: null");
                git(p, &["checkout", "-q", "--detach"]);
            },
            Same,
        ),
        ("a tag of the branch's name", |p, _| git(p, &["tag", "main", "HEAD"]), Same),
        (
            "a new commit",
            |p, _| {
                p.write("api/src/new.rs", "\n");
                p.commit_all(&p.root(), "Go on");
            },
            Fails(RootHead),
        ),
        (
            "the handoff committed",
            |p, _| {
                p.commit_all(&p.root(), "Hand off");
            },
            Fails(RootHead),
        ),
        (
            "an amended commit",
            |p, _| git(p, &["commit", "-q", "--amend", "-m", "Lay another one"]),
            Fails(RootHead),
        ),
        ("another branch at the same commit", |p, _| git(p, &["branch", "dev"]), Same),
        ("a changed file", |p, _| p.write("api/README.md", "# Changed\n"), Same),
        ("a new file", |p, _| p.write("api/notes.txt", "later\n"), Same),
    ]
}

fn worktrees() -> Rows {
    use CheckId::{LaneBranch, LaneHead, Worktree};
    use Expect::{Fails, Same};
    vec![
        ("worktree gone", |p, _| fs::remove_dir_all(p.worktree()).expect("removed"), Fails(Worktree)),
        (
            "worktree is a file",
            |p, _| {
                fs::remove_dir_all(p.worktree()).expect("removed");
                p.write(&format!("api/{WORKTREE}"), "");
            },
            Fails(Worktree),
        ),
        (
            "a plain directory",
            |p, _| fs::remove_file(p.worktree().join(".git")).expect("removed"),
            Fails(Worktree),
        ),
        ("worktree leads out", |p, _| lead_out(p, WORKTREE), Fails(Worktree)),
        (
            "outside by its text",
            |p, _| p.edit(&format!("worktree: \"{WORKTREE}"), "worktree: \"../wt-L1"),
            Fails(Worktree),
        ),
        (
            "registration gone",
            |p, _| fs::remove_dir_all(p.root().join(".git/worktrees/L1-auth")).expect("removed"),
            Fails(Worktree),
        ),
        (
            "registered elsewhere",
            |p, _| p.write("api/.git/worktrees/L1-auth/gitdir", "/nowhere/.git\n"),
            Fails(Worktree),
        ),
        (
            "of another repository",
            |p, _| {
                fs::remove_dir_all(p.worktree()).expect("removed");
                let other = p.base().join("other");
                fs::create_dir(&other).expect("made");
                p.git(&other, &["init", "-q", "-b", "tk/L1-auth"]);
                p.git(&other, &["commit", "-q", "--allow-empty", "-m", "x"]);
                fs::rename(other, p.worktree()).expect("moved");
            },
            Fails(Worktree),
        ),
        (
            "a forged common directory",
            |p, _| p.write("api/.git/worktrees/L1-auth/commondir", "../../../other\n"),
            Fails(Worktree),
        ),
        (
            "the root as its worktree",
            |p, _| {
                let head = p.git(&p.root(), &["rev-parse", "HEAD"]);
                let lane = p.git(&p.worktree(), &["rev-parse", "HEAD"]);
                p.edit(&format!("worktree: \"{WORKTREE}\""), "worktree: \".\"");
                p.edit("branch: \"tk/L1-auth\"", "branch: \"main\"");
                p.edit(&lane, &head);
                everywhere_in_session(
                    p,
                    &p.worktree().display().to_string(),
                    &p.root().display().to_string(),
                );
            },
            Same,
        ),
        ("lane on another branch", |p, _| lane_git(p, &["switch", "-q", "-c", "tk/L2"]), Fails(LaneBranch)),
        ("lane detached", |p, _| lane_git(p, &["checkout", "-q", "--detach"]), Fails(LaneBranch)),
        (
            "no recorded lane branch",
            |p, _| p.edit("branch: \"tk/L1-auth\"", "branch: null"),
            Fails(LaneBranch),
        ),
        (
            "a commit in the lane",
            |p, _| lane_git(p, &["commit", "-q", "--allow-empty", "-m", "x"]),
            Fails(LaneHead),
        ),
        ("the lane set back", |p, _| lane_git(p, &["reset", "-q", "--hard", "HEAD~1"]), Fails(LaneHead)),
        (
            "the lane amended",
            |p, _| lane_git(p, &["commit", "-q", "--amend", "-m", "Another"]),
            Fails(LaneHead),
        ),
        ("a changed file in the lane", |p, _| p.write(&format!("api/{WORKTREE}/README.md"), "x\n"), Same),
    ]
}

fn bytes() -> Rows {
    use CheckId::{ActiveArtifact, Evidence, LaneArtifact};
    use Expect::{Fails, Same, Unknown};
    vec![
        ("one byte of the plan", |p, _| append(p, &format!("api/{PLAN}"), " "), Fails(ActiveArtifact)),
        ("the plan gone", |p, _| remove(p, &format!("api/{PLAN}")), Fails(ActiveArtifact)),
        ("the plan leads out, same bytes", |p, _| lead_out(p, PLAN), Fails(ActiveArtifact)),
        (
            "the plan a directory",
            |p, _| {
                remove(p, &format!("api/{PLAN}"));
                fs::create_dir(p.root().join(PLAN)).expect("made");
            },
            Fails(ActiveArtifact),
        ),
        (
            "the plan a FIFO",
            |p, _| {
                remove(p, &format!("api/{PLAN}"));
                let made = std::process::Command::new("mkfifo").arg(p.root().join(PLAN)).status();
                assert!(made.expect("mkfifo is there").success());
            },
            Fails(ActiveArtifact),
        ),
        (
            "no digest of the plan",
            |p, _| without_digest(p, "active_artifact_sha256: "),
            Unknown(ActiveArtifact),
        ),
        (
            "no plan recorded",
            |p, _| {
                p.edit(&format!("active_artifact: \"{PLAN}\""), "active_artifact: null");
                without_digest(p, "active_artifact_sha256: ");
            },
            Same,
        ),
        (
            "the plan touched",
            |p, _| {
                let text = fs::read(p.root().join(PLAN)).expect("read");
                fs::write(p.root().join(PLAN), text).expect("written");
            },
            Same,
        ),
        (
            "one byte of the lane's artifact",
            |p, _| append(p, &format!("api/{ARTIFACT}"), " "),
            Fails(LaneArtifact),
        ),
        ("the lane's artifact leads out", |p, _| lead_out(p, ARTIFACT), Fails(LaneArtifact)),
        (
            "no digest of the lane's artifact",
            |p, _| without_digest(p, "    artifact_sha256: "),
            Unknown(LaneArtifact),
        ),
        (
            "evidence that is not there",
            |p, _| p.edit("evidence_paths:\n", "evidence_paths:\n      - \"log.txt\"\n"),
            Fails(Evidence),
        ),
        (
            "evidence that leads out",
            |p, _| {
                lead_out(p, "README.md");
                p.edit("evidence_paths:\n", "evidence_paths:\n      - \"README.md\"\n");
            },
            Fails(Evidence),
        ),
        (
            "more evidence",
            |p, _| p.edit("evidence_paths:\n", "evidence_paths:\n      - \"README.md\"\n"),
            Same,
        ),
        (
            "no evidence",
            |p, _| p.edit(&format!("evidence_paths:\n      - \"{ARTIFACT}\"\n"), "evidence_paths: []\n"),
            Same,
        ),
    ]
}

fn models() -> Rows {
    use CheckId::{ModelBinding, NativeSource, SessionModel};
    use Expect::{Fails, Same, Unknown};
    vec![
        ("no class", |p, _| p.edit("model_class: \"executors\"", "model_class: null"), Fails(ModelBinding)),
        ("its planner", |p, _| p.edit("model_class: \"executors\"", "model_class: \"planner\""), Same),
        ("all review", |p, _| p.edit("model_class: \"executors\"", "model_class: \"reviewers\""), Same),
        ("nothing requested", |p, _| no_model(p, "requested"), Fails(ModelBinding)),
        ("nothing effective", |p, _| no_model(p, "effective"), Fails(ModelBinding)),
        (
            "nothing observed",
            |p, _| {
                no_model(p, "observed");
                p.edit("observed_family: \"anthropic\"", "observed_family: null");
            },
            Unknown(SessionModel),
        ),
        (
            "a model without a route",
            |p, _| rewrite(p, HANDOFF, |text| text.replace("key: \"opus48\"", "key: \"sol\"")),
            Fails(ModelBinding),
        ),
        (
            "a model nobody knows",
            |p, _| rewrite(p, HANDOFF, |text| text.replace("key: \"opus48\"", "key: \"opus99\"")),
            Fails(ModelBinding),
        ),
        (
            "another provider",
            |p, _| {
                rewrite(p, HANDOFF, |text| text.replace("provider: \"anthropic\"", "provider: \"bedrock\""))
            },
            Fails(ModelBinding),
        ),
        (
            "another effective model",
            |p, _| {
                p.edit(&format!("effective_model: {{catalog_key: \"opus48\", provider: \"anthropic\", model_id: \"{MODEL}\""), "effective_model: {catalog_key: \"opus48\", provider: \"anthropic\", model_id: \"claude-opus-4-8[1m]\"")
            },
            Fails(ModelBinding),
        ),
        (
            "efforts differ",
            |p, _| {
                rewrite(p, HANDOFF, |text| {
                    text.replacen("effort: null", "effort: \"high\"", 1).replacen(
                        "effort: null",
                        "effort: \"low\"",
                        1,
                    )
                });
            },
            Fails(ModelBinding),
        ),
        ("an effort that nobody shows", |p, _| p.edit("effort: null", "effort: \"high\""), Same),
        ("another family", |p, _| p.edit("family: \"anthropic\"", "family: \"openai\""), Fails(ModelBinding)),
        ("another model answered", |p, _| p.edit_session(MODEL, "claude-haiku-4-5"), Fails(SessionModel)),
        (
            "a side chain of another model",
            |p, _| {
                add_answer(p, "\"isSidechain\":true", "claude-haiku-4-5", "");
            },
            Same,
        ),
        (
            "an API error at the end",
            |p, _| {
                add_answer(p, "\"isSidechain\":false", "<synthetic>", ",\"isApiErrorMessage\":true");
            },
            Same,
        ),
        (
            "a later turn of another model",
            |p, _| add_answer(p, "\"isSidechain\":false", "claude-haiku-4-5", ""),
            Fails(SessionModel),
        ),
        ("a native routine", |p, _| p.edit("origin: \"owned\"", "origin: \"native\""), Fails(NativeSource)),
        (
            "a routine of unknown origin",
            |p, _| p.edit("origin: \"owned\"", "origin: \"unknown\""),
            Fails(NativeSource),
        ),
    ]
}

fn programs() -> Rows {
    use CheckId::Harness;
    use Expect::{Fails, Same};
    vec![
        ("no harness", |p, _| p.edit("harness: \"claude\"", "harness: null"), Fails(Harness)),
        (
            "a harness without a form",
            |p, _| p.edit("harness: \"claude\"", "harness: \"opencode\""),
            Fails(Harness),
        ),
        (
            "a harness that is not installed",
            |p, _| p.edit("harness: \"claude\"", "harness: \"codex\""),
            Fails(Harness),
        ),
        (
            "no version",
            |p, _| p.edit("harness_version: \"2.1.332\"", "harness_version: null"),
            Fails(Harness),
        ),
        (
            "another version",
            |p, _| p.edit("harness_version: \"2.1.332\"", "harness_version: \"2.1.300\""),
            Same,
        ),
        ("not in PATH", |_, around| set(around, "PATH", "/nowhere"), Fails(Harness)),
        ("no PATH", |_, around| drop(around.vars.remove(&OsString::from("PATH"))), Fails(Harness)),
        (
            "planted in the project",
            |p, around| {
                plant(p, &p.root().join("bin"));
                set(around, "PATH", &p.root().join("bin").display().to_string());
            },
            Fails(Harness),
        ),
        (
            "planted before the real one",
            |p, around| {
                plant(p, &p.root().join("bin"));
                let real = p.base().join("opt/claude-code");
                set(around, "PATH", &format!("{}:{}", p.root().join("bin").display(), real.display()));
            },
            Same,
        ),
        ("a relative PATH entry", |_, around| set(around, "PATH", "opt/claude-code:."), Fails(Harness)),
        ("a program that everybody may write", |p, _| set_mode(&p.program(), 0o777), Fails(Harness)),
        ("a program that nobody may run", |p, _| set_mode(&p.program(), 0o644), Fails(Harness)),
    ]
}

fn sessions() -> Rows {
    use CheckId::{SessionCwd, SessionExists, SessionId};
    use Expect::{Fails, Same};
    vec![
        (
            "no session",
            |p, _| p.edit(&format!("session_id: \"{SESSION}\""), "session_id: null"),
            Fails(SessionId),
        ),
        ("a title as id", |p, _| p.edit(SESSION, "my-title-1"), Fails(SessionId)),
        (
            "an upper-case id",
            |p, _| rewrite(p, HANDOFF, |text| text.replace(SESSION, &SESSION.to_uppercase())),
            Fails(SessionId),
        ),
        ("a session of nobody", |p, _| p.edit(SESSION, STRANGER), Fails(SessionExists)),
        ("its file gone", |p, _| fs::remove_file(p.session()).expect("removed"), Fails(SessionExists)),
        ("its file empty", |p, _| fs::write(p.session(), "").expect("written"), Fails(SessionExists)),
        ("another id inside", |p, _| everywhere_in_session(p, SESSION, STRANGER), Fails(SessionExists)),
        (
            "rows of another session mixed in",
            |p, _| {
                let text = fs::read_to_string(p.session()).expect("read");
                fs::write(p.session(), format!("{text}{}", text.replace(SESSION, STRANGER)))
                    .expect("written");
            },
            Fails(SessionExists),
        ),
        (
            "in a directory of another name",
            |p, _| {
                let store = p.home().join(".claude/projects");
                let old = p.session();
                let old = old.parent().expect("a directory");
                fs::rename(old, store.join("-renamed")).expect("renamed");
            },
            Same,
        ),
        (
            "it worked in the root",
            |p, _| {
                everywhere_in_session(p, &p.worktree().display().to_string(), &p.root().display().to_string())
            },
            Fails(SessionCwd),
        ),
        (
            "its directory is gone",
            |p, _| everywhere_in_session(p, "L1-auth\",", "L9-gone\","),
            Fails(SessionCwd),
        ),
        (
            "its directory in another spelling",
            |p, _| {
                symlink(p.root(), p.base().join("alias")).expect("linked");
                everywhere_in_session(
                    p,
                    &format!("{}/", p.root().display()),
                    &format!("{}/alias/", p.base().display()),
                );
            },
            Same,
        ),
    ]
}

fn owners() -> Rows {
    use CheckId::Liveness;
    use Expect::{Running, Same, Unknown};
    vec![
        (
            "a live owner",
            |p, _| {
                p.add_process(4242, "claude", &["claude"], 70_266);
                p.register(4242, SESSION, 70_266);
            },
            Running,
        ),
        ("an owner that is gone", |p, _| p.register(4242, SESSION, 70_266), Same),
        (
            "a recycled process id",
            |p, _| {
                p.add_process(4242, "vim", &["vim"], 99_999);
                p.register(4242, SESSION, 70_266);
            },
            Same,
        ),
        (
            "somebody else's session",
            |p, _| {
                p.add_process(4242, "claude", &["claude"], 70_266);
                p.register(4242, STRANGER, 70_266);
            },
            Same,
        ),
        (
            "started with this id",
            |p, _| {
                p.add_process(4242, "claude", &["claude", "--resume", SESSION], 70_266);
                fs::remove_dir_all(p.home().join(".claude/sessions")).expect("removed");
            },
            Running,
        ),
        (
            "a claude that keeps no registry",
            |p, _| {
                p.add_process(4242, "claude", &["claude"], 70_266);
                fs::remove_dir_all(p.home().join(".claude/sessions")).expect("removed");
            },
            Unknown(Liveness),
        ),
        (
            "no registry and no claude",
            |p, _| fs::remove_dir_all(p.home().join(".claude/sessions")).expect("removed"),
            Same,
        ),
        (
            "a process table that cannot be read",
            |p, around| around.proc = p.base().join("nowhere"),
            Unknown(Liveness),
        ),
        ("another program", |p, _| p.add_process(4242, "vim", &["vim", "claude.md"], 1), Same),
    ]
}

fn records() -> Rows {
    use CheckId::{SavedResumability, Schema, Status};
    use Expect::{Completed, Fails, Same};
    vec![
        ("completed", |p, _| p.edit("status: \"blocked\"", "status: \"completed\""), Completed),
        ("running when it was saved", |p, _| p.edit("status: \"blocked\"", "status: \"running\""), Same),
        ("unknown when it was saved", |p, _| p.edit("status: \"blocked\"", "status: \"unknown\""), Same),
        ("no status", |p, _| p.edit("status: \"blocked\"", "status: null"), Fails(Status)),
        (
            "saved as not resumable",
            |p, _| p.edit("\"unverified\"", "\"not_resumable\""),
            Fails(SavedResumability),
        ),
        ("no stage", |p, _| p.edit("\"9 Execute\"", "null"), Fails(Schema)),
        ("another stage", |p, _| p.edit("\"9 Execute\"", "\"12 Debug\""), Same),
        ("another reason", |p, _| p.edit("waiting for the review of the token store", "$(touch x)"), Same),
    ]
}
