//! The save form on real repositories: keys in, screens and files out.

#[path = "../common/desk.rs"]
mod desk;

#[path = "../common/nobody.rs"]
mod nobody;

#[path = "../common/pty.rs"]
mod pty;

#[path = "../common/true_project.rs"]
mod true_project;

mod carried;
mod faults;
mod lanes;
mod terminal;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use desk::{Desk, everything};
use moorline::handoff::{Family, Habit, Handoff, Inert, Source};
use true_project::git::{self, TestRepo};

/// A repository with one commit.
fn repository() -> TestRepo {
    let repo = TestRepo::new();
    repo.commit("README.md", "x\n", "Begin");
    repo
}

/// A repository with one active plan.
fn with_a_plan() -> TestRepo {
    let repo = repository();
    repo.commit("plans/260901-auth/plan.md", "# Plan\n", "Plan");
    repo
}

fn read(path: &Path) -> Handoff {
    let bytes = fs::read(path).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
    let name = path.file_name().expect("a name").to_string_lossy().into_owned();
    moorline::handoff::read(&Source { bytes: &bytes, name: &name, habit: Habit::Other, cut_from: None })
        .remove(0)
}

fn raw(texts: &[Inert]) -> Vec<&str> {
    texts.iter().map(Inert::raw).collect()
}

/// Keys that write into the form of theonekit's format: the task, and two next steps.
const WORDS: &str = "Rotate tokens<tab>2 of 3<tab><tab>Count them<enter>Then sell";

#[test]
fn the_first_save_writes_nothing_before_the_yes_and_then_what_was_shown() {
    let repo = repository();
    let head = repo.git(&["rev-parse", "HEAD"]);
    repo.write("work.txt", "new\n");
    let before = everything(repo.dir());
    let mut desk = Desk::open(repo.dir());
    desk.keys("s").keys(WORDS).settle();
    let screen = desk.screen();
    assert!(screen.contains(&format!("✓ {head}  from HEAD")), "the commit is captured in full:\n{screen}");
    assert!(
        screen.contains("✓ 1 changed  from worktree against index and HEAD"),
        "so is the state:\n{screen}"
    );
    assert!(
        screen.contains("inside a project, and no plan is active"),
        "the place has its reason:\n{screen}"
    );
    let target = desk.target();
    desk.keys("<ctrl-s>").see("Nothing is written yet");
    assert!(desk.screen().contains("+ 1. Count them"), "the document as it would be:\n{}", desk.screen());
    assert_eq!(everything(repo.dir()), before, "up to here nothing was written");
    desk.keys("y").see(&format!("saved to {} (project)", target.display()));
    desk.see("It is a new file");
    let handoff = read(&target);
    assert_eq!(handoff.family, Family::Theonekit, "its own reader knows it");
    assert_eq!(raw(&handoff.next_actions), ["Count them", "Then sell"], "the words");
    assert_eq!(handoff.commit.as_ref().map(|id| id.as_str()), Some(head.as_str()), "the facts");
    desk.keys("<esc>");
    desk.until("the new row", |desk| desk.selected().as_deref() == Some(&target));
    assert_eq!(everything(repo.dir()).len(), before.len() + 1, "one file, and nothing beside it");
    assert!(repo.git(&["diff", "--cached", "--name-only"]).is_empty(), "nothing was staged");
}

#[test]
fn one_undo_of_a_later_screen_takes_every_file_of_a_chain_back() {
    let repo = with_a_plan();
    let before = everything(repo.dir());
    let mut desk = Desk::open(repo.dir());
    let long = "A decision that was made for a reason.\n".repeat(700);
    desk.keys("s").keys(WORDS).keys("<tab>").paste(&long).keys("<tab>").paste(&long).settle();
    let screen = desk.screen();
    assert!(screen.contains("goes on in 2 more files"), "it does not fit into one:\n{screen}");
    desk.keys("<ctrl-s>")
        .see("new file")
        .keys("y")
        .see("saved to")
        .see("takes this save back, with its 3 files.");
    drop(desk);
    let mut later = Desk::open(repo.dir());
    later.keys("U").see("Takes back save of 1 handoff in 3 files").keys("y").see("1 of 1 moved, in 3 files");
    assert_eq!(everything(repo.dir()), before, "and nothing of it is left");
}

