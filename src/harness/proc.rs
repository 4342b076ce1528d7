//! The process table, read under whatever directory it is mounted at. Every harness's liveness stands on it.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::Owner;
use crate::disk::{self, FileId};

/// Kernel clock ticks per second in `/proc`: a constant of the interface on every platform that Rust builds for.
const TICKS: u64 = 100;

/// One process at the moment it was looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Process {
    /// Its id.
    pub pid: u32,
    /// The id of the process that started it.
    pub parent: u32,
    /// Its name in the kernel, at most 15 bytes.
    pub name: String,
    /// When it began, in ticks since the machine booted: with the id it names a process for good.
    pub start: u64,
    /// Its arguments; empty for kernel threads.
    pub argv: Vec<Vec<u8>>,
    /// The program it runs, where that may be known.
    pub exe: Option<PathBuf>,
    /// The user it runs as.
    pub user: u32,
}

/// The process of an id; `None` where there is none, or only its remains (a zombie owns nothing).
///
/// # Errors
/// Why it cannot be told.
pub(super) fn process(proc: &Path, pid: u32) -> Result<Option<Process>, String> {
    let dir = proc.join(pid.to_string());
    let gone = |error: String| if dir.exists() { Err(error) } else { Ok(None) };
    let stat = match disk::read(&dir.join("stat"), 4096) {
        Ok(content) => content.bytes,
        Err(error) => return gone(error.to_string()),
    };
    let Some(stat) = Stat::parse(&stat) else {
        return gone(format!("{} has another form than this system's", dir.join("stat").display()));
    };
    if matches!(stat.state, b'Z' | b'X' | b'x') {
        return Ok(None);
    }
    let cmdline = match disk::read(&dir.join("cmdline"), 256 << 10) {
        Ok(content) => content.bytes,
        Err(error) => return gone(error.to_string()),
    };
    let user = match std::fs::metadata(&dir) {
        Ok(metadata) => metadata.uid(),
        Err(error) => return gone(format!("{}: {error}", dir.display())),
    };
    let mut argv: Vec<_> = cmdline.split(|&byte| byte == 0).map(<[u8]>::to_vec).collect();
    if argv.last().is_some_and(Vec::is_empty) {
        argv.pop();
    }
    let exe = std::fs::read_link(dir.join("exe")).ok();
    Ok(Some(Process { pid, parent: stat.parent, name: stat.name, start: stat.start, argv, exe, user }))
}

/// Every process that there is.
///
/// # Errors
/// Why the table cannot be read whole: an incomplete one proves nothing.
pub(super) fn all(proc: &Path) -> Result<Vec<Process>, String> {
    let unreadable = |error: std::io::Error| format!("the process table {}: {error}", proc.display());
    let mut pids = Vec::new();
    for entry in std::fs::read_dir(proc).map_err(unreadable)? {
        let name = entry.map_err(unreadable)?.file_name();
        pids.extend(name.to_str().and_then(|name| name.parse::<u32>().ok()));
    }
    if !pids.contains(&1) {
        return Err(format!(
            "the process table {} does not show process 1: other people's processes are hidden",
            proc.display()
        ));
    }
    let mut processes = Vec::new();
    for pid in pids {
        processes.extend(process(proc, pid)?);
    }
    Ok(processes)
}

/// The process namespace that this table shows, as the kernel writes it: `pid:[4026531836]`.
pub(super) fn namespace(proc: &Path) -> Option<String> {
    std::fs::read_link(proc.join("self/ns/pid")).ok()?.into_os_string().into_string().ok()
}

impl Process {
    /// Whether its arguments hold this option with exactly this value: `--resume ID`, `--resume=ID`, `-r ID`.
    pub(super) fn has_option(&self, options: &[&str], value: &str) -> bool {
        let beside = self.argv.windows(2).any(|pair| {
            options.iter().any(|option| pair[0] == option.as_bytes()) && pair[1] == value.as_bytes()
        });
        let joined = |option: &&str| {
            self.argv.iter().any(|arg| {
                let rest = arg.strip_prefix(option.as_bytes()).and_then(|rest| rest.strip_prefix(b"="));
                rest == Some(value.as_bytes())
            })
        };
        beside || options.iter().any(joined)
    }

