//! A bounded list of what the reader objects to.

use super::super::{Problem, Severity};

/// How many findings are kept; a file with more is broken enough, and the rest is counted.
const MOST: usize = 200;

/// Findings of one file. Whether the file is refused is known even when a finding no longer fits.
#[derive(Debug, Default)]
pub(super) struct Findings {
    kept: Vec<Problem>,
    errors_left_out: usize,
    notes_left_out: usize,
}

impl Findings {
    /// Takes a finding in.
    pub(super) fn add(&mut self, problem: Problem) {
        if self.kept.len() < MOST {
            self.kept.push(problem);
        } else if problem.is_error() {
            self.errors_left_out += 1;
        } else {
            self.notes_left_out += 1;
        }
    }

    /// Takes an error in; where there is no more room for it, it is counted without being made.
    pub(super) fn error(&mut self, make: impl FnOnce() -> Problem) {
        if self.kept.len() < MOST {
            self.kept.push(make());
        } else {
            self.errors_left_out += 1;
        }
    }

    /// Takes in what another room found.
    pub(super) fn absorb(&mut self, other: Self) {
        self.errors_left_out += other.errors_left_out;
        self.notes_left_out += other.notes_left_out;
        other.kept.into_iter().for_each(|problem| self.add(problem));
    }

    /// Whether any finding so far is an error.
    pub(super) fn refuse(&self) -> bool {
        self.errors_left_out > 0 || self.kept.iter().any(Problem::is_error)
    }

    /// All findings in file order; those without a place come last.
    pub(super) fn in_file_order(self) -> Vec<Problem> {
        let mut all = self.kept;
        all.sort_by_key(|problem| (problem.at.is_none(), problem.at));
        let left_out = self.errors_left_out + self.notes_left_out;
        if left_out > 0 {
            let severity = if self.errors_left_out > 0 { Severity::Error } else { Severity::Note };
            all.push(Problem::whole(severity, "more-problems", format!("and {left_out} more problems")));
        }
        all
    }
}
