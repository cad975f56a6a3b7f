// A list changes in two steps: `plan` leaves it unchanged, so that a delegate can be notified before the change;
// `apply` changes it. Both take O(log n + size of a leaf) for each edit.

extension SectionedList {
    /// Plans the changes that edits will make to the list.
    ///
    /// - Parameter edits: At most one for each object.
    /// - Returns: The objects to be deleted, inserted, moved and updated.
    func plan(_ edits: [ListEdit]) -> ListPlan {
        var plan = ListPlan()
        var unclear: [(object: NSManagedObject, leaf: ListLeaf)] = []
        for edit in edits {
            switch (place(of: edit.object)?.leaf, edit.belongs) {
            case (nil, false): break
            case (nil, true): plan.inserted.append(edit.object)
            case (_?, false): plan.deleted.append(edit.object)
            case (let leaf?, true):
                if edit.keys == .changed || hasChangedSection(edit.object, in: leaf) {
                    plan.moved.append(edit.object)
                } else if edit.keys == .unknown {
                    unclear.append((edit.object, leaf))
                } else {
                    plan.updated.append(edit.object)
                }
            }
        }
        guard !unclear.isEmpty else { return plan }
        var unsettled = Set((plan.deleted + plan.moved).map(ObjectIdentifier.init))
        unsettled.formUnion(unclear.map { ObjectIdentifier($0.object) })
        // Objects with unchanged keys stay. The others are then compared with those that stay.
        var doubtful: [(object: NSManagedObject, leaf: ListLeaf)] = []
        for (object, leaf) in unclear {
            if hasKeptKeys(object, in: leaf) {
                plan.updated.append(object)
                unsettled.remove(ObjectIdentifier(object))
            } else {
                doubtful.append((object, leaf))
            }
        }
        var unsettledSections: Set<ObjectIdentifier> = []
        for (object, leaf) in doubtful {
            if isStillInOrder(object, in: leaf, without: unsettled, &unsettledSections) {
                plan.updated.append(object)
                unsettled.remove(ObjectIdentifier(object))
                unsettledSections.remove(ObjectIdentifier(leaf.section))
            } else {
                plan.moved.append(object)
            }
        }
        return plan
    }

    /// Applies a plan.
    ///
    /// - Parameter plan: The plan from `plan(_:)`; the list must not have changed since.
    /// - Returns: The changes with their positions.
    func apply(_ plan: ListPlan) -> ListChanges {
        let deleted = plan.deleted.compactMap { object in position(of: object).map { (object: object, from: $0) } }
        let moved = plan.moved.compactMap { object in position(of: object).map { (object: object, from: $0) } }
        let updated = plan.updated.compactMap { object in position(of: object).map { (object: object, from: $0) } }
        let isNoted = edits.takes(deleted.count + 2 * moved.count + plan.inserted.count)
        let removals = isNoted ? (deleted.map(\.from) + moved.map(\.from)).map(index).sorted() : []

        for (object, _) in deleted { remove(object) }
        for (object, _) in moved { remove(object) }
        // Fill the sections that keep objects first, so that new and emptied sections are placed relative to them.
        var newcomers: [(object: NSManagedObject, sectionName: String)] = []
        for object in plan.moved + plan.inserted {
            let name = rules.sectionName?(object) ?? ""
            if hasObjects(inSectionNamed: name) {
                insert(object, sectionName: name)
            } else {
                newcomers.append((object, name))
            }
        }
        for (object, name) in newcomers {
            forgetMisplacedSection(named: name, for: object)
            insert(object, sectionName: name)
        }

        var changes = ListChanges()
        // These are the old positions; `finishChange()` renumbers the sections.
        let emptied = emptiedSections.filter { $0.count == 0 && rules.sectionName != nil }
        changes.deletedSections = emptied.map { (section: $0, index: $0.position) }.sorted { $0.index < $1.index }
        let additions = newSections
        finishChange()
        changes.insertedSections = additions.map { (section: $0, index: $0.position) }.sorted { $0.index < $1.index }
        changes.deleted = deleted.sorted { $0.from < $1.from }
        changes.inserted = plan.inserted.compactMap { object in position(of: object).map { (object: object, to: $0) } }
            .sorted { $0.to < $1.to }
        changes.moved = moved.compactMap { move in
            position(of: move.object).map { (object: move.object, from: move.from, to: $0) }
        }
        .sorted { $0.from < $1.from }
        changes.updated = updated.compactMap { update in
            position(of: update.object).map { (object: update.object, from: update.from, to: $0) }
        }
        .sorted { $0.from < $1.from }
        if isNoted {
            let insertions =
                changes.moved.map { (index: index(of: $0.to), object: $0.object) }
                + changes.inserted.map { (index: index(of: $0.to), object: $0.object) }
            edits.note(ArrayEdit(removals: removals, insertions: insertions.sorted { $0.index < $1.index }))
        } else if !deleted.isEmpty || !moved.isEmpty || !plan.inserted.isEmpty {
            edits.note(nil)
        }
        return changes
    }

