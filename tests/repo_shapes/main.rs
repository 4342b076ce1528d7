//! Repositories of every shape and temper, read without running them: git itself is the judge of each answer.

#[path = "../common/git.rs"]
mod git;

mod bombs;
mod canaries;
mod doors;
mod history;
mod odd_files;
mod shapes;
mod status;
mod wander;
