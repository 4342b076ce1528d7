//! Consecutive versions of a handoff, with what was open before and is nowhere now.
//!
//! `pairs.txt` holds them, each with its answer: `=== name | file`, the earlier text, `=>`, the later one, `??`, and the
//! items that vanished, one a line.

use std::fs;

use moorline::check::Examiner;
use moorline::harness::Surroundings;
use moorline::place;
use moorline::settings::Settings;

struct Pair<'a> {
    name: &'a str,
    file: &'a str,
    before: &'a str,
    now: &'a str,
    vanished: Vec<&'a str>,
}

fn pairs(text: &str) -> Vec<Pair<'_>> {
    let each = text.split("=== ").skip(1).map(|pair| {
        let (head, rest) = pair.split_once('\n').expect("a pair has a head");
        let (name, file) = head.split_once(" | ").expect("a head names its file");
        let (before, rest) = rest.split_once("=>\n").expect("a pair has two texts");
        let (now, vanished) = rest.split_once("??\n").expect("a pair has an answer");
        Pair { name, file, before, now, vanished: vanished.lines().collect() }
    });
    each.collect()
}

/// What the pair's earlier version had open and its later one has not.
fn vanished(pair: &Pair<'_>) -> Vec<String> {
    let dir = tempfile::tempdir().expect("a temporary directory can be made");
    let path = dir.path().join(pair.file);
    fs::create_dir_all(path.parent().expect("it lies in a directory")).expect("it can be made");
    fs::write(&path, pair.now).expect("it can be written");
    let around = Surroundings { home: Some(dir.path().join("home")), ..Surroundings::default() };
    let examiner = Examiner::new(dir.path(), around, Settings::default());
    let row = place::read_path(&path, &examiner.roots()).expect("it can be read").remove(0);
    let items = examiner.vanished(&row, pair.before, pair.now);
    items.iter().map(|item| item.raw().to_owned()).collect()
}

#[test]
fn what_was_open_and_is_neither_done_nor_open_now_is_told() {
    let pairs = pairs(include_str!("pairs.txt"));
    let mut wrong = Vec::new();
    for pair in &pairs {
        let found = vanished(pair);
        if found != pair.vanished {
            wrong.push(format!("{}: vanished {:?}, told {found:?}", pair.name, pair.vanished));
        }
    }
    println!("vanished items: {} pairs, {} right", pairs.len(), pairs.len() - wrong.len());
    assert_eq!(pairs.len(), 54, "all pairs are read");
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_open_item_vanishes_from_an_empty_page() {
    // The control: where nothing is left, everything that was open is told, whatever its words are.
    for pair in pairs(include_str!("pairs.txt")) {
        let emptied = Pair { now: if pair.file.ends_with(".json") { "{}" } else { "# Handoff\n" }, ..pair };
        assert!(!vanished(&emptied).is_empty(), "{}: what was open is told", emptied.name);
    }
}
