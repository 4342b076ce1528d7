use super::*;

/// Records of many shapes, all of them good.
fn good(seed: usize) -> Vec<String> {
    let id = format!("{:08x}-aaaa-4bbb-8ccc-{:012x}", seed * 7919 + 1, seed * 104_729 + 3);
    let names = ["claude-code", "codex-cli", "kimi-code", "opencode", "antigravity-cli", "any"];
    let (from, to) = (names[seed % 6], names[(seed / 2) % 6]);
    let values = ["none", "radio 9 is off", "a: b, c; d", "Привет — мир", "x", "see `code` and #12"];
    let value = |n: usize| values[(seed + n) % values.len()];
    let mut lines = vec![
        format!("## Handoff {id}"),
        String::new(),
        format!("> created: 2026-11-{:02}T07:51:{:02}+00:00", 1 + seed % 28, seed % 60),
        format!(r#"> tags: ["handoff", "from-{from}", "to-{to}", "handoff-to-{to}", "handoff-id-{id}"]"#),
        String::new(),
    ];
    let fenced = !seed.is_multiple_of(3);
    lines.extend(fenced.then(|| "```text".to_owned()));
    lines.push(format!("handoff_id: {id}"));
    lines.push(format!("from_runtime: {from}"));
    lines.push(format!("to_runtime: {to}"));
    lines.push("project_root: /srv/work/press".to_owned());
    lines.push(format!("objective: {}", value(1)));
    lines.push(format!("completed: {}", value(2)));
    lines.push("changed_files: src/a.rs, src/b.rs, +3 omitted".to_owned());
    lines.extend((seed % 4 != 1).then(|| "artifacts: none".to_owned()));
    lines.push("git_head: 293638123b14234c30e5cb3b8760fed5c7802501".to_owned());
    lines.push("worktree_state: 2 dirty:  M=1 ??=1; first=src/a.rs".to_owned());
    lines.push(format!("validation: {}", value(3)));
    lines.push(format!("blockers: {}", value(4)));
    lines.push(format!("next_action: {}", value(5)));
    lines.extend(fenced.then(|| "```".to_owned()));
    lines
}

/// Id, steps, record and the time as written.
type Said = (Option<RecordId>, Vec<Inert>, Record, Option<Inert>);

/// What a record is taken to say, without the places where it says it.
fn said(handoffs: &[Handoff]) -> Vec<Said> {
    handoffs
        .iter()
        .map(|h| {
            (
                h.record_id.clone(),
                h.next_actions.clone(),
                h.record.clone(),
                h.saved_at.clone().map(|s| s.written),
            )
        })
        .collect()
}

fn is_usable(handoffs: &[Handoff]) -> bool {
    !handoffs.is_empty() && handoffs.iter().all(|h| !h.has_errors())
}

#[test]
fn every_single_split_or_join_is_found_or_changes_nothing() {
    let mut torn = 0;
    for seed in 0..50 {
        let lines = good(seed);
        let whole = read(&lines.join("\n"));
        assert!(is_usable(&whole), "record {seed} is good: {:?}", whole.first().map(|h| &h.problems));
        let mut check = |changed: Vec<String>, what: &str| {
            let text = changed.join("\n");
            let found = read(&text);
            if is_usable(&found) {
                assert_eq!(
                    said(&found),
                    said(&whole),
                    "{what} of record {seed} passed and says something else:\n{text}"
                );
            } else {
                torn += 1;
            }
        };
        for (i, line) in lines.iter().enumerate() {
            for (at, _) in line.char_indices() {
                let mut changed = lines.clone();
                changed[i] = line[..at].to_owned();
                changed.insert(i + 1, line[at..].to_owned());
                check(changed, "a split");
            }
            if i + 1 < lines.len() {
                for glue in ["", " "] {
                    let mut changed = lines.clone();
                    let next = changed.remove(i + 1);
                    changed[i] = format!("{}{glue}{next}", changed[i]);
                    check(changed, "a join");
                }
            }
        }
    }
    assert!(torn > 10_000, "a positive control: the changes tear records ({torn})");
}

#[test]
fn a_field_line_that_is_split_or_joined_is_always_torn() {
    for seed in 0..50 {
        let lines = good(seed);
        let fields: Vec<usize> = (0..lines.len()).filter(|&i| record::is_field(&lines[i])).collect();
        for &i in &fields {
            // At its first or last character a split only adds a blank line, which a bare record may end with.
            for (at, _) in lines[i].char_indices().skip(1) {
                let mut changed = lines.clone();
                changed[i] = lines[i][..at].to_owned();
                changed.insert(i + 1, lines[i][at..].to_owned());
                let found = read(&changed.join("\n"));
                assert!(
                    !is_usable(&found) && found.len() == 1,
                    "field {} of record {seed} split at {at}",
                    lines[i]
                );
            }
            if fields.contains(&(i + 1)) {
                let mut changed = lines.clone();
                let next = changed.remove(i + 1);
                changed[i].push_str(&next);
                assert!(
                    !is_usable(&read(&changed.join("\n"))),
                    "field {} of record {seed} joined with the next",
                    lines[i]
                );
            }
        }
    }
}

#[test]
fn a_torn_record_never_hides_its_neighbours() {
    let mut file = good(1);
    file.pop(); // the closing fence
    file.push(String::new());
    file.extend(good(2));
    let found = read(&file.join("\n"));
    assert_eq!(found.len(), 2, "the record behind an open fence is still found");
    assert!(found[0].has_errors() && !found[1].has_errors(), "only the torn one is torn");
    assert!(found[0].next_actions.is_empty(), "nothing is taken from a torn record");
    assert!(found[0].problems.iter().any(|p| p.at.is_some()), "and it says where");
}

#[test]
fn ids_must_agree_in_all_three_places() {
    let whole = good(1);
    let other = "00000000-0000-4000-8000-000000000000";
    for (i, place) in [(0, "heading"), (3, "tag"), (6, "record")] {
        let mut lines = whole.clone();
        let id = lines[0].trim_start_matches("## Handoff ").to_owned();
        lines[i] = lines[i].replace(&id, other);
        let found = read(&lines.join("\n"));
        assert!(
            found[0].problems.iter().any(|p| p.code == "ids-differ"),
            "another id in the {place} is an error"
        );
    }
}

#[test]
fn older_spellings_are_read_and_other_memories_are_not_counted() {
    let whole = good(1);
    let list = |open: &str| whole[3].replacen("> tags: ", open, 1);
    let single = list("> tags: ").replace('"', "'");
    let tags: Vec<&str> = whole[3]
        .split('"')
        .filter(|part| part.contains(|c: char| c.is_alphanumeric()) && !part.contains(':'))
        .collect();
    let block =
        format!("> tags:\n{}", tags.iter().map(|tag| format!("> - {tag}")).collect::<Vec<_>>().join("\n"));
    for spelling in [list("tags: "), single, block] {
        let mut lines = whole.clone();
        lines[3] = spelling.clone();
        let found = read(&lines.join("\n"));
        assert!(
            is_usable(&found),
            "{spelling} is a spelling of tags: {:?}",
            found.first().map(|h| &h.problems)
        );
    }
    let memory = "## Ink\n\n> created: 2026-11-03T08:12:44+00:00\n> tags: [\"note\"]\n\nhandoff_id: none\n";
    assert!(read(memory).is_empty(), "a memory that is no handoff is not counted");
}

#[test]
fn over_long_fields_are_a_note_and_runtimes_are_normalised() {
    let mut lines = good(1);
    let at = lines.iter().position(|l| l.starts_with("objective:")).expect("a field");
    lines[at] = format!("objective: {}", "ж".repeat(101));
    let from = lines.iter().position(|l| l.starts_with("from_runtime:")).expect("a field");
    lines[from] = "from_runtime: codex".to_owned();
    let found = read(&lines.join("\n"));
    assert!(is_usable(&found), "neither makes the record unusable: {:?}", found[0].problems);
    assert!(found[0].problems.iter().any(|p| p.code == "over-long"), "101 characters are one too many");
    let Record::Memtomem(record) = &found[0].record else { panic!("a memtomem record") };
    assert_eq!(record.from_runtime.as_ref().map(Inert::raw), Some("codex-cli"), "codex is codex-cli");
    assert_eq!(record.changed_files.len(), 2, "the count of omitted files is no file");
}
