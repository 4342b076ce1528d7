//! What texts say of a repository, planted with known answers: what is found of it, and what is taken for a claim and is
//! none.
//!
//! Every page lies in `pages` with its answers beside its lines: `⟦kind words = state⟧`. They are taken out before the
//! page is put into the repository; a state may go on behind `:` or `,`.

#[path = "../common/git.rs"]
mod git;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use git::TestRepo;
use moorline::check::Examiner;
use moorline::handoff::Family;
use moorline::harness::Surroundings;
use moorline::place;
use moorline::settings::Settings;

/// Which page lies where in the repository. The first release of thunderkit wrote the same file as the later one, so
/// each page is put there alone.
const PAGES: [(&str, &str, Family); 22] = [
    ("en.md", "HANDOFF.md", Family::Freeform),
    ("de.md", "docs/handoffs/de.md", Family::Freeform),
    ("es.md", "docs/handoffs/es.md", Family::Freeform),
    ("zh.md", "docs/handoffs/zh.md", Family::Freeform),
    ("ja.md", "docs/handoffs/ja.md", Family::Freeform),
    ("ru.md", "docs/handoffs/ru.md", Family::Freeform),
    ("fr.md", "docs/handoffs/fr.md", Family::Freeform),
    ("pt.md", "docs/handoffs/pt.md", Family::Freeform),
    ("it.md", "docs/handoffs/it.md", Family::Freeform),
    ("ko.md", "docs/handoffs/ko.md", Family::Freeform),
    ("vi.md", "docs/handoffs/vi.md", Family::Freeform),
    ("nl.md", "docs/handoffs/nl.md", Family::Freeform),
    ("forms.md", "docs/handoffs/forms.md", Family::Freeform),
    ("lists.md", "docs/handoffs/lists.md", Family::Freeform),
    ("told.md", "docs/handoffs/told.md", Family::Freeform),
    ("plain.txt", "handoffs/plain.txt", Family::Freeform),
    ("data.json", "handoffs/data.json", Family::Freeform),
    ("data.yaml", "handoffs/data.yaml", Family::Freeform),
    ("theonekit.md", "plans/260914-tides/HANDOFF.md", Family::Theonekit),
    ("thunderkit.md", ".thunderkit/HANDOFF.md", Family::Thunderkit),
    ("legacy.md", ".thunderkit/HANDOFF.md", Family::ThunderkitLegacy),
    (
        "memtomem.md",
        ".memtomem/memories.local/2026-09-22--shared-project-0123456789abcdef.md",
        Family::Memtomem,
    ),
];

/// A page whose every line looks like a claim and is none.
const TRAPS: (&str, &str) = ("traps.md", "docs/handoffs/traps.md");

/// One claim: its line, kind and words.
type Claim = (u32, String, String);

/// A repository whose history is known, and the names of its commits.
struct World {
    repo: TestRepo,
    names: BTreeMap<&'static str, String>,
}

