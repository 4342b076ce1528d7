//! Words that look like paths of a project.

use crate::handoff::RelPath;

/// Endings of files that people name without a directory.
const ENDINGS: &[&str] = &[
    "rs", "md", "toml", "json", "yaml", "yml", "py", "ts", "tsx", "js", "jsx", "mjs", "go", "java", "kt",
    "rb", "c", "h", "cc", "cpp", "hpp", "cs", "sh", "sql", "html", "css", "scss", "lock", "txt", "xml",
    "svg", "ini", "cfg", "proto", "swift", "php", "vue", "ex", "exs", "lua", "dart", "tf", "csv",
];

/// Products that are called like a file.
const PRODUCTS: &[&str] = &[
    "node.js",
    "next.js",
    "vue.js",
    "react.js",
    "nuxt.js",
    "three.js",
    "d3.js",
    "express.js",
    "ember.js",
    "backbone.js",
    "discord.js",
];

/// Ends of the names of hosts: what begins with one is an address, with or without its scheme.
const HOSTS: &[&str] = &[
    "com", "org", "net", "io", "dev", "app", "ai", "edu", "gov", "co", "uk", "de", "fr", "es", "br", "jp",
    "cn", "kr", "ru", "eu", "us", "cloud", "xyz", "site", "online", "page", "tech", "info", "me", "tv", "nl",
    "pl", "it", "ch", "at", "ca", "au", "tw", "vn", "tr",
];

fn is_host(first: &str) -> bool {
    let end = first.rsplit_once('.').filter(|(name, _)| !name.is_empty()).map(|(_, end)| end);
    end.is_some_and(|end| HOSTS.contains(&end)) || first == "localhost"
}

/// `18`, `v1.2`: what stands before the dot of `18.x` and `v1.2.rc`.
fn is_version(stem: &str) -> bool {
    let digits = stem.strip_prefix('v').unwrap_or(stem);
    digits.starts_with(|c: char| c.is_ascii_digit())
        && digits.bytes().all(|b| b.is_ascii_digit() || b == b'.')
}

/// The text as a path, less `./` and a line number behind it; `None` where it does not look like one.
fn as_path(text: &str) -> Option<&str> {
    if !text.bytes().any(|b| matches!(b, b'/' | b'.')) {
        return None;
    }
    let text = text.strip_prefix("./").unwrap_or(text);
    let text = without_line(text);
    let odd = |c: char| c.is_whitespace() || "*?{}<>|$()\"'=,;!&@~%^[]:\\…".contains(c) || c.is_control();
    if text.len() < 3 || text.len() > 240 || text.chars().any(odd) || text.starts_with(['-', '/', '#']) {
        return None;
    }
    // `reports/YYYY-MM-DD.md` is the form of a name.
    if text.contains("YYYY") || text.contains("XXX") {
        return None;
    }
    if text.split('/').any(|part| part == ".." || part == "...")
        || text.contains("//")
        || text.contains("...")
    {
        return None;
    }
    let name = text.rsplit('/').next().unwrap_or(text);
    let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
    let known = ENDINGS.contains(&ending.to_ascii_lowercase().as_str());
    let Some((first, _)) = text.split_once('/') else {
        let is_product = PRODUCTS.contains(&text.to_ascii_lowercase().as_str());
        return (known && !stem.is_empty() && !is_product).then_some(text);
    };
    if is_host(first) || text.starts_with("path/to/") || ending == "git" || (!known && is_version(stem)) {
        return None;
    }
    let is_directory = name.is_empty();
    let has_ending = (1..=8).contains(&ending.len()) && ending.bytes().any(|b| b.is_ascii_alphabetic());
    (is_directory || known || (has_ending && ending.bytes().all(|b| b.is_ascii_alphanumeric())))
        .then_some(text)
}

/// Files without an ending, or with one of their own, that people name without a directory.
const NAMES: &[&str] = &[
    "Makefile",
    "Dockerfile",
    "Containerfile",
    "Justfile",
    "justfile",
    "Procfile",
    "Gemfile",
    "Rakefile",
    "Vagrantfile",
    "Jenkinsfile",
    "Brewfile",
    "LICENSE",
    "NOTICE",
    "CODEOWNERS",
    "Caddyfile",
    "Tiltfile",
    "Pipfile",
    ".gitignore",
    ".gitattributes",
    ".gitmodules",
    ".dockerignore",
    ".editorconfig",
    ".env",
    ".env.example",
    ".npmrc",
    ".nvmrc",
    ".prettierrc",
    ".eslintrc",
    ".mailmap",
    ".tool-versions",
    ".envrc",
];

/// Directories of what is built, fetched or kept for a while: nothing there is a file of the project.
const BUILT: &[&str] = &[
    "target",
    "node_modules",
    "dist",
    "build",
    "out",
    "tmp",
    "temp",
    ".next",
    ".nuxt",
    ".venv",
    "venv",
    "__pycache__",
    ".cache",
    ".pytest_cache",
    ".mypy_cache",
    "coverage",
    ".turbo",
    ".gradle",
    "logs",
];

/// Whether a path leads into a directory of what is built or fetched.
pub fn is_built(path: &str) -> bool {
    path.split('/').any(|part| BUILT.contains(&part)) && path.contains('/')
}

/// A word of a sentence without the marks around it.
pub fn without_marks(word: &str) -> &str {
    let word = word.strip_suffix("'s").or_else(|| word.strip_suffix("’s")).unwrap_or(word);
    let word = word.trim_start_matches(|c: char| "*_\"'“”‘’«»([<{—–".contains(c));
    word.trim_end_matches(|c: char| "*_\"'“”‘’«»)]>},;:.!?…—–".contains(c))
}

