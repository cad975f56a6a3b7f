// The texts of a document at one moment. Kept by SessionState.
import GraphModelFiles

/// The texts of all versions at one moment, which share their storage with other states.
struct SessionContent: Sendable, Hashable {
    /// By version name.
    var documents: [String: ModelDocument]
    var currentName: String
}
