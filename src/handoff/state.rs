//! What a file of no fixed shape says of its surroundings when it was saved: the worktree's state, the directory, the
//! repository. Where it does not plainly say it, it says nothing.

use std::borrow::Cow;

use super::facts::code_span;
use super::fold::{fold, fold_identifier};
use super::items::{cells, keyed};
use super::labels::{Label, before_bracket, is_nothing, is_placeholder};
use super::markdown::{Kind, Line};
use super::model::{Fields, Handoff, Noted, TreeState, Value};
use super::outline::Outline;

/// How many visible lines may say it outside of a section for facts.
const HEAD_LINES: usize = 60;
/// How much of a line is looked at, in bytes.
const LONGEST: usize = 400;
/// How deep fields are looked into.
const DEEPEST: usize = 3;

/// Names of the worktree's state; folded.
const TREE: &[&str] = &[
    "uncommitted changes",
    "uncommitted",
    "uncommitted work",
    "uncommitted files",
    "git status",
    "working tree",
    "working tree status",
    "working tree state",
    "worktree status",
    "worktree state",
    "tree",
    "tree status",
    "dirty files",
    "dirty",
    "local changes",
    "未提交更改",
    "未提交的更改",
    "未提交修改",
    "工作区",
    "工作区状态",
    "未コミット",
    "未コミットの変更",
    "作業ツリー",
    "незакоммиченные изменения",
    "рабочее дерево",
    "nicht committete änderungen",
    "arbeitsbaum",
    "cambios sin confirmar",
    "cambios sin commitear",
    "alterações não commitadas",
    "modifications non validées",
    "커밋되지 않은 변경",
    "작업 트리",
];
/// Names of the directory; folded.
const DIRECTORY: &[&str] = &[
    "working directory",
    "workdir",
    "work dir",
    "working dir",
    "cwd",
    "current directory",
    "project root",
    "project directory",
    "project dir",
    "project path",
    "repo path",
    "repo root",
    "repository path",
    "repository root",
    "root",
    "root path",
    "worktree",
    "worktree path",
    "directory",
    "local path",
    "工作目录",
    "作業ディレクトリ",
    "рабочий каталог",
    "arbeitsverzeichnis",
    "directorio de trabajo",
    "diretório de trabalho",
];
/// Names of the repository; folded.
const REPOSITORY: &[&str] =
    &["repo", "repository", "git repo", "git repository", "remote", "origin", "git remote", "仓库"];
/// Single words behind such a name that are no repository's.
const NO_REPOSITORY: &[&str] = &[
    "monorepo",
    "local",
    "this",
    "private",
    "public",
    "yes",
    "same",
    "here",
    "github",
    "gitlab",
    "clean",
    "unknown",
    "dirty",
    "current",
    "origin",
    "main",
    "initialized",
    "up-to-date",
    "synced",
    "pushed",
];
/// Beginnings of a value that says that nothing is uncommitted; lower case.
const CLEAN: &[&str] = &[
    "clean",
    "nothing to commit",
    "working tree clean",
    "working tree is clean",
    "no uncommitted",
    "no changes",
    "no local changes",
    "all committed",
    "everything committed",
    "everything is committed",
    "false",
    "0",
    "чист",
    "干净",
    "クリーン",
    "limpi",
    "limp",
    "sauber",
    "propre",
    "깨끗",
];
/// Words that take such a value back in part.
const BUT: &[&str] =
    &["except", "but", "apart", "besides", "only", "plus", "aside", "other than", "untracked", "with"];
/// The same said in a sentence.
const SENTENCES: &[&str] = &[
    "working tree clean",
    "working tree is clean",
    "working tree: clean",
    "worktree is clean",
    "worktree clean",
    "git status clean",
    "git status is clean",
    "git status: clean",
    "clean working tree",
    "nothing to commit",
    "no uncommitted changes",
    "tree is clean",
];
/// Words that make it a wish or a rule.
const WISHES: &[&str] = &[
    "should",
    "must",
    "make sure",
    "ensure",
    "before",
    "until",
    "keep",
    "if ",
    "when",
    "verify",
    "check",
    "not ",
    "isn't",
    "wasn't",
    "will",
    "expect",
    "need",
    "once",
    "after",
    "unless",
];

