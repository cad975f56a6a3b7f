// The source of a live table's rows. Beside `RowSource`.

/// A section's title and row count.
struct SectionShape: Sendable, Equatable {
    var title: String
    var count: Int
}
