//! Remotes on this machine: git's own daemon on the loopback, one that accepts and then says nothing, and one that
//! asks for a password. Each ends with its value.
#![allow(dead_code, reason = "every test binary compiles this file and each uses another part of it")]

use std::io::{ErrorKind, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use super::git;

/// How long an end may take: machines are shared.
const PATIENCE: Duration = Duration::from_secs(60);

/// git's daemon over a directory of repositories. A connection is taken here and handed to a daemon of its own, so
/// that no port has to be guessed.
pub struct Daemon {
    port: u16,
}

impl Daemon {
    /// Serves every repository below `base`, or, with `exported` alone, those that say so themselves.
    pub fn over(base: &Path, exported: bool) -> Self {
        let (listener, port) = listen();
        let base = base.to_owned();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let mut args = vec!["daemon".to_owned(), "--inetd".into(), "--log-destination=none".into()];
                args.push(format!("--base-path={}", base.display()));
                if exported {
                    args.push("--export-all".into());
                }
                let args: Vec<&str> = args.iter().map(String::as_str).collect();
                let mut daemon = git::command(&base, &args);
                let copy = stream.try_clone().expect("a socket can be handed on");
                daemon.stdin(OwnedFd::from(copy)).stdout(OwnedFd::from(stream)).stderr(Stdio::null());
                // The repositories are this user's own; git wants to be told where no home says so.
                daemon.env("GIT_CONFIG_COUNT", "1");
                daemon.env("GIT_CONFIG_KEY_0", "safe.directory").env("GIT_CONFIG_VALUE_0", "*");
                let _ended = daemon.spawn().expect("git has a daemon").wait();
            }
        });
        Self { port }
    }

    /// The address of a repository below the base.
    pub fn url(&self, repository: &str) -> String {
        format!("git://127.0.0.1:{}/{repository}", self.port)
    }
}

/// A remote that accepts a connection and then says nothing.
pub struct Silent {
    listener: TcpListener,
    port: u16,
}

impl Silent {
    /// Begins to listen.
    pub fn listening() -> Self {
        let (listener, port) = listen();
        Self { listener, port }
    }

    /// The address of a repository there.
    pub fn url(&self, scheme: &str) -> String {
        format!("{scheme}://127.0.0.1:{}/acme/api.git", self.port)
    }

    /// Whether anybody has come: a connection waits here even when its other end is gone.
    pub fn was_contacted(&self) -> bool {
        self.listener.set_nonblocking(true).expect("it can be asked without waiting");
        self.listener.accept().is_ok()
    }

    /// Waits for a connection and takes it.
    pub fn visitor(&self) -> Visitor {
        self.listener.set_nonblocking(false).expect("it can be waited for");
        let (stream, _) = self.listener.accept().expect("somebody comes");
        Visitor(stream)
    }
}

/// Somebody who asks the silent remote.
pub struct Visitor(TcpStream);

impl Visitor {
    /// Waits for what they ask first.
    pub fn request(&mut self) -> String {
        let mut bytes = [0; 4096];
        self.0.set_read_timeout(Some(PATIENCE)).expect("a limit can be set");
        let count = self.0.read(&mut bytes).expect("they say something");
        String::from_utf8_lossy(&bytes[..count]).into_owned()
    }

    /// Reads until the other end is gone, whoever held it; what was said.
    pub fn heard_out(mut self) -> String {
        let mut said = Vec::new();
        self.0.set_read_timeout(Some(PATIENCE)).expect("a limit can be set");
        let read = self.0.read_to_end(&mut said);
        // A killed client's end is reset where something was not read by it.
        let is_held =
            read.is_err_and(|why| matches!(why.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut));
        assert!(!is_held, "somebody still holds the connection");
        String::from_utf8_lossy(&said).into_owned()
    }
}

/// The address of an HTTP server that wants a password, whatever it is asked.
pub fn locked() -> String {
    let (listener, port) = listen();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let _gone = refuse(stream);
        }
    });
    format!("http://127.0.0.1:{port}/acme/api.git")
}

fn refuse(mut stream: TcpStream) -> std::io::Result<()> {
    let mut request = [0; 4096];
    let _read = stream.read(&mut request)?;
    stream.write_all(
        b"HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"acme\"\r\nContent-Length: 0\r\n\
          Connection: close\r\n\r\n",
    )
}

fn listen() -> (TcpListener, u16) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("the loopback has a free port");
    let port = listener.local_addr().expect("it has an address").port();
    (listener, port)
}

/// A bare repository beside the project.
pub fn bare(beside: &Path) -> PathBuf {
    std::fs::create_dir_all(beside).expect("a directory can be made");
    git::git(beside, &["init", "-q", "--bare", "-b", "main"]);
    beside.to_owned()
}
