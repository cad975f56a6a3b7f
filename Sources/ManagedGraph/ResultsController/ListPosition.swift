// The arrangement of a results controller: ordered objects in sections. Beside `SectionedList`.
import GraphPredicates

/// The position of an object.
struct ListPosition: Hashable {
    var section: Int
    var item: Int
}
