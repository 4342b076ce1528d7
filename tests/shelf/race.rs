//! Others at work at the same time: whoever takes the name first keeps it.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use moorline::place;
use moorline::shelf::{Done, Fate, plan};

use super::world::{World, ask, write_handoff};

/// Moves a handoff `tries` times by `mover` while another thread makes a file under the name that it is to have.
/// Gives how often both wanted it, and how often the other's bytes were gone then.
fn race(tries: usize, mover: impl Fn(&World, &Path, &Path)) -> (usize, usize) {
    let world = World::in_memory();
    let (from, to) = (world.handoffs().join("261101-a.md"), world.handoffs().join("archive/261101-a.md"));
    let (mut met, mut lost) = (0, 0);
    let ready = Arc::new(AtomicUsize::new(0));
    for number in 0..tries {
        let _none_yet = fs::remove_dir_all(world.handoffs().join("archive"));
        fs::create_dir(world.handoffs().join("archive")).expect("made");
        write_handoff(&from);
        ready.store(0, Ordering::SeqCst);
        let made = std::thread::scope(|scope| {
            let other = scope.spawn(|| {
                while ready.load(Ordering::SeqCst) == 0 {
                    std::hint::spin_loop();
                }
                // Every delay from none to longer than a move is tried.
                (0..number % 500 * 40).for_each(|_| std::hint::spin_loop());
                File::create_new(&to).and_then(|mut file| file.write_all(b"another's bytes")).is_ok()
            });
            ready.store(1, Ordering::SeqCst);
            mover(&world, &from, &to);
            other.join().expect("it ends")
        });
        if made {
            met += 1;
            lost += usize::from(fs::read(&to).expect("something has the name") != b"another's bytes");
        }
        let _own_log = (number % 100 == 99).then(|| fs::remove_dir_all(world.base.join("state")));
    }
    (met, lost)
}

fn archive(world: &World, from: &Path, _: &Path) {
    let shelf = world.shelf();
    let roots =
        place::Roots { project: world.project(), home: Some(world.home()), ..place::Roots::default() };
    let rows: Vec<_> = place::read_path(from, &roots).expect("a handoff").into_iter().map(Arc::new).collect();
    let done: Done = world.act(&plan::archive(ask(&shelf, &roots), &rows));
    let Some(Fate::Moved(to)) = done.outcomes.first().map(|one| &one.fate) else {
        panic!("it moves: {done:?}")
    };
    assert!(to.is_file() && !from.exists(), "under whatever name was free");
}

/// How a file is moved by somebody who looks first and then trusts what was seen.
fn look_and_rename(_: &World, from: &Path, to: &Path) {
    if !to.exists() {
        (0..5_000).for_each(|_| std::hint::spin_loop());
        fs::rename(from, to).expect("renamed");
    }
}

#[test]
fn a_name_that_somebody_takes_meanwhile_is_never_written_over() {
    let (met, lost) = race(300, archive);
    println!("of 300 tries {met} met, {lost} overwritten");
    assert!(met > 20, "the two do meet: {met}");
    assert_eq!(lost, 0, "and the other's bytes stand");
    let (met, lost) = race(300, look_and_rename);
    assert!(lost > 0, "a plain rename writes over them: {lost} of {met}");
}

#[test]
#[ignore = "five thousand races take a minute"]
fn a_name_that_somebody_takes_meanwhile_is_never_written_over_in_five_thousand_tries() {
    let (met, lost) = race(5_000, archive);
    println!("of 5000 tries {met} met, {lost} overwritten");
    assert_eq!(lost, 0, "the other's bytes stand");
}
