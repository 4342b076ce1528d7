//! Settings: flags over environment over file over defaults.

use std::path::PathBuf;

/// What a person can set. Every field has a default; an unknown key in the file is an error with its line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// More places to look for handoffs, in the table's notation.
    pub places: Vec<String>,
    /// Projects that the all-projects list shows.
    pub projects: Vec<PathBuf>,
    /// A model catalog to use instead of the embedded one.
    pub catalog: Option<PathBuf>,
    /// `auto`, `mono`, `ansi`.
    pub theme: String,
    /// Rebound keys: action word → key.
    pub keys: Vec<(String, String)>,
    /// Whether the mouse is used.
    pub mouse: bool,
    /// Days after which a save archives old handoffs.
    pub archive_after_days: u32,
    /// How many entries the trash holds.
    pub trash_quota: u32,
    /// Largest file that is read, in bytes.
    pub read_limit: u64,
    /// Least relevance of a decision taken from a transcript, in thousandths (300 is 0.3).
    pub decision_threshold: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            places: Vec::new(),
            projects: Vec::new(),
            catalog: None,
            theme: "auto".into(),
            keys: Vec::new(),
            mouse: false,
            archive_after_days: 30,
            trash_quota: 200,
            read_limit: 8 << 20,
            decision_threshold: 300,
        }
    }
}
