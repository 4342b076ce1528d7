//! Which agent runtime asks: memtomem records are addressed to one.

use super::Examiner;

/// Runtimes by the variables that they set in the shells of their own tools.
const MARKS: &[(&str, &str)] = &[
    ("CLAUDECODE", "claude-code"),
    ("CLAUDE_CODE_SESSION_ID", "claude-code"),
    ("CODEX_SANDBOX", "codex-cli"),
    ("CODEX_THREAD_ID", "codex-cli"),
    ("OPENCODE", "opencode"),
];

/// The runtime that a person named, else the one whose environment this is, else `any`. Marks of several (one agent
/// started by another) name none.
pub(super) fn of(examiner: &Examiner) -> String {
    if let Some(named) = &examiner.runtime {
        return normal(named).to_owned();
    }
    let set = |name: &str| examiner.around().vars.keys().any(|key| key == name);
    let mut marked = MARKS.iter().filter(|(name, _)| set(name)).map(|(_, runtime)| *runtime);
    let first = marked.next().unwrap_or("any");
    if marked.all(|other| other == first) { first.to_owned() } else { "any".to_owned() }
}

/// A runtime's canonical name.
fn normal(name: &str) -> &str {
    match name {
        "claude" => "claude-code",
        "codex" => "codex-cli",
        "kimi" => "kimi-code",
        "antigravity" | "agy" => "antigravity-cli",
        other => other,
    }
}
