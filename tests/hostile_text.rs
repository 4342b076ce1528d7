//! Text that means harm, in every place that it can come from, on its way to every place where it is shown: the screen
//! on a real terminal, both streams of every verb, in words and as documents. What a terminal would obey there is
//! compared with what a benign twin of the project causes.
#![allow(clippy::unwrap_used, reason = "these are tests: fixtures that cannot be built end them")]

#[path = "common/pty.rs"]
mod pty;

#[path = "common/true_project.rs"]
mod true_project;

#[path = "hostile/crowd.rs"]
mod crowd;
#[path = "hostile/payloads.rs"]
mod payloads;
#[path = "hostile/watch.rs"]
mod watch;

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use payloads::Payload;
use portable_pty::CommandBuilder;
use pty::Terminal;
use true_project::TrueProject;
use watch::{controls, leaks};

/// The window's rows and columns.
const WINDOW: (u16, u16) = (70, 150);

fn window() -> (u32, u32) {
    (WINDOW.0.into(), WINDOW.1.into())
}

/// The payloads that a window has room for; long ones are visited in projects of their own.
fn short_ones() -> Vec<Payload> {
    payloads::all().into_iter().filter(|payload| payload.text.len() < 200).collect()
}

/// The same without what makes them dangerous: an armed one is plain words, any other stays as it is.
fn twins(all: &[Payload]) -> Vec<Payload> {
    all.iter().map(|payload| if payload.is_armed() { Payload::benign() } else { payload.clone() }).collect()
}

/// What the selected row is called: a verdict may come while one looks.
fn selected(screen: &str) -> String {
    let line = screen.lines().find(|line| line.starts_with('▌')).unwrap_or_default();
    line.chars().skip(3).take(23).collect()
}

/// Whether a line of the list is a row of the crowd's free texts, whose end mark is waited for.
fn is_free_text(row: &str) -> bool {
    row.starts_with("zk")
}

/// Every leak of a stream has to be there in the benign twin's.
fn assert_nothing_leaks(seen: &[u8], benign: &[u8]) {
    let leaked = leaks(seen, benign, window());
    let told: Vec<_> = leaked.iter().map(|leak| (leak.mark.as_deref(), leak.what.as_str())).collect();
    assert!(
        told.is_empty(),
        "not caused by a benign twin, each behind the last payload before it: {told:#?}"
    );
}

/// Visits every row of the crowd, some of them in every pane and overlay, types and pastes into the filter, and leaves;
/// everything that the program wrote comes back.
fn visit_all(project: &Path, home: &Path, all: &[Payload]) -> Vec<u8> {
    let mut command = pty::moorline(home);
    command.arg("-C");
    command.arg(project);
    let mut terminal = Terminal::start(command, WINDOW.0, WINDOW.1);
    terminal.patience = Duration::from_secs(60);
    terminal.wait_listed("PROJECT");
    let mut left: BTreeSet<String> = crowd::rows(all).into_iter().collect();
    let mut before = String::new();
    for step in 0.. {
        terminal.wait_for_picture(&format!("the text of one of {left:?}"), |s| {
            let row = selected(s);
            (row != before && !row.is_empty() && !is_free_text(&row))
                || left.iter().any(|name| s.contains(&crowd::end_mark(name)))
        });
        let text = terminal.text();
        before = selected(&text);
        left.retain(|name| !text.contains(&crowd::end_mark(name)));
        if left.is_empty() {
            break;
        }
        // The other panes of a few rows.
        if step % 20 == 0 {
            terminal.send("\r\t\t\x1b");
        }
        terminal.send("j");
    }
    terminal.send("c");
    terminal.wait_text("Handoff loaded");
    terminal.send("\x1bu");
    terminal.wait_for("what was left out", |s| s.contains("loop-zk003"));
    let typed: String =
        all.iter().flat_map(|p| p.text.chars()).filter(|c| *c != '\u{1b}').take(2_000).collect();
    terminal.send(&format!("\x1b/\x1b[200~{typed}\x1b[201~"));
    terminal.wait_for("how many rows fit", |s| s.lines().nth(1).is_some_and(|line| line.contains(" of ")));
    terminal.send("\x1b?");
    terminal.wait_for("the help", |s| s.contains("Keys and signs"));
    terminal.send("\x1bq");
    assert_eq!(terminal.wait_end(), 0, "it is left in peace");
    terminal.bytes
}

