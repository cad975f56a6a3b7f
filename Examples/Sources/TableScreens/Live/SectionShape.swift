// The name and the number of rows of a section of a live table.

/// A section's title and row count.
struct SectionShape: Sendable, Equatable {
    var title: String
    var count: Int
}
