//! How much one snapshot holds at most. What a manifest says beyond is not believed, so that no store can fill a
//! disk or keep a reader busy for ever.

const MIB: u64 = 1 << 20;

/// One file, in bytes.
pub(super) const FILE: u64 = 64 * MIB;

/// All files together, in bytes.
pub(super) const TOTAL: u64 = 4096 * MIB;

/// The history, in bytes.
pub(super) const BUNDLE: u64 = 8192 * MIB;

/// Files, and things left out.
pub(super) const FILES: usize = 100_000;

/// A path, in bytes.
pub(super) const PATH: usize = 3_500;

/// A manifest, in bytes.
pub(super) const MANIFEST: u64 = 128 * MIB;