    /// Whether its arguments hold this option at all, whatever its value.
    pub(super) fn names_option(&self, options: &[&str]) -> bool {
        let is = |arg: &[u8], option: &str| {
            arg.strip_prefix(option.as_bytes()).is_some_and(|rest| rest.is_empty() || rest.starts_with(b"="))
        };
        self.argv.iter().any(|arg| options.iter().any(|option| is(arg, option)))
    }

    /// The directory that it stands in, where that may be known.
    pub(super) fn directory(&self, proc: &Path) -> Option<PathBuf> {
        std::fs::read_link(proc.join(self.pid.to_string()).join("cwd")).ok()
    }

    /// Whether it runs a program of one of these names: by the kernel's name for it, its program file, its first
    /// argument, or the script that an interpreter was given.
    pub(super) fn runs(&self, names: &[&str]) -> bool {
        let base = |arg: &[u8]| {
            let name = arg.rsplit(|&byte| byte == b'/').next().unwrap_or_default();
            String::from_utf8_lossy(name).into_owned()
        };
        let named = |name: &str| names.contains(&name);
        let first = self.argv.first().map(|arg| base(arg)).unwrap_or_default();
        let program = self.exe.as_deref().and_then(Path::file_name).map(|name| name.to_string_lossy());
        if named(&self.name) || named(&first) || program.is_some_and(|name| named(&name)) {
            return true;
        }
        let interpreter = ["node", "bun", "deno", "sh", "bash", "dash", "zsh"].contains(&first.as_str())
            || first.starts_with("python");
        let script = self.argv.iter().skip(1).find(|arg| !arg.starts_with(b"-"));
        interpreter && script.is_some_and(|script| named(&base(script)))
    }

    /// The files that it has open; none where it has ended meanwhile.
    ///
    /// # Errors
    /// Why they cannot be seen: another user's process shows them to nobody else.
    pub(super) fn open_files(&self, proc: &Path) -> Result<Vec<OpenFile>, String> {
        let dir = proc.join(self.pid.to_string());
        let failed = |error: std::io::Error| match dir.exists() {
            true => Err(format!("{}: {error}", dir.join("fd").display())),
            false => Ok(Vec::new()),
        };
        let entries = match std::fs::read_dir(dir.join("fd")) {
            Ok(entries) => entries,
            Err(error) => return failed(error),
        };
        let mut files = Vec::new();
        for entry in entries {
            let link = match entry {
                Ok(entry) => entry.path(),
                Err(error) => return failed(error),
            };
            let number = link.file_name().unwrap_or_default().to_owned();
            // One that cannot be read was closed between the listing and the look.
            if let Ok(path) = std::fs::read_link(&link) {
                files.push(OpenFile { path, link, info: dir.join("fdinfo").join(number) });
            }
        }
        Ok(files)
    }

    /// It as an owner, with what it is doing, or why it is one.
    pub(super) fn owner(&self, proc: &Path, status: &str) -> Owner {
        Owner { pid: self.pid, since: self.since(proc), status: Some(status.to_owned()) }
    }

    /// When it began in seconds since 1970, where the machine's boot time can be read.
    pub(super) fn began(&self, proc: &Path) -> Option<f64> {
        // Both numbers are far below 2^52.
        #[allow(clippy::cast_precision_loss, reason = "a fraction of a second does not matter here")]
        let began = boot_time(proc)? as f64 + self.start as f64 / TICKS as f64;
        Some(began)
    }

    /// When it began, RFC 3339, where the machine's boot time can be read.
    pub(super) fn since(&self, proc: &Path) -> Option<String> {
        let boot = boot_time(proc)?;
        seconds_as_text(boot.checked_add(i64::try_from(self.start / TICKS).ok()?)?)
    }

    /// One variable of its environment: `Ok(None)` where it is not set.
    ///
    /// # Errors
    /// Why the environment cannot be read.
    pub(super) fn variable(&self, proc: &Path, name: &str) -> Result<Option<Vec<u8>>, String> {
        let path = proc.join(self.pid.to_string()).join("environ");
        let environ = disk::read(&path, 4 << 20).map_err(|error| error.to_string())?.bytes;
        let value = |entry: &[u8]| {
            entry.strip_prefix(name.as_bytes()).and_then(|rest| rest.strip_prefix(b"=")).map(<[u8]>::to_vec)
        };
        Ok(environ.split(|&byte| byte == 0).find_map(value))
    }
}

