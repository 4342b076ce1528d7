//! Settings: flags over environment over file over defaults.
//!
//! [`load`] lays the environment over `$XDG_CONFIG_HOME/moorline/config.toml` over the defaults; the command line
//! then sets the fields it has flags for. `assets/default-config.toml` explains every key.
//!
//! | variable | what it sets |
//! |---|---|
//! | `MOORLINE_CONFIG` | the file to read instead; it must be there |
//! | `MOORLINE_CATALOG`, `MOORLINE_MANIFEST`, `MOORLINE_THEME`, `MOORLINE_MOUSE`, `MOORLINE_READ_LIMIT` | the key of that name |
//! | `NO_COLOR` | theme `mono`, when not empty and no `MOORLINE_THEME` says otherwise |

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Deserializer};

use crate::disk::{self, DiskError};
use crate::handoff::READ_LIMIT;

/// Bytes read of a settings file.
const CAP: u64 = 1 << 20;

/// What a person can set. Every field has a default; an unknown key in the file is an error with its line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// More places to look for handoffs, in the table's notation.
    pub places: Vec<String>,
    /// Projects that `check --all` checks besides the current one, as absolute paths.
    pub projects: Vec<PathBuf>,
    /// A model catalog to use instead of the embedded one, as an absolute path.
    pub catalog: Option<PathBuf>,
    /// A manifest of native skills to use instead of the embedded one, as an absolute path.
    pub manifest: Option<PathBuf>,
    /// `auto`, `mono`, `ansi`.
    pub theme: String,
    /// Rebound keys: action word → key.
    pub keys: Vec<(String, String)>,
    /// Whether the mouse is used.
    pub mouse: bool,
    /// Days after which a save archives old handoffs.
    pub archive_after_days: u32,
    /// How many entries the trash holds.
    pub trash_quota: u32,
    /// Largest file that is read, in bytes.
    pub read_limit: u64,
    /// Least relevance of a decision taken from a transcript, in thousandths (300 is 0.3).
    pub decision_threshold: u32,
    /// How long a remote that was asked may take, in seconds.
    pub remote_limit: u32,
    /// Where they come from.
    pub origin: Origin,
}

/// Where settings come from.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Origin {
    /// The file that was read.
    pub file: Option<PathBuf>,
    /// Where a file is looked for when none is named; `None` where no home directory is known.
    pub usual: Option<PathBuf>,
    /// The line of each of the rebound keys, from 1, in their order.
    key_lines: Vec<usize>,
    /// The line of each of the places.
    place_lines: Vec<usize>,
}

impl Settings {
    /// That the rebound key of this number cannot be used: only the screen knows which actions and keys there are.
    pub fn wrong_key(&self, number: usize, message: String) -> SettingsError {
        self.wrong(self.origin.key_lines.get(number), message)
    }

    /// That the place of this number cannot be used: only who looks there knows how places are written.
    pub fn wrong_place(&self, number: usize, message: String) -> SettingsError {
        self.wrong(self.origin.place_lines.get(number), message)
    }

    fn wrong(&self, line: Option<&usize>, message: String) -> SettingsError {
        let Origin { file, usual, .. } = &self.origin;
        let path = file.clone().or_else(|| usual.clone()).unwrap_or_default();
        SettingsError::File { path, line: line.copied().unwrap_or(1), message }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            places: Vec::new(),
            projects: Vec::new(),
            catalog: None,
            manifest: None,
            theme: "auto".into(),
            keys: Vec::new(),
            mouse: false,
            archive_after_days: 30,
            trash_quota: 200,
            read_limit: READ_LIMIT,
            decision_threshold: 300,
            remote_limit: 20,
            origin: Origin::default(),
        }
    }
}

/// Why settings cannot be used: where, and what is wrong there. Bad input: the program ends with exit code 2.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    /// The file says something it must not.
    #[error("{}, line {line}: {message}", path.display())]
    File {
        /// The settings file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong there.
        message: String,
    },
    /// The file is there and cannot be read, or was asked for and is not there.
    #[error(transparent)]
    Unreadable(#[from] DiskError),
    /// An environment variable says something it must not.
    #[error("{variable}: {message}")]
    Variable {
        /// Its name.
        variable: &'static str,
        /// What is wrong with its value.
        message: String,
    },
}

