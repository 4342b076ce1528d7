//! What a yes is bound to: everything that was shown, part by part, and one digest over all of it.

use crate::check::{Check, CheckId, Subject};
use crate::handoff::{Digest, Inert};

/// Named parts of a plan and their values, in a fixed order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Evidence {
    parts: Vec<(String, String)>,
    digest: Digest,
}

impl Evidence {
    /// Over these parts. Names and values are fenced off from each other, so that no two lists share a digest.
    pub fn over(parts: Vec<(String, String)>) -> Self {
        let whole = serde_json::json!(parts).to_string();
        Self { digest: Digest::of(whole.as_bytes()), parts }
    }

    /// The digest over all parts.
    pub fn digest(&self) -> &Digest {
        &self.digest
    }

    /// What differs now, one sentence a part; empty only where everything is equal.
    pub fn differences(&self, now: &Self) -> Vec<Inert> {
        let mut found = Vec::new();
        for (name, old) in &self.parts {
            match now.parts.iter().find(|(other, _)| other == name) {
                Some((_, new)) if new == old => {}
                Some((_, new)) => found.push(format!("{name} was {old} and is {new} now").into()),
                None => found.push(format!("{name} was {old} and is not there now").into()),
            }
        }
        for (name, new) in &now.parts {
            if !self.parts.iter().any(|(other, _)| other == name) {
                found.push(format!("{name} is {new} now and was not there").into());
            }
        }
        if found.is_empty() && self.digest != now.digest {
            found.push("the order of the checks changed".into());
        }
        found
    }
}

/// One check as a part. How liveness was proved counts processes, and so changes by itself.
pub(super) fn part_of(check: &Check) -> (String, String) {
    let subject = match &check.subject {
        Subject::Root => "root".to_owned(),
        Subject::Lane(n, _) => format!("lane {}", n + 1),
        Subject::Record(id) => format!("record {}", id.raw()),
    };
    let name = format!("check {} of {subject}", check.id.as_str());
    let raw = |text: &Option<Inert>| text.as_ref().map(|text| text.raw().to_owned());
    let value = match check.id {
        CheckId::Liveness => serde_json::json!([check.outcome]),
        _ => serde_json::json!([check.outcome, raw(&check.expected), raw(&check.observed)]),
    };
    (name, value.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn over(parts: &[(&str, &str)]) -> Evidence {
        Evidence::over(parts.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect())
    }

    #[test]
    fn any_change_changes_the_digest_and_is_said_in_words() {
        let before = over(&[("argv", "a b"), ("cwd", "/x")]);
        assert!(before.differences(&over(&[("argv", "a b"), ("cwd", "/x")])).is_empty(), "equal is equal");
        let changed = [
            (over(&[("argv", "a c"), ("cwd", "/x")]), "argv was a b and is a c now"),
            (over(&[("argv", "a b")]), "cwd was /x and is not there now"),
            (over(&[("argv", "a b"), ("cwd", "/x"), ("new", "1")]), "new is 1 now and was not there"),
            (over(&[("cwd", "/x"), ("argv", "a b")]), "the order of the checks changed"),
        ];
        for (after, words) in changed {
            assert_ne!(before.digest(), after.digest(), "{words}: the digest shows it");
            assert_eq!(before.differences(&after), [Inert::from(words)], "and so do the words");
        }
        let (left, right) = (over(&[("a", "b\",\"c")]), over(&[("a\",\"b", "c")]));
        assert_ne!(left.digest(), right.digest(), "names and values cannot be shifted into each other");
    }
}
