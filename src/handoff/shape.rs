//! The shape that each harness gives its own session ids, narrower than the generic grammar of [`SessionId`].
//!
//! Harnesses look a word that is no id of theirs up as a title, or begin a new session for it without saying
//! so. An id of the wrong shape is therefore never handed to one.

use super::ident::{SessionId, is_canonical_uuid, is_lower_hex};
use super::model::HarnessName;

/// Whether a session id has the shape that this harness itself gives its ids:
///
/// | harness | shape |
/// |---|---|
/// | claude, codex | lower-case UUID, `8-4-4-4-12` |
/// | hermes | `YYYYMMDD_HHMMSS_` and 6 or 8 lower-case hex digits |
/// | opencode | `ses_`, 12 lower-case hex digits, 14 letters or digits |
pub fn has_own_shape(harness: HarnessName, id: &SessionId) -> bool {
    let id = id.as_str();
    match harness {
        HarnessName::Claude | HarnessName::Codex => is_canonical_uuid(id),
        HarnessName::Hermes => is_hermes(id),
        HarnessName::Opencode => is_opencode(id),
    }
}

fn is_hermes(id: &str) -> bool {
    let mut parts = id.split('_');
    let (day, time, tail) = (parts.next(), parts.next(), parts.next());
    let digits = |part: Option<&str>, n| {
        part.is_some_and(|p: &str| p.len() == n && p.bytes().all(|b| b.is_ascii_digit()))
    };
    digits(day, 8)
        && digits(time, 6)
        && tail.is_some_and(|t| matches!(t.len(), 6 | 8) && is_lower_hex(t))
        && parts.next().is_none()
}

fn is_opencode(id: &str) -> bool {
    id.strip_prefix("ses_").and_then(|rest| rest.split_at_checked(12)).is_some_and(|(stamp, random)| {
        is_lower_hex(stamp) && random.len() == 14 && random.bytes().all(|b| b.is_ascii_alphanumeric())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fits(harness: HarnessName, id: &str) -> bool {
        has_own_shape(harness, &SessionId::parse(id).expect("the generic grammar allows it"))
    }

    #[test]
    fn each_harness_knows_its_own_ids() {
        let uuid = "f0d682f9-26d4-4ebf-bcaf-3584d3a35887";
        assert!(fits(HarnessName::Claude, uuid), "claude's ids are lower-case UUIDs");
        assert!(fits(HarnessName::Codex, uuid), "codex's too");
        assert!(
            fits(HarnessName::Hermes, "20260730_114502_0a1b2c"),
            "a hermes CLI id ends with 6 hex digits"
        );
        assert!(fits(HarnessName::Hermes, "20260730_114502_0a1b2c3d"), "a hermes gateway id ends with 8");
        assert!(fits(HarnessName::Opencode, "ses_0123456789abABCDEFghijklmn"), "12 hex and 14 letters");
    }

    #[test]
    fn a_title_or_another_harness_s_id_is_none_of_them() {
        for (harness, id) in [
            (HarnessName::Claude, "F0D682F9-26D4-4EBF-BCAF-3584D3A35887"),
            (HarnessName::Claude, "my-title-1"),
            (HarnessName::Codex, "f0d682f926d44ebfbcaf3584d3a35887"),
            (HarnessName::Codex, "20260730_114502_0a1b2c"),
            (HarnessName::Hermes, "20260730_114502"),
            (HarnessName::Hermes, "20260730_114502_0a1b2c3"),
            (HarnessName::Hermes, "20260730_114502_0A1B2C"),
            (HarnessName::Hermes, "20260730_114502_0a1b2c_x"),
            (HarnessName::Hermes, "cron_nightly_20260730_114502"),
            (HarnessName::Opencode, "ses_7Qm2wKd91ZpT"),
            (HarnessName::Opencode, "ses_0123456789abABCDEFghijklm_"),
        ] {
            assert!(!fits(harness, id), "{id} is not an id that {} gave", harness.as_str());
        }
    }
}