#[test]
fn nothing_in_a_file_moves_the_terminal() {
    let dir = tempfile::tempdir().unwrap();
    let all = short_ones();
    assert!(all.len() >= 300, "there are {}", all.len());
    let run = |name: &str, all: &[Payload]| {
        let base = dir.path().join(name);
        fs::create_dir_all(base.join("home")).unwrap();
        let project = crowd::lay_out(&base, all);
        visit_all(&project, &base.join("home"), all)
    };
    let benign = run("benign", &twins(&all));
    let seen = run("hostile", &all);
    assert_nothing_leaks(&seen, &benign);

    // The control: the same watch, on the same terminal, when the files themselves are written there.
    let mut command = CommandBuilder::new("/bin/sh");
    command.args(["-c", "cat docs/handoffs/zk*"]);
    command.cwd(dir.path().join("hostile/project"));
    let mut terminal = Terminal::start(command, WINDOW.0, WINDOW.1);
    terminal.wait_end();
    let marks: BTreeSet<_> =
        leaks(&terminal.bytes, &benign, window()).into_iter().filter_map(|leak| leak.mark).collect();
    for (n, payload) in all.iter().enumerate().filter(|(_, payload)| payload.is_armed()) {
        assert!(
            marks.contains(&crowd::mark(n)),
            "a positive control: {} ({:?}) is seen when it is let through",
            payload.name,
            payload.text
        );
    }
    assert_nothing_leaks(&benign, &benign);
}

