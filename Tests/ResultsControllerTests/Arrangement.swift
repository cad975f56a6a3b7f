// A reference implementation of a list's changes: sections of items, changed as a table view does.
import GraphPredicates

@testable import ManagedGraph

/// The arrangement of a list as plain arrays.
struct Arrangement: Equatable {
    var names: [String]
    var numbers: [[Int]]

    init(_ list: SectionedList) {
        names = list.sections.map(\.name)
        numbers = list.sections.map { section in
            var items: [NSManagedObject] = []
            section.appendObjects(to: &items)
            return items.map(\.item.number)
        }
    }

    /// Applies changes as a table view does: removals by old positions, then insertions by new ones.
    mutating func apply(_ changes: ListChanges) {
        let leaving = changes.deleted.map(\.from) + changes.moved.map(\.from)
        for position in leaving.sorted(by: >) { numbers[position.section].remove(at: position.item) }
        for (_, index) in changes.deletedSections.sorted(by: { $0.index > $1.index }) {
            precondition(numbers[index].isEmpty, "a section is deleted whose objects are not all gone")
            numbers.remove(at: index)
            names.remove(at: index)
        }
        for (section, index) in changes.insertedSections {
            numbers.insert([], at: index)
            names.insert(section.name, at: index)
        }
        let coming =
            changes.inserted.map { (number: $0.object.item.number, to: $0.to) }
            + changes.moved.map { (number: $0.object.item.number, to: $0.to) }
        for (number, position) in coming.sorted(by: { $0.to < $1.to }) {
            numbers[position.section].insert(number, at: position.item)
        }
    }
}
