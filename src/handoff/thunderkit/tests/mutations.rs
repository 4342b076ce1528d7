//! A valid file, changed in five thousand ways that each break the format: none of them passes.

use std::collections::BTreeMap;

use super::{SAMPLE, read};

/// Numbers that look random and are the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % sides as u64) as usize
    }

    fn one_of<'a, T: ?Sized>(&mut self, all: &[&'a T]) -> &'a T {
        all[self.roll(all.len())]
    }
}

/// The sample's lines, with the index of those that hold `key: value` outside the free contract.
struct Lines {
    all: Vec<String>,
    fields: Vec<usize>,
}

impl Lines {
    fn new() -> Self {
        let all: Vec<String> = SAMPLE.lines().map(str::to_owned).collect();
        let contract = all.iter().position(|line| line == "model_contract:").expect("a contract");
        let lanes = all.iter().position(|line| line == "lanes_in_flight:").expect("lanes");
        let is_field = |&at: &usize| {
            all[at].contains(": ") && !all[at].starts_with('#') && !(contract..lanes).contains(&at)
        };
        let fields = (0..all.len()).filter(is_field).collect();
        Self { all, fields }
    }

    fn text(&self) -> String {
        let mut text = self.all.join("\n");
        text.push('\n');
        text
    }

    /// Splits a line into what stands up to the value, and the value.
    fn split(&self, at: usize) -> (String, String) {
        let (key, value) = self.all[at].split_once(": ").expect("a field's line");
        (format!("{key}: "), value.to_owned())
    }

    fn put(&mut self, at: usize, value: &str) {
        let (key, _) = self.split(at);
        self.all[at] = format!("{key}{value}");
    }

    fn with_value(&self, dice: &mut Dice, keys: &[&str]) -> usize {
        let key = dice.one_of(keys);
        let holds =
            |at: &&usize| self.all[**at].trim_start_matches(['-', ' ']).starts_with(&format!("{key}: "));
        let all: Vec<&usize> = self.fields.iter().filter(holds).collect();
        *dice.one_of(&all)
    }
}

