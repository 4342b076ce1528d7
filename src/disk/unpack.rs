//! A compressed file as the bytes it stands for, unpacked as they are asked for. Memory is bounded by the window that
//! a file may ask for, and what comes out by a number that the caller names.

use std::io::{BufRead, Error, ErrorKind, Read, Result};

use ruzstd::decoding::StreamingDecoder;

/// The largest window that is made room for, in bytes: the packers' usual settings stay below it.
const WINDOW: u64 = 32 << 20;

/// The bytes of one file after the other frame; see [`Unpacked::new`].
pub(super) struct Unpacked<R: BufRead> {
    /// `None` after the last frame, and after an error.
    frame: Option<StreamingDecoder<R, ruzstd::decoding::FrameDecoder>>,
    /// How many bytes may still come out.
    left: u64,
}

impl<R: BufRead> Unpacked<R> {
    /// Unpacks `source`, at most `most` bytes of it: the read that would give more is an error, as is a frame that
    /// does not end.
    ///
    /// # Errors
    /// It does not begin as a compressed file does.
    pub(super) fn new(source: R, most: u64) -> Result<Self> {
        Ok(Self { frame: Some(begin(source)?), left: most })
    }
}

impl<R: BufRead> Read for Unpacked<R> {
    fn read(&mut self, into: &mut [u8]) -> Result<usize> {
        if into.is_empty() {
            return Ok(0);
        }
        while let Some(mut frame) = self.frame.take() {
            let read = frame.read(into).map_err(|error| damaged(&error))?;
            if read == 0 {
                // What was appended to a packed file is a frame of its own.
                let mut source = frame.into_inner();
                self.frame = if source.fill_buf()?.is_empty() { None } else { Some(begin(source)?) };
                continue;
            }
            let Some(left) = self.left.checked_sub(read as u64) else {
                let text = "it unpacks to more than is read of one file";
                return Err(Error::new(ErrorKind::FileTooLarge, text));
            };
            self.left = left;
            self.frame = Some(frame);
            return Ok(read);
        }
        Ok(0)
    }
}

fn begin<R: BufRead>(source: R) -> Result<StreamingDecoder<R, ruzstd::decoding::FrameDecoder>> {
    StreamingDecoder::new_with_max_window_size(source, WINDOW).map_err(|error| damaged(&error))
}

fn damaged(error: &dyn std::fmt::Display) -> Error {
    Error::new(ErrorKind::InvalidData, format!("it cannot be unpacked: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};

    /// `row one`, `row two` and a hundred bytes of `y`, a line each, as the `zstd` program packs them.
    const PACKED: &[u8] = &[
        0x28, 0xb5, 0x2f, 0xfd, 0x04, 0x58, 0xc5, 0x00, 0x00, 0x90, 0x72, 0x6f, 0x77, 0x20, 0x6f, 0x6e, 0x65,
        0x0a, 0x72, 0x6f, 0x77, 0x20, 0x74, 0x77, 0x6f, 0x0a, 0x79, 0x0a, 0x01, 0x00, 0x41, 0x0a, 0x96, 0xb1,
        0x84, 0x70, 0x50,
    ];

    fn unpack(packed: &[u8], most: u64) -> std::result::Result<Vec<u8>, String> {
        let mut bytes = Vec::new();
        let unpacked = Unpacked::new(packed, most).and_then(|mut unpacked| unpacked.read_to_end(&mut bytes));
        unpacked.map(|_| bytes).map_err(|error| error.to_string())
    }

    #[test]
    fn what_was_packed_comes_out_whole_and_never_more_than_was_asked_for() {
        let whole = format!("row one\nrow two\n{}\n", "y".repeat(100)).into_bytes();
        let most = whole.len() as u64;
        assert_eq!(unpack(PACKED, most).as_ref(), Ok(&whole), "just as many bytes as may come out");
        let more = unpack(PACKED, most - 1).expect_err("one too many");
        assert!(more.contains("more than is read"), "which is said: {more}");
        let twice = [PACKED, PACKED].concat();
        assert_eq!(unpack(&twice, most * 2), Ok([whole.clone(), whole].concat()), "two frames are one file");
        let bomb = compress_to_vec([0; 8 << 20].as_slice(), CompressionLevel::Fastest);
        assert!(bomb.len() < 64 << 10, "eight megabytes in few bytes: {}", bomb.len());
        assert!(unpack(&bomb, 1 << 20).is_err_and(|why| why.contains("more than is read")), "stops at one");
        assert_eq!(unpack(&bomb, 8 << 20).map(|bytes| bytes.len()), Ok(8 << 20), "the control: all of it");
    }

    #[test]
    fn what_is_cut_off_or_no_packed_file_is_an_error() {
        for end in 0..PACKED.len() {
            let cut = unpack(&PACKED[..end], 1 << 20);
            // A checksum that is not there is missed only by whoever asks for it.
            assert!(end >= PACKED.len() - 4 || cut.is_err(), "cut off after {end} bytes: {cut:?}");
        }
        for other in [b"{\"type\":\"session_meta\"}\n".as_slice(), &[0; 64], &[PACKED, b"x"].concat()] {
            assert!(unpack(other, 1 << 20).is_err_and(|why| why.contains("cannot be unpacked")), "{other:?}");
        }
        // A frame that asks for a window of a gigabyte: refused before any room is made.
        let window = [0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xa0, 0x01, 0x00, 0x00];
        assert!(unpack(&window, 1 << 20).is_err_and(|why| why.contains("cannot be unpacked")), "too large");
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn any_damage_is_answered(at in any::<prop::sample::Index>(), byte in any::<u8>()) {
            let mut bytes = PACKED.to_vec();
            let at = at.index(bytes.len());
            bytes[at] = byte;
            if let Ok(bytes) = unpack(&bytes, 1 << 16) {
                prop_assert!(bytes.len() <= 1 << 16, "never more than may come out");
            }
        }
    }
}