/// The settings of this person: environment over file over defaults. `var` looks up an environment variable.
///
/// # Errors
/// [`SettingsError`] for an unknown key or a wrong value, with the line or the variable.
pub fn load(var: &dyn Fn(&str) -> Option<OsString>, home: Option<&Path>) -> Result<Settings, SettingsError> {
    let set = |name: &str| var(name).filter(|value| !value.is_empty());
    let mut settings = Settings::default();
    let asked = set("MOORLINE_CONFIG").map(PathBuf::from);
    settings.origin.usual = usual_file(&set, home);
    if let Some(path) = asked.clone().or_else(|| settings.origin.usual.clone()) {
        match disk::read(&path, CAP) {
            Ok(content) => {
                lay_file(&mut settings, &content.bytes, &path, home)?;
                settings.origin.file = Some(path);
            }
            Err(DiskError::NotFound(_)) if asked.is_none() => {}
            Err(error) => return Err(error.into()),
        }
    }
    lay_environment(&mut settings, &set)?;
    Ok(settings)
}

/// Where the settings file lies when nobody says otherwise. The XDG rules ignore a relative directory.
fn usual_file(set: &dyn Fn(&str) -> Option<OsString>, home: Option<&Path>) -> Option<PathBuf> {
    let xdg = set("XDG_CONFIG_HOME").map(PathBuf::from).filter(|dir| dir.is_absolute());
    let config = xdg.or_else(|| home.map(|home| home.join(".config")))?;
    Some(config.join("moorline/config.toml"))
}

/// The file's own shape: every key optional, no other key.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    places: Option<Vec<toml::Spanned<String>>>,
    projects: Option<Vec<PathBuf>>,
    catalog: Option<PathBuf>,
    manifest: Option<PathBuf>,
    theme: Option<Theme>,
    keys: Option<BTreeMap<String, toml::Spanned<String>>>,
    mouse: Option<bool>,
    archive_after_days: Option<u32>,
    trash_quota: Option<u32>,
    #[serde(default, deserialize_with = "at_least_one")]
    read_limit: Option<u64>,
    #[serde(default, deserialize_with = "thousandths")]
    decision_threshold: Option<u32>,
    #[serde(default, deserialize_with = "a_while")]
    remote_limit: Option<u32>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Theme {
    Auto,
    Mono,
    Ansi,
}

impl Theme {
    fn parse(text: &str) -> Option<Self> {
        match text {
            "auto" => Some(Self::Auto),
            "mono" => Some(Self::Mono),
            "ansi" => Some(Self::Ansi),
            _ => None,
        }
    }

    fn word(&self) -> String {
        let word = match self {
            Self::Auto => "auto",
            Self::Mono => "mono",
            Self::Ansi => "ansi",
        };
        word.to_owned()
    }
}

fn at_least_one<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u64>, D::Error> {
    match u64::deserialize(from)? {
        0 => Err(serde::de::Error::custom("nothing could be read with a limit of 0")),
        limit => Ok(Some(limit)),
    }
}

fn a_while<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u32>, D::Error> {
    match u32::deserialize(from)? {
        seconds @ 1..=600 => Ok(Some(seconds)),
        _ => Err(serde::de::Error::custom("seconds from 1 to 600 are needed")),
    }
}

fn thousandths<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u32>, D::Error> {
    let share = f64::deserialize(from)?;
    // In range, so that the cast below keeps the value.
    if !(0.0..=1.0).contains(&share) {
        return Err(serde::de::Error::custom("a number from 0 to 1 is needed"));
    }
    Ok(Some((share * 1000.0).round() as u32))
}