/// Takes what the lines say into the handoff.
pub(super) fn take_lines(lines: &[Line<'_>], outline: &Outline, handoff: &mut Handoff) {
    let mut seen = 0;
    for (line, owner) in lines.iter().zip(&outline.owner) {
        seen += usize::from(matches!(line.kind, Kind::Text | Kind::Heading(_)));
        if line.kind != Kind::Text || line.text.len() > LONGEST || !holds_facts(outline, *owner, seen) {
            continue;
        }
        let text = line.said();
        let pairs = match cells(text) {
            Some(row) => {
                row.first().zip(row.get(1)).map(|(a, b)| (a.clone(), b.clone())).into_iter().collect()
            }
            None => pairs(text),
        };
        let mut told = false;
        for (name, value) in pairs {
            told |= take(handoff, &fold(before_bracket(&name)), &value, line.number);
        }
        if !told {
            take_sentence(handoff, text, line.number);
        }
    }
}

/// Takes what the fields of data or front matter say into the handoff.
pub(super) fn take_fields(handoff: &mut Handoff) {
    let mut found = Vec::new();
    gather(&handoff.fields, 0, &mut found);
    for (name, value, line) in found {
        take(handoff, &name, &value, line);
    }
}

fn gather(fields: &Fields, depth: usize, out: &mut Vec<(String, String, u32)>) {
    for field in fields {
        let name = fold_identifier(field.name.raw());
        match &field.value {
            Value::Text(_) | Value::Bool(_) | Value::Number(_) if !tells(&name) => {}
            Value::Text(text) => out.push((name, text.raw().to_owned(), field.line)),
            Value::Bool(yes) => out.push((name, yes.to_string(), field.line)),
            Value::Number(number) => out.push((name, number.to_string(), field.line)),
            Value::List(items) if items.is_empty() && TREE.contains(&name.as_str()) => {
                out.push((name, "none".to_owned(), field.line));
            }
            Value::Map(inner) if depth < DEEPEST => gather(inner, depth + 1, out),
            _ => {}
        }
    }
}

fn holds_facts(outline: &Outline, owner: Option<usize>, seen: usize) -> bool {
    let mut facts = seen <= HEAD_LINES;
    for section in outline.path(owner) {
        match section.label() {
            Some(Label::Facts | Label::Status | Label::Branch | Label::Commit) => facts = true,
            Some(
                Label::Past
                | Label::Decisions
                | Label::Open
                | Label::Next
                | Label::Todo
                | Label::Blockers
                | Label::Trouble,
            ) => return false,
            _ => {}
        }
    }
    facts
}

/// The names and values of a line, also of several joined ones. Most lines have none, and cost nothing.
fn pairs(text: &str) -> Vec<(String, String)> {
    if !text.contains([':', '：']) {
        return Vec::new();
    }
    let mut text = Cow::Borrowed(text);
    if text.contains(['|', '•', '；']) {
        for joint in [" | ", " • ", "；"] {
            text = Cow::Owned(text.replace(joint, " · "));
        }
    }
    let pieces = text.split(" · ").filter_map(keyed);
    pieces.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

/// Whether a folded name is one of these.
fn tells(name: &str) -> bool {
    TREE.contains(&name) || DIRECTORY.contains(&name) || is_repository(name)
}

fn is_repository(name: &str) -> bool {
    REPOSITORY.contains(&name) || name == "project"
}

/// Takes one pair in; whether its name was one of these.
fn take(handoff: &mut Handoff, name: &str, value: &str, line: u32) -> bool {
    let value = value.trim();
    if value.is_empty() || is_placeholder(value) {
        return false;
    }
    if TREE.contains(&name) {
        take_tree(handoff, tree_state(value), value, line);
        return true;
    }
    let is_repository = is_repository(name);
    if (DIRECTORY.contains(&name) || is_repository)
        && let Some(path) = directory(value)
    {
        handoff.directory.get_or_insert_with(|| Noted { value: path.into(), written: value.into(), line });
        return true;
    }
    if is_repository && let Some(found) = repository(value, name != "project") {
        handoff.repository.get_or_insert_with(|| Noted { value: found.into(), written: value.into(), line });
        return true;
    }
    false
}

fn take_tree(handoff: &mut Handoff, state: TreeState, written: &str, line: u32) {
    let agrees = |known: &Noted<TreeState>| known.value == state;
    match &mut handoff.tree {
        None => handoff.tree = Some(Noted { value: state, written: written.into(), line }),
        Some(known) if agrees(known) => {}
        // Said in two ways: neither is taken for it.
        Some(known) => known.value = TreeState::Words,
    }
}

fn take_sentence(handoff: &mut Handoff, text: &str, line: u32) {
    // Each of the sentences has one of these words; marks within a word are looked through below.
    let begins = |rest: &[u8], word: &[u8]| {
        rest.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word))
    };
    let told_at = |(at, byte): (usize, &u8)| match byte {
        b'`' | b'*' => true,
        b'c' | b'C' => {
            let rest = &text.as_bytes()[at..];
            begins(rest, b"clean") || begins(rest, b"commit")
        }
        _ => false,
    };
    if !text.as_bytes().iter().enumerate().any(told_at) {
        return;
    }
    let lower = text.to_lowercase().replace(['`', '*'], "");
    let may_say = lower.contains("clean") || lower.contains("commit");
    let said = may_say && SENTENCES.iter().any(|sentence| lower.contains(sentence));
    if said && !WISHES.iter().chain(BUT).any(|word| lower.contains(word)) {
        take_tree(handoff, TreeState::Dirty(0), text, line);
    }
}

