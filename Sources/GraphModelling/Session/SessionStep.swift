// A state of a session that undo returns to. Kept by SessionState.
import GraphModelFiles

/// A change that can be undone or redone.
struct SessionStep: Sendable {
    var title: String
    /// The content on the other side of the change.
    var content: SessionContent
    /// The version that was shown.
    var version: String
}
