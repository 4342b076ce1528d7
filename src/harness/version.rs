//! Which version of a program is installed, from the package files beside it. No program is run.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::{Answer, Program, Version};
use crate::disk;

/// How far above a program its `package.json` may lie (`bin/vendor/<platform>/<program>/…`).
const HIGHEST: usize = 6;

/// A version from the `package.json` above the program, if it is one of this package: `name` itself, or one of its
/// platform packages (`name-linux-x64`).
///
/// # Errors
/// Why the package file that is there cannot be believed.
pub(super) fn from_npm(program: &Path, name: &str) -> Result<Option<Version>, String> {
    #[derive(Deserialize)]
    struct Package {
        name: Option<String>,
        version: Option<String>,
    }
    for folder in program.ancestors().skip(1).take(HIGHEST) {
        let path = folder.join("package.json");
        let bytes = match disk::read(&path, 1 << 20) {
            Ok(content) => content.bytes,
            Err(disk::DiskError::NotFound(_)) => continue,
            Err(error) => return Err(error.to_string()),
        };
        let package = serde_json::from_slice::<Package>(&bytes)
            .map_err(|error| format!("{} is not a package file: {error}", path.display()))?;
        let rest = package.name.as_deref().and_then(|own| own.strip_prefix(name));
        if !rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-')) {
            continue;
        }
        return plausible(&package.version.unwrap_or_default(), &path).map(Some);
    }
    Ok(None)
}

/// A version from the name of the file itself, where the client installs itself as `<name>/versions/<version>`.
pub(super) fn from_install_path(program: &Path, name: &str) -> Option<Version> {
    let folder = program.parent()?;
    let ours = folder.file_name()? == "versions" && folder.parent()?.file_name()? == name;
    let text = program.file_name()?.to_str().filter(|_| ours)?;
    plausible(text, program).ok()
}

/// A version from the metadata of an installed Python distribution, looked for in the environment that the
/// program's `bin` belongs to. `name` is the distribution's normalised name (`hermes_agent`).
///
/// # Errors
/// Why it cannot be told: two of them, or metadata that cannot be read.
pub(super) fn from_python(program: &Path, name: &str) -> Result<Option<Version>, String> {
    let Some(environment) = program.parent().and_then(Path::parent) else { return Ok(None) };
    let mut found = Vec::new();
    for python in folders(&environment.join("lib")).filter(|path| starts_with(path, "python")) {
        for info in folders(&python.join("site-packages")) {
            let distribution = starts_with(&info, &format!("{name}-"));
            if distribution && info.extension().is_some_and(|ending| ending == "dist-info") {
                found.push(info.join("METADATA"));
            }
        }
    }
    match found.as_slice() {
        [] => Ok(None),
        [metadata] => {
            let bytes = disk::read(metadata, 1 << 20).map_err(|error| error.to_string())?.bytes;
            let text = String::from_utf8_lossy(&bytes);
            let head = text.lines().take_while(|line| !line.is_empty());
            let version = head.into_iter().find_map(|line| line.strip_prefix("Version:")).unwrap_or_default();
            plausible(version.trim(), metadata).map(Some)
        }
        [first, second, ..] => {
            Err(format!("both {} and {} are installed", first.display(), second.display()))
        }
    }
}

/// The first source that says a version, as an answer.
pub(super) fn answer(program: &Program, read: Result<Option<Version>, String>) -> Answer<Version> {
    match read {
        Ok(Some(version)) => Answer::Found(version),
        Ok(None) => {
            Answer::Absent(format!("no package file beside {} says its version", program.path.display()))
        }
        Err(reason) => Answer::Unknown(reason),
    }
}

fn folders(dir: &Path) -> impl Iterator<Item = PathBuf> {
    std::fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.path())
}

fn starts_with(path: &Path, text: &str) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(text))
}

/// The three leading numbers of a version.
pub(super) fn numbers(text: &str) -> Option<[u64; 3]> {
    let mut numbers = text.split(['-', '+']).next()?.split('.').map(|part| part.parse().ok());
    Some([numbers.next()??, numbers.next()??, numbers.next()??])
}