/// What a value says of the worktree.
fn tree_state(value: &str) -> TreeState {
    let bare =
        code_span(value).map_or(value, |(code, rest)| if rest.trim().is_empty() { code } else { value });
    let lower = bare.trim_matches(['*', '_', '`', ' ', '✅', '.']).to_lowercase();
    let mut numbers = lower.split(|c: char| !c.is_alphanumeric()).filter_map(|word| word.parse::<u64>().ok());
    let first = numbers.next();
    if BUT.iter().any(|word| lower.contains(word)) {
        return TreeState::Words;
    }
    if let (Some(count), None) = (first, numbers.next()) {
        let rest = lower.strip_prefix(&count.to_string()).map(str::trim);
        let counts = |rest: &str| {
            rest.is_empty()
                || ["file", "modified", "changed", "dirty", "uncommitted", "change"]
                    .iter()
                    .any(|word| rest.starts_with(word))
                    && !rest.contains([',', '+', '/'])
        };
        return if rest.is_some_and(counts) { TreeState::Dirty(count) } else { TreeState::Words };
    }
    let clean = first.is_none() && (is_nothing(bare) || CLEAN.iter().any(|word| lower.starts_with(word)));
    if clean { TreeState::Dirty(0) } else { TreeState::Words }
}

/// The absolute directory that a value is.
fn directory(value: &str) -> Option<&str> {
    let path = code_span(value)
        .map_or_else(|| value.split_whitespace().next().unwrap_or_default(), |(code, _)| code);
    let path = path.trim_matches(['"', '\'', '*', '_', ',', ' ']);
    let absolute = ["/", "~/", "$HOME/"].iter().any(|begin| path.starts_with(begin)) || path == "~";
    (absolute && path.len() > 1 && !path.contains(['<', '{', '*']) && !path.contains("//")).then_some(path)
}

