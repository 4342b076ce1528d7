//! What a hostile file may hold, and one file per family that holds it everywhere.
#![allow(dead_code, reason = "each test program uses another part of it")]

/// A text that means harm, and what it is.
#[derive(Clone)]
pub struct Payload {
    /// For messages of failed tests.
    pub name: String,
    /// The text itself.
    pub text: String,
}

impl Payload {
    fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { name: name.into(), text: text.into() }
    }

    /// Whether there is anything in it that a terminal obeys or that nobody sees.
    pub fn is_armed(&self) -> bool {
        self.text.chars().any(moorline::handoff::inert::is_unseen)
    }

    /// The benign twin: text of the same shape.
    pub fn benign() -> Self {
        Self::new("benign", "plain words")
    }
}

/// The known tricks, about fifty, and then what there is, one by one: at least three hundred.
pub fn all() -> Vec<Payload> {
    let mut all = tricks();
    all.extend(each_character());
    all.extend(each_opening());
    all.extend(split_and_nested());
    all
}

/// Code points of the general category Cf in Unicode 16, and others that nobody sees.
const UNSEEN: &[std::ops::RangeInclusive<u32>] = &[
    0xAD..=0xAD,
    0x34F..=0x34F,
    0x600..=0x605,
    0x61C..=0x61C,
    0x6DD..=0x6DD,
    0x70F..=0x70F,
    0x890..=0x891,
    0x8E2..=0x8E2,
    0x115F..=0x1160,
    0x17B4..=0x17B5,
    0x180B..=0x180F,
    0x200B..=0x200F,
    0x2028..=0x202E,
    0x2060..=0x206F,
    0x3164..=0x3164,
    0xFE00..=0xFE0F,
    0xFEFF..=0xFEFF,
    0xFFA0..=0xFFA0,
    0xFFF9..=0xFFFB,
    0x110BD..=0x110BD,
    0x110CD..=0x110CD,
    0x13430..=0x1343F,
    0x1BCA0..=0x1BCA3,
    0x1D173..=0x1D17A,
    0xE0001..=0xE0001,
    0xE0020..=0xE007F,
    0xE0100..=0xE0102,
    0xE01EF..=0xE01EF,
];

/// Each control and each character that nobody sees, alone between two letters.
fn each_character() -> Vec<Payload> {
    let controls = (0..0x20).filter(|code| *code != 0x0A && *code != 0x09).chain(0x7F..0xA0);
    let codes = controls.chain(UNSEEN.iter().cloned().flatten());
    let between =
        |code: u32| char::from_u32(code).map(|c| Payload::new(format!("U+{code:04X}"), format!("a{c}b")));
    codes.filter_map(between).collect()
}

/// Each way to open a sequence, in seven bits and in eight, with each way to end it and without any.
fn each_opening() -> Vec<Payload> {
    let kinds = [
        ("CSI", "\u{1b}[", "\u{9b}", "38;5;201"),
        ("OSC", "\u{1b}]", "\u{9d}", "52;c;cm0="),
        ("DCS", "\u{1b}P", "\u{90}", "+q544e"),
        ("APC", "\u{1b}_", "\u{9f}", "Gf=24"),
        ("SOS", "\u{1b}X", "\u{98}", "start"),
        ("PM", "\u{1b}^", "\u{9e}", "secret"),
    ];
    let ends = [
        ("ST", "\u{1b}\\"),
        ("eight-bit ST", "\u{9c}"),
        ("BEL", "\u{7}"),
        ("CAN", "\u{18}"),
        ("SUB", "\u{1a}"),
        ("a final letter", "m"),
        ("another escape", "\u{1b}"),
        ("nothing", ""),
    ];
    let mut all = Vec::new();
    for (kind, seven, eight, body) in kinds {
        for (end, bytes) in ends {
            all.push(Payload::new(format!("{kind}, ended by {end}"), format!("{seven}{body}{bytes}")));
            all.push(Payload::new(format!("8-bit {kind}, ended by {end}"), format!("{eight}{body}{bytes}")));
        }
    }
    all
}