    private func hasChangedSection(_ object: NSManagedObject, in leaf: ListLeaf) -> Bool {
        guard let sectionName = rules.sectionName else { return false }
        return sectionName(object) != leaf.section.name
    }

    /// Whether the sort keys of an object equal those that a search last read; rereads them.
    private func hasKeptKeys(_ object: NSManagedObject, in leaf: ListLeaf) -> Bool {
        guard let index = leaf.index(of: object) else { return false }
        let before = leaf.knownKeys(at: index)
        leaf.forgetKeys(at: index)
        let now = leaf.keys(at: index, rules)
        guard let before else { return false }
        return rules.areInOrder(before, now) && rules.areInOrder(now, before)
    }

    /// Whether an object whose values may have changed can keep its place; its keys were reread before.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - leaf: The object's leaf.
    ///   - unsettled: Objects that may move too and are therefore no reference.
    ///   - unsettledSections: Sections in which no other object was found, so that they are not searched again.
    /// - Returns: True if its place agrees with those of its nearest settled neighbors.
    private func isStillInOrder(
        _ object: NSManagedObject,
        in leaf: ListLeaf,
        without unsettled: Set<ObjectIdentifier>,
        _ unsettledSections: inout Set<ObjectIdentifier>
    ) -> Bool {
        guard let index = leaf.index(of: object) else { return false }
        let now = leaf.keys(at: index, rules)
        var former: (ListLeaf, Int)?
        var next: (ListLeaf, Int)?
        if !unsettledSections.contains(ObjectIdentifier(leaf.section)) {
            former = settledNeighbour(of: leaf, index, step: -1, without: unsettled)
            next = settledNeighbour(of: leaf, index, step: 1, without: unsettled)
        }
        if former == nil, next == nil {
            // The whole section may move.
            unsettledSections.insert(ObjectIdentifier(leaf.section))
            former = settledNeighbour(of: leaf.section, step: -1, without: unsettled, &unsettledSections)
            next = settledNeighbour(of: leaf.section, step: 1, without: unsettled, &unsettledSections)
        }
        if let (neighbour, place) = former, !rules.areInOrder(neighbour.keys(at: place, rules), now) { return false }
        if let (neighbour, place) = next, !rules.areInOrder(now, neighbour.keys(at: place, rules)) { return false }
        return true
    }

    /// The nearest settled object of the sections before or after a section.
    private func settledNeighbour(
        of section: ListSection,
        step: Int,
        without unsettled: Set<ObjectIdentifier>,
        _ unsettledSections: inout Set<ObjectIdentifier>
    ) -> (ListLeaf, Int)? {
        func isSettled(_ object: NSManagedObject) -> Bool { !unsettled.contains(ObjectIdentifier(object)) }
        var position = section.position
        while true {
            position += step
            guard sections.indices.contains(position) else { return nil }
            guard !unsettledSections.contains(ObjectIdentifier(sections[position])) else { continue }
            let leaves = sections[position].leaves
            for number in leaves.indices {
                let leaf = leaves[step > 0 ? number : leaves.count - 1 - number]
                let index =
                    step > 0 ? leaf.objects.firstIndex(where: isSettled) : leaf.objects.lastIndex(where: isSettled)
                if let index { return (leaf, index) }
            }
            unsettledSections.insert(ObjectIdentifier(sections[position]))
        }
    }

    private func settledNeighbour(
        of leaf: ListLeaf,
        _ index: Int,
        step: Int,
        without unsettled: Set<ObjectIdentifier>
    ) -> (ListLeaf, Int)? {
        var leaf = leaf
        var index = index + step
        while true {
            if !leaf.objects.indices.contains(index) {
                let number = leaf.number + step
                guard leaf.section.leaves.indices.contains(number) else { return nil }
                leaf = leaf.section.leaves[number]
                index = step > 0 ? 0 : leaf.objects.count - 1
            }
            if !unsettled.contains(ObjectIdentifier(leaf.objects[index])) { return (leaf, index) }
            index += step
        }
    }
}

extension ListPosition: Comparable {
    static func < (left: ListPosition, right: ListPosition) -> Bool {
        (left.section, left.item) < (right.section, right.item)
    }
}
