//! What is taken for a claim, and what is not.

use super::*;

/// What is named as being there.
fn all(text: &str) -> Vec<(Kind, String, u32)> {
    find(text, (1, u32::MAX), Written::AsPage, BTreeSet::new)
        .mentions
        .into_iter()
        .filter(|m| m.sense == Sense::There && (m.sure || m.kind == Kind::Commit))
        .map(|m| (m.kind, m.text.raw().to_owned(), m.line))
        .collect()
}

#[test]
fn what_a_text_names_is_found_with_its_line() {
    let text = "# Title\nSee `src/auth/mod.rs:41` and [plan](plans/260325-auth/plan.md#next).\n\
                - docs/api.md: rewritten\n- Commit 1a2b3c4 on branch `feat/auth`, tag `v1.2`\n\
                Fixes acme/api#12, then #13.\n";
    assert_eq!(
        all(text),
        [
            (Kind::Path, "src/auth/mod.rs".into(), 2),
            (Kind::Path, "plans/260325-auth/plan.md".into(), 2),
            (Kind::Path, "docs/api.md".into(), 3),
            (Kind::Branch, "feat/auth".into(), 4),
            (Kind::Tag, "v1.2".into(), 4),
            (Kind::Commit, "1a2b3c4".into(), 4),
            (Kind::Issue, "acme/api#12".into(), 5),
            (Kind::Issue, "#13".into(), 5),
        ],
        "every kind is found once, at its line, without a line number or an anchor"
    );
}

#[test]
fn fences_comments_and_innocent_words_name_nothing() {
    let text = "```\nsrc/in/fence.rs `src/a/b.rs`\n```\n<!-- `src/x/y.rs` -->\n`cargo test` and `and/or` and\n\
                `Vec::new()` `https://example.org/a.md` `*.rs` `20260325` and `1234567` `std.io`\n\
                - commit 20260325 is a date\n- origin/main was fetched\n";
    assert_eq!(all(text), [], "commands, globs, urls, dates and refs without their word are no claims");
    assert_eq!(all("~~~~\n```\n`a/b.rs`\n~~~~\n`c/d.rs`").len(), 1, "a fence is closed by its own mark only");
}

#[test]
fn a_thing_is_planned_only_where_nothing_else_names_it() {
    let found =
        find("`a/one.rs` `a/two.rs`\nSee `a/two.rs`.\n", (1, 2), Written::AsPage, || BTreeSet::from([1]))
            .mentions;
    let tones: Vec<_> = found.iter().map(|mention| (mention.text.raw(), mention.tone)).collect();
    assert_eq!(
        tones,
        [("a/one.rs", Tone::Planned), ("a/two.rs", Tone::Said)],
        "the report outweighs the plan"
    );
}

#[test]
fn lines_of_another_record_are_not_looked_at() {
    let found = find("`a/one.rs`\n`a/two.rs`\n`a/three.rs`", (2, 2), Written::AsPage, BTreeSet::new).mentions;
    assert_eq!(found.len(), 1, "only the handoff's own lines of a day file count");
    assert_eq!(found[0].line, 2, "and they keep the file's numbering");
}

/// The words of what is named as being there.
fn claimed(text: &str) -> Vec<String> {
    all(text).into_iter().map(|(_, text, _)| text).collect()
}

#[test]
fn what_the_text_says_is_gone_is_no_claim() {
    for text in [
        "Deleted `src/old.rs`.",
        "We removed the stale files `src/old.rs` and `src/older.rs` yesterday.",
        "`src/old.rs` was deleted.",
        "`src/old.rs` and `src/older.rs` have been removed.",
        "- `src/old.rs` (removed)",
        "- src/old.rs: deleted",
        "- `src/old.rs` — deleted",
        "`src/old.rs` no longer exists.",
        "`src/old.rs` does not exist any more",
        "## Deleted files\n\n- `src/old.rs`\n- src/older.rs",
        "Removed:\n\n- `src/old.rs`\n- src/older.rs",
        "- Removed:\n  - `src/old.rs`",
        "> See `src/old.rs`, which holds everything.",
        "~~The parser lives in `src/old.rs`.~~",
        "<del>`src/old.rs`</del>",
        "## Old notes (superseded)\n\nThe parser lives in `src/old.rs`.",
        "The parser moved on:\nwe deleted\n`src/old.rs` for good.",
        "| `src/old.rs` | deleted |",
        "已删除 `src/old.rs`",
        "`src/old.rs` wurde gelöscht.",
        "Branch `feat/x` was merged and deleted.",
        "Merged and deleted branch `feat/x`.",
        "Branch `feat/x` is merged.",
        "The parser lives in `src/old.rs`.\n\nLater: `src/old.rs` was deleted.",
        "Use the new one instead of `src/old.rs`",
    ] {
        assert_eq!(claimed(text), Vec::<String>::new(), "nothing is said to be there: {text:?}");
    }
}

