//! What a started harness gets as its environment.
//!
//! A client that inherits the marks of a session it was started inside refuses to run, and one that inherits a
//! stale `PWD` or a `GIT_DIR` works on another checkout than the one that was validated.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::Path;

/// Environment variables by name.
pub(super) type Vars = BTreeMap<OsString, OsString>;

/// Variables that are never handed on, besides everything that begins with `GIT_`.
const REMOVED: [&str; 7] = [
    "CLAUDECODE",
    "CLAUDE_CODE_CHILD_SESSION",
    "CLAUDE_CODE_ENTRYPOINT",
    "CLAUDE_CODE_SESSION_ID",
    "CLAUDE_CODE_SSE_PORT",
    "CLAUDE_PID",
    "OLDPWD",
];

/// Variables that are handed on and change what runs, where it talks to or which model answers.
const NOTABLE: [&str; 24] = [
    "ANTHROPIC_BASE_URL",
    "ANTHROPIC_MODEL",
    "BASH_ENV",
    "CLAUDE_CODE_USE_BEDROCK",
    "CLAUDE_CODE_USE_VERTEX",
    "CLAUDE_CONFIG_DIR",
    "CODEX_HOME",
    "DYLD_INSERT_LIBRARIES",
    "DYLD_LIBRARY_PATH",
    "ENV",
    "HERMES_HOME",
    "HTTPS_PROXY",
    "HTTP_PROXY",
    "LD_AUDIT",
    "LD_LIBRARY_PATH",
    "LD_PRELOAD",
    "NODE_EXTRA_CA_CERTS",
    "NODE_OPTIONS",
    "NODE_PATH",
    "OPENAI_BASE_URL",
    "PYTHONHOME",
    "PYTHONPATH",
    "PYTHONSTARTUP",
    "SSL_CERT_FILE",
];

/// The environment of a harness that starts in `cwd`: everything but what must not be inherited, and `PWD`
/// naming that directory.
pub(super) fn for_child(vars: &Vars, cwd: &Path) -> Vars {
    let kept = vars.iter().filter(|(name, _)| !is_removed(name));
    let mut out: Vars = kept.map(|(name, value)| (name.clone(), value.clone())).collect();
    out.insert("PWD".into(), cwd.as_os_str().to_owned());
    out
}

/// The environment of a question to a program (its version, its help): no more than it needs to run at all.
pub(super) fn for_question(vars: &Vars) -> Vars {
    let kept = ["HOME", "PATH"].into_iter().filter_map(|name| Some((name, vars.get(OsStr::new(name))?)));
    kept.map(|(name, value)| (name.into(), value.clone())).collect()
}

/// Names that are set and will be removed.
pub(super) fn removed(vars: &Vars) -> Vec<String> {
    vars.keys().filter(|name| is_removed(name)).map(shown).collect()
}

/// Names that are set, handed on, and worth a look.
pub(super) fn notable(vars: &Vars) -> Vec<String> {
    vars.keys().filter(|name| NOTABLE.iter().any(|known| name.as_os_str() == *known)).map(shown).collect()
}

fn is_removed(name: &OsString) -> bool {
    REMOVED.iter().any(|known| name.as_os_str() == *known) || name.as_encoded_bytes().starts_with(b"GIT_")
}

fn shown(name: &OsString) -> String {
    crate::handoff::inert::shown(&name.to_string_lossy())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vars(pairs: &[(&str, &str)]) -> Vars {
        pairs.iter().map(|&(name, value)| (name.into(), value.into())).collect()
    }

    #[test]
    fn marks_of_another_session_and_of_another_checkout_are_not_inherited() {
        let before = vars(&[
            ("CLAUDECODE", "1"),
            ("CLAUDE_CODE_OAUTH_TOKEN", "kept"),
            ("CLAUDE_PID", "7"),
            ("GIT_DIR", "/elsewhere"),
            ("GITHUB_ACTIONS", "kept"),
            ("HOME", "/home/me"),
            ("LD_PRELOAD", "x.so"),
            ("OLDPWD", "/old"),
            ("PATH", "/usr/bin"),
            ("PWD", "/stale"),
        ]);
        let after = for_child(&before, Path::new("/project/wt"));
        let expected = vars(&[
            ("CLAUDE_CODE_OAUTH_TOKEN", "kept"),
            ("GITHUB_ACTIONS", "kept"),
            ("HOME", "/home/me"),
            ("LD_PRELOAD", "x.so"),
            ("PATH", "/usr/bin"),
            ("PWD", "/project/wt"),
        ]);
        assert_eq!(after, expected, "exactly the listed names go, and PWD names the worktree");
        assert_eq!(
            removed(&before),
            ["CLAUDECODE", "CLAUDE_PID", "GIT_DIR", "OLDPWD"],
            "a person sees which"
        );
        assert_eq!(notable(&before), ["LD_PRELOAD"], "and what is handed on though it changes what runs");
    }

    #[test]
    fn a_question_gets_a_clean_environment() {
        let asked = for_question(&vars(&[("PATH", "/bin"), ("HOME", "/h"), ("NODE_OPTIONS", "--require=x")]));
        assert_eq!(asked, vars(&[("PATH", "/bin"), ("HOME", "/h")]), "nothing but path and home");
    }
}