fn world() -> World {
    let repo = TestRepo::new();
    let long = |name: &str| (0..20).map(|n| format!("{name} line {n}\n")).collect::<String>();
    for file in [
        "src/parser.rs",
        "src/legacy.rs",
        "src/old/cache.rs",
        "src/auth/mod.rs",
        "src/auth/token.rs",
        "docs/api.md",
        "docs/notes.md",
        "lib/util.py",
        "web/app.ts",
        "config/app.toml",
        "scripts/build.sh",
        "tests/e2e/login.spec.ts",
        "plans/260914-tides/plan.md",
    ] {
        repo.write(file, &long(file));
    }
    repo.git(&["add", "-A"]);
    repo.git(&["commit", "-q", "-m", "Start"]);
    let first = repo.git(&["rev-parse", "HEAD"]);
    repo.git(&["mv", "src/legacy.rs", "src/compat.rs"]);
    std::fs::create_dir(repo.dir().join("tools")).expect("a directory can be made");
    repo.git(&["mv", "lib/util.py", "tools/util.py"]);
    repo.git(&["rm", "-q", "src/old/cache.rs", "docs/notes.md"]);
    repo.git(&["commit", "-q", "-m", "Sort the modules"]);
    let old = repo.git(&["rev-parse", "HEAD"]);
    repo.git(&["tag", "v1.0"]);
    repo.git(&["checkout", "-q", "-b", "feat/merged"]);
    repo.commit("src/merged.rs", "x\n", "Merged work");
    repo.git(&["checkout", "-q", "main"]);
    repo.git(&["merge", "-q", "--no-ff", "feat/merged"]);
    repo.git(&["branch", "-q", "-D", "feat/merged"]);
    repo.git(&["checkout", "-q", "-b", "feat/session"]);
    let side = repo.commit("src/side.rs", "x\n", "Side");
    repo.git(&["tag", "v1.1-rc"]);
    repo.git(&["checkout", "-q", "-b", "tmp", "main"]);
    let lost = repo.commit("src/lost.rs", "x\n", "Lost");
    repo.git(&["checkout", "-q", "main"]);
    repo.git(&["branch", "-q", "-D", "tmp"]);
    repo.git(&["update-ref", "refs/remotes/origin/feat/far", &first]);
    let head = repo.commit("src/now.rs", "x\n", "Now");
    let tree = repo.git(&["rev-parse", "HEAD^{tree}"]);
    let root = repo.dir().display().to_string();
    let none = "0a1b2c3d4e5f60718293a4b5c6d7e8f901234567".to_owned();
    let ids =
        [("first", first), ("old", old), ("side", side), ("lost", lost), ("tree", tree), ("none", none)];
    let mut names = BTreeMap::from([("full", head.clone()), ("root", root), ("head", head[..10].to_owned())]);
    names.extend(ids.map(|(name, id)| (name, id[..10].to_owned())));
    for (name, id) in names.iter().filter(|(name, _)| !["full", "root"].contains(*name)) {
        let has = |is: fn(&u8) -> bool| id.as_bytes().iter().any(is);
        assert!(
            has(u8::is_ascii_digit) && has(u8::is_ascii_alphabetic),
            "{name} looks like a commit: {id} has letters and digits"
        );
    }
    World { repo, names }
}

impl World {
    /// A page as it lies in the repository, and the answers that were planted in it.
    fn page(&self, file: &str) -> (String, BTreeMap<Claim, String>) {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/claims/pages").join(file);
        let mut text = std::fs::read_to_string(&path).expect("the page is there");
        for (name, value) in &self.names {
            text = text.replace(&format!("{{{name}}}"), value);
        }
        let (mut page, mut planted) = (String::new(), BTreeMap::new());
        for (number, line) in (1..).zip(text.lines()) {
            let mut pieces = line.split('⟦');
            page.push_str(pieces.next().unwrap_or_default().trim_end());
            page.push('\n');
            for piece in pieces {
                let (answer, _) = piece.split_once('⟧').expect("an answer ends");
                let (what, state) = answer.split_once(" = ").expect("an answer has a state");
                let (kind, words) = what.split_once(' ').expect("an answer has a kind");
                let known = planted.insert((number, kind.to_owned(), words.to_owned()), state.to_owned());
                assert!(known.is_none(), "{file}:{number}: {what} is planted once");
            }
        }
        (page, planted)
    }

    /// What is found on a page that lies at a place of the repository.
    fn found(&self, page: &str, at: &str) -> (Family, BTreeMap<Claim, String>) {
        let path = self.repo.dir().join(at);
        self.repo.write(at, page);
        let around = Surroundings { home: Some(self.repo.beside("home")), ..Surroundings::default() };
        let examiner = Examiner::new(self.repo.dir(), around, Settings::default());
        let row = place::read_path(&path, &examiner.roots()).expect("it can be read").remove(0);
        let claims = examiner.examine(&row).claims.into_iter().map(|claim| {
            let words = claim.text.raw().to_owned();
            ((claim.line, claim.kind.to_owned(), words), claim.state.raw().to_owned())
        });
        let claims = claims.collect();
        std::fs::remove_file(path).expect("it can be taken away again");
        (row.handoff.family, claims)
    }
}

/// Whether a state is the planted one, whatever it adds behind a colon or a comma.
fn agrees(found: &str, planted: &str) -> bool {
    found.strip_prefix(planted).is_some_and(|rest| rest.is_empty() || rest.starts_with([':', ',']))
}

