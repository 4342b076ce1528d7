//! What a handoff's text names: paths, commits, branches, tags, issues. Pure: finding them only; whether they
//! hold is looked up by the survey.
//!
//! Better to miss a claim than to take an innocent word for one: a false alarm makes the whole list worthless.

use std::collections::BTreeSet;

use crate::handoff::{Inert, RelPath, Revision};

/// What kind of thing a text names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// A path.
    Path,
    /// A commit.
    Commit,
    /// A branch.
    Branch,
    /// A tag.
    Tag,
    /// An issue or a pull request.
    Issue,
}

impl Kind {
    /// The word in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::Commit => "commit",
            Self::Branch => "branch",
            Self::Tag => "tag",
            Self::Issue => "issue",
        }
    }
}

/// How a thing is named: what its absence means hangs on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tone {
    /// Only where something is still to be done: it may be yet to be made.
    Planned,
    /// In passing; a bare file name may then mean a file anywhere.
    Said,
    /// In a list of files: a name there is a path of this project.
    Listed,
}

/// Something that the text names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mention {
    /// What it is taken for.
    pub kind: Kind,
    /// Its words.
    pub text: Inert,
    /// Its line in the file, from 1.
    pub line: u32,
    /// How it is named.
    pub tone: Tone,
}

/// How many mentions of one handoff are looked up at most.
pub const MOST: usize = 400;

/// The longest line that is looked into, in bytes.
const LONGEST_LINE: usize = 8 * 1024;

/// Finds what lines `first` to `last` (from 1, both included) name, outside fences and comments; each thing once,
/// at its first line. Lines of `planned` speak of what is still to be done.
pub fn find(text: &str, (first, last): (u32, u32), planned: &BTreeSet<u32>) -> Vec<Mention> {
    let mut found = Finder { mentions: Vec::new(), tone: Tone::Said };
    let mut fence: Option<Fence> = None;
    let mut comment = false;
    for (number, line) in (1_u32..).zip(text.lines()) {
        if number > last || found.mentions.len() >= MOST {
            break;
        }
        let trimmed = line.trim_start();
        match (&fence, Fence::opening(trimmed)) {
            (Some(open), _) => {
                if open.is_closed_by(trimmed) {
                    fence = None;
                }
                continue;
            }
            (None, Some(open)) if !comment => {
                fence = Some(open);
                continue;
            }
            _ => {}
        }
        let starts = trimmed.starts_with("<!--");
        let hidden = comment || starts;
        comment = hidden && !line.contains("-->");
        if hidden || number < first || line.len() > LONGEST_LINE {
            continue;
        }
        found.tone = if planned.contains(&number) { Tone::Planned } else { Tone::Said };
        found.line(line, number);
    }
    found.mentions
}

/// An open code fence.
struct Fence {
    mark: char,
    length: usize,
}

impl Fence {
    fn opening(trimmed: &str) -> Option<Self> {
        let mark = trimmed.chars().next().filter(|c| matches!(c, '`' | '~'))?;
        let length = trimmed.chars().take_while(|&c| c == mark).count();
        // A run of backticks with another one later in the line is a code span.
        let is_span = mark == '`' && trimmed[length..].contains('`');
        (length >= 3 && !is_span).then_some(Self { mark, length })
    }

    fn is_closed_by(&self, trimmed: &str) -> bool {
        let length = trimmed.chars().take_while(|&c| c == self.mark).count();
        length >= self.length && trimmed[length..].trim().is_empty()
    }
}

struct Finder {
    mentions: Vec<Mention>,
    /// How the line at hand names things.
    tone: Tone,
}

impl Finder {
    fn add(&mut self, kind: Kind, text: &str, line: u32) {
        add(&mut self.mentions, Mention { kind, text: text.into(), line, tone: self.tone });
    }

    fn line(&mut self, line: &str, number: u32) {
        let mut prose = String::with_capacity(line.len());
        // Odd pieces between backticks are code spans; an unpaired backtick opens none.
        let pieces: Vec<_> = line.split('`').collect();
        let paired = if pieces.len() % 2 == 0 { pieces.len() - 1 } else { pieces.len() };
        for (index, piece) in pieces.iter().enumerate() {
            if index % 2 == 1 && index < paired {
                self.span(piece, &prose, number);
                prose.push(' ');
            } else {
                prose.push_str(piece);
            }
        }
        self.links(&prose, number);
        self.list_item(&prose, number);
        self.commits(&prose, number);
        self.issues(&prose, number);
    }

