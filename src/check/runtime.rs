//! Which agent runtime asks: memtomem records are addressed to one.

use super::Examiner;

/// Runtimes by the variables that their own shells carry.
const MARKS: &[(&str, &str)] = &[
    ("CLAUDECODE", "claude-code"),
    ("CLAUDE_CODE_SESSION_ID", "claude-code"),
    ("CODEX_THREAD_ID", "codex-cli"),
    ("CODEX_SANDBOX", "codex-cli"),
    ("KIMI_CODE_SESSION_ID", "kimi-code"),
    ("OPENCODE", "opencode"),
    ("ANTIGRAVITY_SESSION_ID", "antigravity-cli"),
];

/// The runtime that a person named, else the one whose environment this is, else `any`.
pub(super) fn of(examiner: &Examiner) -> String {
    if let Some(named) = &examiner.runtime {
        return normal(named).to_owned();
    }
    let vars = &examiner.around().vars;
    let marked = MARKS.iter().find(|(name, _)| vars.keys().any(|key| key.as_os_str() == *name));
    marked.map_or("any", |(_, runtime)| runtime).to_owned()
}

/// A runtime's canonical name.
pub fn normal(name: &str) -> &str {
    match name {
        "claude" => "claude-code",
        "codex" => "codex-cli",
        "kimi" => "kimi-code",
        "antigravity" | "agy" => "antigravity-cli",
        other => other,
    }
}