#[test]
fn what_the_text_says_is_there_is_one_whatever_else_went() {
    for (text, names) in [
        ("Renamed `src/a.rs` -> `src/b.rs`.", ["src/b.rs"].as_slice()),
        ("Renamed `src/a.rs` to `src/b.rs`.", &["src/b.rs"]),
        ("`src/a.rs` moved to `src/b.rs`", &["src/b.rs"]),
        ("- src/a.rs → `src/b.rs` (renamed)", &["src/b.rs"]),
        ("Deleted `src/old.rs`, added `src/new.rs`.", &["src/new.rs"]),
        ("Removed the dead branch in `src/a.rs`.", &["src/a.rs"]),
        ("Removed two helpers from `src/a.rs`.", &["src/a.rs"]),
        ("- `src/a.rs`: removed unused imports", &["src/a.rs"]),
        ("Replaced the parser with `src/new.rs`.", &["src/new.rs"]),
        ("Did not delete `src/a.rs`.", &["src/a.rs"]),
        ("Deleted `src/old.rs`. See `src/a.rs`.", &["src/a.rs"]),
        ("## Deleted files\n\n- `src/old.rs`\n\n## Kept\n\n- `src/a.rs`", &["src/a.rs"]),
        ("Removed:\n- `src/old.rs`\n\nThe rest is in `src/a.rs`.", &["src/a.rs"]),
        ("- Removed:\n  - `src/old.rs`\n- `src/a.rs` is new", &["src/a.rs"]),
        ("> quoted `src/old.rs`\n\n`src/a.rs`", &["src/a.rs"]),
        ("~~`src/old.rs`~~ `src/a.rs`", &["src/a.rs"]),
        ("Work goes on at branch `feat/x`.", &["feat/x"]),
    ] {
        assert_eq!(claimed(text), *names, "{text:?}");
    }
}

#[test]
fn hex_digits_are_a_commit_only_where_the_words_allow_it() {
    for text in [
        "The image is `1a2b3c4d`.",
        "sha256 of the bundle: `e3b0c4429`",
        "docker digest sha256:e3b0c4429, see the commit log",
        "The merged palette uses #1a2b3c4d.",
        "Session `3f0c8a52` (claude), merged yesterday",
        "uuid 3f0c8a52-7d1e-4b7a, hash unknown",
        "checksum 1a2b3c4d (md5) of the merged file",
        "The word `effaced` is no id; commit `defaced` neither",
        "The magic number is `deadbeef`.",
    ] {
        assert_eq!(claimed(text), Vec::<String>::new(), "no commit is named: {text:?}");
    }
    for (text, sure) in [
        ("Commit `1a2b3c4d` mends the session id.", true),
        ("Commit `deadbeef` mends it.", true),
        ("the image was built from commit 1a2b3c4d", true),
        ("HEAD is at 1a2b3c4d", true),
        ("## Commits\n\n- `1a2b3c4d` Fix it", true),
        ("- `1a2b3c4d` Fix it", false),
        ("hash 1a2b3c4d", false),
    ] {
        let found = find(text, (1, u32::MAX), Written::AsPage, BTreeSet::new).mentions;
        let named: Vec<_> = found.iter().map(|mention| (mention.kind, mention.sure)).collect();
        assert_eq!(named, [(Kind::Commit, sure)], "{text:?}");
    }
}

#[test]
fn what_is_to_come_is_planned() {
    let found =
        find("We will write `src/new.rs`. See `src/a.rs`.", (1, u32::MAX), Written::AsPage, BTreeSet::new)
            .mentions;
    let tones: Vec<_> = found.iter().map(|mention| mention.tone).collect();
    assert_eq!(tones, [Tone::Planned, Tone::Said], "a promise is no report");
}

