//! Where a harness's program is: only where nobody but its owner can have put it.
//!
//! A `PATH` may hold the current directory, a project's own `bin`, or a directory that everybody can write to;
//! whoever can plant a program there would be run with the person's rights. Such entries are passed over and
//! named. A start uses the absolute path that was found here, so nothing is looked up a second time.

use std::ffi::OsStr;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::fs::Access;

use super::{Answer, Program, Surroundings};

/// Finds a program; see [`super::program`].
pub(super) fn find(around: &Surroundings, name: &str, not_inside: &[PathBuf]) -> Answer<Program> {
    let Some(path) = around.vars.get(OsStr::new("PATH")).filter(|path| !path.is_empty()) else {
        return Answer::Absent(format!("PATH is not set or empty, so there is no {name} to find"));
    };
    let fences: Vec<PathBuf> =
        not_inside.iter().map(|dir| real(dir).unwrap_or_else(|| dir.clone())).collect();
    let mut ignored: Vec<(PathBuf, &'static str)> = Vec::new();
    let mut seen: Vec<PathBuf> = Vec::new();
    for entry in std::env::split_paths(path) {
        if seen.contains(&entry) {
            continue;
        }
        seen.push(entry.clone());
        match candidate(&entry, name, &fences) {
            Ok(None) => {}
            Ok(Some(path)) => return Answer::Found(Program { path, found_in: entry, ignored }),
            Err(why) => ignored.push((entry, why)),
        }
    }
    let mut text = format!("no {name} in the {} entries of PATH", seen.len());
    for (entry, why) in &ignored {
        text.push_str(&format!("; {:?} was passed over: {why}", entry.display().to_string()));
    }
    Answer::Absent(text)
}

/// The program's real path in one entry; `None` where it has none of that name, else why it is passed over.
fn candidate(entry: &Path, name: &str, fences: &[PathBuf]) -> Result<Option<PathBuf>, &'static str> {
    if entry.as_os_str().is_empty() {
        return Err("empty, which means the current directory");
    }
    if entry.starts_with("~") {
        return Err("begins with ~, which only a shell expands");
    }
    if !entry.is_absolute() {
        return Err("not absolute: it changes with the current directory");
    }
    let directory = real(entry).ok_or("not there")?;
    if !directory.is_dir() {
        return Err("not a directory");
    }
    let inside = |path: &Path| fences.iter().any(|fence| path.starts_with(fence));
    if inside(&directory) {
        return Err("inside the project");
    }
    // By a link in it, or by `..`.
    if inside(entry) {
        return Err("it leads through the project");
    }
    let file = entry.join(name);
    if file.symlink_metadata().is_err() {
        return Ok(None);
    }
    let path = real(&file).ok_or("its program is a link that leads nowhere")?;
    if inside(&path) {
        return Err("its program leads into the project");
    }
    let metadata = path.metadata().map_err(|_| "its program cannot be looked at")?;
    if !metadata.is_file() {
        return Err("its entry of that name is not a file");
    }
    if rustix::fs::access(&path, Access::EXEC_OK).is_err() {
        return Err("its file of that name is not executable");
    }
    if others_write(metadata.mode()) {
        return Err("its program can be changed by others (group- or world-writable)");
    }
    for holder in [Some(directory.as_path()), path.parent()].into_iter().flatten() {
        let metadata = holder.metadata().map_err(|_| "its directory cannot be looked at")?;
        if others_write(metadata.mode()) {
            return Err("its directory can be changed by others (group- or world-writable)");
        }
    }
    Ok(Some(path))
}

fn real(path: &Path) -> Option<PathBuf> {
    path.canonicalize().ok()
}