fn lay_file(
    settings: &mut Settings,
    bytes: &[u8],
    path: &Path,
    home: Option<&Path>,
) -> Result<(), SettingsError> {
    let line = |offset: usize| 1 + bytes.iter().take(offset).filter(|&&b| b == b'\n').count();
    let wrong = |offset: usize, message: &str| {
        let line = line(offset);
        SettingsError::File { path: path.to_owned(), line, message: message.trim().replace('\n', " ") }
    };
    let text = std::str::from_utf8(bytes).map_err(|error| wrong(error.valid_up_to(), "not UTF-8"))?;
    let file: File = toml::from_str(text)
        .map_err(|error| wrong(error.span().map_or(0, |span| span.start), error.message()))?;
    let absolute = |given: PathBuf| match (given.strip_prefix("~"), home) {
        (Ok(rest), Some(home)) => home.join(rest),
        _ => path.parent().unwrap_or(Path::new("/")).join(given),
    };
    let places = file.places.unwrap_or_default();
    settings.origin.place_lines = places.iter().map(|place| line(place.span().start)).collect();
    settings.places = places.into_iter().map(toml::Spanned::into_inner).collect();
    lay(&mut settings.projects, file.projects.map(|paths| paths.into_iter().map(&absolute).collect()));
    settings.catalog = file.catalog.map(&absolute);
    settings.manifest = file.manifest.map(&absolute);
    lay(&mut settings.theme, file.theme.map(|theme| theme.word()));
    let keys = file.keys.unwrap_or_default();
    settings.origin.key_lines = keys.values().map(|key| line(key.span().start)).collect();
    settings.keys = keys.into_iter().map(|(word, key)| (word, key.into_inner())).collect();
    lay(&mut settings.mouse, file.mouse);
    lay(&mut settings.archive_after_days, file.archive_after_days);
    lay(&mut settings.trash_quota, file.trash_quota);
    lay(&mut settings.read_limit, file.read_limit);
    lay(&mut settings.decision_threshold, file.decision_threshold);
    lay(&mut settings.remote_limit, file.remote_limit);
    Ok(())
}

fn lay_environment(
    settings: &mut Settings,
    set: &dyn Fn(&str) -> Option<OsString>,
) -> Result<(), SettingsError> {
    let text = |variable| set(variable).map(|value| value.to_string_lossy().into_owned());
    let wrong = |variable, message: &str| SettingsError::Variable { variable, message: message.to_owned() };
    for (variable, key) in
        [("MOORLINE_CATALOG", &mut settings.catalog), ("MOORLINE_MANIFEST", &mut settings.manifest)]
    {
        if let Some(path) = set(variable) {
            let absolute = std::path::absolute(&path).map_err(|error| wrong(variable, &error.to_string()))?;
            *key = Some(absolute);
        }
    }
    if set("NO_COLOR").is_some() {
        settings.theme = Theme::Mono.word();
    }
    if let Some(word) = text("MOORLINE_THEME") {
        let theme =
            Theme::parse(&word).ok_or_else(|| wrong("MOORLINE_THEME", "auto, mono or ansi is needed"))?;
        settings.theme = theme.word();
    }
    if let Some(word) = text("MOORLINE_MOUSE") {
        settings.mouse = match word.as_str() {
            "1" | "true" => true,
            "0" | "false" => false,
            _ => return Err(wrong("MOORLINE_MOUSE", "true or false is needed")),
        };
    }
    if let Some(word) = text("MOORLINE_READ_LIMIT") {
        let limit = word.parse().ok().filter(|&limit| limit > 0);
        settings.read_limit =
            limit.ok_or_else(|| wrong("MOORLINE_READ_LIMIT", "a number of bytes is needed"))?;
    }
    Ok(())
}

