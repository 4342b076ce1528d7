//! Survey (reads) → evidence → judge (pure) → checks → verdict. Here scan, git and session stores meet.

pub mod report;

pub use report::*;
