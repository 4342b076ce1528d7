//! Sessions of random steps; undoing everything gives the tree that there was.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use chrono::DateTime;
use moorline::place::{self, Listed, Roots, State};
use moorline::save::file::{self, Around, Old};
use moorline::shelf::{cleanup, plan};

use super::world::{NOW, World, ask};

/// A small generator of numbers: the same sessions on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).expect("31 bits") % most.max(1)
    }
}

struct Session {
    world: World,
    roots: Roots,
    random: Random,
    saves: usize,
}

impl Session {
    fn new(seed: u64) -> Self {
        let world = World::in_memory();
        let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        for number in 0..8 + random.below(8) {
            let (month, slug) = (1 + random.below(11), ["auth", "cache", "docs"][random.below(3)]);
            let dir = [world.handoffs(), world.home().join(".claude/handoffs")][random.below(2)].clone();
            super::world::write_handoff(
                &dir.join(format!("26{month:02}{:02}-{slug}{number}.md", number + 1)),
            );
        }
        world.handoff("HANDOFF.md");
        world.handoff("docs/HANDOFF.md");
        world.handoff("plans/261001-auth/HANDOFF.md");
        let roots = Roots { project: world.project(), home: Some(world.home()), ..Roots::default() };
        Self { world, roots, random, saves: 0 }
    }

    fn rows(&self) -> Vec<Arc<Listed>> {
        let found = Mutex::new(Vec::new());
        place::scan(&self.roots, &AtomicBool::new(false), &|batch| {
            found.lock().expect("unpoisoned").extend(batch);
            true
        });
        place::settle(found.into_inner().expect("unpoisoned")).0
    }

    /// Some rows in a state, at most four.
    fn some(&mut self, wanted: fn(State) -> bool) -> Vec<Arc<Listed>> {
        let mut rows: Vec<_> = self.rows().into_iter().filter(|row| wanted(row.state)).collect();
        let mut chosen = Vec::new();
        for _ in 0..1 + self.random.below(4) {
            if !rows.is_empty() {
                chosen.push(rows.swap_remove(self.random.below(rows.len())));
            }
        }
        chosen
    }

    fn step(&mut self) {
        let shelf = self.world.shelf();
        let plan = match self.random.below(12) {
            0..=2 => {
                let rows = self.some(|state| state == State::Live);
                plan::archive(ask(&shelf, &self.roots), &rows)
            }
            3..=5 => {
                let rows = self.some(|state| state != State::Trashed);
                plan::trash(ask(&shelf, &self.roots), &rows, 200).expect("the trash can be listed")
            }
            6..=7 => {
                let rows = self.some(|state| state != State::Live);
                plan::put_back(ask(&shelf, &self.roots), &rows, None)
            }
            8 => {
                let rows: Vec<_> = self.some(|state| state != State::Live).into_iter().take(1).collect();
                plan::put_back(ask(&shelf, &self.roots), &rows, Some(&self.world.project()))
            }
            9 => {
                let (rows, days) = (self.rows(), 10 + self.random.below(200));
                let days = u32::try_from(days).expect("small");
                cleanup::plan(ask(&shelf, &self.roots), &rows, days, &self.world.project()).expect("no plan")
            }
            10 => return self.save(),
            _ => match shelf.undo(None) {
                Ok(plan) => plan,
                Err(_) => return,
            },
        };
        let done = self.world.act(&plan);
        assert_eq!(done.moved(), plan.moves.len(), "every move takes place: {done:?}");
    }

    /// A save over a rolling file, or a new one.
    fn save(&mut self) {
        self.saves += 1;
        let names: [PathBuf; 3] = ["HANDOFF.md", "docs/HANDOFF.md", "NEXT_SESSION.md"].map(PathBuf::from);
        let path = self.world.project().join(&names[self.random.below(3)]);
        let last = fs::read(&path).ok();
        let around = Around {
            state: self.world.base.join("state/moorline"),
            home: self.world.home(),
            project: self.world.project(),
            now: DateTime::from_timestamp(NOW, 0).expect("a time").fixed_offset(),
        };
        let text = format!("# Handoff\n\nNext: save number {}\n", self.saves);
        let saved =
            file::write(&around, &self.world.project(), &path, text.as_bytes(), last.as_deref(), None);
        let old = saved.expect("saved").old;
        assert_eq!(matches!(old, Old::Kept(_)), last.is_some(), "what was replaced is kept: {old:?}");
    }

    /// The tree before and after a session of so many steps and the undoing of all of it.
    fn holds(seed: u64, steps: usize) {
        let mut session = Self::new(seed);
        let before = session.world.tree();
        let mut has_changed = false;
        for _ in 0..steps {
            session.step();
            has_changed = has_changed || session.world.tree() != before;
        }
        assert!(has_changed, "session {seed} does change something");
        session.world.undo_all();
        session
            .world
            .is_as(&before, &format!("session {seed}: undoing everything gives the tree that there was"));
        assert!(session.world.leftovers().is_empty(), "session {seed}: and no half file");
    }
}

#[test]
fn undoing_everything_gives_the_tree_that_there_was() {
    (1..=4).for_each(|seed| Session::holds(seed, 50));
}

#[test]
#[ignore = "five hundred sessions of two hundred steps take a quarter of an hour"]
fn undoing_everything_gives_the_tree_that_there_was_in_five_hundred_sessions() {
    use std::sync::atomic::{AtomicU64, Ordering};
    let next = AtomicU64::new(1);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed > 500 {
                        return;
                    }
                    Session::holds(seed, 200);
                }
            });
        }
    });
    println!("500 sessions of 200 steps: every tree equal after undoing everything");
}
