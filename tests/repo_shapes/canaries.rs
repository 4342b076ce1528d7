//! Repositories that are set to run a program. Each is first asked everything by this program, which must not
//! run it; then plain git is asked, which does.

use std::path::{Path, PathBuf};

use crate::doors;
use crate::git::{self, TestRepo, git, write};

/// A program that a repository names, and the trace it leaves when it was run.
struct Canary {
    program: String,
    trace: PathBuf,
}

impl Canary {
    fn beside(repo: &TestRepo) -> Self {
        let (program, trace) = (repo.beside("canary.sh"), repo.beside("canary.trace"));
        write(&program, format!("#!/bin/sh\necho \"$@\" >> '{}'\n", trace.display()));
        std::fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o755))
            .expect("the program can be made executable");
        Self { program: program.display().to_string(), trace }
    }

    fn sang(&self) -> bool {
        self.trace.exists()
    }

    /// Puts the program in a repository's hooks directory.
    fn as_hook(&self, hooks: &Path, name: &str) {
        std::fs::create_dir_all(hooks).expect("the hooks directory can be made");
        std::fs::copy(&self.program, hooks.join(name)).expect("the hook can be written");
    }
}

/// One way to make a repository run a program.
struct Trap {
    name: &'static str,
    /// Sets it, in a repository with `a.txt` committed and changed since; gives the directory to look at.
    set: fn(&TestRepo, &Canary) -> PathBuf,
    /// What must be asked of plain git for the program to run.
    spring: fn(&TestRepo, &Path),
    /// `a.txt` is one that a filter would have to convert.
    filtered: bool,
}