/// Whether the group or the world may write.
fn others_write(mode: u32) -> bool {
    mode & 0o022 != 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};

    /// A machine with a project, a good `bin`, and room for odd entries.
    struct Machine {
        dir: tempfile::TempDir,
    }

    impl Machine {
        fn new() -> Self {
            let machine = Self { dir: tempfile::tempdir().expect("a directory") };
            machine.folder("", 0o755);
            for name in ["good", "project", "project/bin", "other"] {
                machine.folder(name, 0o755);
            }
            machine.plant("good/claude", 0o755);
            machine.plant("project/bin/claude", 0o755);
            machine
        }

        fn at(&self, name: &str) -> PathBuf {
            self.dir.path().join(name)
        }

        fn folder(&self, name: &str, mode: u32) {
            fs::create_dir_all(self.at(name)).expect("a folder");
            fs::set_permissions(self.at(name), fs::Permissions::from_mode(mode)).expect("its mode");
        }

        fn plant(&self, name: &str, mode: u32) {
            fs::write(self.at(name), "#!/bin/sh\n").expect("a program");
            fs::set_permissions(self.at(name), fs::Permissions::from_mode(mode)).expect("its mode");
        }

        fn find(&self, path: &str) -> Answer<Program> {
            let path = path.replace('@', &self.dir.path().display().to_string());
            let vars = [("PATH".into(), path.into())].into();
            let around = Surroundings { vars, ..Surroundings::default() };
            find(&around, "claude", &[self.at("project")])
        }
    }

    #[test]
    fn an_odd_entry_is_passed_over_and_named_and_the_good_one_is_found() {
        let machine = Machine::new();
        machine.folder("open", 0o777);
        machine.plant("open/claude", 0o755);
        machine.folder("grouped", 0o775);
        machine.plant("grouped/claude", 0o755);
        machine.folder("loose", 0o755);
        machine.plant("loose/claude", 0o757);
        machine.folder("plain", 0o755);
        machine.plant("plain/claude", 0o644);
        machine.folder("folder/claude", 0o755);
        machine.folder("broken", 0o755);
        symlink(machine.at("nowhere"), machine.at("broken/claude")).expect("a link");
        machine.folder("inward", 0o755);
        symlink(machine.at("project/bin/claude"), machine.at("inward/claude")).expect("a link");
        symlink(machine.at("project/bin"), machine.at("linked-bin")).expect("a link");
        machine.folder("to-open", 0o755);
        symlink(machine.at("open/claude"), machine.at("to-open/claude")).expect("a link");
        let good = machine.at("good/claude").canonicalize().expect("it is there");
        for (odd, why) in [
            ("", "empty"),
            (".", "not absolute"),
            ("bin", "not absolute"),
            ("./project/bin", "not absolute"),
            ("~/bin", "~"),
            ("@/project/bin", "inside the project"),
            ("@/other/../project/bin", "inside the project"),
            ("@/linked-bin", "inside the project"),
            ("@/project/../folder", "through the project"),
            ("@/inward", "leads into the project"),
            ("@/folder", "not a file"),
            ("@/plain", "not executable"),
            ("@/open", "directory can be changed"),
            ("@/grouped", "directory can be changed"),
            ("@/to-open", "directory can be changed"),
            ("@/loose", "program can be changed"),
            ("@/broken", "leads nowhere"),
            ("@/gone", "not there"),
            ("@/good/claude", "not a directory"),
        ] {
            let Answer::Found(program) = machine.find(&format!("{odd}:@/good")) else {
                panic!("{odd:?} must not hide the good program");
            };
            assert_eq!(program.path, good, "{odd:?} is not run, the good program is");
            assert_eq!(program.found_in, machine.at("good"), "and it is said where it was found");
            assert_eq!(program.ignored.len(), 1, "{odd:?} is named once");
            assert!(program.ignored[0].1.contains(why), "{odd:?}: {:?} says {why:?}", program.ignored[0].1);
            let Answer::Absent(text) = machine.find(odd) else { panic!("{odd:?} alone finds nothing") };
            assert!(text.contains(why) || odd.is_empty(), "{odd:?} alone: {text}");
        }
    }

    #[test]
    fn what_cannot_be_seen_is_an_absence_with_words() {
        let machine = Machine::new();
        assert!(matches!(machine.find(""), Answer::Absent(text) if text.contains("empty")), "an empty PATH");
        let none = Surroundings::default();
        assert!(
            matches!(find(&none, "claude", &[]), Answer::Absent(text) if text.contains("not set")),
            "no PATH"
        );
        assert!(matches!(machine.find("@/other"), Answer::Absent(_)), "a good entry without the program");
        let Answer::Found(twice) = machine.find("@/other:@/good:@/good:.:@/other") else {
            panic!("it is there")
        };
        assert!(twice.ignored.is_empty(), "entries after the found one, and repeated ones, are not reported");
    }

    #[test]
    fn a_link_outside_the_project_is_followed_to_its_end() {
        let machine = Machine::new();
        machine.folder("bin", 0o755);
        symlink(machine.at("good/claude"), machine.at("bin/claude")).expect("a link");
        let Answer::Found(program) = machine.find("@/bin") else {
            panic!("a link to a good program is good")
        };
        assert_eq!(
            program.path,
            machine.at("good/claude").canonicalize().expect("there"),
            "the real file is named"
        );
        assert_eq!(program.found_in, machine.at("bin"), "and the entry it was found by");
    }
}
