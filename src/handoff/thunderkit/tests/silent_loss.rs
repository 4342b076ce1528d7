//! No value is lost without a word: it is read byte for byte, or the file is refused with its line.

use super::super::super::Handoff;
use super::palette::{Spelling, TEXTS};
use super::{SAMPLE, read};

/// A field: the beginning of its line in the sample, and how its value is got at.
struct Place {
    line: &'static str,
    nullable: bool,
    get: fn(&Handoff) -> Option<String>,
}

/// Where a person's text can stand.
const TEXT_PLACES: [Place; 6] = [
    Place {
        line: "current_stage: ",
        nullable: false,
        get: |handoff| handoff.phase.as_ref().map(|text| text.raw().to_owned()),
    },
    Place {
        line: "context_at_save: ",
        nullable: true,
        get: |handoff| handoff.root()?.context_at_save.as_ref().map(|text| text.raw().to_owned()),
    },
    Place {
        line: "next_action: ",
        nullable: false,
        get: |handoff| handoff.next_action().map(|text| text.raw().to_owned()),
    },
    Place {
        line: "open_unknowns: ",
        nullable: false,
        get: |handoff| handoff.open_items.first().map(|text| text.raw().to_owned()),
    },
    Place {
        line: "    reason: ",
        nullable: true,
        get: |handoff| handoff.lanes.first()?.reason.as_ref().map(|text| text.raw().to_owned()),
    },
    Place {
        line: "  - Cache",
        nullable: false,
        get: |handoff| handoff.decisions.first().map(|text| text.raw().to_owned()),
    },
];

/// Where an identity can stand.
const IDENTITY_PLACES: [Place; 4] = [
    Place {
        line: "branch: ",
        nullable: true,
        get: |handoff| handoff.branch.as_ref().map(|branch| branch.as_str().to_owned()),
    },
    Place {
        line: "head: ",
        nullable: false,
        get: |handoff| handoff.root()?.head.as_ref().map(|head| head.as_str().to_owned()),
    },
    Place {
        line: "    session_id: ",
        nullable: true,
        get: |handoff| handoff.lanes.first()?.session_id.as_ref().map(|id| id.as_str().to_owned()),
    },
    Place {
        line: "    harness_version: ",
        nullable: true,
        get: |handoff| handoff.lanes.first()?.harness_version.as_ref().map(|text| text.raw().to_owned()),
    },
];

/// The sample with the value of one line replaced, and that line's number.
fn file(place: &Place, spelt: &str) -> (String, u32) {
    let mut out = String::new();
    let mut number = 0;
    for (index, line) in SAMPLE.lines().enumerate() {
        if number == 0 && line.starts_with(place.line) {
            number = index as u32 + 1;
            let key = place.line.trim_end_matches("Cache");
            out.push_str(&format!("{key}{spelt}\n"));
        } else {
            out.push_str(&format!("{line}\n"));
        }
    }
    assert!(number > 0, "the sample has the line {:?}", place.line);
    (out, number)
}

/// What YAML makes of a plain scalar.
fn yaml_value(text: &str) -> Option<&str> {
    let before = if text.starts_with('#') { "" } else { text.split(" #").next().unwrap_or(text) };
    Some(before.trim_end()).filter(|value| !matches!(*value, "" | "~" | "null" | "Null"))
}

/// Reads every text in every spelling at every place; returns how many came back and how many were refused.
fn outcomes(places: &[Place], identity: bool) -> (usize, usize) {
    let (mut kept, mut refused) = (0, 0);
    for place in places {
        for text in TEXTS {
            for spelling in Spelling::ALL {
                let what = format!("{}{text:?} spelt {spelling:?}", place.line);
                let (file, number) = file(place, &spelling.of(text));
                let handoff = read(&file);
                let plain = spelling == Spelling::Plain;
                let ends = number + text.matches(['\n', '\r']).count() as u32;
                if !handoff.strict {
                    let placed =
                        handoff.problems.iter().filter(|problem| problem.is_error()).any(|problem| {
                            problem.at.is_some_and(|at| (number..=ends).contains(&at.line) && at.column > 0)
                        });
                    assert!(placed, "{what}: refused at its line, not at {:?}", handoff.problems);
                    refused += 1;
                } else if plain && (identity || matches!(text, "null" | "Null" | "~")) {
                    let value = yaml_value(text);
                    assert!(
                        value.is_some() || place.nullable,
                        "{what}: a null where a value is needed is refused"
                    );
                    assert_eq!(
                        (place.get)(&handoff).as_deref(),
                        value,
                        "{what}: an identity is what YAML reads"
                    );
                    kept += 1;
                } else {
                    assert_eq!((place.get)(&handoff).as_deref(), Some(text), "{what}: byte for byte");
                    kept += 1;
                }
            }
        }
    }
    (kept, refused)
}

#[test]
fn a_person_s_text_comes_back_byte_for_byte_or_is_refused_with_its_line() {
    let (kept, refused) = outcomes(&TEXT_PLACES, false);
    assert_eq!(kept + refused, 6 * TEXTS.len() * 4, "every pair was tried");
    assert!(kept > 1_300, "most texts can be said in most spellings: {kept} kept, {refused} refused");
    assert!(refused > 200, "and what YAML would change is refused: {refused}");
}

#[test]
fn an_identity_stays_the_text_it_is_or_is_refused_with_its_line() {
    let (kept, refused) = outcomes(&IDENTITY_PLACES, true);
    assert_eq!(kept + refused, 4 * TEXTS.len() * 4, "every pair was tried");
    assert!(kept > 300 && refused > 300, "both happen: {kept} kept, {refused} refused");
}

#[test]
fn escapes_are_the_way_to_say_anything() {
    for place in &TEXT_PLACES {
        for text in TEXTS {
            let (file, _) = file(place, &Spelling::Escaped.of(text));
            let handoff = read(&file);
            assert!(handoff.strict, "{text:?} can be said in escapes: {:?}", handoff.problems);
            assert_eq!((place.get)(&handoff).as_deref(), Some(text), "and comes back");
        }
    }
}
