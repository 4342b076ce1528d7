//! Tokens that say by their beginning whose they are.

use super::{Hit, is_masked};

/// How one issuer's tokens look.
struct Shape {
    /// What they begin with.
    prefix: &'static str,
    /// What they are, for people.
    kind: &'static str,
    /// The characters that go on after the prefix, besides letters and digits.
    extra: &'static [u8],
    /// Whether what follows the prefix is a token and not words.
    fits: fn(&str) -> bool,
}

const SHAPES: &[Shape] = &[
    Shape { prefix: "sk-proj-", kind: "API key", extra: b"_-", fits: |b| b.len() >= 16 && is_mixed(b) },
    Shape { prefix: "sk-ant-", kind: "API key", extra: b"_-", fits: |b| b.len() >= 16 && is_mixed(b) },
    Shape { prefix: "sk-", kind: "API key", extra: b"_-", fits: |b| has_run(b, 16, 24) },
    Shape { prefix: "ghp_", kind: "GitHub token", extra: b"", fits: |b| b.len() >= 20 },
    Shape { prefix: "gho_", kind: "GitHub token", extra: b"", fits: |b| b.len() >= 20 },
    Shape { prefix: "ghs_", kind: "GitHub token", extra: b"", fits: |b| b.len() >= 20 },
    Shape { prefix: "ghu_", kind: "GitHub token", extra: b"", fits: |b| b.len() >= 20 },
    Shape { prefix: "ghr_", kind: "GitHub token", extra: b"", fits: |b| b.len() >= 20 },
    Shape { prefix: "github_pat_", kind: "GitHub token", extra: b"_", fits: |b| has_run(b, 16, 22) },
    Shape { prefix: "xoxb-", kind: "Slack token", extra: b"-", fits: |b| b.len() >= 10 && has_digit(b) },
    Shape { prefix: "xoxp-", kind: "Slack token", extra: b"-", fits: |b| b.len() >= 10 && has_digit(b) },
    Shape { prefix: "xoxs-", kind: "Slack token", extra: b"-", fits: |b| b.len() >= 10 && has_digit(b) },
    Shape { prefix: "sk_live_", kind: "Stripe key", extra: b"", fits: |b| has_run(b, 10, 20) },
    Shape { prefix: "pk_live_", kind: "Stripe key", extra: b"", fits: |b| has_run(b, 10, 20) },
    Shape { prefix: "rk_live_", kind: "Stripe key", extra: b"", fits: |b| has_run(b, 10, 20) },
    Shape { prefix: "sk_test_", kind: "Stripe key", extra: b"", fits: |b| has_run(b, 10, 20) },
    Shape { prefix: "pk_test_", kind: "Stripe key", extra: b"", fits: |b| has_run(b, 10, 20) },
    Shape { prefix: "rk_test_", kind: "Stripe key", extra: b"", fits: |b| has_run(b, 10, 20) },
    Shape { prefix: "whsec_", kind: "webhook secret", extra: b"+/=", fits: |b| has_run(b, 16, 20) },
    Shape { prefix: "npm_", kind: "npm token", extra: b"", fits: |b| b.len() >= 20 },
    Shape { prefix: "AKIA", kind: "AWS key id", extra: b"", fits: is_aws_id },
    Shape { prefix: "ASIA", kind: "AWS key id", extra: b"", fits: |b| is_aws_id(b) && has_digit(b) },
    Shape { prefix: "AIza", kind: "Google API key", extra: b"_-", fits: |b| b.len() >= 30 },
    Shape { prefix: "glpat-", kind: "GitLab token", extra: b"_-.", fits: |b| b.len() >= 16 },
    Shape { prefix: "hf_", kind: "Hugging Face token", extra: b"", fits: |b| b.len() >= 20 },
    Shape { prefix: "pypi-", kind: "PyPI token", extra: b"_-", fits: is_macaroon },
    Shape { prefix: "eyJ", kind: "JSON web token", extra: b"_-.=", fits: is_jwt },
];

/// The tokens of one line.
pub(super) fn find(line: &str) -> Vec<Hit> {
    let mut found = Vec::new();
    for shape in SHAPES {
        for (start, _) in line.match_indices(shape.prefix) {
            if line.as_bytes()[..start].last().is_some_and(u8::is_ascii_alphanumeric) {
                continue;
            }
            let body_at = start + shape.prefix.len();
            let goes_on = |b: &u8| b.is_ascii_alphanumeric() || shape.extra.contains(b);
            let len = line.as_bytes()[body_at..].iter().take_while(|b| goes_on(b)).count();
            let body = &line[body_at..body_at + len];
            if !is_masked(body) && (shape.fits)(body) {
                found.push(Hit { span: start..body_at + len, kind: shape.kind });
            }
        }
    }
    found
}

fn has_digit(text: &str) -> bool {
    text.bytes().any(|b| b.is_ascii_digit())
}

/// Whether digits or capitals are in it, as in no plain word.
fn is_mixed(text: &str) -> bool {
    text.bytes().any(|b| b.is_ascii_digit() || b.is_ascii_uppercase())
}

/// Whether a run of letters and digits in it is `mixed` long with a digit or a capital in it, or `any` long.
fn has_run(text: &str, mixed: usize, any: usize) -> bool {
    text.split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|run| !is_masked(run))
        .any(|run| run.len() >= any || (run.len() >= mixed && is_mixed(run)))
}

/// Sixteen capitals and digits, no more.
fn is_aws_id(body: &str) -> bool {
    body.len() == 16 && body.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit())
}

/// PyPI's tokens are macaroons: they begin with the same bytes, or else are one long run.
fn is_macaroon(body: &str) -> bool {
    (body.starts_with("AgE") && body.len() >= 16) || has_run(body, 24, 32)
}

/// Three long dotted parts.
fn is_jwt(body: &str) -> bool {
    let parts: Vec<&str> = body.split('.').collect();
    matches!(parts[..], [head, load, sign, ..] if head.len() >= 8 && load.len() >= 10 && sign.len() >= 10)
}