#[test]
fn an_overwrite_is_shown_as_a_difference_and_the_old_bytes_can_be_had_back() {
    let repo = with_a_plan();
    let mut desk = Desk::open(repo.dir());
    desk.keys("s").keys(WORDS).settle().keys("<ctrl-s>").see("new file").keys("y").see("saved to");
    let path = repo.dir().join("plans/260901-auth/HANDOFF.md");
    let old = fs::read(&path).expect("there");
    desk.keys("<esc>");
    desk.until("the new row", |desk| desk.selected().as_deref() == Some(&path));
    desk.keys("s").settle().keys("<ctrl-o>").settle();
    let screen = desk.screen();
    assert!(screen.contains("carried over 2 of 3"), "the phase is carried over and marked:\n{screen}");
    assert!(screen.contains("carried over Count them"), "so is each step:\n{screen}");
    desk.keys("<tab><tab><tab><end> twice").settle().keys("<ctrl-s>").see("which are kept");
    let screen = desk.screen();
    assert!(
        screen.contains("- 2. Then sell") && screen.contains("+ 2. Then sell twice"),
        "as a difference:\n{screen}"
    );
    assert!(screen.contains("  ## Next Steps"), "with what stands around it:\n{screen}");
    assert_eq!(fs::read(&path).expect("there"), old, "up to here nothing was written");
    desk.keys("y").see("takes this save back");
    let kept = repo.beside("home").join(".claude/.handoff-trash/HANDOFF.md");
    assert_eq!(fs::read(kept).expect("kept"), old, "the old bytes lie where the screen says");
    assert_eq!(raw(&read(&path).next_actions), ["Count them", "Then sell twice"], "and the new ones stand");
}

#[test]
fn the_words_of_somebody_else_s_save_are_shown_and_never_lost() {
    let repo = with_a_plan();
    let path = repo.dir().join("plans/260901-auth/HANDOFF.md");
    fs::write(&path, "# Handoff\n\n## Next Steps\n1. One\n").expect("written");
    let mut desk = Desk::open(repo.dir());
    desk.keys("s").keys(WORDS).settle().keys("<ctrl-s>").see("which are kept");
    let theirs = "# Handoff\n\n## Next Steps\n1. Theirs\n";
    fs::write(&path, theirs).expect("written");
    desk.keys("y").see("changed since it was read");
    let screen = desk.screen();
    assert!(screen.contains("- 1. One") && screen.contains("+ 1. Theirs"), "told and shown:\n{screen}");
    assert_eq!(fs::read_to_string(&path).expect("there"), theirs, "theirs stands");
    desk.keys("n").see("new file");
    desk.keys("y").see("(project)");
    assert_eq!(fs::read_to_string(&path).expect("there"), theirs, "also after ours has a name of its own");
    let own = fs::read_dir(repo.dir().join(".claude/handoffs")).expect("made").count();
    assert_eq!(own, 1, "ours lies beside the plan");
}

#[test]
fn after_a_reload_the_second_saver_sees_what_would_be_replaced_now() {
    let repo = with_a_plan();
    let path = repo.dir().join("plans/260901-auth/HANDOFF.md");
    let mut desk = Desk::open(repo.dir());
    desk.keys("s").keys(WORDS).settle().keys("<ctrl-s>").see("new file");
    let theirs = "# Handoff\n\n## Next Steps\n1. Theirs\n";
    fs::write(&path, theirs).expect("written");
    desk.keys("y").see("changed since it was read").keys("r").see("- 1. Theirs");
    desk.keys("y").see("takes this save back");
    let kept = repo.beside("home").join(".claude/.handoff-trash/HANDOFF.md");
    assert_eq!(fs::read_to_string(kept).expect("kept"), theirs, "replaced knowingly, and kept");
}

