use super::*;
use crate::place::{Asker, Near, Part, Reach, Roots};

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
        Listed {
            part: Some(Part { head: "/p/plans/260901-Kiln-Index/HANDOFF.md".into(), number: 2 }),
            ..row("/p", "plans/260901-Kiln-Index/HANDOFF-2.md")
        },
        row("/p", "plans/261001-kiln-run/HANDOFF.md"),
        record(row("/p", ".memtomem/memories.local/day.md"), ONE, 3),
        record(row("/p", ".memtomem/memories.local/day.md"), TWO, 30),
        row("/p", ".thunderkit/HANDOFF.md"),
        row("/p", ".claude/handoffs/2026-11-29-Login.md"),
        row("/p-lane", ".claude/handoffs/2026-11-30-logout.md"),
        row("/p/wt/deep", "HANDOFF.md"),
        Listed { twins: vec!["/p-lane/NEXT_SESSION.md".into()], ..row("/p", "NEXT_SESSION.md") },
    ];
    rows.into_iter().map(Arc::new).collect()
}

/// Every way in which what is read may be named, the surest first.
const WAYS: [Reach; 9] = [
    Reach::Path,
    Reach::Id,
    Reach::Name,
    Reach::File,
    Reach::IdPrefix,
    Reach::InWorktree,
    Reach::PartInWorktree,
    Reach::Part,
    Reach::Worktree,
];

fn roots() -> Roots {
    let worktrees = ["/p-lane", "/p/wt/deep"].map(PathBuf::from).to_vec();
    Roots { project: "/p".into(), worktrees, ..Roots::default() }
}

/// What a name means from `/p/docs`: the paths, with `?` before them where several other files could be meant.
fn meaning(name: &str) -> Vec<String> {
    let (rows, roots) = (rows(), roots());
    let asker = Asker::new(Path::new("/p/docs"), &roots);
    let reached = WAYS.map(|reach| place::named(name, reach, &asker, &rows));
    let Some((reach, rows)) = reached.into_iter().enumerate().find(|(_, rows)| !rows.is_empty()) else {
        return vec![];
    };
    let mark = if rows.len() > 1 && WAYS[reach] != Reach::Path { "?" } else { "" };
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
        (
            "login",
            vec![".claude/handoffs/2026-11-29-Login.md"],
            "the whole slug of a dated file, in any case",
        ),
        ("logi", vec![], "but no part of it"),
        ("next_s", vec![], "nor a part of any other file's name"),
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
        ("lane/2026-11-30-logout.md", vec![], "and not as a path, which a folder could have"),
        ("wt/deep: HANDOFF.md", vec!["HANDOFF.md"], "a worktree by its path below the project"),
        ("../wt/deep: HANDOFF.md", vec!["HANDOFF.md"], "or from where the person stands"),
        ("deep: HANDOFF.md", vec!["HANDOFF.md"], "or by the last part of it"),
        ("eep: HANDOFF.md", vec![], "and by no other part"),
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
        ("log", 0, "a part that two stems share is none"),
        ("p", rows().len() - 3, "a worktree that has several, a chain once"),
        ("NEXT_SESSION", 0, "a stem that one row has is no choice"),
    ] {
        let chosen_from = meaning(name).iter().filter(|path| path.starts_with('?')).count();
        assert_eq!(chosen_from, count, "{name:?}: {why}");
    }
}

#[test]
fn a_row_is_near_by_where_it_lies_or_lay() {
    let roots = roots();
    let asker = Asker::new(Path::new("/p"), &roots);
    let trashed = |origin: &str| Listed {
        state: State::Trashed,
        origin: Some(origin.into()),
        ..row("/home/me/.claude/.handoff-trash", "HANDOFF.md")
    };
    for (row, near, why) in [
        (row("/p", "HANDOFF.md"), Near::Own, "the project's"),
        (row("/p-lane", "HANDOFF.md"), Near::Worktree, "another worktree's"),
        (row("/p/wt/deep", "HANDOFF.md"), Near::Worktree, "also of one that lies inside the project"),
        (trashed("/p/docs/HANDOFF.md"), Near::Own, "what the project put away"),
        (trashed("/p/wt/deep/HANDOFF.md"), Near::Worktree, "and what a worktree in it did"),
        (trashed("/q/HANDOFF.md"), Near::Foreign, "another project's"),
        (
            Listed { scope: Scope::Global, ..trashed("/home/me/.claude/handoffs/a.md") },
            Near::Own,
            "one's own home",
        ),
        (Listed { origin: None, ..trashed("/q") }, Near::Own, "nobody says whose it is"),
    ] {
        assert_eq!(asker.near(&row), near, "{why}");
    }
    assert_eq!(
        asker.worktree(Path::new("/p/wt/deep")),
        Some(Path::new("deep")),
        "the shortest name of a worktree"
    );
    assert_eq!(asker.worktree(Path::new("/p")), None, "the project itself needs none");
    assert_eq!(asker.worktree(Path::new("/elsewhere")), None, "and what is no worktree has none");
}

#[test]
fn what_was_put_away_is_called_as_before() {
    let roots = roots();
    let asker = Asker::new(Path::new("/p"), &roots);
    let trashed = Listed {
        state: State::Trashed,
        scope: Scope::Plan,
        origin: Some("/p/plans/260901-quay/HANDOFF.md".into()),
        ..row("/home/me/.claude/.handoff-trash", "HANDOFF-7.md")
    };
    let rows = [Arc::new(trashed), Arc::new(row("/p", "NEXT_SESSION.md"))];
    for (name, reach, why) in [
        ("plans/260901-quay/HANDOFF.md", Reach::Path, "its former path"),
        ("/p/plans/260901-quay/HANDOFF.md", Reach::Path, "the whole of it"),
        ("260901-quay", Reach::Name, "its plan"),
        ("quay", Reach::Part, "a part of that"),
        ("HANDOFF", Reach::File, "its file's name"),
        ("HANDOFF-7", Reach::File, "and its name in the trash"),
    ] {
        let found = place::named(name, reach, &asker, &rows);
        assert!(found.len() == 1 && Arc::ptr_eq(&found[0], &rows[0]), "{name:?}: {why}");
    }
    assert!(
        place::named(".handoff-trash", Reach::Part, &asker, &rows).is_empty(),
        "the trash is no folder of it"
    );
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
