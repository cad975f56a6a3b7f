// Turns the entries of a notification into edits of a list. Called by ResultsTracker.

extension ChangeShare {
    /// The edits that bring a list up to date with the entries.
    ///
    /// O(entries and their dependents). Evaluates the predicate only for objects with a changed value that it reads.
    func edits(
        of change: ContextChange,
        for configuration: ResultsConfiguration,
        list: SectionedList
    ) -> [ListEdit] {
        var edits = EditCollector(configuration: configuration, list: list)
        for index in resultEntries {
            let entry = change.entries[index]
            switch entry.kind {
            case .gone: edits.add(entry.object, belongs: false, keys: .unchanged)
            case .inserted, .refreshed: edits.add(entry.object, keys: .unknown)
            case .updated: edits.add(entry.object, changedKeys: entry.changedKeys)
            }
        }
        for (index, key) in related {
            let entry = change.entries[index]
            let related = configuration.relatedKeys[key]
            for dependent in configuration.dependents(of: entry.object, by: related.key, in: list) {
                if related.isPlacing {
                    edits.add(dependent, keys: entry.changedKeys != nil ? .changed : .unknown)
                } else {
                    edits.decide(dependent, belongs: configuration.includes(dependent))
                }
            }
        }
        return edits.edits
    }
}

/// Collects one edit for each object; a removal is final, and for keys, the stronger of two statements wins.
private struct EditCollector {
    let configuration: ResultsConfiguration
    let list: SectionedList
    private(set) var edits: [ListEdit] = []
    private var indexes: [ObjectIdentifier: Int] = [:]

    init(configuration: ResultsConfiguration, list: SectionedList) {
        self.configuration = configuration
        self.list = list
    }

    mutating func add(_ object: NSManagedObject, changedKeys: Set<String>?) {
        guard let changedKeys else { return add(object, keys: .unknown) }
        let keys = configuration.keys(after: changedKeys)
        if let deciding = configuration.decidingKeys, deciding.isDisjoint(with: changedKeys) {
            if list.contains(object) { add(object, belongs: true, keys: keys) }
        } else {
            add(object, keys: keys)
        }
    }

    /// Adds or removes an object because a related one changed; one that stays is unchanged and not reported.
    mutating func decide(_ object: NSManagedObject, belongs: Bool) {
        if let index = indexes[ObjectIdentifier(object)] {
            edits[index].belongs = belongs
        } else if belongs != list.contains(object) {
            add(object, belongs: belongs, keys: .unchanged)
        }
    }

    mutating func add(_ object: NSManagedObject, keys: ListEdit.Keys) {
        if let index = indexes[ObjectIdentifier(object)] {
            edits[index].keys = max(edits[index].keys, keys)
            return
        }
        add(object, belongs: !object.isDeleted && configuration.includes(object), keys: keys)
    }

    mutating func add(_ object: NSManagedObject, belongs: Bool, keys: ListEdit.Keys) {
        guard indexes[ObjectIdentifier(object)] == nil else { return }
        indexes[ObjectIdentifier(object)] = edits.count
        edits.append(ListEdit(object: object, belongs: belongs, keys: keys))
    }
}