/// Sequences within sequences, and sequences that a careless filter puts together.
fn split_and_nested() -> Vec<Payload> {
    let texts = [
        "\u{1b}\u{1b}[38;5;201m",
        "\u{1b}[\u{1b}[38;5;201mm",
        "\u{1b}[38;\u{200b}5;201m",
        "\u{1b}\u{ad}[38;5;201m",
        "\u{1b}[38;5\n;201m",
        "\u{1b}\n[38;5;201m",
        "\u{1b}]0;a\u{1b}]0;b\u{7}",
        "\u{1b}]0;a\u{1b}[38;5;201mb\u{7}",
        "\u{1b}Ptmux;\u{1b}\u{1b}]0;owned\u{7}\u{1b}\\",
        "\u{1b}P\u{1b}[38;5;201m\u{1b}\\",
        "\u{9b}\u{1b}[\u{9b}38;5;201m",
        "\u{1b}%G\u{9b}38;5;201m",
        "\u{1b}#8",
        "\u{1b}[?2026h\u{1b}[?1003h\u{1b}[>4;2m",
        "\u{1b}[1;1H\u{1b}[9999;9999H",
        "\u{1b}[6n\u{1b}[c\u{5}",
        "\u{1b}[200~q\u{1b}[201~q",
        "\u{1b}]8;;file:///etc/passwd\u{7}x\u{1b}]8;;\u{7}",
        "\u{1b}]1337;File=:AAAA\u{7}",
        "\u{1b}[8;1;1t\u{1b}[21t",
    ];
    texts.iter().enumerate().map(|(n, text)| Payload::new(format!("nested {n}"), *text)).collect()
}

/// The known tricks.
pub fn tricks() -> Vec<Payload> {
    let mut all = vec![
        Payload::new("colour", "\u{1b}[31mred\u{1b}[0m"),
        Payload::new("clear screen", "\u{1b}[2J\u{1b}[H"),
        Payload::new("title", "\u{1b}]0;owned\u{7}"),
        Payload::new("clipboard", "\u{1b}]52;c;cm0gLXJmIH4=\u{7}"),
        Payload::new("hyperlink", "\u{1b}]8;;http://example.org\u{1b}\\link\u{1b}]8;;\u{1b}\\"),
        Payload::new("device control", "\u{1b}P+q544e\u{1b}\\"),
        Payload::new("application command", "\u{1b}_Gf=24;AAAA\u{1b}\\"),
        Payload::new("privacy message", "\u{1b}^secret\u{1b}\\"),
        Payload::new("cursor report", "\u{1b}[6n"),
        Payload::new("device attributes", "\u{1b}[c\u{1b}[>c"),
        Payload::new("alternate screen", "\u{1b}[?1049l"),
        Payload::new("mouse on", "\u{1b}[?1000h\u{1b}[?1006h"),
        Payload::new("paste end", "\u{1b}[201~"),
        Payload::new("reset", "\u{1b}c"),
        Payload::new("charset", "\u{1b}(0lqqk\u{1b}(B"),
        Payload::new("C1 CSI", "\u{9b}31m"),
        Payload::new("C1 OSC", "\u{9d}0;owned\u{9c}"),
        Payload::new("C1 DCS", "\u{90}q\u{9c}"),
        Payload::new("open OSC", "\u{1b}]0;never closed"),
        Payload::new("open CSI", "\u{1b}[38;5"),
        Payload::new("lone escape", "\u{1b}"),
        Payload::new("bell", "\u{7}\u{7}\u{7}"),
        Payload::new("backspaces", "safe\u{8}\u{8}\u{8}\u{8}evil"),
        Payload::new("carriage return", "safe\revil"),
        Payload::new("vertical tab and form feed", "a\u{b}b\u{c}c"),
        Payload::new("shift out", "\u{e}abc\u{f}"),
        Payload::new("delete", "a\u{7f}b"),
        Payload::new("NUL", "a\0b"),
        Payload::new("bidi override", "\u{202e}gpj.exe"),
        Payload::new("bidi isolate", "\u{2066}a\u{2069}\u{2067}b"),
        Payload::new("marks of direction", "a\u{200e}b\u{200f}c\u{61c}d"),
        Payload::new("zero width", "pass\u{200b}word\u{2060}x\u{feff}y"),
        Payload::new("soft hyphen", "pass\u{ad}word"),
        Payload::new("tag block", "hi\u{e0001}\u{e0068}\u{e0069}\u{e007f}"),
        Payload::new("Hangul filler", "a\u{3164}b\u{115f}c\u{ffa0}d"),
        Payload::new("grapheme joiner", "a\u{34f}b"),
        Payload::new("separators", "a\u{2028}b\u{2029}c"),
        Payload::new("variation selectors", "a\u{fe00}b\u{e0100}c"),
        Payload::new("interlinear", "a\u{fff9}b\u{fffa}c\u{fffb}d"),
        Payload::new("NEL", "a\u{85}b"),
        Payload::new("musical", "a\u{1d173}b"),
        Payload::new("Khmer vowels", "a\u{17b4}b\u{17b5}c"),
        Payload::new("combining flood", format!("z{}", "\u{301}".repeat(500))),
        Payload::new("wide and joined", "👩\u{200d}👩\u{200d}👧\u{fe0f}窯"),
        Payload::new("shell", "$(touch /tmp/moorline-owned); `touch /tmp/moorline-owned`"),
        Payload::new("option", "--dangerously-skip-permissions -e --upload-pack=touch"),
        Payload::new("format", "%s%s%n {} {0} \\x1b[31m \\u001b"),
        Payload::new("YAML", "!!python/object/apply:os.system [\"touch x\"] &a *a <<: *a"),
        Payload::new("deep brackets", "[".repeat(5_000)),
        Payload::new("long line", "x".repeat(30_000)),
        Payload::new(
            "markdown",
            "![x](http://example.org/a.png) <script>alert(1)</script> [a](file:///etc/passwd)",
        ),
        Payload::new("path", "../../../../etc/passwd /etc/shadow ~/.ssh/id_rsa"),
    ];
    let everything: String = all.iter().filter(|p| p.text.len() < 200).map(|p| p.text.as_str()).collect();
    all.push(Payload::new("everything", everything));
    all
}

