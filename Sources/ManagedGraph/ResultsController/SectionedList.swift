// The arrangement of a results controller: objects in order, in sections. A value of the algorithm, not of the graph:
// it knows nothing of contexts or requests, it is told the rules by closures. Called by ResultsTracker only. The
// changes are in SectionedList+Changes.swift.
//
//     list ── sections (by position, by name) ── leaves (up to 512 objects each) ── objects
//
// An object is found by a table from object to leaf, made when a controller begins to follow its context; a place for an
// object by binary search over leaves and then in one leaf. Sort keys are read only where the search looks, and kept.
// A change costs the same in a list of any size, but for one that makes or drops a section.
import GraphPredicates

/// How a list is arranged.
struct ListRules<Object: AnyObject> {
    /// The name of an object's section; nil for a list of one section.
    var sectionName: ((Object) -> String)?
    /// The values an object is sorted by.
    var sortKeys: (Object) -> [EvaluatedValue]
    /// The order of two objects by their values.
    var areInOrder: ([EvaluatedValue], [EvaluatedValue]) -> Bool
}

/// Where an object is.
struct ListPosition: Hashable {
    var section: Int
    var item: Int
}

/// An object whose section began before, in another place.
struct SectionOrderViolation: Error {
    var index: Int
    var sectionName: String
}

/// Objects in order, in sections.
final class SectionedList<Object: AnyObject> {
    typealias Leaf = ListLeaf<Object>
    typealias Section = ListSection<Object>

    let rules: ListRules<Object>
    private(set) var sections: [Section] = []
    private var sectionsByName: [String: Section] = [:]
    /// Made at the first need; kept up to date afterwards.
    private var table: LeafTable<Object>?
    /// The number of objects in each section; nil where it must be counted again.
    private var counts: ContiguousArray<Int>?
    /// What recent changes did to the order of the objects.
    var edits = ListEdits<Object>()
    /// Sections that the change in progress has made, and those that it has emptied.
    private(set) var newSections: [Section] = []
    private(set) var emptiedSections: [Section] = []
    private var frozen: [FrozenReference<Object>] = []

    /// Arranges objects that are in order already.
    ///
    /// O(n); reads no sort key.
    ///
    /// - Throws: `SectionOrderViolation` where the objects of one section do not follow each other.
    init(_ objects: some Sequence<Object>, rules: ListRules<Object>) throws(SectionOrderViolation) {
        self.rules = rules
        guard let sectionName = rules.sectionName else {
            let section = Section(name: "")
            sections = [section]
            sectionsByName[""] = section
            for object in objects { section.appendWhileLoading(object) }
            return
        }
        var current: Section?
        for (index, object) in objects.enumerated() {
            let name = sectionName(object)
            if current?.name != name {
                guard sectionsByName[name] == nil else {
                    throw SectionOrderViolation(index: index, sectionName: name)
                }
                let section = Section(name: name)
                section.position = sections.count
                sections.append(section)
                sectionsByName[name] = section
                current = section
            }
            current?.appendWhileLoading(object)
        }
    }

    /// Arranges objects whose sections are known.
    ///
    /// O(n); reads no name and no sort key.
    ///
    /// - Parameters:
    ///   - objects: The objects in order.
    ///   - known: The sections in order; their counts add up to the number of objects.
    ///   - rules: The rules for changes to come.
    init(_ objects: [Object], known: [(name: String, count: Int)], rules: ListRules<Object>) {
        self.rules = rules
        var next = 0
        for (name, count) in known {
            let section = Section(name: name)
            section.position = sections.count
            for object in objects[next..<(next + count)] { section.appendWhileLoading(object) }
            next += count
            sections.append(section)
            sectionsByName[name] = section
        }
    }

    /// What the list is now, whatever becomes of it.
    ///
    /// O(1).
    func frozenCopy() -> FrozenList<Object> {
        let copy = FrozenList(self)
        frozen.append(FrozenReference(list: copy))
        return copy
    }

    /// The names of the sections and their objects.
    ///
    /// O(n).
    var content: [(name: String, items: [Object])] {
        sections.map { section in
            var items: [Object] = []
            items.reserveCapacity(section.count)
            section.appendObjects(to: &items)
            return (section.name, items)
        }
    }

    /// Whether an object is in the list.
    ///
    /// O(1) but for the first call, which is O(n).
    func contains(_ object: Object) -> Bool { place(of: object) != nil }

    /// The number of objects.
    ///
    /// O(sections).
    var count: Int { sections.reduce(0) { $0 + $1.count } }

    /// Makes ready for changes, and for questions where objects are.
    ///
    /// O(n) for the first time.
    func prepareForChanges() {
        guard table == nil else { return }
        var table = LeafTable<Object>(capacity: count)
        for section in sections {
            for leaf in section.leaves { table.insert(leaf) }
        }
        self.table = table
    }

    /// The object at a position; nil outside the list.
    ///
    /// O(leaves of the section) after a change, else O(log of their number).
    func object(at position: ListPosition) -> Object? {
        guard sections.indices.contains(position.section) else { return nil }
        return sections[position.section].object(at: position.item)
    }

    /// Where an object is; nil for one that is not in the list.
    ///
    /// O(1) but for the first call, which is O(n).
    func position(of object: Object) -> ListPosition? {
        place(of: object).map(position)
    }