const TRAPS: &[Trap] = &[
    Trap {
        name: "core.fsmonitor",
        set: |r, c| configured(r, &[("core.fsmonitor", &c.program)]),
        spring: |_, dir| asked(dir, &["status"]),
        filtered: false,
    },
    Trap {
        name: "a fsmonitor-watchman hook",
        set: |r, c| {
            c.as_hook(&r.dir().join(".git/hooks"), "fsmonitor-watchman");
            configured(r, &[("core.fsmonitor", ".git/hooks/fsmonitor-watchman")])
        },
        spring: |_, dir| asked(dir, &["status"]),
        filtered: false,
    },
    Trap {
        name: "filter.clean by .gitattributes",
        set: |r, c| {
            r.write(".gitattributes", "a.txt filter=x\n");
            configured(r, &[("filter.x.clean", &c.program)])
        },
        spring: |_, dir| asked(dir, &["status"]),
        filtered: true,
    },
    Trap {
        name: "filter.clean by info/attributes, required",
        set: |r, c| {
            write(&r.dir().join(".git/info/attributes"), "*.txt filter=x\n");
            configured(r, &[("filter.x.clean", &c.program), ("filter.x.required", "true")])
        },
        spring: |_, dir| asked(dir, &["status"]),
        filtered: true,
    },
    Trap {
        name: "filter.process",
        set: |r, c| {
            r.write(".gitattributes", "[attr]program filter=x\n*.txt program\n");
            configured(r, &[("filter.x.process", &c.program)])
        },
        spring: |_, dir| asked(dir, &["status"]),
        filtered: true,
    },
    Trap {
        name: "filter.smudge",
        set: |r, c| {
            r.write(".gitattributes", "a.txt filter=x\n");
            configured(r, &[("filter.x.smudge", &c.program)])
        },
        spring: |_, dir| asked(dir, &["checkout", "--", "a.txt"]),
        filtered: true,
    },
    Trap {
        name: "filter.clean in config.worktree of a linked worktree",
        set: |r, c| {
            let dir = r.beside("lane");
            r.git(&["worktree", "add", "-q", "-b", "lane", &dir.display().to_string()]);
            r.git(&["config", "extensions.worktreeConfig", "true"]);
            git(&dir, &["config", "--worktree", "filter.x.clean", &c.program]);
            write(&dir.join(".gitattributes"), "a.txt filter=x\n");
            write(&dir.join("a.txt"), "0ne\n");
            dir
        },
        spring: |_, dir| asked(dir, &["status"]),
        filtered: true,
    },
    Trap {
        name: "diff.textconv",
        set: |r, c| {
            r.write(".gitattributes", "*.txt diff=x\n");
            configured(r, &[("diff.x.textconv", &c.program)])
        },
        spring: |_, dir| asked(dir, &["diff"]),
        filtered: false,
    },
    Trap {
        name: "diff.command of a driver",
        set: |r, c| {
            r.write(".gitattributes", "*.txt diff=x\n");
            configured(r, &[("diff.x.command", &c.program)])
        },
        spring: |_, dir| asked(dir, &["diff"]),
        filtered: false,
    },
    Trap {
        name: "diff.external",
        set: |r, c| configured(r, &[("diff.external", &c.program)]),
        spring: |_, dir| asked(dir, &["diff"]),
        filtered: false,
    },
    Trap {
        name: "merge.driver",
        set: |r, c| {
            r.git(&["stash", "-q"]);
            r.git(&["branch", "side"]);
            r.commit("a.txt", "main\n", "Main");
            r.git(&["checkout", "-q", "side"]);
            r.commit("a.txt", "side\n", "Side");
            r.write(".gitattributes", "*.txt merge=x\n");
            configured(r, &[("merge.x.driver", &c.program)])
        },
        spring: |_, dir| asked(dir, &["merge", "main"]),
        filtered: false,
    },
    Trap {
        name: "a post-checkout hook",
        set: |r, c| {
            c.as_hook(&r.dir().join(".git/hooks"), "post-checkout");
            r.dir().into()
        },
        spring: |_, dir| asked(dir, &["checkout", "-q", "-b", "side"]),
        filtered: false,
    },
    Trap {
        name: "a post-index-change hook",
        set: |r, c| {
            c.as_hook(&r.dir().join(".git/hooks"), "post-index-change");
            r.dir().into()
        },
        spring: |_, dir| asked(dir, &["add", "a.txt"]),
        filtered: false,
    },
    Trap {
        name: "a pre-auto-gc hook",
        set: |r, c| {
            c.as_hook(&r.dir().join(".git/hooks"), "pre-auto-gc");
            for n in 0..600 {
                // gc counts the files of this one directory.
                write(&r.dir().join(format!(".git/objects/17/{n:038x}")), "");
            }
            configured(r, &[("gc.auto", "1")])
        },
        spring: |_, dir| asked(dir, &["gc", "--auto"]),
        filtered: false,
    },
    Trap {
        name: "core.hooksPath",
        set: |r, c| {
            c.as_hook(&r.dir().join("tools/hooks"), "reference-transaction");
            configured(r, &[("core.hooksPath", "tools/hooks")])
        },
        spring: |_, dir| asked(dir, &["branch", "side"]),
        filtered: false,
    },
    Trap {
        name: "an alias",
        set: |r, c| configured(r, &[("alias.st", &format!("!{}", c.program))]),
        spring: |_, dir| asked(dir, &["st"]),
        filtered: false,
    },
    Trap {
        name: "core.pager",
        set: |r, c| configured(r, &[("core.pager", &c.program), ("pager.log", "true")]),
        spring: |_, dir| on_a_terminal(dir, &["log"]),
        filtered: false,
    },
    Trap {
        name: "core.editor",
        set: |r, c| configured(r, &[("core.editor", &c.program)]),
        spring: |_, dir| asked(dir, &["commit", "--amend"]),
        filtered: false,
    },
    Trap {
        name: "gpg.program",
        set: |r, c| configured(r, &[("gpg.program", &c.program), ("commit.gpgSign", "true")]),
        spring: |_, dir| asked(dir, &["commit", "--allow-empty", "-m", "Signed"]),
        filtered: false,
    },
    Trap {
        name: "core.sshCommand",
        set: |r, c| {
            configured(r, &[("core.sshCommand", &c.program), ("remote.origin.url", "ssh://h.example/r")])
        },
        spring: |_, dir| asked(dir, &["ls-remote", "origin"]),
        filtered: false,
    },
    Trap {
        name: "core.gitProxy",
        set: |r, c| {
            configured(r, &[("core.gitProxy", &c.program), ("remote.origin.url", "git://h.example/r")])
        },
        spring: |_, dir| asked(dir, &["ls-remote", "origin"]),
        filtered: false,
    },
    Trap {
        name: "a remote by a helper",
        set: |r, c| {
            let url = format!("ext::{} %S", c.program);
            configured(r, &[("protocol.ext.allow", "always"), ("remote.origin.url", &url)])
        },
        spring: |_, dir| asked(dir, &["ls-remote", "origin"]),
        filtered: false,
    },
    Trap {
        name: "remote.uploadpack",
        set: |r, c| configured(r, &[("remote.origin.url", "."), ("remote.origin.uploadpack", &c.program)]),
        spring: |_, dir| asked(dir, &["ls-remote", "origin"]),
        filtered: false,
    },
    Trap {
        name: "credential.helper",
        set: |r, c| configured(r, &[("credential.helper", &c.program)]),
        spring: |_, dir| credentials(dir),
        filtered: false,
    },
    Trap {
        name: "core.askPass",
        set: |r, c| configured(r, &[("core.askPass", &c.program)]),
        spring: |_, dir| credentials(dir),
        filtered: false,
    },
    Trap {
        name: "include.path",
        set: |r, c| {
            r.write("shared.config", &format!("[core]\n\tfsmonitor = {}\n", c.program));
            configured(r, &[("include.path", "../shared.config")])
        },
        spring: |_, dir| asked(dir, &["status"]),
        filtered: false,
    },
    Trap {
        name: "includeIf",
        set: |r, c| {
            let shared = r.dir().join("shared.config");
            write(&shared, format!("[core]\n\tfsmonitor = {}\n", c.program));
            configured(r, &[("includeIf.onbranch:main.path", &shared.display().to_string())])
        },
        spring: |_, dir| asked(dir, &["status"]),
        filtered: false,
    },
    Trap {
        name: "a submodule with a filter",
        set: |r, c| {
            r.git(&["stash", "-q"]);
            let sub = crate::shapes::submodule(r);
            git(&sub, &["config", "filter.x.clean", &c.program]);
            write(&sub.join(".gitattributes"), "a.txt filter=x\n");
            write(&sub.join("a.txt"), "0ne\n");
            r.dir().into()
        },
        spring: |_, dir| asked(dir, &["status"]),
        filtered: false,
    },
    Trap {
        name: "a repository buried among the files",
        set: |r, c| {
            let buried = r.dir().join("vendor/store");
            git(r.dir(), &["clone", "-q", "--bare", ".", &buried.display().to_string()]);
            for (key, value) in
                [("core.bare", "false"), ("core.worktree", ".."), ("core.fsmonitor", &c.program)]
            {
                git(&buried, &["config", key, value]);
            }
            buried
        },
        spring: |_, dir| asked(dir, &["status"]),
        filtered: false,
    },
    Trap {
        name: "a commondir that leads to a prepared repository",
        set: |r, c| {
            configured(r, &[("core.fsmonitor", &c.program)]);
            let dir = r.beside("innocent");
            git(r.dir(), &["init", "-q", "-b", "main", &dir.display().to_string()]);
            write(&dir.join(".git/commondir"), format!("{}/.git\n", r.dir().display()));
            dir
        },
        spring: |_, dir| asked(dir, &["status"]),
        filtered: false,
    },
    Trap {
        name: "a .git file that leads to a prepared repository",
        set: |r, c| {
            configured(r, &[("core.fsmonitor", &c.program)]);
            let dir = r.beside("innocent");
            write(&dir.join(".git"), format!("gitdir: {}/.git\n", r.dir().display()));
            dir
        },
        spring: |_, dir| asked(dir, &["status"]),
        filtered: false,
    },
];