/// Accepts three numbers with dots and perhaps a suffix of letters, digits, `.`, `-` and `+`.
fn plausible(text: &str, source: &Path) -> Result<Version, String> {
    let core: Vec<_> = text.split(['-', '+']).next().unwrap_or_default().split('.').collect();
    let numbers = core.iter().take(3).all(|part| part.parse::<u64>().is_ok());
    let plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'+'));
    if core.len() >= 3 && numbers && plain && text.len() <= 64 {
        Ok(Version { text: text.to_owned(), source: source.display().to_string() })
    } else {
        Err(format!("{} names no version such as 2.1.332", source.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn lay(files: &[(&str, &str)]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().expect("a directory");
        for (name, text) in files {
            let path = dir.path().join(name);
            fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
            fs::write(path, text).expect("a file");
        }
        dir
    }

    fn npm(files: &[(&str, &str)], program: &str) -> Result<Option<String>, String> {
        let dir = lay(files);
        from_npm(&dir.path().join(program), "@anthropic-ai/claude-code").map(|found| found.map(|v| v.text))
    }

    const OURS: &str = r#"{"name":"@anthropic-ai/claude-code","version":"2.1.332","bin":{}}"#;
    const PLATFORM: &str = r#"{"name":"@anthropic-ai/claude-code-linux-x64","version":"2.1.332"}"#;

    #[test]
    fn the_package_file_above_the_program_says_the_version() {
        let read = npm(&[("p/package.json", OURS)], "p/bin/claude.exe");
        assert_eq!(read, Ok(Some("2.1.332".into())), "above the linked program");
        assert_eq!(
            npm(&[("p/package.json", PLATFORM)], "p/claude"),
            Ok(Some("2.1.332".into())),
            "a platform package"
        );
        let nested =
            [("p/package.json", OURS), ("p/vendor/package.json", r#"{"name":"ripgrep","version":"1.0.0"}"#)];
        assert_eq!(
            npm(&nested, "p/vendor/claude"),
            Ok(Some("2.1.332".into())),
            "another package is looked past"
        );
    }

    #[test]
    fn what_is_not_that_packages_file_says_nothing() {
        let other = r#"{"name":"@anthropic-ai/claude-codex","version":"9.9.9"}"#;
        assert_eq!(
            npm(&[("p/package.json", other)], "p/claude"),
            Ok(None),
            "a longer name is another package"
        );
        assert_eq!(npm(&[("p/package.json", "{}")], "p/claude"), Ok(None), "a nameless one is nobody's");
        assert_eq!(npm(&[], "p/claude"), Ok(None), "none at all");
        assert!(npm(&[("p/package.json", "{")], "p/claude").is_err(), "a broken one is not looked past");
        for version in ["", "latest", "2.1", "2.1.x", "2.1.3 3", "2.1.3\\u001b[31m"] {
            let text = format!(r#"{{"name":"@anthropic-ai/claude-code","version":"{version}"}}"#);
            assert!(npm(&[("p/package.json", &text)], "p/claude").is_err(), "{version:?} is no version");
        }
    }

    #[test]
    fn a_versioned_install_path_says_it_itself() {
        let at = |path: &str| from_install_path(Path::new(path), "claude").map(|version| version.text);
        assert_eq!(
            at("/home/me/.local/share/claude/versions/2.1.332"),
            Some("2.1.332".into()),
            "its own installer"
        );
        assert_eq!(at("/home/me/.local/share/other/versions/2.1.332"), None, "another program's versions");
        assert_eq!(at("/home/me/.local/share/claude/versions/latest"), None, "a word is no version");
        assert_eq!(at("/usr/bin/claude"), None, "a plain path says nothing");
    }

    #[test]
    fn python_metadata_says_it_unless_there_are_two() {
        let one = (
            "v/lib/python3.12/site-packages/hermes_agent-0.19.0.dist-info/METADATA",
            "Name: x\nVersion: 0.19.0\n",
        );
        let two =
            ("v/lib/python3.13/site-packages/hermes_agent-0.20.0.dist-info/METADATA", "Version: 0.20.0\n");
        let read = |files: &[(&str, &str)]| {
            from_python(&lay(files).path().join("v/bin/hermes"), "hermes_agent")
                .map(|found| found.map(|v| v.text))
        };
        assert_eq!(read(&[one]), Ok(Some("0.19.0".into())), "the distribution of its own environment");
        assert!(read(&[one, two]).is_err(), "two distributions do not say which one runs");
        let body = (
            "v/lib/python3.12/site-packages/hermes_agent-0.19.0.dist-info/METADATA",
            "Name: x\n\nVersion: 9.9.9\n",
        );
        assert!(read(&[body]).is_err(), "the description below the head is no metadata");
        assert_eq!(read(&[]), Ok(None), "nothing installed says nothing");
    }
}
