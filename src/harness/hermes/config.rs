//! What a person told hermes: the active profile, and the model that answers unless another one is named.

use std::path::Path;

use crate::disk::{self, DiskError};
use crate::handoff::Inert;
use crate::harness::Answer;

/// The largest configuration that is read.
const LARGEST: u64 = 1 << 20;

/// The name of the active profile; `None` for the default one.
///
/// # Errors
/// Why it cannot be told.
pub(super) fn active_profile(root: &Path) -> Result<Option<String>, String> {
    let path = root.join("active_profile");
    let bytes = match disk::read(&path, 4096) {
        Ok(content) => content.bytes,
        Err(DiskError::NotFound(_)) => return Ok(None),
        Err(error) => return Err(error.to_string()),
    };
    let text = String::from_utf8_lossy(&bytes);
    let name = text.trim();
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'_' | b'-');
    let legal = name.len() <= 64 && !name.starts_with(['_', '-']) && name.bytes().all(plain);
    match name {
        "" | "default" => Ok(None),
        name if legal => Ok(Some(name.to_owned())),
        _ => Err(format!("{} does not hold the name of a profile", path.display())),
    }
}

/// The configured model of the profile in `home`.
pub(super) fn model(home: &Path) -> Answer<Inert> {
    let path = home.join("config.yaml");
    let content = match disk::read(&path, LARGEST) {
        Ok(content) if content.cut => {
            return Answer::Unknown(format!("{} is larger than 1 MiB", path.display()));
        }
        Ok(content) => content,
        Err(error @ DiskError::NotFound(_)) => return Answer::Absent(error.to_string()),
        Err(error) => return Answer::Unknown(error.to_string()),
    };
    let config: serde_yaml::Value = match serde_yaml::from_slice(&content.bytes) {
        Ok(config) => config,
        Err(error) => return Answer::Unknown(format!("{}: {error}", path.display())),
    };
    let model = config.get("model");
    let named = |key: &str| model.and_then(|model| model.get(key)).and_then(serde_yaml::Value::as_str);
    let name =
        model.and_then(serde_yaml::Value::as_str).or_else(|| named("default")).or_else(|| named("model"));
    match name.map(str::trim).filter(|name| !name.is_empty()) {
        Some(name) => Answer::Found(Inert::new(name)),
        None => Answer::Absent(format!("{} names no model", path.display())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_configured_model_is_read_in_each_of_its_forms() {
        let dir = tempfile::tempdir().expect("a directory");
        let read = |text: &str| {
            std::fs::write(dir.path().join("config.yaml"), text).expect("a file");
            match model(dir.path()) {
                Answer::Found(model) => model.raw().to_owned(),
                Answer::Absent(_) => "absent".to_owned(),
                Answer::Unknown(_) => "unknown".to_owned(),
            }
        };
        assert!(matches!(model(dir.path()), Answer::Absent(_)), "no configuration names none");
        for (text, expected) in [
            ("model: a/b-1", "a/b-1"),
            ("model:\n  default: a\n  model: b\n", "a"),
            ("model:\n  model: b\n  provider: custom\n", "b"),
            ("agent: {max_turns: 3}\nmodel: {default: ' a '}\n", "a"),
            ("model:\n  provider: custom\n", "absent"),
            ("model: ''", "absent"),
            ("model:\n  default: 3\n", "absent"),
            ("other: 1", "absent"),
            ("", "absent"),
            ("model: [", "unknown"),
            ("\u{0}", "unknown"),
        ] {
            assert_eq!(read(text), expected, "{text:?}");
        }
    }

    #[test]
    fn the_active_profile_is_a_plain_name_or_nothing() {
        let dir = tempfile::tempdir().expect("a directory");
        let read = |text: &str| {
            std::fs::write(dir.path().join("active_profile"), text).expect("a file");
            active_profile(dir.path()).map_err(|_| ())
        };
        assert_eq!(active_profile(dir.path()), Ok(None), "none was ever made active");
        assert_eq!(read("coder\n"), Ok(Some("coder".into())), "a name");
        assert_eq!(read("default"), Ok(None), "the default one lies at the root");
        assert_eq!(read(" \n"), Ok(None), "an empty file is none");
        for odd in ["../..", "a/b", "Coder", "-x", "a b", "ü", "."] {
            assert_eq!(read(odd), Err(()), "{odd:?} would lead elsewhere");
        }
    }
}