    /// A code span, with the prose before it.
    fn span(&mut self, span: &str, before: &str, number: u32) {
        let span = span.trim();
        let word = before.rsplit(|c: char| c.is_whitespace()).find(|word| !trim_word(word).is_empty());
        match word.map(|word| trim_word(word).to_lowercase()).as_deref() {
            Some("branch" | "branches") if is_ref(span) => return self.add(Kind::Branch, span, number),
            Some("tag" | "tags") if is_ref(span) => return self.add(Kind::Tag, span, number),
            _ => {}
        }
        if is_abbreviation(span) {
            self.add(Kind::Commit, span, number);
        } else if let Some(path) = as_path(span) {
            self.add(Kind::Path, path, number);
        }
    }

    /// Markdown links to files.
    fn links(&mut self, prose: &str, number: u32) {
        for piece in prose.split("](").skip(1) {
            let Some((target, _)) = piece.split_once(')') else { continue };
            let target = target.split(['#', ' ']).next().unwrap_or_default();
            if let Some(path) = as_path(target) {
                self.add(Kind::Path, path, number);
            }
        }
    }

    /// A list item that begins with a path.
    fn list_item(&mut self, prose: &str, number: u32) {
        let Some(item) = ["- ", "* ", "+ "].iter().find_map(|bullet| prose.trim_start().strip_prefix(bullet))
        else {
            return;
        };
        let item = ["[ ] ", "[x] ", "[X] "].iter().find_map(|mark| item.strip_prefix(mark)).unwrap_or(item);
        let word = item.split_whitespace().next().unwrap_or_default();
        let word = word.trim_end_matches([':', ',', ';', '.']);
        if word.contains('/')
            && let Some(path) = as_path(word)
        {
            self.add(Kind::Path, path, number);
        }
    }

    /// Hex words near a word about commits.
    fn commits(&mut self, prose: &str, number: u32) {
        let lower = prose.to_lowercase();
        if !["commit", "sha", "hash", "head", "revision", "merged"].iter().any(|word| lower.contains(word)) {
            return;
        }
        for word in
            prose.split(|c: char| !(c.is_alphanumeric() || c == '/' || c == '-' || c == '_' || c == '.'))
        {
            let word = word.trim_matches(['.', '-']);
            if is_abbreviation(word) {
                self.add(Kind::Commit, word, number);
            }
        }
    }

    /// `owner/repo#12` and `#12`.
    fn issues(&mut self, prose: &str, number: u32) {
        for word in prose.split_whitespace() {
            let word = word.trim_matches(|c: char| "().,;:[]!?\"'*_".contains(c));
            let Some((owner, digits)) = word.split_once('#') else { continue };
            let is_number =
                !digits.is_empty() && digits.len() <= 9 && digits.bytes().all(|b| b.is_ascii_digit());
            let is_place =
                owner.is_empty() || owner.split_once('/').is_some_and(|(a, b)| is_name(a) && is_name(b));
            if is_number && is_place {
                self.add(Kind::Issue, word, number);
            }
        }
    }
}

/// Adds a mention; of a thing that is named already, the more binding tone stands.
pub fn add(mentions: &mut Vec<Mention>, mention: Mention) {
    let same = |known: &&mut Mention| known.kind == mention.kind && known.text == mention.text;
    if let Some(known) = mentions.iter_mut().find(same) {
        known.tone = known.tone.max(mention.tone);
    } else if mentions.len() < MOST {
        mentions.push(mention);
    }
}

fn trim_word(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric())
}

fn is_name(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with('-')
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-'))
}

fn is_ref(text: &str) -> bool {
    crate::handoff::BranchName::parse(text).is_ok()
}

/// 7 to 40 hex digits, at least one of them a letter, unless it is a full id.
fn is_abbreviation(text: &str) -> bool {
    text.len() <= 40 && text.bytes().all(|b| b.is_ascii_hexdigit()) && Revision::parse(text).is_ok()
}

/// Endings of files that people name without a directory.
const ENDINGS: &[&str] = &[
    "rs", "md", "toml", "json", "yaml", "yml", "py", "ts", "tsx", "js", "jsx", "mjs", "go", "java", "kt",
    "rb", "c", "h", "cc", "cpp", "hpp", "cs", "sh", "sql", "html", "css", "scss", "lock", "txt", "xml",
    "svg", "ini", "cfg", "proto", "swift", "php", "vue", "ex", "exs", "lua", "dart", "tf", "csv",
];

