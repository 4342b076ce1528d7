use super::*;
use std::ffi::OsStr;

fn order(script: &str, input: &[u8]) -> Order {
    Order {
        program: "/bin/sh".into(),
        argv: ["sh", "-c", script].map(OsString::from).into(),
        cwd: "/".into(),
        vars: [("PATH", "/usr/bin:/bin")].map(|(k, v)| (k.into(), v.into())).into(),
        input: input.to_vec(),
        limit: None,
    }
}

type Said = Arc<Mutex<(Vec<u8>, Vec<u8>)>>;

/// Starts it and gathers what it says.
fn start(order: Order) -> (Child, Said) {
    let said = Said::default();
    let to = Arc::clone(&said);
    let child = Child::start(order, move |stream, bytes| {
        let mut said = to.lock().unwrap();
        match stream {
            Stream::Out => said.0.extend_from_slice(bytes),
            Stream::Err => said.1.extend_from_slice(bytes),
        }
    });
    (child.unwrap(), said)
}

fn run(script: &str, input: &[u8]) -> (Ended, String, String) {
    let (child, said) = start(order(script, input));
    let ended = child.wait();
    let said = said.lock().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (ended, text(&said.0), text(&said.1))
}

#[test]
fn exit_codes_and_signals_are_told_as_they_are() {
    for code in [0, 1, 2, 127] {
        let (ended, ..) = run(&format!("exit {code}"), b"");
        assert_eq!((ended.code, ended.signal), (Some(code), None), "exit {code}");
    }
    for signal in [2, 9, 15] {
        let (ended, ..) = run(&format!("kill -{signal} $$"), b"");
        assert_eq!((ended.code, ended.signal), (None, Some(signal)), "signal {signal}");
    }
}

#[test]
fn input_arrives_whole_and_is_closed_and_the_streams_stay_apart() {
    let input: Vec<u8> = (0..300_000u32).map(|n| b'a' + (n % 26) as u8).collect();
    let (ended, out, err) = run("cat; echo done >&2", &input);
    assert_eq!(ended.code, Some(0), "cat saw the end of its input");
    assert_eq!(out.as_bytes(), input, "every byte, in order, though a pipe holds fewer");
    assert_eq!(err, "done\n", "the other stream is the other stream");
}

#[test]
fn a_child_that_reads_nothing_harms_nobody() {
    let (ended, out, _) = run("exec <&-; echo deaf", &vec![b'x'; 300_000]);
    assert_eq!((ended.code, out.as_str()), (Some(0), "deaf\n"), "the closed pipe is taken as it is");
}

#[test]
fn a_process_left_behind_does_not_hold_anybody_up() {
    let (child, said) = start(order("sleep 600 & echo $!; exit 3", b""));
    assert_eq!(child.wait().code, Some(3), "the end of the child is the end");
    let pid = String::from_utf8(said.lock().unwrap().0.clone()).unwrap();
    assert!(!pid.trim().is_empty(), "what it said before it ended was heard");
    let grandchild = Pid::from_raw(pid.trim().parse().unwrap()).unwrap();
    rustix::process::kill_process(grandchild, Signal::KILL).unwrap();
}

#[test]
fn the_first_stop_interrupts_and_the_second_terminates() {
    let stubborn =
        "trap 'echo int' INT; trap 'echo term; exit 9' TERM; echo up; while :; do read x <&3 || :; done";
    let (sender, receiver) = channel();
    let dir = tempfile::tempdir().unwrap();
    let fifo = dir.path().join("fifo");
    let made = Command::new("mkfifo").arg(&fifo).status().unwrap();
    assert!(made.success(), "the script has something to block on");
    let script = format!("exec 3<>'{}'; {stubborn}", fifo.display());
    let child = Child::start(order(&script, b""), move |_, bytes| {
        let _ = sender.send(String::from_utf8_lossy(bytes).into_owned());
    });
    let child = child.unwrap();
    assert_eq!(receiver.recv().as_deref(), Ok("up\n"), "it runs");
    child.reins().stop();
    assert_eq!(receiver.recv().as_deref(), Ok("int\n"), "the first one is SIGINT, which it survives");
    child.reins().stop();
    assert_eq!(receiver.recv().as_deref(), Ok("term\n"), "the second one is SIGTERM");
    let reins = child.reins();
    assert_eq!(child.wait().code, Some(9), "which ends it");
    reins.stop();
}

#[test]
fn a_child_that_takes_too_long_is_killed() {
    let slow = Order { limit: Some(Duration::from_millis(50)), ..order("exec sleep 600", b"") };
    let ended = start(slow).0.wait();
    assert!(ended.timed_out && ended.signal == Some(9), "killed, and said so: {ended:?}");
    let (ended, ..) = run("exit 0", b"");
    assert!(!ended.timed_out, "the control: one that ends in time is not");
}

#[test]
fn two_hundred_children_leave_no_zombie() {
    let mine = || {
        let stats = std::fs::read_dir("/proc").unwrap().flatten().filter_map(|entry| {
            let stat = std::fs::read_to_string(entry.path().join("stat")).ok()?;
            let (_, rest) = stat.rsplit_once(')')?;
            let mut words = rest.split_whitespace();
            Some((words.next()?.to_owned(), words.next()?.to_owned()))
        });
        let me = std::process::id().to_string();
        stats.filter(|(state, parent)| state == "Z" && *parent == me).count()
    };
    let before = mine();
    for n in 0..200 {
        let (child, _) = start(order("exit 0", b""));
        match n % 2 {
            0 => drop(child.wait()),
            _ => drop(child.waiter.join()),
        }
    }
    assert!(mine() <= before, "every child was waited for");
    let lazy = Command::new("/bin/true").spawn().unwrap();
    let leader = Pid::from_raw(lazy.id() as i32).unwrap();
    waitid(WaitId::Pid(leader), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT).unwrap();
    assert!(mine() > 0, "the control: one that nobody waits for is counted");
    let mut lazy = lazy;
    lazy.wait().unwrap();
}

#[test]
fn it_runs_in_a_group_of_its_own_with_the_name_it_was_told() {
    let (_, out, _) = run("ps -o pgid= -p $$; echo $$; tr '\\0' ' ' </proc/$$/cmdline", b"");
    let mut lines = out.lines();
    let (group, pid) = (lines.next().unwrap().trim(), lines.next().unwrap().trim());
    assert_eq!(group, pid, "it leads its own group, so a stop reaches its children and not us");
    assert!(lines.next().is_some_and(|line| line.starts_with("sh -c")), "and is told the name it was given");
    assert_eq!(OsStr::new("sh"), order("", b"").argv[0], "which is not its path");
}
