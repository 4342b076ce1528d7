//! Saving: a handoff is written whole, and the bytes that it replaces can be had back.
//!
//! | file | what it does |
//! |---|---|
//! | [`file`](mod@file) | one file: lock, compare with what was last read, keep the old bytes, write, read back |
//! | `keep` | replaced bytes in the trash, with where they came from |
//! | `difference` | what somebody else wrote meanwhile, for the one who is told |

mod difference;
pub mod file;
mod keep;