/// The text as a path, less `./` and a line number behind it; `None` where it does not look like one.
pub fn as_path(text: &str) -> Option<&str> {
    let text = text.strip_prefix("./").unwrap_or(text);
    let text = without_line(text);
    let odd = |c: char| c.is_whitespace() || "*?{}<>|$()\"'=,;!&@~%^[]:\\".contains(c) || c.is_control();
    if text.len() < 3 || text.len() > 240 || text.chars().any(odd) || text.starts_with(['-', '/', '#']) {
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
    if !text.contains('/') {
        return (known && !stem.is_empty()).then_some(text);
    }
    let is_directory = name.is_empty();
    let has_ending = (1..=8).contains(&ending.len()) && ending.bytes().any(|b| b.is_ascii_alphabetic());
    (is_directory || known || (has_ending && ending.bytes().all(|b| b.is_ascii_alphanumeric())))
        .then_some(text)
}

/// The words of a list of files as a path of the project: any name will do there, also one without an ending.
pub fn as_listed_path(text: &str) -> Option<&str> {
    let text = without_line(text.trim());
    let text = text.strip_prefix("./").unwrap_or(text);
    let is_plain = !text.chars().any(|c| c.is_whitespace() || "*?{}<>|$\"'`".contains(c));
    (is_plain && text != "." && RelPath::parse(text).is_ok()).then_some(text)
}

/// Without `:12`, `:12:3` or `#L12` at the end.
fn without_line(text: &str) -> &str {
    let mut text = text.split_once("#L").map_or(text, |(path, _)| path);
    while let Some((path, digits)) = text.rsplit_once(':') {
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit() || b == b'-') {
            break;
        }
        text = path;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Vec<(Kind, String, u32)> {
        find(text, (1, u32::MAX), &BTreeSet::new())
            .into_iter()
            .map(|m| (m.kind, m.text.raw().to_owned(), m.line))
            .collect()
    }

    #[test]
    fn what_a_text_names_is_found_with_its_line() {
        let text = "# Title\nSee `src/auth/mod.rs:41` and [plan](plans/260325-auth/plan.md#next).\n\
                    - docs/api.md: rewritten\n- Commit 1a2b3c4 on branch `feat/auth`, tag `v1.2`\n\
                    Fixes acme/api#12, then #13.\n";
        assert_eq!(
            all(text),
            [
                (Kind::Path, "src/auth/mod.rs".into(), 2),
                (Kind::Path, "plans/260325-auth/plan.md".into(), 2),
                (Kind::Path, "docs/api.md".into(), 3),
                (Kind::Branch, "feat/auth".into(), 4),
                (Kind::Tag, "v1.2".into(), 4),
                (Kind::Commit, "1a2b3c4".into(), 4),
                (Kind::Issue, "acme/api#12".into(), 5),
                (Kind::Issue, "#13".into(), 5),
            ],
            "every kind is found once, at its line, without a line number or an anchor"
        );
    }

    #[test]
    fn fences_comments_and_innocent_words_name_nothing() {
        let text = "```\nsrc/in/fence.rs `src/a/b.rs`\n```\n<!-- `src/x/y.rs` -->\n`cargo test` and `and/or` and\n\
                    `Vec::new()` `https://example.org/a.md` `*.rs` `20260325` and `1234567` `std.io`\n\
                    - commit 20260325 is a date\n- origin/main was fetched\n";
        assert_eq!(all(text), [], "commands, globs, urls, dates and refs without their word are no claims");
        assert_eq!(
            all("~~~~\n```\n`a/b.rs`\n~~~~\n`c/d.rs`").len(),
            1,
            "a fence is closed by its own mark only"
        );
    }

    #[test]
    fn a_thing_is_planned_only_where_nothing_else_names_it() {
        let found = find("`a/one.rs` `a/two.rs`\nSee `a/two.rs`.\n", (1, 2), &BTreeSet::from([1]));
        let tones: Vec<_> = found.iter().map(|mention| (mention.text.raw(), mention.tone)).collect();
        assert_eq!(
            tones,
            [("a/one.rs", Tone::Planned), ("a/two.rs", Tone::Said)],
            "the report outweighs the plan"
        );
    }

    #[test]
    fn lines_of_another_record_are_not_looked_at() {
        let found = find("`a/one.rs`\n`a/two.rs`\n`a/three.rs`", (2, 2), &BTreeSet::new());
        assert_eq!(found.len(), 1, "only the handoff's own lines of a day file count");
        assert_eq!(found[0].line, 2, "and they keep the file's numbering");
    }
}