#[test]
fn a_taken_name_is_said_and_gets_a_number_and_another_can_be_given() {
    let repo = repository();
    let mut desk = Desk::open(repo.dir());
    desk.keys("s").keys(WORDS).settle();
    let first = desk.target();
    desk.keys("<ctrl-s>").see("new file").keys("y").see("saved to").keys("<esc>");
    let old = fs::read(&first).expect("there");
    desk.keys("s").keys(WORDS).settle().see("is another handoff's name");
    let name = first.file_stem().expect("a name").to_string_lossy().into_owned();
    let numbered = first.with_file_name(format!("{name}-2.md"));
    assert_eq!(desk.target(), numbered, "the second one is numbered");
    desk.keys("<up><up><up><up><up>Other words!").settle();
    assert!(
        desk.target().to_string_lossy().ends_with("-other-words.md"),
        "or gets a name: {:?}",
        desk.target()
    );
    desk.keys("<ctrl-s>").see("new file").keys("y").see("other-words.md");
    assert_eq!(fs::read(&first).expect("there"), old, "the first one is as it was");
}

#[test]
fn what_another_format_has_no_place_for_is_refused_by_name_and_stays() {
    let repo = repository();
    let before = everything(repo.dir());
    let mut desk = Desk::open(repo.dir());
    desk.keys("s").keys(WORDS).keys("<tab><tab>A blocker<tab><tab><tab>Grafted<tab><tab><tab>A note");
    desk.choose_format(Family::Thunderkit).see("no place for task, blockers, done, notes");
    let screen = desk.screen();
    for words in ["Rotate tokens", "A blocker", "Grafted", "A note"] {
        assert!(screen.contains(words), "{words} is still seen:\n{screen}");
        let kept = desk.state().unsaved_words().and_then(|kept| kept.text).expect("words are kept");
        assert!(kept.contains(words), "and in what is kept while it is typed: {kept}");
    }
    desk.keys("<ctrl-s>");
    desk.see("thunderkit's format has no place for task, blockers, done, notes: say it in other words");
    desk.keys("y").settle();
    assert_eq!(everything(repo.dir()), before, "nothing was saved without them");
    desk.choose_format(Family::Theonekit).keys("<ctrl-s>").see("new file").keys("y").see("saved to");
    let saved: Vec<u8> = everything(&repo.dir().join(".claude")).into_values().flatten().collect();
    let saved = String::from_utf8(saved).expect("text");
    for words in ["Rotate tokens", "2 of 3", "Count them", "A blocker", "Grafted", "A note"] {
        assert!(saved.contains(words), "a control: with a place for it {words} is saved:\n{saved}");
    }
}

#[test]
fn a_long_handoff_goes_on_in_further_files_and_thunderkit_s_is_refused_over_the_cap() {
    let repo = repository();
    let mut desk = Desk::open(repo.dir());
    let long = "A decision that was made for a reason.\n".repeat(1_000);
    desk.keys("s").keys(WORDS).keys("<tab>").paste(&long).settle().see("goes on in 2 more files");
    desk.keys("<ctrl-s>").see("Nothing is written yet");
    desk.keys("y").see("goes on in /");
    let files = everything(&repo.dir().join(".claude/handoffs"));
    assert_eq!(files.len(), 3, "a head and two more");
    assert!(files.values().all(|bytes| bytes.len() <= 32_768), "each under the cap");
    desk.keys("<esc>s").choose_format(Family::Thunderkit);
    desk.keys("<tab>9 Execute<tab>Count them<tab>")
        .paste(&long)
        .settle()
        .see("and a handoff has at most 32768");
    desk.keys("<ctrl-s>");
    desk.until("the refusal", |desk| desk.form().refusal.is_some());
    assert!(!repo.dir().join(".thunderkit").exists(), "and nothing was written");
}

