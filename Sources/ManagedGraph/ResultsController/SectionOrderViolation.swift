// The error for results that are not sorted by their sections.

/// An object whose section began earlier and was interrupted by another.
struct SectionOrderViolation: Error {
    /// The object's position among the results.
    var index: Int
    var sectionName: String
}