#[test]
fn a_text_that_names_one_thing_over_and_over_is_looked_at_up_to_a_bound_and_that_is_said() {
    let named = |times: usize| {
        let text = format!("{}- `src/late.rs`\n", "- `src/a.rs`\n".repeat(times));
        let found = find(&text, (1, u32::MAX), Written::AsPage, BTreeSet::new);
        (found.mentions.len(), found.cut)
    };
    assert_eq!(named(200), (2, false), "the control: two hundred times is no bound");
    assert_eq!(named(MOST_NAMES), (1, true), "where the bound is met, what follows was not looked at");
}

/// What is said to be gone or merged.
fn past(text: &str) -> Vec<(Kind, String, Sense)> {
    let mentions = find(text, (1, u32::MAX), Written::AsPage, BTreeSet::new).mentions;
    let past = mentions.into_iter().filter(|m| m.sense != Sense::There);
    past.map(|m| (m.kind, m.text.raw().to_owned(), m.sense)).collect()
}

#[test]
fn what_is_plainly_said_to_be_deleted_or_merged_is_a_claim_of_its_own() {
    for text in [
        "Deleted `src/old.rs`.",
        "We removed the stale file `src/old.rs` yesterday.",
        "`src/old.rs` was deleted.",
        "- `src/old.rs` (removed)",
        "- src/old.rs: deleted",
        "Removed `src/old.rs` from the repository.",
        "## Deleted files\n\n- `src/old.rs`",
        "Removed:\n\n- `src/old.rs`",
        "| `src/old.rs` | deleted |",
        "Deleted `src/old.rs`, added `src/new.rs`.",
        "已删除 `src/old.rs`",
        "`src/old.rs` wurde gelöscht.",
    ] {
        assert_eq!(past(text), [(Kind::Path, "src/old.rs".into(), Sense::Gone)], "{text:?}");
    }
    for (text, sense) in [
        ("Branch `feat/x` was merged and deleted.", Sense::Gone),
        ("Deleted the local branch `feat/x`.", Sense::Gone),
        ("Branch `feat/x` is merged.", Sense::Merged),
        ("Merged branch `feat/x` into `main`.", Sense::Merged),
        ("Branch `feat/x` was merged into main yesterday.", Sense::Merged),
    ] {
        assert_eq!(past(text), [(Kind::Branch, "feat/x".into(), sense)], "{text:?}");
    }
}

#[test]
fn what_is_not_plainly_deleted_or_merged_is_no_claim() {
    for text in [
        "`src/a.rs` should be deleted.",
        "Do not delete `src/a.rs`; it was not removed.",
        "Once `src/a.rs` is removed, build again.",
        "Removed `src/a.rs` from the build.",
        "Removed the helper from `src/a.rs`.",
        "Removed `src/a.rs:10-20`.",
        "Removed the `src/a.rs` tests.",
        "Deleted `src/a.rs` tests.",
        "- `src/a.rs`: removed unused imports",
        "Files to be deleted:\n- `src/a.rs`",
        "Removed:\n- the helper in `src/a.rs`",
        "Deleted `src/a.rs`, then restored it.",
        "Renamed `src/a.rs` to `src/b.rs`.",
        "~~Deleted `src/a.rs`.~~",
        "```\nDeleted `src/a.rs`.\n```",
        "The parser lives in `src/a.rs`.\n\nDeleted `src/a.rs`.",
        "从 `src/a.rs` 删除了旧函数",
        "Branch `feat/x` is not merged yet.",
        "Branch `feat/x` is ready to be merged.",
        "Branch `feat/x` merged the old parser.",
        "Merged branch `main` to catch up.",
        "Work goes on at branch `feat/x`.",
    ] {
        assert_eq!(past(text), [], "{text:?}");
    }
    let planned = find("Deleted `src/a.rs`.\n", (1, 1), Written::AsPage, || BTreeSet::from([1])).mentions;
    assert_eq!(planned, [], "a step that names a deed is no report of it");
}