/// Breaks one thing; returns its kind.
fn mutate(lines: &mut Lines, dice: &mut Dice) -> &'static str {
    let at = lines.fields[dice.roll(lines.fields.len())];
    let indent = lines.all[at].len() - lines.all[at].trim_start_matches(['-', ' ']).len();
    let blanks = " ".repeat(indent);
    let (key, value) = lines.split(at);
    match dice.roll(16) {
        0 => {
            // A lane's first line carries its dash: without it the lane is another's.
            lines.all.remove(at);
            "a key is gone"
        }
        1 => {
            lines.all.insert(at + 1, format!("{blanks}{}{value}", key.trim_start_matches(['-', ' '])));
            "a key is there twice"
        }
        2 => {
            let key = dice.one_of(&["priority", "notes", "Branch", "schemaVersion", "session", "ids", "x"]);
            lines.all.insert(at + 1, format!("{blanks}{key}: value"));
            "a key is unknown"
        }
        3 => {
            let key = dice.one_of(&[
                "resume",
                "command",
                "argv",
                "args",
                "cmd",
                "env",
                "executable",
                "detail_hint",
            ]);
            lines.all.insert(at + 1, format!("{blanks}{key}: claude -p"));
            "a command is there"
        }
        4 => {
            let tag = dice.one_of(&["!!str", "!!python/name:os.system", "!x", "!<tag:a,b>", "!!binary"]);
            lines.put(at, &format!("{tag} {value}"));
            "a tag"
        }
        5 => {
            lines.put(at, &format!("&a{} {value}", dice.roll(9)));
            "an anchor"
        }
        6 => {
            lines.put(at, &format!("*a{}", dice.roll(9)));
            "an alias"
        }
        7 => {
            let blank = dice.one_of(&["<fill in>", "…", "\"<fill in>\"", "<x>   # why"]);
            lines.put(at, blank);
            "a blank of the form"
        }
        8 => {
            let at = lines.with_value(dice, &["head", "active_artifact_sha256", "artifact_sha256"]);
            let (_, value) = lines.split(at);
            let cut = dice.roll(value.len() - 1) + 1;
            let bad = match dice.roll(4) {
                0 => value[..cut].to_owned(),
                1 => value.to_uppercase(),
                2 => format!("{}g{}", &value[..cut - 1], &value[cut..]),
                _ => format!("{value}0"),
            };
            lines.put(at, &bad);
            "a hash is malformed"
        }
        9 => {
            let at = lines.with_value(dice, &["id", "session_id"]);
            lines.put(
                at,
                dice.one_of(&["-e", "a/b", "'a b'", "\"a;b\"", "../x", "$(id)", "a|b", "é", "_x", "\"\""]),
            );
            "an id is not legal"
        }
        10 => {
            let keys = ["harness", "model_class", "origin", "status", "resumability", "schema_version"];
            let at = lines.with_value(dice, &keys);
            lines.put(
                at,
                dice.one_of(&["Claude", "yes", "2", "0x1", "+1", "\"1\"", "1.0", "done", "true", "[]", "{}"]),
            );
            "a word is not known"
        }
        11 => {
            let keys = [
                "saved_at",
                "repository",
                "head",
                "current_stage",
                "next_action",
                "open_unknowns",
                "id",
                "status",
            ];
            let at = loop {
                // A lane's own head may be unknown; the root's may not.
                let at = lines.with_value(dice, &keys);
                if !lines.all[at].starts_with("    head") {
                    break at;
                }
            };
            lines.put(at, dice.one_of(&["null", "~", "\"\"", "''", "Null"]));
            "a needed value is null"
        }
        12 => {
            let line = lines.all[at].clone();
            lines.all[at] = match dice.roll(3) {
                0 => format!("\t{line}"),
                1 => line.replacen(": ", ":\t", 1),
                _ => format!(" {line}"),
            };
            "the layout is broken"
        }
        13 => {
            let c =
                dice.one_of(&["\u{85}", "\u{2028}", "\u{2029}", "\0", "\u{1b}", "\u{feff}", "\r", "\u{7f}"]);
            lines.put(at, &format!("{c}{value}"));
            "a character that breaks lines or vanishes"
        }
        14 => {
            let extra = dice.one_of(&["---", "...", "%YAML 1.2", "<<: x", "? x", "- x", "text", "```"]);
            lines.all.insert(at + 1, extra.to_string());
            "a line of another format"
        }
        _ => {
            let at = lines.with_value(dice, &["active_artifact", "artifact", "north_star"]);
            lines.put(
                at,
                dice.one_of(&["../x", "/etc/passwd", "a//b", "a\\b", "~/x", "./x", "\"a\\u202eb\"", "c:x"]),
            );
            "a path leaves or hides"
        }
    }
}

#[test]
fn five_thousand_harmful_changes_and_none_passes() {
    assert!(read(SAMPLE).strict, "the unchanged file passes (a positive control)");
    let mut dice = Dice(0x5EED_2026);
    let mut tried = BTreeMap::<&str, usize>::new();
    let mut passed = Vec::new();
    for _ in 0..5_000 {
        let mut lines = Lines::new();
        let kind = mutate(&mut lines, &mut dice);
        *tried.entry(kind).or_default() += 1;
        let text = lines.text();
        let handoff = read(&text);
        if handoff.strict || handoff.lanes.iter().any(|lane| lane.structurally_resumable) {
            let changed =
                text.lines().find(|line| !SAMPLE.lines().any(|old| old == *line)).unwrap_or_default();
            passed.push(format!("{kind}: {changed:?}"));
        }
    }
    assert_eq!(tried.len(), 16, "every kind was tried: {tried:?}");
    assert_eq!(passed, [] as [String; 0], "all of 5,000 are refused: the score is 100 %");
}
