// Computes how two arrangements differ, after a new fetch. Edits of a list in place (SectionedList+Changes.swift)
// report their own changes in less time.
import GraphEngine

/// The difference between two arrangements; each element occurs at most once in either.
struct ListComparison<Element: Hashable> {
    typealias Content = [(name: String, items: [Element])]

    /// Deleted sections with their old indexes, and inserted sections with their new indexes.
    private(set) var deletedSections: [(name: String, index: Int)] = []
    private(set) var insertedSections: [(name: String, index: Int)] = []
    private(set) var deleted: [(element: Element, from: ListPosition)] = []
    private(set) var inserted: [(element: Element, to: ListPosition)] = []
    private(set) var moved: [(element: Element, from: ListPosition, to: ListPosition)] = []
    /// Elements that keep their relative order.
    private(set) var unmoved: [(element: Element, from: ListPosition, to: ListPosition)] = []

    /// Compares two arrangements.
    ///
    /// O(n log n).
    init(from old: Content, to new: Content) {
        var oldIndexes: [String: Int] = [:]
        for (index, section) in old.enumerated() { oldIndexes[section.name] = index }
        // Sections that keep their relative order stay; all others are deleted and inserted.
        let common = new.indices.filter { oldIndexes[new[$0].name] != nil }
        let former = common.map { oldIndexes[new[$0].name].map { Int64($0) } }
        let stays = LongestAscent.indexes(of: former).map { common[$0] }
        var oldOfNew: [Int: Int] = [:]
        for index in stays { oldOfNew[index] = oldIndexes[new[index].name] }
        let staying = Set(oldOfNew.values)
        deletedSections = old.indices.filter { !staying.contains($0) }.map { (old[$0].name, $0) }
        insertedSections = new.indices.filter { oldOfNew[$0] == nil }.map { (new[$0].name, $0) }

        var places: [Element: ListPosition] = [:]
        for (section, content) in old.enumerated() {
            for (item, element) in content.items.enumerated() {
                places[element] = ListPosition(section: section, item: item)
            }
        }
        for (section, content) in new.enumerated() {
            let origins = content.items.map { places.removeValue(forKey: $0) }
            let candidates = origins.indices.filter { origins[$0] != nil && origins[$0]?.section == oldOfNew[section] }
            let keeping = Set(
                LongestAscent.indexes(of: candidates.map { origins[$0].map { Int64($0.item) } }).map { candidates[$0] }
            )
            for (item, element) in content.items.enumerated() {
                let to = ListPosition(section: section, item: item)
                if let from = origins[item] {
                    if keeping.contains(item) {
                        unmoved.append((element, from, to))
                    } else {
                        moved.append((element, from, to))
                    }
                } else {
                    inserted.append((element, to))
                }
            }
        }
        moved.sort { $0.from < $1.from }
        deleted = places.map { (element: $0.key, from: $0.value) }.sorted { $0.from < $1.from }
    }
}