/// A word of a sentence as a path that may be meant: with the ending of a file, or the slash of a directory behind
/// several names.
pub fn as_bare_path(word: &str) -> Option<&str> {
    let path = as_path(word)?;
    let is_directory = path.ends_with('/') && path.matches('/').count() > 1;
    (names_a_file(path) || is_directory).then_some(path)
}

/// A name in code, or at the head of a list item, as a path that may be meant although it does not look like one:
/// without an ending, with blanks, or with the brackets that some frameworks put into their names.
pub fn as_loose_path(text: &str) -> Option<&str> {
    let text = text.trim_matches('"');
    let text = without_line(text.strip_prefix("./").unwrap_or(text));
    if NAMES.contains(&text) {
        return Some(text);
    }
    let odd = |c: char| "*?{}<>|$\"'=,;!&@~%^:\\…".contains(c) || c.is_control();
    if !(3..=240).contains(&text.len()) || text.chars().any(odd) || text.starts_with(['-', '/', '#']) {
        return None;
    }
    let parts: Vec<&str> = text.trim_end_matches('/').split('/').collect();
    if parts.len() < 2
        || parts.iter().any(|part| part.is_empty() || part.starts_with('.') && part.ends_with('.'))
    {
        return None;
    }
    let first = text.split_whitespace().next().unwrap_or_default();
    let is_plain = |part: &&str| {
        part.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '+'))
            && part.chars().any(char::is_alphabetic)
    };
    let is_grouped = |part: &&str| {
        [('[', ']'), ('(', ')')].iter().any(|&(opens, closes)| {
            part.strip_prefix(opens)
                .and_then(|part| part.strip_suffix(closes))
                .is_some_and(|part| is_plain(&part.trim_matches(['[', ']', '.'])))
        })
    };
    let is_path = if first.len() < text.len() {
        // `cat src/a.rs` and `src/a.rs src/b.rs` are no names with blanks.
        first.contains('/') && !has_ending(first) && has_ending(text)
    } else if parts.iter().all(is_plain) {
        !is_host(parts[0])
    } else {
        names_a_file(text) && parts.iter().all(|part| is_plain(part) || is_grouped(part))
    };
    is_path.then_some(text)
}

/// Beginnings of absolute paths that are no addresses of a server.
const ROOTS: &[&str] = &[
    "home",
    "Users",
    "tmp",
    "var",
    "etc",
    "opt",
    "srv",
    "usr",
    "root",
    "mnt",
    "media",
    "private",
    "workspace",
    "workspaces",
    "Volumes",
    "Applications",
    "Library",
    "dev",
    "proc",
    "bin",
    "lib",
];

/// The text as a path: one below where it is written, or of the kinds of [`as_outer_path`].
pub fn as_any_path(text: &str) -> Option<&str> {
    as_path(text).or_else(|| as_outer_path(text))
}

/// The text as a path that is not one below where it is written: absolute, of a home directory, or with `..` in it.
/// One of a drive is none: it cannot be compared with anything here.
pub fn as_outer_path(text: &str) -> Option<&str> {
    let text = without_line(text);
    let odd = |c: char| c.is_whitespace() || "*?{}<>|()\"'=,;!&@%^[]`".contains(c) || c.is_control();
    if text.len() < 4
        || text.len() > 240
        || text.chars().any(odd)
        || text.contains("//")
        || text.contains("...")
    {
        return None;
    }
    if text.contains([':', '\\']) {
        return None;
    }
    if let Some(below) = ["~/", "$HOME/"].iter().find_map(|home| text.strip_prefix(home)) {
        return (!below.is_empty()).then_some(text);
    }
    if text.contains(['$', '~']) {
        return None;
    }
    let has_ending = names_a_file(text);
    if let Some(below) = text.strip_prefix('/') {
        let first = below.split_once('/')?.0;
        return (has_ending || ROOTS.contains(&first)).then_some(text);
    }
    let climbs = text.split('/').any(|part| part == "..");
    (climbs && (has_ending || text.ends_with('/'))).then_some(text)
}

/// The words of a list of files as a path of the project: any name will do there, also one without an ending.
pub fn as_listed_path(text: &str) -> Option<&str> {
    let text = without_line(text.trim());
    let text = text.strip_prefix("./").unwrap_or(text);
    let is_plain = !text.chars().any(|c| c.is_whitespace() || "*?{}<>|$\"'`\\".contains(c));
    let is_plain = is_plain && text.as_bytes().get(1) != Some(&b':');
    (is_plain && text != "." && RelPath::parse(text).is_ok()).then_some(text)
}

/// Whether the last name has an ending as files have them.
fn has_ending(text: &str) -> bool {
    let name = text.rsplit('/').next().unwrap_or(text);
    name.rsplit_once('.').is_some_and(|(stem, ending)| {
        !stem.is_empty()
            && (1..=5).contains(&ending.len())
            && ending.bytes().all(|b| b.is_ascii_alphanumeric())
    })
}

/// Without what points into a file: `:12`, `:12:3`, `#L12`, `#section`, `::symbol`.
fn without_line(text: &str) -> &str {
    let mut text = text.split_once("#L").map_or(text, |(path, _)| path);
    for mark in ["::", "#", "("] {
        text = text.split_once(mark).map(|(path, _)| path).filter(|path| names_a_file(path)).unwrap_or(text);
    }
    while let Some((path, digits)) = text.rsplit_once(':') {
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit() || b == b'-') {
            break;
        }
        text = path;
    }
    text
}

/// Whether a path's last name has an ending that only files have.
pub fn names_a_file(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    ending.is_some_and(|ending| ENDINGS.contains(&ending.as_str()))
}
