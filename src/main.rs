//! Arguments → verb → exit code, and the error report. Nothing else.

use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;

use color_eyre::eyre::{Result, WrapErr};
use moorline::cli::args::{CommandLine, Verb};
use moorline::cli::{self, Answer, Desk, Stop, Surface};
use moorline::demo::{Demo, stand_in};
use moorline::handoff::inert;
use moorline::tui::{self, Ended};
use signal_hook::consts::SIGXFSZ;

/// Handoffs are read by the thousand on several threads, and the texts in them are small: an allocator that is good
/// at just that takes a fifth off a long list.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> Result<ExitCode> {
    if stand_in::is_named(std::env::args_os().next().as_deref()) {
        return Ok(ExitCode::from(pretend()));
    }
    color_eyre::install()?;
    // A file beyond the limit (`ulimit -f`) is then an error of its write, which is told, instead of a silent end.
    // Not "ignore", which started programs would inherit: a handler is gone in them.
    signal_hook::flag::register(SIGXFSZ, Arc::default())?;
    let words: Vec<_> = std::env::args_os().collect();
    let line = match CommandLine::read(&words, &mut std::io::stdout().lock(), &mut std::io::stderr()) {
        Ok(line) => line,
        Err(code) => return Ok(ExitCode::from(code)),
    };
    let surface = match Surface::of_process(line.directory.as_deref()) {
        Ok(surface) => surface,
        Err(stop) => {
            return Ok(say(Err(match &line.verb {
                Some(verb) => cli::told(verb, stop, &mut std::io::stdout().lock()),
                None => stop,
            })));
        }
    };
    if let Some(sentence) = line.misspelt_verb(&surface.cwd) {
        return Ok(say(Err(Stop::bad(sentence))));
    }
    let answer = match &line.verb {
        None => return screen(Desk::open(&line, &surface)),
        Some(Verb::Demo(args)) => return demo(args.keep, &surface),
        Some(verb) => match wrong_keys(&line, verb, &surface) {
            Some(stop) => Err(cli::told(verb, stop, &mut std::io::stdout().lock())),
            None => cli::run(&line, verb, &surface, &mut std::io::stdout().lock()),
        },
    };
    Ok(say(answer))
}

/// Why the settings' keys cannot be used, for a verb that reads the settings: what is wrong there is said whoever reads
/// them first. Settings that cannot be read at all are the verb's own to say.
fn wrong_keys(line: &CommandLine, verb: &Verb, surface: &Surface) -> Option<Stop> {
    let settings = surface.settings(line).ok().filter(|_| cli::reads_settings(verb))?;
    tui::own_keys(&settings).err().map(Stop::bad)
}

/// The screen on a desk. An end by a signal is said the way a shell says it: 128 and the signal's number.
fn screen(desk: Result<Desk, Stop>) -> Result<ExitCode> {
    let examiner = match desk {
        Ok(desk) => Arc::new(desk.examiner),
        Err(stop) => return Ok(say(Err(stop))),
    };
    if let Err(wrong) = tui::own_keys(examiner.settings()) {
        return Ok(say(Err(Stop::bad(wrong))));
    }
    if !tui::has_terminal() {
        return Ok(say(Err(Stop::bad("the screen needs a terminal: `moorline list` works without one"))));
    }
    let (ended, said) = tui::run(examiner).wrap_err("the screen cannot be shown")?;
    if let Some(said) = said {
        // With the terminal gone there is nobody to say it to.
        let _gone = writeln!(std::io::stderr(), "moorline: {}", inert::shown(&said));
    }
    let code = match ended {
        Ended::Quit => 0,
        Ended::Signal(signal) => u8::try_from(128 + signal).unwrap_or(1),
        Ended::HangUp => 128 + 1,
        Ended::Fallen => 101,
    };
    Ok(ExitCode::from(code))
}

/// Lays the sample out and opens the screen on it; without a terminal its list is printed.
fn demo(keep: bool, surface: &Surface) -> Result<ExitCode> {
    let program = std::env::current_exe().wrap_err("this program's own file cannot be found")?;
    let demo = match Demo::lay_out(surface.clock, &program) {
        Ok(demo) => demo,
        Err(why) => return Ok(say(Err(Stop::bad(why.to_string())))),
    };
    let inside =
        Surface { vars: demo.vars(&surface.vars), cwd: demo.project().to_owned(), ..surface.clone() };
    let desk = Desk::open(&CommandLine::default(), &inside);
    let code = if tui::has_terminal() {
        screen(desk)?
    } else {
        say(desk.and_then(|desk| cli::list_text(&desk, &mut std::io::stdout().lock())))
    };
    if keep {
        let kept = demo.keep();
        writeln!(std::io::stderr(), "the sample is kept in {}", kept.display())?;
    }
    Ok(code)
}

/// Says why a verb stopped and gives its exit code.
fn say(answer: Result<Answer, Stop>) -> ExitCode {
    match answer {
        Ok(answer) => ExitCode::from(answer.code()),
        Err(Stop::Pipe) => ExitCode::SUCCESS,
        Err(Stop::Said(answer, message)) => {
            // With the error stream gone as well, the exit code is all that is left to say.
            // What is said may hold words of a file or of whoever called.
            let _gone = writeln!(std::io::stderr(), "moorline: {}", inert::shown(&message));
            ExitCode::from(answer.code())
        }
    }
}

/// The demo's stand-in for a harness, under the name `claude`.
fn pretend() -> u8 {
    let args: Vec<_> = std::env::args().skip(1).collect();
    let home = std::env::var_os("HOME").unwrap_or_default();
    let store = std::path::Path::new(&home).join(".claude");
    stand_in::run(&args, &store, &mut std::io::stdin().lock(), &mut std::io::stdout(), &mut std::io::stderr())
}