#[test]
fn paths_that_lead_elsewhere_are_named_too() {
    for (text, path) in [
        ("See `/home/ada/notes/plan.md`.", "/home/ada/notes/plan.md"),
        ("See [plan](../plans/plan.md#next).", "../plans/plan.md"),
        ("- ../api/src/lib.rs: rewritten", "../api/src/lib.rs"),
        ("Logs are in `/tmp/run-7/`.", "/tmp/run-7/"),
        ("Kept in `~/notes/plan.md`.", "~/notes/plan.md"),
    ] {
        assert_eq!(claimed(text), [path], "{text:?}");
    }
    for text in [
        "`GET /api/v1/users`",
        "`/handoff`",
        "`/api/users/`",
        "`a..b`",
        "`../`",
        "`~/`",
        "`https://x.example/a/../b.md`",
        r"`C:\Users\jo\plan.md`",
        "`C:/Users/jo/plan.md`",
        "`github.com/acme/api/blob/main/src/a.rs`",
        "`node/18.x` and `acme/api.git`",
        "`path/to/file.rs` and `src/…/mod.rs`",
    ] {
        assert_eq!(claimed(text), Vec::<String>::new(), "no path is named: {text:?}");
    }
}

#[test]
fn indented_code_and_preformatted_blocks_name_nothing_and_lists_do() {
    for text in [
        "Run:\n\n    git show 1a2b3c4d\n    see `src/a.rs` commit 1a2b3c4d\n",
        "\tcat `src/a.rs`\n",
        "<pre>\n`src/a.rs`\n</pre>\n",
    ] {
        assert_eq!(claimed(text), Vec::<String>::new(), "{text:?}");
    }
    for text in [
        "- Parser:\n\n    `src/a.rs`\n",
        "A sentence\n    that goes on in `src/a.rs`\n",
        "1. One\n\n    - `src/a.rs`\n",
        "    code\n\n`src/a.rs`\n",
    ] {
        assert_eq!(claimed(text), ["src/a.rs"], "{text:?}");
    }
    let data = find("files:\n\n    - src/a.rs\n", (1, u32::MAX), Written::AsData, BTreeSet::new);
    assert_eq!(data.mentions.len(), 1, "in data, indentation is structure");
}

#[test]
fn open_check_boxes_are_told_with_their_line() {
    let text = "- [ ] Rotate tokens\n- [x] Done\n* [ ] ~~Struck~~\n```\n- [ ] In a fence\n```\n1. [ ] Measure `src/a.rs`\n";
    let found = find(text, (1, u32::MAX), Written::AsPage, BTreeSet::new).mentions;
    let boxes = found.iter().filter(|mention| mention.kind == Kind::Box);
    let boxes: Vec<_> = boxes.map(|mention| (mention.text.raw(), mention.line)).collect();
    assert_eq!(boxes, [("Rotate tokens", 1), ("Measure `src/a.rs`", 7)], "open ones outside of fences");
    assert!(found.iter().any(|mention| mention.kind == Kind::Path), "what one names is named all the same");
}

#[test]
fn branches_and_tags_are_told_by_the_word_on_either_side_in_any_language() {
    for (text, kind, name) in [
        ("Work is on the `feat/x` branch.", Kind::Branch, "feat/x"),
        ("Der `feat/x`-Stand; Branch `feat/y` ruht.", Kind::Branch, "feat/y"),
        ("Работа в ветке `feat/x`.", Kind::Branch, "feat/x"),
        ("在分支 `feat/x` 上", Kind::Branch, "feat/x"),
        ("`feat/x`ブランチで作業", Kind::Branch, "feat/x"),
        ("Tag `v1.2`", Kind::Tag, "v1.2"),
        ("标签 `v1.2`", Kind::Tag, "v1.2"),
        ("коммит `1a2b3c4d` чинит", Kind::Commit, "1a2b3c4d"),
        ("コミット `1a2b3c4d` で修正", Kind::Commit, "1a2b3c4d"),
    ] {
        let found = find(text, (1, u32::MAX), Written::AsPage, BTreeSet::new).mentions;
        let named: Vec<_> = found
            .iter()
            .filter(|mention| mention.sure)
            .map(|mention| (mention.kind, mention.text.raw()))
            .collect();
        assert_eq!(named, [(kind, name)], "{text:?}");
    }
    for text in
        ["The `else` branch is dead.", "The `div` tag", "tags `span` and `h`", "the `src/a` branch-less"]
    {
        assert_eq!(claimed(text), Vec::<String>::new(), "{text:?}");
    }
}
