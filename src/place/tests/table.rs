use crate::handoff::Habit;
use crate::place::table::Table;
use crate::place::{Scope, State, check_notation};
use std::path::Path;

/// Where a project-relative path is listed, `None` where it is no candidate.
fn listed(path: &str) -> Option<(Scope, Habit, State)> {
    let (table, _) = Table::with(&[]);
    let pattern = table.of_path(None, Path::new(path)).map(|at| table.pattern(at))?;
    Some((pattern.scope, pattern.habit, pattern.state))
}

#[test]
fn every_convention_is_written_in_the_notation() {
    let (table, refused) = Table::with(&[]);
    assert!(refused.is_empty(), "the built-in table parses whole");
    let homes = table.homes();
    assert_eq!(
        homes,
        [".claude/handoffs", ".claude-handoffs", ".agent-handoffs", ".claude/.handoff-trash"],
        "home places are opened by their literal beginning, never the whole home directory"
    );
}

#[test]
fn paths_are_listed_where_people_keep_handoffs() {
    let project = [
        "HANDOFF.md",
        "handoff.md",
        "HANDOVER.md",
        "Handover.MD",
        "SESSION_HANDOFF.md",
        "NEXT_SESSION.md",
        "CONTINUE.md",
        "session-handoff.md",
        "HANDOFF-api.md",
        "HANDOFF_2026-09-01.md",
        "2026-09-01-handoff.md",
        "2026-09-01_HANDOVER_api.md",
        "api-handoff.md",
        "api-handoff-2026-09-01.md",
        "HANDOFF-3.md",
        "HANDOFF2.md",
        "HANDOFF.txt",
        "HANDOFF.json",
        "docs/HANDOFF.md",
        "docs/payments/HANDOVER.md",
        "docs/handover/2026-09-17.md",
        "handover/20260204_note.md",
        ".claude/handovers/x.md",
        ".claude/context/session-handoff-2026-09-01.md",
        ".claude/state/handoff.json",
        ".cursor/handovers/x.md",
        ".specs/HANDOFF.md",
        "memory-bank/handoff.md",
        "SESSION_STATE.md",
        "RESUME_HERE.md",
        "Docs/handover-notes.md",
        "docs/SESSION_HANDOFF.md",
        ".claude/session-handoff.md",
        ".claude/handoffs/260921-seed-catalogue.md",
        ".claude/handoffs/handoff_20260819_071503.md",
        ".claude/handoffs/260901-schema-migration.md",
        ".claude/handoffs/deeper/still/x.yaml",
        "docs/handoffs/2026-09-17-ledger-import.md",
        "handoffs/anything.txt",
        "handoffs/HANDOFF-2.md",
        ".handoff/current.json",
        ".handoffs/a.md",
        ".agent-handoff/state.yml",
        ".agents/handoffs/x.md",
        ".agents/HANDOFF.md",
        ".agent/handover.md",
        ".ai/HANDOFF.md",
        ".codex/HANDOFF.md",
        ".cursor/session-handoff.md",
        ".opencode/handoff.md",
        ".ralph/agent/handoff.md",
        ".tigerkit/handoff.md",
        ".remember/remember.md",
        ".planning/HANDOFF.json",
        ".planning/.continue-here.md",
        "thoughts/shared/handoffs/ENG-1/2026-09-01_10-00-00_x.md",
        "thoughts/shared/handoffs/general/y.yaml",
        "plans/HANDOFF.md",
        "plans/reports/HANDOFF.md",
    ];
    for path in project {
        let expected = Some((Scope::Project, Habit::Other, State::Live));
        assert_eq!(listed(path), expected, "{path} is a handoff of the project");
    }
    for path in ["plans/260901-a/HANDOFF.md", "plans/a/handoff-2.md", "plans/a/api-handoff.md"] {
        assert_eq!(listed(path), Some((Scope::Plan, Habit::Other, State::Live)), "{path} belongs to a plan");
    }
    let thunderkit = Some((Scope::Project, Habit::Thunderkit, State::Live));
    assert_eq!(listed(".thunderkit/HANDOFF.md"), thunderkit, "thunderkit's file has its own reader");
    for path in [".memtomem/memories.local/2026-09-01--x.md", ".memtomem/memories.local/a/b/c.md"] {
        let day_file = Some((Scope::Project, Habit::DayFile, State::Live));
        assert_eq!(listed(path), day_file, "{path} is a day file");
    }
}

#[test]
fn paths_about_handoffs_and_other_peoples_code_are_no_candidates() {
    for path in [
        "README.md",
        "src/HANDOFF.md",
        "continue-integration.md",
        "session-state-machine.md",
        "docs/a/b/HANDOFF.md",
        "docs/a/guide.md",
        ".claude/agents/handoff.md",
        "handoff.rs",
        "HANDOFF",
        "handoffer.md",
        "nexts-session.md",
        "2026-09-01.md",
        "docs/guide.md",
        "docs/README-handoff.md",
        ".claude/settings.json",
        ".claude/skills/handoff/HANDOFF.md",
        ".claude/commands/handoff.md",
        ".claude/handoffs/README.md",
        ".claude/handoffs/TEMPLATE.md",
        ".claude/handoffs/template.md",
        ".claude/handoffs/HANDOFF_SCHEMA.json",
        ".claude/handoffs/handoff.schema.json",
        ".claude/handoffs/templates/HANDOFF.md",
        ".claude/handoffs/photo.png",
        ".agents/skills/handoff.md",
        ".agents/notes.md",
        ".cursor/rules/handoff.md",
        ".codex/config.json",
        "handoffs/node_modules/x/HANDOFF.md",
        "handoffs/target/HANDOFF.md",
        "handoffs/vendor/HANDOFF.md",
        "handoffs/.git/HANDOFF.md",
        "plans/260901-a/plan.md",
        "plans/notes.md",
        "plans/reports/2026-09-01.md",
        ".thunderkit/NORTH_STAR.md",
        ".memtomem/memories/x.md",
        ".planning/STATE.md",
        "thoughts/shared/plans/x.md",
    ] {
        assert_eq!(listed(path), None, "{path} is no candidate");
    }
}

#[test]
fn settings_add_places_in_the_same_notation() {
    let extra = [
        "packages/*/{handoff}".into(),
        "~/notes/**".into(),
        "~/**".into(),
        "a/../b".into(),
        "x/[y].md".into(),
    ];
    let (table, refused) = Table::with(&extra);
    let fits = |path: &str| table.of_path(None, Path::new(path)).is_some();
    assert!(fits("packages/api/HANDOFF.md"), "an added place is searched");
    assert!(!fits("packages/api/src/HANDOFF.md"), "`*` stands for one folder only");
    assert!(table.homes().contains(&"notes"), "a home place of the settings is opened by its beginning");
    let refused: Vec<_> = refused.iter().map(|(place, _)| place.as_str()).collect();
    assert_eq!(
        refused,
        ["~/**", "a/../b", "x/[y].md"],
        "what is not in the notation is refused with a reason"
    );
    assert!(
        check_notation("~/**").is_err_and(|why| why.contains("home directory")),
        "and the reason can be asked for"
    );
}
