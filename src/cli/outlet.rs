//! Where a verb's words go: it remembers whether anything was said, and lets a reader go away in peace.

use std::io::{ErrorKind, Result, Write};

/// The output of one verb. A reader that went away changes nothing about the answer: what it no longer hears is
/// dropped, and the verb works on to its own exit code.
pub(super) struct Outlet<'a> {
    out: &'a mut dyn Write,
    /// Whether a reader that went away is told to the verb, which has its answer before it speaks.
    tells: bool,
    is_gone: bool,
    has_said: bool,
}

impl<'a> Outlet<'a> {
    /// Over `out`; with `tells` a broken pipe stays an error.
    pub fn new(out: &'a mut dyn Write, tells: bool) -> Self {
        Self { out, tells, is_gone: false, has_said: false }
    }

    /// Whether the reader may have got a byte.
    pub fn has_said(&self) -> bool {
        self.has_said
    }

    fn forgive<T>(&mut self, result: Result<T>, instead: T) -> Result<T> {
        match result {
            Err(error) if error.kind() == ErrorKind::BrokenPipe && !self.tells => {
                self.is_gone = true;
                Ok(instead)
            }
            result => result,
        }
    }
}

impl Write for Outlet<'_> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        if self.is_gone {
            return Ok(bytes.len());
        }
        let written = self.out.write(bytes);
        self.has_said |= written.as_ref().is_ok_and(|count| *count > 0);
        self.forgive(written, bytes.len())
    }

    fn flush(&mut self) -> Result<()> {
        if self.is_gone {
            return Ok(());
        }
        let flushed = self.out.flush();
        self.forgive(flushed, ())
    }
}