#[test]
fn a_secret_is_told_by_line_and_kind_and_is_never_written() {
    let repo = repository();
    let before = everything(repo.dir());
    let mut desk = Desk::open(repo.dir());
    let token = format!("ghp_{}", "a1B2".repeat(9));
    desk.keys("s").keys(WORDS).keys("<enter>").paste(&token).see("next steps line 3: GitHub token");
    desk.keys("<ctrl-s>").see("Take the secret out of next steps first");
    desk.keys("y<esc>");
    assert_eq!(everything(repo.dir()), before, "nothing was written");
}

#[test]
fn an_ignored_place_is_said_and_shown_to_git_only_on_a_yes_of_its_own() {
    let repo = repository();
    repo.commit(".gitignore", "target\n.claude/handoffs/\n", "Ignore");
    let mut desk = Desk::open(repo.dir());
    desk.keys("s").keys(WORDS).settle().see("git ignores this place by `.claude/handoffs/`");
    let target = desk.target();
    desk.keys("<ctrl-s>").see("take line 2 out of .gitignore").keys("y").see("saved to");
    let is_ignored = || git::try_git(repo.dir(), &["check-ignore", "-q", &target.to_string_lossy()]).is_ok();
    assert!(is_ignored(), "the yes to the save was none to this");
    desk.keys("i").see("Git sees it now");
    assert!(!is_ignored(), "git itself agrees");
    let rules = fs::read_to_string(repo.dir().join(".gitignore")).expect("there");
    assert_eq!(rules, "target\n", "one line was taken out, and no other");
}

#[test]
fn outside_of_any_project_it_goes_to_the_home_directory() {
    let repo = TestRepo::plain_directory();
    let mut desk = Desk::open(repo.dir());
    desk.keys("s").keys(WORDS).settle();
    let screen = desk.screen();
    assert!(screen.contains("outside any project"), "the reason:\n{screen}");
    assert!(screen.contains("branch       ? unknown:"), "what cannot be captured is said:\n{screen}");
    desk.keys("<ctrl-s>").see("new file").keys("y").see("(global)");
    assert_eq!(everything(repo.dir()).len(), 0, "nothing was left in the directory");
    assert_eq!(everything(&repo.beside("home").join(".claude")).len(), 1, "it lies at home");
}

#[test]
fn a_detached_head_is_said_and_saved() {
    let repo = with_a_plan();
    repo.git(&["checkout", "-q", "--detach"]);
    let mut desk = Desk::open(repo.dir());
    desk.keys("s").keys(WORDS).settle().see("✓ detached  from HEAD");
    desk.keys("<ctrl-s>").see("+ - HEAD: detached").keys("y").see("saved to");
    let handoff = read(&repo.dir().join("plans/260901-auth/HANDOFF.md"));
    assert_eq!(handoff.branch, None, "no branch is made up");
}

#[test]
fn before_the_first_commit_thunderkit_s_format_is_refused_with_the_reason() {
    let repo = TestRepo::new();
    let mut desk = Desk::open(repo.dir());
    desk.keys("s").choose_format(Family::Thunderkit);
    desk.keys("<tab>1 Begin<tab>Commit").settle().see("a commit, and this branch has none yet");
    desk.keys("<ctrl-s>");
    desk.until("the refusal", |desk| desk.form().refusal.is_some());
    assert!(!repo.dir().join(".thunderkit").exists(), "nothing was written");
    desk.choose_format(Family::Theonekit).keys("<ctrl-s>").see("new file");
    desk.keys("y").see("saved to");
}