/// When the machine booted, in seconds since 1970.
fn boot_time(proc: &Path) -> Option<i64> {
    let stat = disk::read(&proc.join("stat"), 1 << 20).ok()?.bytes;
    let stat = String::from_utf8_lossy(&stat);
    stat.lines().find_map(|line| line.strip_prefix("btime "))?.trim().parse().ok()
}

/// A file that a process has open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct OpenFile {
    /// Its path as the kernel writes it.
    pub path: PathBuf,
    /// The process table's own link to it, which leads to the very file whatever its path.
    link: PathBuf,
    /// What the kernel says of the opened handle.
    info: PathBuf,
}

impl OpenFile {
    /// Whether it is this file. The name is compared first: it costs nothing.
    pub(super) fn is(&self, path: &Path) -> bool {
        let id = |path: &Path| {
            let metadata = std::fs::metadata(path).ok()?;
            Some(FileId { device: metadata.dev(), inode: metadata.ino() })
        };
        self.path.file_name() == path.file_name() && id(path).is_some_and(|file| Some(file) == id(&self.link))
    }

    /// Whether this handle holds an exclusive lock on the whole file (`flock`). Only looks: trying to take the lock
    /// could take it from its owner.
    pub(super) fn is_locked(&self) -> bool {
        let locked = |line: &str| {
            let words: Vec<_> = line.split_ascii_whitespace().collect();
            words.first() == Some(&"lock:") && words.contains(&"FLOCK") && words.contains(&"WRITE")
        };
        self.info().lines().any(locked)
    }

    /// Whether it is open for writing.
    pub(super) fn is_writable(&self) -> bool {
        let info = self.info();
        let flags = info.lines().find_map(|line| line.strip_prefix("flags:"));
        let flags = flags.and_then(|flags| u32::from_str_radix(flags.trim(), 8).ok());
        // The two lowest bits are the access mode; 0 is reading only.
        flags.is_some_and(|flags| flags & 0o3 != 0)
    }

