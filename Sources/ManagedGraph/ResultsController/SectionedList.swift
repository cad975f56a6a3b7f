// The arrangement of a results controller: objects in order, in sections. A value of the algorithm, not of the graph:
// it knows nothing of contexts or requests, it is told the rules by closures. Called by ResultsTracker only. The
// changes are in SectionedList+Changes.swift.
//
//     list ── sections (by position, by name) ── leaves (up to 512 objects each) ── objects
//
// An object is found by a table from object to leaf, made when the first change comes; a place for an object by
// binary search over leaves and then in one leaf. Sort keys are read only where the search looks, and kept.

/// How a list is arranged.
struct ListRules<Object: AnyObject> {
    /// The name of an object's section; nil for a list of one section.
    var sectionName: ((Object) -> String)?
    /// The values an object is sorted by.
    var sortKeys: (Object) -> [Any?]
    /// The order of two objects by their values.
    var areInOrder: ([Any?], [Any?]) -> Bool
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
    private var leaves: [ObjectIdentifier: Leaf]?

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

    /// A list that stays as this one is now.
    ///
    /// O(n / 384): the objects are copied only where this list changes later.
    func frozenCopy() -> SectionedList { SectionedList(copying: self) }

    private init(copying other: SectionedList) {
        rules = other.rules
        for section in other.sections {
            let copy = section.frozenCopy()
            sections.append(copy)
            sectionsByName[copy.name] = copy
        }
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
    func contains(_ object: Object) -> Bool { leaf(of: object) != nil }

    /// The number of objects.
    ///
    /// O(sections).
    var count: Int { sections.reduce(0) { $0 + $1.count } }

    /// The object at a position; nil outside the list.
    ///
    /// O(leaves of the section).
    func object(at position: ListPosition) -> Object? {
        guard sections.indices.contains(position.section) else { return nil }
        return sections[position.section].object(at: position.item)
    }

    /// Where an object is; nil for one that is not in the list.
    ///
    /// O(1) but for the first call, which is O(n).
    func position(of object: Object) -> ListPosition? {
        guard let leaf = leaf(of: object) else { return nil }
        return position(of: object, in: leaf)
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
                    precondition(
                        leaves == nil || leaves?[ObjectIdentifier(object)] === leaf,
                        "an object is not in its leaf"
                    )
                }
            }
        }
        precondition(leaves == nil || leaves?.count == count, "the table of objects has another size than the list")
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

    func leaf(of object: Object) -> Leaf? {
        if leaves == nil { makeTable() }
        return leaves?[ObjectIdentifier(object)]
    }

    func position(of object: Object, in leaf: Leaf) -> ListPosition? {
        guard let index = leaf.index(of: object) else { return nil }
        return ListPosition(section: leaf.section.position, item: leaf.section.offset(of: leaf) + index)
    }

    private func makeTable() {
        var table: [ObjectIdentifier: Leaf] = [:]
        table.reserveCapacity(count)
        for leaf in sections.lazy.flatMap(\.leaves) {
            for object in leaf.objects { table[ObjectIdentifier(object)] = leaf }
        }
        leaves = table
    }

    /// Takes an object out.
    ///
    /// O(size of a leaf); its section stays, even when it is empty.
    func remove(_ object: Object, from leaf: Leaf) {
        guard let index = leaf.index(of: object) else { return }
        leaf.remove(at: index)
        leaves?[ObjectIdentifier(object)] = nil
        leaf.section.didRemove(from: leaf)
    }

    /// Puts an object behind all that are not after it.
    ///
    /// O(log n + size of a leaf).
    func insert(_ object: Object, sectionName: String) {
        let keys = rules.sortKeys(object)
        let section = sectionsByName[sectionName] ?? addSection(named: sectionName, keys: keys)
        let leaf = section.insert(object, keys: keys, rules: rules)
        leaves?[ObjectIdentifier(object)] = leaf
        if let half = section.splitIfFull(leaf) {
            for object in half.objects { leaves?[ObjectIdentifier(object)] = half }
        }
    }

    /// Takes out the sections that have become empty, and tells all where they are.
    ///
    /// O(sections).
    func dropEmptySections() {
        if rules.sectionName != nil {
            for section in sections where section.count == 0 { sectionsByName[section.name] = nil }
            sections.removeAll { $0.count == 0 }
        }
        for (position, section) in sections.enumerated() { section.position = position }
    }

    /// A new section, behind all whose first object is not after the new section's.
    ///
    /// O(sections).
    private func addSection(named name: String, keys: [Any?]) -> Section {
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
        return section
    }
}