#[test]
fn no_trap_springs_but_under_git() {
    assert!(TRAPS.len() >= 24, "the table keeps its promise of twenty-four traps");
    let (mut sprung_here, mut silent_under_git, mut compared) = (Vec::new(), Vec::new(), Vec::new());
    for trap in TRAPS {
        let repo = TestRepo::new();
        repo.commit("a.txt", "one\n", "First");
        repo.commit("b.txt", "two\n", "Second");
        // Of the same size: git says of another one that it differs without converting it.
        repo.write("a.txt", "0ne\n");
        let canary = Canary::beside(&repo);
        let dir = (trap.set)(&repo, &canary);
        // Setting the trap may have sprung it; what counts is what happens from here on.
        let _ = std::fs::remove_file(&canary.trace);

        let status = doors::open_all(&dir);
        if canary.sang() {
            sprung_here.push(trap.name);
            let _ = std::fs::remove_file(&canary.trace);
        }
        let set_aside = matches!(&status, Ok(Ok(status))
            if status.not_compared.iter().any(|path| path.raw() == "a.txt")
                && !status.entries.iter().any(|entry| entry.path.raw() == "a.txt"));
        if set_aside != trap.filtered {
            compared.push(format!("{}: {status:?}", trap.name));
        }
        (trap.spring)(&repo, &dir);
        if !canary.sang() {
            silent_under_git.push(trap.name);
        }
    }
    assert!(silent_under_git.is_empty(), "positive controls: git must run these: {silent_under_git:?}");
    assert!(sprung_here.is_empty(), "of {} traps these sprang: {sprung_here:?}", TRAPS.len());
    assert!(compared.is_empty(), "exactly the filtered files are not compared:\n{}", compared.join("\n"));
}

fn configured(repo: &TestRepo, values: &[(&str, &str)]) -> PathBuf {
    for (key, value) in values {
        git(repo.dir(), &["config", key, value]);
    }
    repo.dir().into()
}

/// Asks plain git; most traps make it fail once they have sprung, which is no matter here.
fn asked(dir: &Path, args: &[&str]) {
    git::command(dir, args).output().expect("git runs");
}

fn credentials(dir: &Path) {
    let request = dir.join("request");
    write(&request, "protocol=https\nhost=h.example\n\n");
    let request = std::fs::File::open(request).expect("the request was written");
    git::command(dir, &["credential", "fill"]).stdin(request).output().expect("git runs");
}

/// A pager is only run for a terminal.
fn on_a_terminal(dir: &Path, args: &[&str]) {
    use std::io::Read;
    let pair =
        portable_pty::native_pty_system().openpty(portable_pty::PtySize::default()).expect("a terminal");
    let mut command = portable_pty::CommandBuilder::new("git");
    command.cwd(dir);
    command.args(args);
    command.env("GIT_CONFIG_GLOBAL", "/dev/null");
    command.env_remove("GIT_PAGER");
    let mut child = pair.slave.spawn_command(command).expect("git runs");
    drop(pair.slave);
    let mut reader = pair.master.try_clone_reader().expect("the terminal can be read");
    let mut shown = Vec::new();
    let _ = reader.read_to_end(&mut shown);
    child.wait().expect("git ends");
}
