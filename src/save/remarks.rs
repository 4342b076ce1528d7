//! What a person should know before the yes of the file that a save would replace.

use std::path::Path;

use super::target::Target;
use crate::disk::{self, DiskError};
use crate::handoff::{Inert, count_of};

/// The remarks; where nothing lies there, only that its directory is made; none for a plain file.
///
/// # Errors
/// As [`disk::locate`].
pub(super) fn of(target: &Target) -> Result<Vec<Inert>, DiskError> {
    let mut remarks = Vec::new();
    let real = disk::locate(&target.root, &target.path)?;
    let Some(names) = disk::names(&real) else {
        let missing = real.parent().filter(|folder| !disk::is_taken(folder));
        remarks.extend(missing.map(|folder| format!("the directory {} is new", folder.display()).into()));
        return Ok(remarks);
    };
    if is_reached_by_a_link(target, &real) {
        remarks.push(format!("a link leads there: {} is written, and the link stays", real.display()).into());
    }
    if let Some(others @ 1..) = names.checked_sub(1) {
        let others = usize::try_from(others).unwrap_or(usize::MAX);
        remarks.push(
            format!(
                "{} of the same file (hard links) keeps its old bytes: only {} gets the new ones",
                count_of(others, "other name", "other names"),
                real.display()
            )
            .into(),
        );
    }
    Ok(remarks)
}

/// Whether the real path is another one than the root's own and what was asked for beneath it.
fn is_reached_by_a_link(target: &Target, real: &Path) -> bool {
    let beneath = target.path.strip_prefix(&target.root).ok();
    let plain = beneath.and_then(|beneath| Some(target.root.canonicalize().ok()?.join(beneath)));
    plain.is_some_and(|plain| plain != real)
}
