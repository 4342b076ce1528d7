//! The model that codex answers with when a session is resumed without naming one: its configured default.
//!
//! A project's own file counts only in a project that the person trusts. Where that is not said plainly and would
//! make a difference, the answer is unknown.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::disk;
use crate::handoff::Inert;
use crate::harness::Answer;

/// What an administrator sets over everybody's head.
const MANAGED: &str = "/etc/codex/managed_config.toml";
/// The largest file that is read.
const LARGEST: u64 = 1 << 20;

/// What matters of a configuration file.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Config {
    model: Option<String>,
    profile: Option<String>,
    profiles: BTreeMap<String, Profile>,
    projects: BTreeMap<PathBuf, Project>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Profile {
    model: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Project {
    trust_level: Option<String>,
}

impl Config {
    /// The model that it names; a chosen profile's comes first.
    fn model(&self) -> Option<&str> {
        let profile = self.profile.as_ref().and_then(|name| self.profiles.get(name));
        profile.and_then(|profile| profile.model.as_deref()).or(self.model.as_deref())
    }
}

/// The default model in `directory`; `root` is the store's.
pub(super) fn model(root: &Path, directory: &Path) -> Answer<Inert> {
    match default(root, directory, Path::new(MANAGED)) {
        Ok(Some(model)) => Answer::Found(Inert::new(model)),
        Ok(None) => Answer::Absent(format!(
            "{} names no model: codex takes its own default, which changes with its version; set `model` there",
            root.join("config.toml").display()
        )),
        Err(reason) => Answer::Unknown(reason),
    }
}

fn default(root: &Path, directory: &Path, managed: &Path) -> Result<Option<String>, String> {
    if let Some(model) = read(managed)?.as_ref().and_then(Config::model) {
        return Ok(Some(model.to_owned()));
    }
    let own = read(&root.join("config.toml"))?.unwrap_or_default();
    let mut model = own.model().map(str::to_owned);
    let layers = layers(directory);
    // The nearest file wins, so it comes last.
    for folder in layers.iter().rev() {
        let path = folder.join(".codex/config.toml");
        // The store itself may lie in one of the directories above.
        if super::same_place(&folder.join(".codex"), root) {
            continue;
        }
        let Some(named) = read(&path)?.and_then(|config| config.model().map(str::to_owned)) else { continue };
        if model.as_ref() == Some(&named) {
            continue;
        }
        match trust(&own, &layers) {
            Some("trusted") => model = Some(named),
            Some(_) => {}
            None => {
                return Err(format!(
                    "{} names another model, and whether codex believes it is not said in {}: open the project in \
                     codex once and answer whether it is trusted",
                    path.display(),
                    root.join("config.toml").display()
                ));
            }
        }
    }
    Ok(model)
}

/// The directory and those above it, up to the one that holds the repository.
fn layers(directory: &Path) -> Vec<PathBuf> {
    let mut layers = Vec::new();
    for folder in directory.ancestors() {
        layers.push(folder.to_owned());
        if folder.join(".git").exists() {
            return layers;
        }
    }
    vec![directory.to_owned()]
}

/// What the person said of the nearest of these directories.
fn trust<'a>(own: &'a Config, layers: &[PathBuf]) -> Option<&'a str> {
    let said = |folder: &PathBuf| {
        let entry = own.projects.iter().find(|(path, _)| super::same_place(path, folder));
        entry.and_then(|(_, project)| project.trust_level.as_deref())
    };
    layers.iter().find_map(said)
}

/// A configuration file; `None` where there is none.
fn read(path: &Path) -> Result<Option<Config>, String> {
    let content = match disk::read(path, LARGEST) {
        Ok(content) if content.cut => return Err(format!("{} is larger than 1 MiB", path.display())),
        Ok(content) => content,
        Err(disk::DiskError::NotFound(_)) => return Ok(None),
        Err(error) => return Err(error.to_string()),
    };
    let text = String::from_utf8(content.bytes).map_err(|_| format!("{} is not UTF-8", path.display()))?;
    let config = toml::from_str(&text);
    config.map(Some).map_err(|error| format!("{}: {}", path.display(), error.message()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// The answer for a store's and a project's file, in one word.
    fn ask(own: &str, project: Option<&str>, managed: Option<&str>) -> String {
        let dir = tempfile::tempdir().expect("a directory");
        let at = |name: &str| dir.path().join(name);
        for folder in ["home", "p/.git", "p/.codex", "p/deep/er"] {
            fs::create_dir_all(at(folder)).expect("folders");
        }
        let own = own.replace('@', &at("p").display().to_string());
        fs::write(at("home/config.toml"), own).expect("a file");
        for (name, text) in [("p/.codex/config.toml", project), ("managed.toml", managed)] {
            if let Some(text) = text {
                fs::write(at(name), text).expect("a file");
            }
        }
        match default(&at("home"), &at("p/deep/er"), &at("managed.toml")) {
            Ok(model) => model.unwrap_or_else(|| "none".to_owned()),
            Err(reason) => format!("unknown: {reason}"),
        }
    }

    #[test]
    fn the_configured_default_is_the_one_that_would_answer() {
        let trusted = "model = \"a\"\n[projects.\"@\"]\ntrust_level = \"trusted\"\n";
        let untrusted = "model = \"a\"\n[projects.\"@\"]\ntrust_level = \"untrusted\"\n";
        let profile =
            "model = \"a\"\nprofile = \"p\"\n[profiles.p]\nmodel = \"b\"\n[profiles.q]\nmodel = \"c\"\n";
        for (own, project, managed, expected, why) in [
            ("model = \"a\"", None, None, "a", "the plain default"),
            ("", None, None, "none", "no default"),
            (profile, None, None, "b", "the chosen profile's"),
            ("profile = \"gone\"\nmodel = \"a\"", None, None, "a", "a chosen profile that is not there"),
            (trusted, Some("model = \"b\""), None, "b", "a trusted project's"),
            (trusted, Some("sandbox_mode = \"x\""), None, "a", "a trusted project that names none"),
            (untrusted, Some("model = \"b\""), None, "a", "not an untrusted project's"),
            ("model = \"a\"", Some("model = \"a\""), None, "a", "trust makes no difference"),
            (trusted, Some("model = \"b\""), Some("model = \"m\""), "m", "the administrator's over all"),
        ] {
            assert_eq!(ask(own, project, managed), expected, "{why}");
        }
        for (own, project, words) in [
            ("model = \"a\"", Some("model = \"b\""), "whether codex believes it"),
            ("model = ", None, "home/config.toml"),
            ("model = 3", None, "home/config.toml"),
            (trusted, Some("model = "), "p/.codex/config.toml"),
        ] {
            let answer = ask(own, project, None);
            assert!(answer.starts_with("unknown") && answer.contains(words), "{words}: {answer}");
        }
    }

    #[test]
    fn a_home_directory_that_is_a_repository_does_not_read_the_store_as_a_project() {
        let dir = tempfile::tempdir().expect("a directory");
        fs::create_dir_all(dir.path().join(".git")).expect("folders");
        fs::create_dir_all(dir.path().join(".codex")).expect("folders");
        fs::write(dir.path().join(".codex/config.toml"), "model = \"a\"").expect("a file");
        let model = default(&dir.path().join(".codex"), dir.path(), &dir.path().join("none"));
        assert_eq!(model, Ok(Some("a".to_owned())), "it is the person's own file, once");
    }
}
