// The arrangement of a results controller: ordered objects in sections. It compares objects by identity and reads none
// of their properties; closures supply the rules. Called by ResultsTracker only. Changes are in SectionedList+Changes.swift.
//
//     list ── sections (by position, by name) ── leaves (up to 512 objects each) ── objects
//
// A table maps each object to its leaf; it is built when a controller begins to follow its context. The place for an
// object is found by binary search over leaves, then within one leaf. Sort keys are read only for examined objects, and
// cached. The cost of a change does not depend on the size of the list, unless it creates or removes a section.
import GraphPredicates

/// Objects in order, in sections.
final class SectionedList {
    let rules: ListRules
    private(set) var sections: [ListSection] = []
    private var sectionsByName: [String: ListSection] = [:]
    /// Created on first use, then kept up to date.
    private var table: LeafTable?
    /// The number of objects in each section; nil if it must be recomputed.
    private var counts: ContiguousArray<Int>?
    /// The effects of recent changes on the order of the objects.
    var edits = ListEdits()
    /// Sections that the current change has created, and those that it has emptied.
    private(set) var newSections: [ListSection] = []
    private(set) var emptiedSections: [ListSection] = []
    private var frozen: [FrozenReference] = []

    /// Arranges objects that are already in order.
    ///
    /// O(n); reads no sort keys.
    ///
    /// - Throws: `SectionOrderViolation` if the objects of one section are not contiguous.
    init(_ objects: some Sequence<NSManagedObject>, rules: ListRules) throws(SectionOrderViolation) {
        self.rules = rules
        guard let sectionName = rules.sectionName else {
            let section = ListSection(name: "")
            sections = [section]
            sectionsByName[""] = section
            for object in objects { section.appendWhileLoading(object) }
            return
        }
        var current: ListSection?
        for (index, object) in objects.enumerated() {
            let name = sectionName(object)
            if current?.name != name {
                guard sectionsByName[name] == nil else {
                    throw SectionOrderViolation(index: index, sectionName: name)
                }
                let section = ListSection(name: name)
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
    /// O(n); reads no names and no sort keys.
    ///
    /// - Parameters:
    ///   - objects: The objects in order.
    ///   - sectionCounts: The sections in order; their counts must add up to the number of objects.
    ///   - rules: The rules for future changes.
    init(_ objects: [NSManagedObject], known sectionCounts: [(name: String, count: Int)], rules: ListRules) {
        self.rules = rules
        var next = 0
        for (name, count) in sectionCounts {
            let section = ListSection(name: name)
            section.position = sections.count
            for object in objects[next..<(next + count)] { section.appendWhileLoading(object) }
            next += count
            sections.append(section)
            sectionsByName[name] = section
        }
    }

    /// A snapshot of the list that later changes do not affect.
    ///
    /// O(1).
    func frozenCopy() -> FrozenList {
        let copy = FrozenList(self)
        frozen.append(FrozenReference(list: copy))
        return copy
    }

    /// The names of the sections and their objects.
    ///
    /// O(n).
    var content: [(name: String, items: [NSManagedObject])] {
        sections.map { section in
            var items: [NSManagedObject] = []
            items.reserveCapacity(section.count)
            section.appendObjects(to: &items)
            return (section.name, items)
        }
    }

    /// Whether an object is in the list.
    ///
    /// O(1), except for the first call, which is O(n).
    func contains(_ object: NSManagedObject) -> Bool { place(of: object) != nil }

    /// The number of objects.
    ///
    /// O(sections).
    var count: Int { sections.reduce(0) { $0 + $1.count } }

    /// Builds the table for changes and position lookups.
    ///
    /// O(n) for the first call.
    func prepareForChanges() {
        guard table == nil else { return }
        var table = LeafTable(capacity: count)
        for section in sections {
            for leaf in section.leaves { table.insert(leaf) }
        }
        self.table = table
    }

    /// The object at a position; nil outside the list.
    ///
    /// O(leaves of the section) after a change, else O(log leaves).
    func object(at position: ListPosition) -> NSManagedObject? {
        guard sections.indices.contains(position.section) else { return nil }
        return sections[position.section].object(at: position.item)
    }

    /// The position of an object; nil if it is not in the list.
    ///
    /// O(1), except for the first call, which is O(n).
    func position(of object: NSManagedObject) -> ListPosition? {
        place(of: object).map(position)
    }

    /// The index of a position among all objects.
    ///
    /// O(sections) after a section was created or removed, else a fraction of a nanosecond for each section.
    func index(of position: ListPosition) -> Int {
        if sections.count == 1 { return position.item }
        let counts = counts ?? ContiguousArray(sections.map(\.count))
        self.counts = counts
        return counts[..<position.section].reduce(0, +) + position.item
    }

    /// All objects in order.
    ///
    /// O(n).
    var objects: [NSManagedObject] {
        var result: [NSManagedObject] = []
        result.reserveCapacity(count)
        for section in sections { section.appendObjects(to: &result) }
        return result
    }

    /// Stops the program if an invariant is violated.
    ///
    /// For tests.
    func checkInvariants() {
        for (position, section) in sections.enumerated() {
            precondition(section.position == position, "section \(section.name) has a wrong position")
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

    /// Objects whose sort keys have changed without an edit of the list; for tests.
    var objectsWithStaleKeys: [NSManagedObject] {
        sections.flatMap(\.leaves).flatMap { leaf in
            leaf.objects.indices.compactMap { index in
                guard let cached = leaf.knownKeys(at: index) else { return nil }
                let now = rules.sortKeys(leaf.objects[index])
                return rules.areInOrder(cached, now) && rules.areInOrder(now, cached) ? nil : leaf.objects[index]
            }
        }
    }

    /// Whether there is a section of this name that has objects.
    func hasObjects(inSectionNamed name: String) -> Bool {
        sectionsByName[name].map { $0.count > 0 } ?? false
    }

    /// Forgets an emptied section whose place is not that of an object which is to be inserted in it; the insertion then
    /// makes a new section.
    ///
    /// O(sections).
    func forgetMisplacedSection(named name: String, for object: NSManagedObject) {
        guard rules.sectionName != nil, let section = sectionsByName[name], section.count == 0,
            let place = sections.firstIndex(where: { $0 === section })
        else { return }
        let keys = rules.sortKeys(object)
        let former = sections[..<place].last(where: { $0.count > 0 })?.firstKeys(rules)
        let next = sections[place...].first(where: { $0.count > 0 })?.firstKeys(rules)
        let followsFormer = former.map { rules.areInOrder($0, keys) } ?? true
        let precedesNext = next.map { rules.areInOrder(keys, $0) } ?? true
        if !followsFormer || !precedesNext { sectionsByName[name] = nil }
    }

    /// The leaf of an object and the index in it; nil if the object is not in the list.
    func place(of object: NSManagedObject) -> (leaf: ListLeaf, index: Int)? {
        prepareForChanges()
        return table?.place(of: object)
    }

    func position(of place: (leaf: ListLeaf, index: Int)) -> ListPosition {
        let section = place.leaf.section
        return ListPosition(section: section.position, item: section.offset(of: place.leaf) + place.index)
    }

    /// Removes an object.
    ///
    /// O(size of a leaf). Its section stays, even when empty.
    func remove(_ object: NSManagedObject) {
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

    /// Inserts an object after all objects that do not follow it in the order.
    ///
    /// O(log n + size of a leaf).
    func insert(_ object: NSManagedObject, sectionName: String) {
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

    private func willChange(_ leaf: ListLeaf) {
        for reference in frozen { reference.list?.willChange(leaf) }
    }

    /// Ends a change: removes empty sections and renumbers the others.
    ///
    /// O(sections) if any was created or emptied, else O(1).
    func finishChange() {
        frozen.removeAll { $0.list == nil }
        emptiedSections.removeAll { $0.count > 0 }
        guard rules.sectionName != nil, !newSections.isEmpty || !emptiedSections.isEmpty else {
            emptiedSections = []
            return
        }
        counts = nil
        // A new section can have taken the name of an emptied one.
        for section in emptiedSections where sectionsByName[section.name] === section {
            sectionsByName[section.name] = nil
        }
        if !emptiedSections.isEmpty { sections.removeAll { $0.count == 0 } }
        for (position, section) in sections.enumerated() { section.position = position }
        newSections = []
        emptiedSections = []
    }

    /// Adds a section after all sections whose first object does not follow that of the new section.
    ///
    /// O(sections).
    private func addSection(named name: String, keys: [EvaluatedValue]) -> ListSection {
        let section = ListSection(name: name)
        var place = sections.count
        // Walk backwards past all sections that come after; skip empty ones, which are about to be removed.
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
