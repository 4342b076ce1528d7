//! Secrets that stand apart from their label: refused by the verb with line and kind, wherever they stand.

use crate::git::TestRepo;
use crate::verb::{everything, save};

/// Texts below a section of three lines, each with the further line its secret stands on and its kind. In pieces, so
/// that nobody who looks for secrets finds one here.
fn fakes() -> Vec<(String, usize, &'static str)> {
    let word = ["hunt", "er2!"].concat();
    let long = "aB3dE5fG7hJ9kL1mN3pQ5rS7";
    vec![
        (format!("| password | {word} |"), 0, "password"),
        (format!("| user | password |\n|---|---|\n| bob | {word} |"), 2, "password"),
        (format!("remote: https://bob:{word}@git.example.org/api.git"), 0, "password in an address"),
        (format!("open https://example.org/reset?token={long}"), 0, "token in an address"),
        (format!("password:\n{word}"), 1, "password"),
        (format!("### API key\n\n```\n{long}\n```"), 3, "API key"),
        (format!("tool login --password {word}"), 0, "password"),
        (format!("tool login --token={long}"), 0, "token"),
        (format!("Authorization: Bearer {long}"), 0, "bearer token"),
    ]
}

#[test]
fn a_secret_in_a_cell_an_address_below_its_label_or_on_a_command_line_is_refused() {
    let repo = TestRepo::new();
    repo.commit("README.md", "x\n", "Begin");
    let before = everything(repo.dir());
    for (text, line, kind) in fakes() {
        let narrative = format!("## Next Steps\n1. go on\n\n{text}\n");
        for format in ["theonekit", "thunderkit", "memtomem"] {
            let why = save(&repo, &narrative, &["--format", format]).expect_err("refused");
            let said = format!("line {}: {kind}", line + 4);
            assert!(why.contains(&said), "{format}: {said}: {why}");
            assert!(!why.contains("er2!") && !why.contains("aB3d"), "and never the value: {why}");
        }
        let json = serde_json::json!({ "next": "go on", "notes": [text] }).to_string();
        let why = save(&repo, &json, &[]).expect_err("refused");
        assert!(why.contains(kind), "also where JSON hides its lines: {why}");
        assert!(why.contains("line "), "with a line: {why}");
        assert!(!why.contains("er2!") && !why.contains("aB3d"), "and never the value: {why}");
    }
    assert_eq!(everything(repo.dir()), before, "nothing of them is written anywhere");
    save(&repo, "## Next Steps\n1. rotate the password\n\n| password | required |\n", &[]).expect("saved");
}