/// How well claims were found.
#[derive(Default)]
struct Score {
    planted: usize,
    found: usize,
    right: usize,
    told: Vec<String>,
}

impl Score {
    fn page(&mut self, file: &str, planted: &BTreeMap<Claim, String>, found: &BTreeMap<Claim, String>) {
        self.planted += planted.len();
        self.found += found.len();
        for (claim, state) in found {
            match planted.get(claim) {
                Some(want) if agrees(state, want) => self.right += 1,
                want => {
                    self.told.push(format!("{file}: {claim:?} is said to be {state:?}, planted {want:?}"))
                }
            }
        }
        for claim in planted.keys().filter(|claim| !found.contains_key(*claim)) {
            self.told.push(format!("{file}: {claim:?} is missed"));
        }
    }

    fn precision(&self) -> f64 {
        100.0 * self.right as f64 / self.found.max(1) as f64
    }

    fn recall(&self) -> f64 {
        100.0 * self.right as f64 / self.planted.max(1) as f64
    }
}

#[test]
fn planted_claims_of_every_family_and_twelve_languages_are_found_and_told_true() {
    let world = world();
    let mut score = Score::default();
    let (mut families, mut kinds, mut states) = (BTreeSet::new(), BTreeSet::new(), BTreeMap::new());
    for (file, at, family) in PAGES {
        let (page, planted) = world.page(file);
        let (read_as, found) = world.found(&page, at);
        assert_eq!(read_as, family, "{file} is read as what it is");
        families.insert(format!("{family:?}"));
        for ((_, kind, _), state) in &planted {
            kinds.insert(kind.clone());
            let is_true = ["holds", "only on the remote"].contains(&state.as_str());
            let told = ["planned", "open", "not asked", "not compared"].contains(&state.as_str());
            let word = if is_true {
                "true"
            } else if told {
                "told"
            } else {
                "false"
            };
            *states.entry((kind.clone(), word)).or_insert(0) += 1;
        }
        score.page(file, &planted, &found);
    }
    println!(
        "claims: {} planted, {} found, {} right; precision {:.1} %, recall {:.1} %; {states:?}; {:?}",
        score.planted,
        score.found,
        score.right,
        score.precision(),
        score.recall(),
        score.told
    );
    assert!(score.planted >= 190, "enough is planted: {}", score.planted);
    assert_eq!(families.len(), 5, "in files of every family: {families:?}");
    assert_eq!(kinds.len(), 6, "of every kind: {kinds:?}");
    for kind in ["path", "commit", "branch", "tag"] {
        for word in ["true", "false"] {
            assert!(states.contains_key(&(kind.to_owned(), word)), "{kind}s are planted {word}: {states:?}");
        }
    }
    assert!(score.precision() >= 99.0, "nothing is claimed wrongly: {:#?}", score.told);
    assert!(score.recall() >= 95.0, "little is missed: {:#?}", score.told);
}

#[test]
fn words_that_look_like_claims_are_none() {
    let world = world();
    let (file, at) = TRAPS;
    let (page, planted) = world.page(file);
    assert!(planted.is_empty(), "nothing is planted among traps");
    let (_, found) = world.found(&page, at);
    assert_eq!(found, BTreeMap::new(), "no trap is taken for a claim");
    // The control: the same page with one true claim behind its traps.
    let with_one = format!("{page}\nThe parser lives in `src/parser.rs`.\n");
    let (_, found) = world.found(&with_one, at);
    assert_eq!(found.len(), 1, "a claim below all traps is found: {found:?}");
}

#[test]
fn the_score_tells_wrong_from_right() {
    let world = world();
    let (page, mut planted) = world.page("en.md");
    let (_, found) = world.found(&page, "HANDOFF.md");
    let mut score = Score::default();
    let (claim, state) = planted.pop_first().expect("something is planted");
    assert_ne!(state, "gone", "the control's answer is another one");
    planted.insert(claim, "gone".to_owned());
    planted.insert((1, "path".to_owned(), "src/nowhere.rs".to_owned()), "holds".to_owned());
    score.page("en.md", &planted, &found);
    assert!(score.precision() < 100.0 && score.recall() < 100.0, "one wrong state and one miss are counted");
    assert_eq!(score.told.len(), 2, "and named: {:?}", score.told);
}
