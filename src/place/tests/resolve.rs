use super::*;
use crate::place::Resolution;

const ONE: &str = "3f2a9c1e-0000-4000-8000-000000000001";
const TWO: &str = "3f2a9c1e-0000-4000-8000-000000000002";

fn rows() -> Vec<Arc<Listed>> {
    let mut head = row("/p", "plans/260901-Kiln-Index/HANDOFF.md");
    head.handoff.continuation = Some(Inert::new("HANDOFF-2.md"));
    let rows = vec![
        row("/p", "HANDOFF.md"),
        row("/p", ".claude/handoffs/260921-seed.md"),
        Listed { id: "abcdef0123".into(), ..row("/p", "docs/HANDOFF.md") },
        head,
        row("/p", "plans/260901-Kiln-Index/HANDOFF-2.md"),
        row("/p", "plans/261001-kiln-run/HANDOFF.md"),
        record(row("/p", ".memtomem/memories.local/day.md"), ONE, 3),
        record(row("/p", ".memtomem/memories.local/day.md"), TWO, 30),
        row("/p", ".thunderkit/HANDOFF.md"),
        row("/p", ".claude/handoffs/2026-11-29-Login.md"),
        row("/p-lane", ".claude/handoffs/2026-11-30-logout.md"),
        Listed { twins: vec!["/p-lane/NEXT_SESSION.md".into()], ..row("/p", "NEXT_SESSION.md") },
    ];
    rows.into_iter().map(Arc::new).collect()
}

/// What a name means from `/p/docs`: the paths, with `?` before them where nothing was chosen.
fn meaning(name: &str) -> Vec<String> {
    let rows = rows();
    let (mark, rows) = match place::resolve(name, Path::new("/p/docs"), &rows) {
        Resolution::These(rows) => ("", rows),
        Resolution::Several(rows) => ("?", rows),
        Resolution::Nothing => return vec![],
    };
    paths(&rows).into_iter().map(|path| format!("{mark}{path}")).collect()
}

#[test]
fn a_name_means_one_row_or_says_which_ones_it_could_mean() {
    let day = ".memtomem/memories.local/day.md";
    for (name, means, why) in [
        ("/p/HANDOFF.md", vec!["HANDOFF.md"], "a full path"),
        ("HANDOFF.md", vec!["docs/HANDOFF.md"], "a relative path starts where the person stands"),
        ("../HANDOFF.md", vec!["HANDOFF.md"], "and may go up"),
        ("./../docs/./HANDOFF.md", vec!["docs/HANDOFF.md"], "in any spelling"),
        (
            "/p-lane/NEXT_SESSION.md",
            vec!["NEXT_SESSION.md"],
            "a folded copy's path means the row that names it",
        ),
        ("260921-seed", vec![".claude/handoffs/260921-seed.md"], "date and slug"),
        ("260921-seed.md", vec![".claude/handoffs/260921-seed.md"], "with the ending as well"),
        ("abcdef0123", vec!["docs/HANDOFF.md"], "a short id"),
        ("abcd", vec!["docs/HANDOFF.md"], "its beginning"),
        ("abc", vec![], "but not three letters of it"),
        (ONE, vec![day], "a record id"),
        ("../.memtomem/memories.local/day.md", vec![day, day], "a day file's path means all its records"),
        ("kiln-index", vec!["plans/260901-Kiln-Index/HANDOFF.md"], "a part of a plan, at the chain's head"),
        (
            ".claude/handoffs/260921-seed.md",
            vec![".claude/handoffs/260921-seed.md"],
            "a path as lists show it",
        ),
        (".thunderkit", vec![".thunderkit/HANDOFF.md"], "the kit by its folder"),
        ("login", vec![".claude/handoffs/2026-11-29-Login.md"], "a part of a file's stem, in any case"),
        (
            "p-lane: 2026-11-30-logout",
            vec![".claude/handoffs/2026-11-30-logout.md"],
            "another worktree's row as the screen shows it",
        ),
        ("p: 2026-11-30-logout", vec![], "and not in a worktree that has no such row"),
        (
            "p-lane/.claude/handoffs/2026-11-30-logout.md",
            vec![".claude/handoffs/2026-11-30-logout.md"],
            "the same as a path that begins with the worktree",
        ),
        (
            "lane: 2026-11-30-logout.md",
            vec![".claude/handoffs/2026-11-30-logout.md"],
            "as a narrow screen shows it",
        ),
        ("ane: 2026-11-30-logout.md", vec![], "but only from a separator on"),
        ("p-lane", vec![".claude/handoffs/2026-11-30-logout.md"], "a worktree that has one handoff"),
        ("day 3f2a9c1e-0000-4000-8000-000000000002", vec![day], "a record as the screen shows it"),
        (
            ".memtomem/memories.local/day.md#3f2a9c1e-0000-4000-8000-000000000001",
            vec![day],
            "and as lists do",
        ),
        (
            "/p/.memtomem/memories.local/day.md#3f2a9c1e-0000-4000-8000-000000000001",
            vec![day],
            "with the whole path as well",
        ),
        ("", vec![], "nothing means nothing"),
        ("otter", vec![], "an unknown name means nothing"),
    ] {
        assert_eq!(meaning(name), means, "{name:?}: {why}");
    }
    for (name, count, why) in [
        ("3f2a9c1e", 2, "a beginning that two records share"),
        ("KILN", 2, "a part that two plans share, in any case"),
        ("log", 2, "a part that two stems share"),
        ("p", rows().len() - 1, "a worktree that has several"),
        ("NEXT_SESSION", 0, "a stem that one row has is no choice"),
    ] {
        let chosen_from = meaning(name).iter().filter(|path| path.starts_with('?')).count();
        assert_eq!(chosen_from, count, "{name:?}: {why}");
    }
}

#[test]
fn of_a_worktrees_name_only_what_the_project_shares_is_left_out() {
    for (worktree, project, apart) in [
        ("ferry-tokens", "ferry", "tokens"),
        ("ferry-parser", "ferry-tokens", "parser"),
        ("ferry-tokens-2", "ferry-tokens-1", "2"),
        ("ferry", "ferry-tokens", "ferry"),
        ("ferryman", "ferry", "ferryman"),
        ("ferry-", "ferry", "ferry-"),
        ("other", "ferry", "other"),
        ("", "ferry", ""),
    ] {
        assert_eq!(place::apart(worktree, project), apart, "{worktree} in {project}");
    }
}