    fn info(&self) -> String {
        let bytes = disk::read(&self.info, 64 << 10).map(|content| content.bytes).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

/// Seconds since 1970 as RFC 3339 in UTC; `None` out of range.
pub(super) fn seconds_as_text(seconds: i64) -> Option<String> {
    let at = chrono::DateTime::from_timestamp(seconds, 0)?;
    Some(at.to_rfc3339_opts(chrono::SecondsFormat::Secs, true))
}

/// What `/proc/<pid>/stat` says.
struct Stat {
    name: String,
    state: u8,
    parent: u32,
    start: u64,
}

impl Stat {
    /// A name may hold blanks, brackets and line ends, so the fields are counted from the last `)`.
    fn parse(bytes: &[u8]) -> Option<Self> {
        let open = bytes.iter().position(|&byte| byte == b'(')?;
        let close = bytes.iter().rposition(|&byte| byte == b')')?;
        let name = String::from_utf8_lossy(bytes.get(open + 1..close)?).into_owned();
        let rest = std::str::from_utf8(bytes.get(close + 1..)?).ok()?;
        // The first field after the name is number 3.
        let fields: Vec<_> = rest.split_ascii_whitespace().collect();
        let field = |number: usize| fields.get(number - 3).copied();
        Some(Self {
            name,
            state: *field(3)?.as_bytes().first()?,
            parent: field(4)?.parse().ok()?,
            start: field(22)?.parse().ok()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn process_of(argv: &[&str]) -> Process {
        Process {
            pid: 7,
            parent: 1,
            name: "x".into(),
            start: 1,
            argv: argv.iter().map(|arg| arg.as_bytes().to_vec()).collect(),
            exe: None,
            user: 0,
        }
    }

    #[test]
    fn a_name_with_brackets_and_blanks_shifts_no_field() {
        let fields = "S 41 5 5 0 -1 4194304 1 0 0 0 1 2 3 4 20 0 9 0 70266 587 4";
        for name in ["claude", "a) S 1 (b", "((", "))", " ) Z 9 ", "new\nline)"] {
            let stat = Stat::parse(format!("99 ({name}) {fields}\n").as_bytes()).expect(name);
            assert_eq!((stat.start, stat.parent, stat.state), (70266, 41, b'S'), "{name:?} shifts nothing");
            assert_eq!(stat.name, name, "and is read whole");
        }
        for bad in ["", "99", "99 (x", "99 (x) S 1", "99 x) S"] {
            assert!(Stat::parse(bad.as_bytes()).is_none(), "{bad:?} is no stat line");
        }
    }

    #[test]
    fn this_very_process_is_read_as_it_is() {
        let proc = Path::new("/proc");
        let own = process(proc, std::process::id()).expect("readable").expect("it runs");
        assert_eq!(
            own.argv[0],
            std::env::args_os().next().expect("argv").into_encoded_bytes(),
            "its arguments"
        );
        assert!(own.exe.is_some() && own.start > 0, "its program and start");
        assert!(own.since(proc).is_some_and(|at| at.ends_with('Z')), "its start as a time");
        assert!(namespace(proc).is_some_and(|ns| ns.starts_with("pid:[")), "its namespace");
        assert_eq!(process(proc, u32::MAX), Ok(None), "an id that nobody has is nobody");
        let everybody = all(proc).expect("the whole table");
        assert!(everybody.iter().any(|p| p.pid == own.pid && p.start == own.start), "and it is in the table");
    }

    #[test]
    fn the_files_that_a_process_has_open_are_told_with_their_locks() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("a.lock");
        let file = std::fs::File::create(&path).expect("a file");
        let seen = || {
            let own = process(Path::new("/proc"), std::process::id()).expect("readable").expect("it runs");
            let files = own.open_files(Path::new("/proc")).expect("one's own are shown");
            files.into_iter().find(|file| file.is(&path))
        };
        let open = seen().expect("the file is among them");
        assert!(open.is_writable() && !open.is_locked(), "open for writing, not locked");
        rustix::fs::flock(&file, rustix::fs::FlockOperation::LockExclusive).expect("locked");
        assert!(seen().expect("still open").is_locked(), "the lock is seen");
        drop(file);
        assert_eq!(seen(), None, "and closed it is not there");
        let _reading = std::fs::File::open(&path).expect("a file");
        assert!(!seen().expect("open").is_writable(), "reading is told from writing");
    }

    #[test]
    fn an_ended_child_that_nobody_waited_for_owns_nothing() {
        let mut child = std::process::Command::new("/bin/true").spawn().expect("a child");
        let stat = format!("/proc/{}/stat", child.id());
        while !std::fs::read_to_string(&stat).expect("not waited for yet").contains(") Z ") {
            std::thread::yield_now();
        }
        assert_eq!(process(Path::new("/proc"), child.id()), Ok(None), "a zombie is no owner");
        child.wait().expect("waited for");
    }

    #[test]
    fn options_and_programs_are_recognised_exactly() {
        let running = process_of(&["claude", "-p", "--resume", "abc"]);
        assert!(running.has_option(&["--resume", "-r"], "abc"), "an option and its value");
        assert!(process_of(&["x", "--resume=abc"]).has_option(&["--resume"], "abc"), "joined by `=`");
        for other in
            [&["x", "abc", "--resume"][..], &["x", "--resume", "abcd"], &["x", "--resumeabc"], &["abc"]]
        {
            assert!(!process_of(other).has_option(&["--resume"], "abc"), "{other:?} does not resume abc");
        }
        for runs in [
            &["claude"][..],
            &["/opt/x/claude", "-p"],
            &["node", "/usr/bin/claude"],
            &["/usr/bin/node", "--no-warnings", "/usr/lib/claude", "-p"],
            &["/bin/sh", "/usr/local/bin/claude"],
        ] {
            assert!(process_of(runs).runs(&["claude"]), "{runs:?} runs claude");
        }
        for not in
            [&["vim", "claude"][..], &["claude-helper"], &["node", "server.js", "claude"], &["sh", "-c"], &[]]
        {
            assert!(!process_of(not).runs(&["claude"]), "{not:?} does not run claude");
        }
    }
}
