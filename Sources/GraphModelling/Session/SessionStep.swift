// A state of a session that undo returns to. Kept by SessionState.
import GraphModelFiles

/// The texts of all versions at one moment, which share their storage with other states.
struct SessionContent: Sendable, Hashable {
    /// By version name.
    var documents: [String: ModelDocument]
    var currentName: String
}

/// A change that can be undone or redone.
struct SessionStep: Sendable {
    var title: String
    /// The content on the other side of the change.
    var content: SessionContent
    /// The version that was shown.
    var version: String
}