fn moorline(project: &Path, home: &Path, args: &[&str], input: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_moorline"));
    command.arg("-C").arg(project).args(args).env_clear().env("HOME", home).env("PATH", "/usr/bin:/bin");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A verb that reads nothing closes its end.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

/// Both streams of a finished verb hold nothing that a terminal obeys.
fn assert_plain(what: &str, out: &Output) {
    for (stream, bytes) in [("stdout", &out.stdout), ("stderr", &out.stderr)] {
        let seen: BTreeSet<_> = controls(bytes, window()).into_iter().map(|(_, what)| what).collect();
        // What joins letters and pictures is text for a machine.
        let seen: Vec<_> = seen
            .iter()
            .filter(|what| !["U+200C", "U+200D", "U+FE0E", "U+FE0F"].contains(&what.as_str()))
            .collect();
        let text = String::from_utf8_lossy(bytes);
        let from = leaks(bytes, b"", window()).into_iter().next();
        assert!(
            seen.is_empty(),
            "{what}, {stream}: {seen:?}, first {from:?} in\n{}",
            text.get(..2_000).unwrap_or(&text)
        );
    }
    assert!(out.status.code().is_some_and(|code| code <= 3), "{what} answers: {:?}", out.status);
}

#[test]
fn no_stream_of_any_verb_holds_a_control() {
    let dir = tempfile::tempdir().unwrap();
    let all = short_ones();
    let project = crowd::lay_out(dir.path(), &all);
    crowd::add_raw_bytes(&project);
    let home = dir.path().join("home");
    fs::create_dir_all(home.join(".claude/sessions")).unwrap();
    let everything: String = all.iter().filter(|p| p.text.len() < 200).map(|p| p.text.as_str()).collect();
    let json = serde_json::to_string(&everything).unwrap();
    fs::write(
        home.join(".claude/sessions/4711.json"),
        format!("{{\"pid\": 4711, \"sessionId\": {json}, \"cwd\": {json}}}"),
    )
    .unwrap();
    let narrative = format!("{{\"task\": {json}, \"next\": [{json}], \"notes\": [{json}]}}");
    let file = project.join("docs/HANDOFF.md");
    let file = file.to_str().unwrap();
    let verbs: &[&[&str]] = &[
        &["list", "--no-check"],
        &["list", "--json"],
        &["check", "docs/HANDOFF.md", ".thunderkit/HANDOFF.md", ".planning/HANDOFF.json"],
        &["check", "--json", file],
        &["show", file],
        &["show", "--json", file],
        &["context"],
        &["context", file],
        &["restore"],
        &["doctor"],
        &["doctor", "--json"],
        &["resume", "--lane", "L1"],
        &["resume", file],
        &["save", "--from", "-", "--dry-run"],
        &["save", "--from", "-", "--dry-run", "--json"],
    ];
    for verb in verbs {
        assert_plain(&format!("{verb:?}"), &moorline(&project, &home, verb, &narrative));
    }
    crowd::go_to_the_odd_branch(&project);
    for verb in [&["list"][..], &["check", "--json", file], &["doctor"], &["doctor", "--json"]] {
        assert_plain(&format!("{verb:?} on an odd branch"), &moorline(&project, &home, verb, ""));
    }
    let list = moorline(&project, &home, &["list", "--json"], "");
    let list: serde_json::Value = serde_json::from_slice(&list.stdout).unwrap();
    let rows = list["handoffs"].as_array().unwrap();
    assert!(rows.len() > all.len() / 6, "every payload is in a row: {}", rows.len());
}

#[test]
fn what_is_typed_and_what_the_settings_hold_is_shown_inert_too() {
    let dir = tempfile::tempdir().unwrap();
    let (project, home) = (dir.path().join("project"), dir.path().join("home"));
    fs::create_dir_all(&project).unwrap();
    fs::create_dir_all(&home).unwrap();
    let config = dir.path().join("config.toml");
    let armed: Vec<_> =
        payloads::all().into_iter().filter(|p| p.is_armed() && !p.text.contains('\0')).collect();
    for payload in armed.iter().step_by(12) {
        let p = payload.text.as_str();
        for args in [
            &["show", p][..],
            &["check", "--lane", p],
            &["resume", "--yes", "--lane", p],
            &["list", "--sort", p],
            &[p],
        ] {
            assert_plain(&format!("{} in {:?}", payload.name, args[0]), &moorline(&project, &home, args, ""));
        }
        let escaped: String = p.chars().map(|c| format!("\\U{:08X}", c as u32)).collect();
        fs::write(&config, format!("theme = \"{escaped}\"\n\"{escaped}\" = 1\n")).unwrap();
        let out = moorline(&project, &home, &["--config", config.to_str().unwrap(), "list"], "");
        assert_plain(&format!("{} in the settings", payload.name), &out);
        assert_eq!(out.status.code(), Some(2), "an unknown key is said");
    }
}

/// A YAML scalar in double quotes that decodes to the text.
fn quoted(text: &str) -> String {
    let escaped = |c: char| match c {
        '"' | '\\' => format!("\\{c}"),
        ' '..='~' => c.to_string(),
        c => format!("\\U{:08X}", c as u32),
    };
    format!("\"{}\"", text.chars().map(escaped).collect::<String>())
}

#[test]
fn escapes_in_yaml_decode_to_nothing_that_a_terminal_obeys() {
    let all = short_ones();
    let run = |all: &[Payload]| {
        let project = TrueProject::build();
        let items: String = all
            .iter()
            .enumerate()
            .filter(|(_, p)| p.text.len() < 200)
            .map(|(n, p)| format!("  - {}\n", quoted(&format!("{} {}", crowd::mark(n), p.text))))
            .collect();
        let some: String = all.iter().filter(|p| p.text.len() < 40).map(|p| p.text.as_str()).collect();
        project.edit("  - \"Tokens rotate on every use\"\n", &items);
        project.edit("\"9 Execute\"", &quoted(&format!("9 {}", &some)));
        project.edit("\"Go on with the session store\"", &quoted(&some));
        project.edit("\"waiting for the review of the token store\"", &quoted(&some));
        for verb in [
            &["list"][..],
            &["check"],
            &["check", "--json"],
            &["context"],
            &["show", ".thunderkit/HANDOFF.md"],
            &["resume", "--lane", "L1-auth"],
        ] {
            assert_plain(&format!("{verb:?}"), &moorline(&project.root(), &project.home(), verb, ""));
        }
        let mut command = pty::moorline(&project.home());
        command.arg("-C");
        command.arg(project.root());
        let mut terminal = Terminal::start(command, WINDOW.0, WINDOW.1);
        terminal.wait_listed(".thunderkit");
        terminal.send("\r");
        terminal.wait_text("L1-auth");
        for keys in ["\t", "\t", "\t", "\t", "c"] {
            terminal.send(keys);
        }
        terminal.wait_text("Handoff loaded");
        terminal.send("\x1bq");
        assert_eq!(terminal.wait_end(), 0, "it is left in peace");
        terminal.bytes
    };
    let benign = run(&twins(&all));
    assert_nothing_leaks(&run(&all), &benign);
}