    /// The index of a position among all objects.
    ///
    /// O(sections) after a section was made or dropped, else a fraction of a nanosecond for each.
    func index(of position: ListPosition) -> Int {
        if sections.count == 1 { return position.item }
        let counts = counts ?? ContiguousArray(sections.map(\.count))
        self.counts = counts
        return counts[..<position.section].reduce(0, +) + position.item
    }

    /// All objects in order.
    ///
    /// O(n).
    var objects: [Object] {
        var result: [Object] = []
        result.reserveCapacity(count)
        for section in sections { section.appendObjects(to: &result) }
        return result
    }

    /// Stops the program where the structure contradicts itself.
    ///
    /// For tests.
    func checkInvariants() {
        for (position, section) in sections.enumerated() {
            precondition(section.position == position, "section \(section.name) does not know its position")
            precondition(sectionsByName[section.name] === section, "section \(section.name) is not in the table")
            precondition(rules.sectionName == nil || section.count > 0, "section \(section.name) is empty")
            section.checkInvariants()
            for leaf in section.leaves {
                for object in leaf.objects {
                    let place = table?.place(of: object)
                    precondition(table == nil || place?.leaf === leaf, "an object is not in its leaf")
                }
            }
        }
        precondition(table == nil || table?.count == count, "the table of objects has another size than the list")
        precondition(counts == nil || Array(counts ?? []) == sections.map(\.count), "the list has counted wrongly")
        precondition(newSections.isEmpty && emptiedSections.isEmpty, "a change was left unfinished")
    }

    /// Objects whose sort keys have changed without the list having been told; for tests.
    var objectsWithStaleKeys: [Object] {
        sections.flatMap(\.leaves).flatMap { leaf in
            leaf.objects.indices.compactMap { index in
                guard let known = leaf.knownKeys(at: index) else { return nil }
                let now = rules.sortKeys(leaf.objects[index])
                return rules.areInOrder(known, now) && rules.areInOrder(now, known) ? nil : leaf.objects[index]
            }
        }
    }

    func hasSection(named name: String) -> Bool {
        sectionsByName[name] != nil
    }

    /// The leaf of an object and the index in it; nil for one that is not in the list.
    func place(of object: Object) -> (leaf: Leaf, index: Int)? {
        prepareForChanges()
        return table?.place(of: object)
    }

    func position(of place: (leaf: Leaf, index: Int)) -> ListPosition {
        let section = place.leaf.section
        return ListPosition(section: section.position, item: section.offset(of: place.leaf) + place.index)
    }

    /// Takes an object out.
    ///
    /// O(size of a leaf); its section stays, even when it is empty.
    func remove(_ object: Object) {
        guard let (leaf, index) = place(of: object) else { return }
        willChange(leaf)
        let section = leaf.section
        leaf.remove(at: index)
        table?.remove(object, from: leaf)
        if leaf.objects.isEmpty { table?.forget(leaf) }
        section.didRemove(from: leaf)
        counts?[section.position] -= 1
        if section.count == 0 { emptiedSections.append(section) }
    }

    /// Puts an object behind all that are not after it.
    ///
    /// O(log n + size of a leaf).
    func insert(_ object: Object, sectionName: String) {
        let keys = rules.sortKeys(object)
        let section = sectionsByName[sectionName] ?? addSection(named: sectionName, keys: keys)
        for reference in frozen { reference.list?.willChange(section) }
        let leaf = section.leaf(for: keys, rules: rules)
        willChange(leaf)
        leaf.insert(object, keys: keys, rules)
        section.didInsert(into: leaf)
        counts?[section.position] += 1
        table?.insert(object, in: leaf)
        if let half = section.splitIfFull(leaf) { table?.move(half, from: leaf) }
    }

    private func willChange(_ leaf: Leaf) {
        for reference in frozen { reference.list?.willChange(leaf) }
    }

    /// Ends a change: takes out the sections that have become empty, and tells all where they are.
    ///
    /// O(sections) where any was made or emptied, else O(1).
    func finishChange() {
        frozen.removeAll { $0.list == nil }
        emptiedSections.removeAll { $0.count > 0 }
        guard rules.sectionName != nil, !newSections.isEmpty || !emptiedSections.isEmpty else {
            emptiedSections = []
            return
        }
        counts = nil
        for section in emptiedSections { sectionsByName[section.name] = nil }
        if !emptiedSections.isEmpty { sections.removeAll { $0.count == 0 } }
        for (position, section) in sections.enumerated() { section.position = position }
        newSections = []
        emptiedSections = []
    }

    /// A new section, behind all whose first object is not after the new section's.
    ///
    /// O(sections).
    private func addSection(named name: String, keys: [EvaluatedValue]) -> Section {
        let section = Section(name: name)
        var place = sections.count
        // Backwards past all sections that come after; an empty one, about to go, has no say.
        for index in sections.indices.reversed() where sections[index].count > 0 {
            guard let first = sections[index].firstKeys(rules), rules.areInOrder(keys, first),
                !rules.areInOrder(first, keys)
            else { break }
            place = index
        }
        sections.insert(section, at: place)
        sectionsByName[name] = section
        newSections.append(section)
        counts = nil
        return section
    }
}
