//! What a key can mean, and where keys can go.

/// What a person meant by a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Command {
    /// One row or line up.
    Up,
    /// One row or line down.
    Down,
    /// A page up.
    PageUp,
    /// A page down.
    PageDown,
    /// To the first row or line.
    Top,
    /// To the last row or line.
    Bottom,
    /// Into what is selected.
    Open,
    /// One step back; never quits.
    Back,
    /// The next pane.
    NextPane,
    /// The pane before.
    PreviousPane,
    /// Filter the list.
    Find,
    /// The block that loads this handoff into a session.
    Context,
    /// Read everything again.
    Refresh,
    /// Between the live handoffs and those put away.
    OtherList,
    /// What was found and is not listed.
    Unlisted,
    /// All keys.
    Help,
    /// Leave.
    Quit,
    /// Stop like any job of the shell.
    Suspend,
    /// To the clipboard.
    Copy,
    /// In the pager.
    Pager,
    /// Write the prompt in the editor.
    Editor,
    /// Resume what is shown.
    Resume,
    /// Ask the started program to stop.
    Stop,
    /// Yes to what is asked: stop it and leave, list the sessions, write what is shown.
    Yes,
    /// What changed since an earlier version.
    Diff,
    /// An older version.
    Older,
    /// A newer version.
    Newer,
    /// Compare a version with the one after it, or with the present one.
    Compare,
    /// Save a handoff.
    Save,
    /// Look for a lane's missing session.
    Lookup,
    /// Compare this checkout with its remote.
    Remote,
    /// Show exactly what would be written.
    Preview,
    /// Carry the previous handoff's words over.
    Carry,
    /// Bring words back that were never saved.
    Recall,
    /// Take a lane out, or put it back.
    DropLane,
    /// Read what somebody else wrote and compare again.
    Reload,
    /// Save under another name.
    NewName,
    /// Show the saved file to git by an edit of one line.
    Unignore,
    /// Add new decisions to the project's own list.
    Mirror,
    /// The command that keeps a snapshot, to the clipboard.
    CopySnapshot,
    /// Mark the selected row, or take its mark away.
    Mark,
    /// Mark from the row that was marked last to this one.
    MarkRange,
    /// Mark every row that the filter shows, or none.
    MarkAll,
    /// Into the archive.
    Archive,
    /// Into the trash.
    Trash,
    /// Back to where it came from.
    PutBack,
    /// Old ones into the archive.
    CleanUp,
    /// Take an action of the shelf back.
    Undo,
    /// Yes, and delete the trash's oldest entries that are named.
    Evict,
    /// Put it back to another place.
    Place,
}

/// Where the keys go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Context {
    /// The list of handoffs.
    List,
    /// What one is about.
    Detail,
    /// Its lanes.
    Lanes,
    /// Its checks.
    Checks,
    /// What happened since.
    Drift,
    /// The filter's input.
    Find,
    /// All keys.
    Help,
    /// Text to read: a source line with its file, reasons, what is not listed.
    Reading,
    /// The block that loads a handoff.
    Block,
    /// A resume is being planned, or was refused.
    Planning,
    /// A resume waits for a prompt and a yes.
    Prompt,
    /// The started program runs.
    Running,
    /// It has ended.
    Done,
    /// A started program still runs and the person wants to leave.
    Leaving,
    /// An earlier version of a handoff.
    Versions,
    /// The save form.
    Form,
    /// A question of the save form.
    Asking,
    /// Exactly what would be written.
    Preview,
    /// Somebody else wrote there first.
    Clash,
    /// It is saved.
    Saved,
    /// What would be moved waits for a yes.
    Tidying,
    /// Another place is typed.
    Placing,
    /// Files are being moved.
    Moving,
    /// They are moved.
    Tidied,
    /// This checkout against its remote.
    Remote,
    /// The lookup form.
    Lookup,
}
