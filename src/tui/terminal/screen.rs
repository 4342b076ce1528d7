//! What is on the terminal, and how the next picture gets there: only what differs is written, in one piece.

use std::io::{self, Write};

use ratatui::backend::{Backend, ClearType, CrosstermBackend};
use ratatui::buffer::Buffer;

use super::hold;

/// The most cells that are drawn; a window that claims more is drawn in its upper part.
const MOST_CELLS: u32 = 1 << 20;

/// The terminal's picture.
///
/// There is no `ratatui::Terminal` here on purpose: its `clear` asks the terminal for the cursor's place and waits
/// for an answer, and the size it asks its backend for may come from a program that is started (`tput`).
pub struct Screen {
    backend: CrosstermBackend<Frame>,
    shown: Option<Buffer>,
}

/// One frame's bytes, written at once when flushed.
#[derive(Debug, Default)]
struct Frame(Vec<u8>);

impl Write for Frame {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let written = hold::write_all(&self.0);
        self.0.clear();
        written
    }
}

impl Default for Screen {
    fn default() -> Self {
        Self { backend: CrosstermBackend::new(Frame::default()), shown: None }
    }
}

impl Screen {
    /// The window's size; 80×24 where the terminal does not say.
    pub fn size(&self) -> (u16, u16) {
        let size = rustix::termios::tcgetwinsize(rustix::stdio::stdout()).ok();
        let (width, height) = size.map_or((0, 0), |size| (size.ws_col, size.ws_row));
        if width == 0 || height == 0 {
            return (80, 24);
        }
        let most = u16::try_from(MOST_CELLS / u32::from(width)).unwrap_or(u16::MAX).max(1);
        (width, height.min(most))
    }

    /// Somebody else wrote on the terminal: the next picture is drawn whole.
    pub fn forget(&mut self) {
        self.shown = None;
    }

    /// Brings a picture to the terminal.
    ///
    /// # Errors
    /// The terminal is gone.
    pub fn paint(&mut self, next: Buffer) -> io::Result<()> {
        let shown = match self.shown.take() {
            Some(shown) if shown.area == next.area => shown,
            _ => {
                self.backend.clear_region(ClearType::All)?;
                Buffer::empty(next.area)
            }
        };
        self.backend.draw(shown.diff_iter(&next))?;
        Backend::flush(&mut self.backend)?;
        self.shown = Some(next);
        Ok(())
    }
}
