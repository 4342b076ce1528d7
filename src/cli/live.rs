//! What a started client says, on the command line as it comes; and a word when it has said nothing for long.

use std::io::{IsTerminal, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::Builder;
use std::time::Duration;

use crate::handoff::inert;
use crate::resume::Progress;

/// How long a client may be silent before a person is told so, and told again.
const SILENCE: Duration = Duration::from_secs(30);

/// Takes the client's output; shows it on standard error, made inert, where `show` says so.
pub fn sink(show: bool) -> impl Fn(Progress) + Send + Sync + 'static {
    let (tell, told) = channel();
    if show && std::io::stderr().is_terminal() {
        // A thread that cannot be had costs no more than that word.
        let _ = Builder::new().name("silence".into()).spawn(move || watch(&told, SILENCE, write));
    }
    move |progress| {
        // Where nobody watches nobody hears.
        let _ = tell.send(());
        let (Progress::Out(bytes) | Progress::Err(bytes)) = progress else { return };
        if show {
            write(&inert::shown(&String::from_utf8_lossy(&bytes)));
        }
    }
}

fn write(text: &str) {
    // A reader that went away must not stop the session that is at work.
    let _gone = std::io::stderr().lock().write_all(text.as_bytes());
}

/// Says how long nothing was told, until whoever tells is gone.
fn watch(told: &Receiver<()>, every: Duration, mut say: impl FnMut(&str)) {
    let mut silent = Duration::ZERO;
    loop {
        match told.recv_timeout(every) {
            Ok(()) => silent = Duration::ZERO,
            Err(RecvTimeoutError::Timeout) => {
                silent += every;
                let seconds = silent.as_secs();
                say(&format!(
                    "(no output for {seconds} s; Ctrl-C asks it to stop, a second one firmly, a third kills it)\n"
                ));
            }
            Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn silence_is_told_again_and_again_and_ends_with_the_client() {
        let (tell, told) = channel::<()>();
        let (mut tell, mut said) = (Some(tell), Vec::new());
        watch(&told, Duration::from_millis(1), |text| {
            said.push(text.to_owned());
            if said.len() == 3 {
                tell = None;
            }
        });
        assert_eq!(said.len(), 3, "each time that it went on, and no more after the end: {said:?}");
    }
}
