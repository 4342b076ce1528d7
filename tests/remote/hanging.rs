//! A remote that accepts and then says nothing: a time limit, and nobody left behind.

use std::io::Read;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::git::{TestRepo, write};
use crate::remotes::Silent;
use crate::{environment, out, project, said};

/// A project that follows such an address, and gives it one second.
fn impatient(url: &str) -> TestRepo {
    let repo = project();
    repo.git(&["remote", "add", "origin", url]);
    repo.git(&["config", "branch.main.remote", "origin"]);
    repo.git(&["config", "branch.main.merge", "refs/heads/main"]);
    write(&repo.beside("home/.config/moorline/config.toml"), "remote_limit = 1\n");
    repo
}

const OVER: &str = "remote not compared: timed out after 1 s";
/// Far more than the limit and far less than forever: machines are shared.
const PATIENCE: Duration = Duration::from_secs(60);

#[test]
fn a_silent_remote_is_given_up_and_git_is_gone() {
    let silent = Silent::listening();
    let repo = impatient(&silent.url("git"));
    let began = Instant::now();
    assert_eq!(said(&repo), ("not_compared".into(), OVER.into()));
    assert!(began.elapsed() < PATIENCE, "it does not wait for ever: {:?}", began.elapsed());
    // The read ends when nobody holds the connection any more.
    let asked = silent.visitor().heard_out();
    assert!(asked.contains("git-upload-pack /acme/api.git"), "a positive control: it was asked: {asked:?}");
}

#[test]
fn what_git_started_is_gone_as_well() {
    let repo = impatient("ssh://silent.invalid/acme/api.git");
    let fifo = repo.beside("alive");
    let made = Command::new("mkfifo").arg(&fifo).status().expect("mkfifo runs");
    assert!(made.success(), "a pipe with a name");
    // The script and what it starts hold the pipe open for as long as they live.
    let script = repo.beside("ssh.sh");
    let text = format!("exec 9>'{}'\necho started >&9\n/bin/sleep 1000\n", fifo.display());
    write(&script, text);
    repo.git(&["config", "core.sshCommand", &format!("sh {}", script.display())]);
    let reader = std::thread::spawn(move || {
        let mut said = String::new();
        let mut pipe = std::fs::File::open(fifo).expect("the pipe can be opened");
        pipe.read_to_string(&mut said).map(|_| said)
    });
    assert_eq!(said(&repo), ("not_compared".into(), OVER.into()));
    let heard = reader.join().expect("the reader ends").expect("the pipe can be read");
    assert_eq!(heard, "started\n", "it had been started, and nobody who was started lives on");
}

#[test]
fn a_signal_to_moorline_ends_git_first_and_the_rest_is_still_said() {
    let silent = Silent::listening();
    let repo = impatient(&silent.url("git"));
    write(&repo.beside("home/.config/moorline/config.toml"), "remote_limit = 120\n");
    for signal in ["-INT", "-TERM", "-HUP"] {
        let child = Command::new(env!("CARGO_BIN_EXE_moorline"))
            .env_clear()
            .envs(environment(&repo))
            .current_dir(repo.dir())
            .args(["check", "HANDOFF.md", "--remote", "--yes"])
            .stdout(Stdio::piped())
            .spawn()
            .expect("moorline runs");
        let mut visitor = silent.visitor();
        assert!(!visitor.request().is_empty(), "{signal}: a positive control: it is asked");
        let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().expect("kill runs");
        assert!(sent.success(), "{signal} is sent while git waits");
        let output = child.wait_with_output().expect("it ends");
        // The read ends when nobody holds the connection any more.
        visitor.heard_out();
        assert!(out(&output).contains("remote not compared: stopped"), "{signal}: {}", out(&output));
        assert!(out(&output).contains("HANDOFF.md"), "{signal}: and the check is printed: {}", out(&output));
    }
}
