/// A row that a save has changed, and its version.
struct SavedRow: Sendable {
    /// The version of a row that was deleted.
    static let deleted: Int64 = 0
    /// The version of a row that a batch request has changed.
    static let unknown: Int64 = -1

    var store: Int32
    var tree: Int
    var primaryKey: Int64
    /// The row's version since.
    var version = SavedRow.unknown
}
