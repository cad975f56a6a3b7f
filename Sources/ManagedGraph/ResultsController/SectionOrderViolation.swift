// The error for results that are not sorted by their sections.

/// An object whose section began earlier and was interrupted by another.
struct SectionOrderViolation: Error {
    var index: Int
    var sectionName: String
}
