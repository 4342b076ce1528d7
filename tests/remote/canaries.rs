//! What a repository names to be run when its remote is asked: nothing of it before the yes.

use std::path::PathBuf;

use moorline::resume::Question;

use crate::git::{TestRepo, command, write};
use crate::remotes::{Silent, bare, locked};
use crate::{compared, moorline, out, project};

/// A way to have git run something on the way to a remote.
struct Trap {
    key: &'static str,
    /// The address to follow.
    url: fn(&TestRepo) -> String,
    /// More settings that it needs, by key and value.
    more: &'static [(&'static str, &'static str)],
    /// How the value names the program: `%` is it.
    value: &'static str,
    /// Whether the question names the key: not where the address itself is the program.
    named: bool,
}

const TRAPS: [Trap; 8] = [
    Trap {
        key: "core.sshCommand",
        url: |_| "ssh://nobody.invalid/acme/api.git".into(),
        more: &[],
        value: "%",
        named: true,
    },
    Trap { key: "credential.helper", url: |_| locked(), more: &[], value: "!%", named: true },
    Trap {
        key: "core.askPass",
        url: |_| locked(),
        // git runs it without a shell, as one program.
        more: &[],
        value: "@",
        named: true,
    },
    Trap {
        key: "core.gitProxy",
        url: |_| "git://nobody.invalid/acme/api.git".into(),
        more: &[],
        value: "@",
        named: true,
    },
    Trap {
        key: "remote.origin.uploadpack",
        url: |repo| bare(&repo.beside("api.git")).display().to_string(),
        more: &[],
        value: "%",
        named: true,
    },
    Trap {
        key: "remote.origin.vcs",
        url: |_| "x://nobody.invalid".into(),
        more: &[("protocol.allow", "always")],
        value: "ext",
        named: true,
    },
    Trap {
        // The address that is followed looks like any other.
        key: "url.ext::% .insteadOf",
        url: |_| "https://nobody.invalid/acme/api.git".into(),
        more: &[("protocol.ext.allow", "always")],
        value: "https://nobody.invalid/",
        named: true,
    },
    Trap {
        key: "remote.origin.url",
        url: |_| String::new(),
        more: &[("protocol.ext.allow", "always")],
        value: "ext::%",
        named: false,
    },
];

/// A repository that is set to run a canary, and the canary's trace.
fn trapped(trap: &Trap) -> (TestRepo, PathBuf) {
    let repo = project();
    let (script, trace) = (repo.beside("canary.sh"), repo.beside("canary.trace"));
    write(&script, format!("#!/bin/sh\necho sang >> '{}'\nexit 1\n", trace.display()));
    // Copied by a program of its own: a file that is still open for writing in a child of another test cannot be run.
    let program = repo.beside("canary");
    let copied = std::process::Command::new("cp").args([&script, &program]).status().expect("cp runs");
    assert!(copied.success(), "the canary is in its place");
    std::fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o755))
        .expect("made a program");
    let url = (trap.url)(&repo);
    repo.git(&["remote", "add", "origin", if url.is_empty() { "placeholder" } else { &url }]);
    repo.git(&["config", "branch.main.remote", "origin"]);
    repo.git(&["config", "branch.main.merge", "refs/heads/main"]);
    for (key, value) in trap.more {
        repo.git(&["config", key, value]);
    }
    let in_a_shell = format!("sh {}", script.display());
    let value = trap.value.replace('%', &in_a_shell).replace('@', &program.display().to_string());
    if trap.key == "remote.origin.vcs" {
        repo.git(&["config", "remote.origin.url", &in_a_shell]);
    }
    repo.git(&["config", &trap.key.replace('%', &in_a_shell), &value]);
    (repo, trace)
}

/// Everything that may be asked without a yes.
const WITHOUT_A_YES: [&[&str]; 9] = [
    &["list", "--json"],
    &["show", "HANDOFF.md"],
    &["check"],
    &["check", "HANDOFF.md", "--json"],
    &["check", "HANDOFF.md", "--remote"],
    &["check", "HANDOFF.md", "--remote", "--json"],
    &["context"],
    &["context", "HANDOFF.md", "--remote"],
    &["restore"],
];