/// The repository that a value names: an address, `host/owner/name`, `owner/name`, or one word where `words` says so.
fn repository(value: &str, words: bool) -> Option<&str> {
    let (name, rest) = match code_span(value) {
        Some(found) => found,
        None => match value.strip_prefix('[').and_then(|inner| inner.split_once("](")) {
            Some((_, target)) => target.split_once(')')?,
            None => value.split_once(char::is_whitespace).unwrap_or((value, "")),
        },
    };
    let name = name.trim_matches(['"', '\'', '*', '_', '<', '>', ',']);
    let rest = rest.trim_start_matches(['*', '_', ' ']);
    let alone = rest.is_empty() || rest.starts_with(['(', '（', '—', '–', '-', ',', '|', '·', '@']);
    let plain = |text: &str| {
        !text.is_empty()
            && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-'))
            && text.bytes().any(|b| b.is_ascii_alphabetic())
    };
    if !alone || name.contains(['{', '<']) {
        return None;
    }
    let is_address = name.contains("://") || name.starts_with("git@");
    let parts: Vec<&str> = name.split('/').collect();
    let is_path = (2..=3).contains(&parts.len()) && parts.iter().all(|part| plain(part));
    let is_word =
        words && plain(name) && !is_nothing(name) && !NO_REPOSITORY.contains(&name.to_lowercase().as_str());
    (is_address || is_path || is_word).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::handoff::{Habit, Source, read};

    fn handoff(name: &str, text: &str) -> Handoff {
        let source = Source { bytes: text.as_bytes(), name, habit: Habit::Other, cut_from: None };
        read(&source).remove(0)
    }

    #[test]
    fn every_sentence_has_one_of_the_two_words_that_lines_are_sifted_by() {
        let has = |sentence: &&str| sentence.contains("clean") || sentence.contains("commit");
        assert!(SENTENCES.iter().all(has), "a sentence without them would never be looked for");
    }

    #[test]
    fn the_worktrees_state_is_read_where_it_is_plainly_said() {
        for (line, state) in [
            ("**Uncommitted changes:** none", Some(TreeState::Dirty(0))),
            ("- Git status: clean", Some(TreeState::Dirty(0))),
            ("Git status: `clean`, pushed", Some(TreeState::Dirty(0))),
            ("Branch: main · Working tree: clean", Some(TreeState::Dirty(0))),
            ("All pushed, working tree clean.", Some(TreeState::Dirty(0))),
            ("| Uncommitted changes | none |", Some(TreeState::Dirty(0))),
            ("Uncommitted changes: 3 files", Some(TreeState::Dirty(3))),
            ("Dirty files: 2", Some(TreeState::Dirty(2))),
            ("Uncommitted changes: src/a.rs, src/b.rs", Some(TreeState::Words)),
            ("Git status: clean except notes.txt", Some(TreeState::Words)),
            ("未提交更改：无", Some(TreeState::Dirty(0))),
            ("Make sure the working tree is clean.", None),
            ("Uncommitted changes: <list>", None),
        ] {
            let said = handoff("HANDOFF.md", &format!("# Notes\n\n{line}\n")).tree;
            assert_eq!(said.map(|said| said.value), state, "{line:?}");
        }
        let next = handoff("HANDOFF.md", "# Notes\n\n## Next steps\n- Git status: clean\n");
        assert_eq!(next.tree, None, "a step says nothing of what was");
        let twice = handoff("HANDOFF.md", "# Notes\n\nGit status: clean\nUncommitted changes: 2\n");
        assert_eq!(twice.tree.map(|said| said.value), Some(TreeState::Words), "said in two ways: neither");
        let data = handoff("handoff.json", r#"{"git": {"uncommitted_changes": [], "cwd": "/src/api"}}"#);
        assert_eq!(data.tree.map(|said| said.value), Some(TreeState::Dirty(0)), "data says it by its names");
        assert_eq!(data.directory.map(|said| said.value.raw().to_owned()).as_deref(), Some("/src/api"));
    }

    #[test]
    fn directory_and_repository_are_read_where_they_plainly_are_one() {
        for (line, directory, repository) in [
            ("Working directory: `/home/ada/api`", Some("/home/ada/api"), None),
            ("**Repo:** ~/src/api", Some("~/src/api"), None),
            ("Repo: acme/api", None, Some("acme/api")),
            ("Repository: https://example.org/acme/api.git", None, Some("https://example.org/acme/api.git")),
            ("Repo: api (private)", None, Some("api")),
            ("Repo: clean, pushed", None, None),
            ("Project: Kiln monitor", None, None),
            ("Project: kiln", None, None),
            ("Repo: the one for the kiln", None, None),
            ("Directory: src/api", None, None),
        ] {
            let said = handoff("HANDOFF.md", &format!("# Notes\n\n{line}\n"));
            let text =
                |noted: Option<Noted<super::super::Inert>>| noted.map(|noted| noted.value.raw().to_owned());
            assert_eq!(text(said.directory).as_deref(), directory, "{line:?}");
            assert_eq!(text(said.repository).as_deref(), repository, "{line:?}");
        }
    }
}
