// A part of a grid's rows. Created by BrowsingSession.

/// Rows, with their number and columns.
public struct RowWindow: Codable, Sendable {
    /// The number of rows before the first one.
    public var offset: Int
    /// The number of all rows that match.
    public var total: Int
    /// The columns.
    public var columns: [PropertySummary]
    /// The rows.
    public var rows: [BrowsedRow]
    /// New objects of the entity that are not saved yet.
    public var inserted: [BrowsedRow]
    /// A text that changes whenever a writer saves.
    public var stamp: String
    /// A predicate that some rows match, if none match the requested one.
    public var suggestion: String?
}