#[test]
fn plans_of_a_fresh_clone_are_asked_about() {
    let repo = with_a_plan();
    repo.commit("plans/260902-db/plan.md", "# Plan\n", "Another");
    let at = SystemTime::now() - Duration::from_secs(3_600);
    for plan in ["plans/260901-auth", "plans/260902-db"] {
        for path in [repo.dir().join(plan).join("plan.md"), repo.dir().join(plan)] {
            let file = fs::File::open(path).expect("opened");
            file.set_modified(at).expect("its time can be set");
        }
    }
    let mut desk = Desk::open(repo.dir());
    desk.keys("s").keys(WORDS).settle().see("which one is meant?");
    desk.keys("<ctrl-s>").see("say which one is meant, with left and right");
    assert!(desk.target().ends_with("plans/260902-db/HANDOFF.md"), "the guess is shown");
    desk.keys("<right>").settle();
    assert!(desk.target().ends_with("plans/260902-db/HANDOFF.md"), "the first press takes it");
    desk.keys("<left>").settle();
    assert!(
        desk.target().ends_with("plans/260901-auth/HANDOFF.md"),
        "the second another: {:?}",
        desk.target()
    );
    desk.keys("<ctrl-s>").see("new file").keys("y").see("plans/260901-auth/HANDOFF.md (plan)");
}

#[test]
fn the_facts_are_those_of_the_preview_and_not_of_the_opened_form() {
    let repo = repository();
    let mut desk = Desk::open(repo.dir());
    desk.keys("s").keys(WORDS).settle();
    let head = repo.commit("more.txt", "y\n", "Meanwhile");
    desk.keys("<ctrl-s>").see(&format!("+ - Last commit: {head}"));
    desk.keys("y").see("saved to");
}

#[test]
fn what_was_typed_survives_a_closed_form() {
    let repo = repository();
    let before = everything(repo.dir());
    let mut desk = Desk::open(repo.dir());
    desk.keys("s").keys(WORDS).settle().keys("<esc>").see("s goes on with your words");
    assert_eq!(everything(repo.dir()), before, "nothing was written");
    desk.keys("s").settle().see("Then sell");
    desk.keys("<ctrl-s>").see("new file").keys("y").see("saved to");
}

#[test]
fn memtomem_s_record_is_written_by_memtomem_or_by_the_person() {
    let repo = repository();
    let before = everything(repo.dir());
    let mut desk = Desk::open(repo.dir());
    desk.keys("s").choose_format(Family::Memtomem);
    desk.keys("<tab><right><tab>Rotate tokens<tab>Count them<tab><tab>Grafted").settle();
    desk.keys("<ctrl-s>").see("Nothing is written yet");
    let screen = desk.screen();
    assert!(screen.contains("+ to_runtime: claude-code"), "the record, and whom it is for:\n{screen}");
    assert!(screen.contains("In your own shell this saves it:"), "there is no such program here:\n{screen}");
    desk.keys("y");
    assert_eq!(everything(repo.dir()), before, "so nothing was written, whatever was pressed");
}

#[test]
fn new_decisions_are_offered_to_the_project_s_list_and_staging_is_left_to_the_person() {
    let repo = repository();
    repo.commit(".thunderkit/config.json", "{}\n", "Use it");
    let mut desk = Desk::open(repo.dir());
    desk.keys("s").keys(WORDS).keys("<tab>Keep retries at 3").settle();
    desk.keys("<ctrl-s>").see("new file").keys("y").see("+ - Keep retries at 3");
    let list = repo.dir().join(".thunderkit/DECISIONS.md");
    assert!(!list.exists(), "the yes to the save was none to this");
    desk.keys("m").see("The decisions were added");
    assert!(fs::read_to_string(list).expect("made").contains("- Keep retries at 3"), "on a yes of its own");
    desk.see("This would stage exactly what was written").see("DECISIONS.md");
    assert!(repo.git(&["diff", "--cached", "--name-only"]).is_empty(), "and nothing was staged");
}

/// Where a path would be beside the project, for the modules of this test.
fn beside(project: &Path, name: &str) -> PathBuf {
    project.with_file_name(name)
}