fn lay<T>(under: &mut T, over: Option<T>) {
    if let Some(over) = over {
        *under = over;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Loads with a settings file in a home of its own and these variables.
    fn with(file: Option<&str>, vars: &[(&str, &str)]) -> Result<Settings, String> {
        let home = tempfile::tempdir().unwrap();
        if let Some(text) = file {
            let dir = home.path().join(".config/moorline");
            std::fs::create_dir_all(&dir).unwrap();
            std::fs::write(dir.join("config.toml"), text).unwrap();
        }
        let var =
            |name: &str| vars.iter().find(|(key, _)| *key == name).map(|(_, value)| OsString::from(value));
        let loaded = load(&var, Some(home.path()));
        let prefix = format!("{}/", home.path().display());
        loaded.map_err(|error| error.to_string().replace(&prefix, ""))
    }

    #[test]
    fn the_explained_file_is_exactly_the_defaults() {
        let explained = include_str!("../assets/default-config.toml");
        let bare = |file| with(file, &[]).map(|settings| Settings { origin: Origin::default(), ..settings });
        assert_eq!(bare(Some(explained)), Ok(Settings::default()), "copying the file changes nothing");
        assert_eq!(bare(None), Ok(Settings::default()), "no file is no error");
        for key in [
            "places",
            "projects",
            "catalog",
            "manifest",
            "theme",
            "keys",
            "mouse",
            "archive_after_days",
            "trash_quota",
            "remote_limit",
        ] {
            assert!(explained.contains(key), "{key} is explained");
        }
    }

    #[test]
    fn every_key_is_taken_from_the_file() {
        let file = "places = ['a/**']\nprojects = ['~/p', '/q']\ncatalog = 'c.json'\nmanifest = 'd.json'\ntheme = 'ansi'\nmouse = true\n\
            archive_after_days = 7\ntrash_quota = 3\nread_limit = 1000\ndecision_threshold = 0.25\nremote_limit = 5\n\
            [keys]\nquit = 'ctrl-q'\n";
        let got = with(Some(file), &[]).unwrap();
        assert!(
            got.projects[0].is_absolute() && got.projects[0].ends_with("p"),
            "`~/` is the home directory"
        );
        assert!(
            got.catalog.as_ref().is_some_and(|c| c.ends_with(".config/moorline/c.json")),
            "beside the file"
        );
        assert!(
            got.manifest.as_ref().is_some_and(|m| m.ends_with(".config/moorline/d.json")),
            "the manifest as well"
        );
        let wrong = got.wrong_key(0, "no".into()).to_string();
        assert!(wrong.ends_with(".config/moorline/config.toml, line 13: no"), "a key has its line: {wrong}");
        let rest =
            Settings { projects: vec![], catalog: None, manifest: None, origin: Origin::default(), ..got };
        let expected = Settings {
            places: vec!["a/**".into()],
            theme: "ansi".into(),
            keys: vec![("quit".into(), "ctrl-q".into())],
            mouse: true,
            archive_after_days: 7,
            trash_quota: 3,
            read_limit: 1000,
            decision_threshold: 250,
            remote_limit: 5,
            ..Settings::default()
        };
        assert_eq!(rest, expected, "no key is read and dropped");
    }

    #[test]
    fn the_environment_lies_over_the_file() {
        let file = Some("theme = 'ansi'\nread_limit = 5\n");
        let theme = |vars: &[(&str, &str)]| with(file, vars).map(|settings| settings.theme);
        assert_eq!(theme(&[]).as_deref(), Ok("ansi"), "control: the file alone");
        assert_eq!(theme(&[("NO_COLOR", "1")]).as_deref(), Ok("mono"), "NO_COLOR asks for no colour");
        assert_eq!(theme(&[("NO_COLOR", "")]).as_deref(), Ok("ansi"), "an empty NO_COLOR asks for nothing");
        let both = [("NO_COLOR", "1"), ("MOORLINE_THEME", "auto")];
        assert_eq!(theme(&both).as_deref(), Ok("auto"), "moorline's own variable is the nearer one");
        let limit = with(file, &[("MOORLINE_READ_LIMIT", "9")]).unwrap().read_limit;
        assert_eq!(limit, 9, "a number is taken from the environment");
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line_or_variable() {
        for (file, line, word) in [
            ("theme = 'auto'\ncolour = 'red'\n", 2, "colour"),
            ("\n\ntheme = 'rainbow'\n", 3, "rainbow"),
            ("mouse = 'yes'\n", 1, "bool"),
            ("a = = 1\n", 1, ""),
            ("theme = 'auto'\ntheme = 'mono'\n", 2, "dup"),
            ("\ndecision_threshold = 3.0\n", 2, "0 to 1"),
            ("read_limit = 0\n", 1, "limit"),
            ("remote_limit = 601\n", 1, "1 to 600"),
        ] {
            let error = with(Some(file), &[]).expect_err("a wrong file is an error");
            let place = format!(".config/moorline/config.toml, line {line}: ");
            assert!(error.starts_with(&place), "{error} must name file and line {line}");
            assert!(error.contains(word), "{error} must say what is wrong ({word})");
        }
        let error = with(None, &[("MOORLINE_MOUSE", "maybe")]).expect_err("a wrong variable is an error");
        assert_eq!(error, "MOORLINE_MOUSE: true or false is needed", "the variable is named");
        let error = with(None, &[("MOORLINE_CONFIG", "/nonexistent/moorline.toml")]);
        assert!(error.is_err(), "a file that was asked for by name must be there");
    }
}
