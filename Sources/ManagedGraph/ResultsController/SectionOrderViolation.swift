// The arrangement of a results controller: ordered objects in sections. Beside `SectionedList`.
import GraphPredicates

/// An object whose section began earlier and was interrupted by another.
struct SectionOrderViolation: Error {
    var index: Int
    var sectionName: String
}