#[test]
fn nothing_that_a_repository_names_is_run_before_the_yes() {
    for trap in &TRAPS {
        let (repo, trace) = trapped(trap);
        for args in WITHOUT_A_YES {
            let said = moorline(&repo, args);
            assert!(!trace.exists(), "{}: {args:?} runs nothing", trap.key);
            if args.contains(&"--remote") {
                assert!(
                    out(&said).contains("remote not compared: denied"),
                    "{}: {args:?} says that nobody said yes: {}",
                    trap.key,
                    out(&said)
                );
            }
        }
        let remote = compared(&repo);
        assert_eq!(remote["outcome"], "not_compared", "{}: {remote}", trap.key);
        assert!(trace.exists(), "the control: {} sings once there was a yes: {remote}", trap.key);
        std::fs::remove_file(&trace).expect("removed");
        let plain = command(repo.dir(), &["ls-remote", "origin"]).output().expect("git runs");
        assert!(!plain.status.success() && trace.exists(), "and for plain git: {}", trap.key);
    }
}

#[test]
fn the_question_names_what_the_repository_would_have_run() {
    for trap in TRAPS.iter().filter(|trap| trap.named) {
        let (repo, trace) = trapped(trap);
        let examiner = crate::examiner(&repo);
        let question = Question::of(&examiner).expect("there is something to ask");
        let words = question.words().join("\n");
        let in_a_shell = format!("sh {}", repo.beside("canary.sh").display());
        let key = format!("{} = ", trap.key.replace('%', &in_a_shell));
        assert!(words.contains(&key), "{} is named before the yes:\n{words}", trap.key);
        assert_eq!(
            question.argv(),
            ["git", "ls-remote", "--exit-code", "--", "origin", "refs/heads/main"],
            "and what is started is fixed"
        );
        assert!(!trace.exists(), "{}: putting the question together asks nobody", trap.key);
    }
}

#[test]
fn nobody_is_contacted_before_the_yes() {
    let silent = Silent::listening();
    let repo = project();
    repo.git(&["remote", "add", "origin", &silent.url("git")]);
    repo.git(&["config", "branch.main.remote", "origin"]);
    repo.git(&["config", "branch.main.merge", "refs/heads/main"]);
    for args in WITHOUT_A_YES {
        moorline(&repo, args);
        assert!(!silent.was_contacted(), "{args:?} reaches nobody");
    }
    write(&repo.beside("home/.config/moorline/config.toml"), "remote_limit = 1\n");
    compared(&repo);
    assert!(silent.was_contacted(), "the control: with a yes somebody comes");
}

#[test]
fn a_yes_is_to_what_was_shown_and_to_nothing_that_came_later() {
    let repo = project();
    let there = bare(&repo.beside("api.git"));
    repo.git(&["remote", "add", "origin", &there.display().to_string()]);
    repo.git(&["push", "-q", "-u", "origin", "main"]);
    let (script, trace) = (repo.beside("canary.sh"), repo.beside("canary.trace"));
    write(&script, format!("echo sang >> '{}'\n", trace.display()));
    let examiner = crate::examiner(&repo);
    let question = Question::of(&examiner).expect("there is something to ask");
    let control = question.clone().ask(&examiner).expect("nothing changed").finish();
    assert_eq!(control.words(), "in sync with origin refs/heads/main", "the control: as it was shown");
    repo.git(&["config", "remote.origin.uploadpack", &format!("sh {}", script.display())]);
    let late = question.clone().ask(&examiner).expect_err("something else would be run now");
    assert_eq!(
        late.words(),
        "remote not compared: the repository changed since this was shown: ask again",
        "a program that was named behind the person's back"
    );
    assert!(!trace.exists(), "and it is not run");
    repo.git(&["config", "--unset", "remote.origin.uploadpack"]);
    repo.git(&["commit", "-q", "--allow-empty", "-m", "More"]);
    assert!(question.ask(&examiner).is_err(), "nor is another HEAD compared than the one that was shown");
}