/// One file of every family with the payload in every text of it.
pub fn files(payload: &Payload) -> Vec<(&'static str, String)> {
    let p = &payload.text;
    let quoted: String = p.chars().map(|c| if c == '"' || c == '\\' { '\'' } else { c }).collect();
    let id = "5c0f6a52-3b1d-4c3e-8a70-9f2f5d1b7e10";
    vec![
        (
            ".thunderkit/HANDOFF.md",
            format!(
                "# Handoff\nschema_version: 1\nsaved_at: \"2026-10-01T10:00:00Z\"\ncurrent_stage: \"9 {quoted}\"\nbranch: \"{quoted}\"\n\
                 next_action: {p}\nopen_unknowns: \"{quoted}\"\nlanes_in_flight:\n  - id: \"{quoted}\"\n    worktree: \"../{quoted}\"\n\
                 session_id: \"{quoted}\"\n    resume: touch /tmp/moorline-owned\n    status: \"blocked\"\n"
            ),
        ),
        (
            "plans/261001-x/HANDOFF.md",
            format!(
                "# Handoff — 2026-10-01 10:00 {p}\nGenerated by: t1k\nLocation: {p}\n\n## Active Plan\n- Path: {p}\n- Current phase: {p}\n\
                 ## Progress\n- [ ] {p}\n## Key Decisions Made\n- {p}\n## Blockers\n- {p}\n## Next Steps\n1. {p}\n## Git State\n\
                 - Branch: {p}\n- Last commit: {p}\n## Session Notes\n{p}\n"
            ),
        ),
        (
            ".memtomem/memories.local/2026-10-01.md",
            format!(
                "## Handoff {id}\n\n> created: 2026-10-01T10:00:00+00:00\n> tags: [\"handoff\", \"handoff-id-{id}\", \"{quoted}\"]\n\n```text\n\
                 handoff_id: {id}\nfrom_runtime: {p}\nto_runtime: any\nproject_root: {p}\nobjective: {p}\ncompleted: {p}\nchanged_files: {p}\n\
                 artifacts: none\ngit_head: {p}\nworktree_state: {p}\nvalidation: {p}\nblockers: {p}\nnext_action: {p}\n```\n"
            ),
        ),
        (
            "docs/HANDOFF.md",
            format!(
                "# {p}\n\n**Date:** 2026-10-01\n**Branch:** `{p}`\n**Commit:** `{p}`\n\n## Next steps\n1. {p} `src/{p}`\n\n## Blockers\n- {p}\n\n\
                 ## Decisions\n- {p}\n\n| a | b |\n|---|---|\n| {p} | {p} |\n\n```\n{p}\n```\n\n- [ ] {p}\n"
            ),
        ),
        (
            ".planning/HANDOFF.json",
            format!(
                "{{\"title\": {0}, \"timestamp\": \"2026-10-01T10:00:00Z\", \"branch\": {0}, \"next_action\": {0}, \"blockers\": [{0}], {0}: {0}}}\n",
                serde_json::to_string(p).expect("any text is JSON text")
            ),
        ),
    ]
}
