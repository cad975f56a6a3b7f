// One notification of a context, read for one results controller: which objects may come, go, move or change.
import Foundation

/// The objects of a notification.
struct ContextChange {
    private let inserted: Set<NSManagedObject>
    private let updated: Set<NSManagedObject>
    private let refreshed: Set<NSManagedObject>
    private let gone: Set<NSManagedObject>
    /// Whether all objects of the context have become invalid: nothing is reported, the results must be fetched again.
    let isTotal: Bool

    init(_ userInfo: [AnyHashable: Any]) {
        func objects(_ key: String) -> Set<NSManagedObject> {
            userInfo[key] as? Set<NSManagedObject> ?? []
        }
        inserted = objects(NSInsertedObjectsKey)
        updated = objects(NSUpdatedObjectsKey)
        refreshed = objects(NSRefreshedObjectsKey)
        gone = objects(NSDeletedObjectsKey).union(objects(NSInvalidatedObjectsKey))
        isTotal = userInfo[NSInvalidatedAllObjectsKey] != nil
    }

    /// What the objects mean for a list.
    ///
    /// O(objects in the notification) and what depends on them.
    func edits(
        for configuration: ResultsConfiguration,
        list: SectionedList<NSManagedObject>
    ) -> [ListEdit<NSManagedObject>] {
        var edits = EditCollector(configuration: configuration)
        for object in gone where configuration.concerns(object.entity) {
            edits.add(object, belongs: false, keys: .unchanged)
        }
        for object in inserted where configuration.concerns(object.entity) {
            edits.add(object, keys: .unknown)
        }
        for object in updated where configuration.concerns(object.entity) {
            edits.add(object, keys: Self.keys(of: object, configuration))
        }
        for object in refreshed where configuration.concerns(object.entity) {
            edits.add(object, keys: .unknown)
        }
        addDependents(to: &edits, configuration, list)
        return edits.edits
    }

    private static func keys(
        of object: NSManagedObject,
        _ configuration: ResultsConfiguration
    ) -> ListEdit<NSManagedObject>.Keys {
        let changed = object.changedValuesForCurrentEvent()
        guard !changed.isEmpty else { return .unknown }
        return configuration.placingKeys.contains { changed[$0] != nil } ? .changed : .unchanged
    }

    /// Adds the results that changed objects of other entities place, or decide upon.
    private func addDependents(
        to edits: inout EditCollector,
        _ configuration: ResultsConfiguration,
        _ list: SectionedList<NSManagedObject>
    ) {
        forEachDependent(configuration.relatedKeys, configuration, list) { dependent, isKnown in
            edits.add(dependent, keys: isKnown ? .changed : .unknown)
        }
        forEachDependent(configuration.decidingKeys, configuration, list) { dependent, _ in
            // What stays in or out has not changed itself, and is not reported.
            if configuration.includes(dependent) != (list.position(of: dependent) != nil) {
                edits.add(dependent, keys: .unchanged)
            }
        }
    }

    /// Calls `body` with each object that a changed object of another entity concerns, and whether the notification
    /// says that its value has changed.
    private func forEachDependent(
        _ keys: [RelatedKey],
        _ configuration: ResultsConfiguration,
        _ list: SectionedList<NSManagedObject>,
        _ body: (NSManagedObject, _ isKnown: Bool) -> Void
    ) {
        for related in keys {
            for object in updated.union(refreshed) where object.entity.isKindOf(entity: related.entity) {
                let changed = object.changedValuesForCurrentEvent()
                let isKnown = !changed.isEmpty && !refreshed.contains(object)
                if isKnown, changed[related.key] == nil { continue }
                let dependents =
                    related.dependents(of: object)
                    ?? list.objects.filter { related.leads(from: $0, to: object) }
                for dependent in dependents where !dependent.isDeleted && configuration.concerns(dependent.entity) {
                    body(dependent, isKnown)
                }
            }
        }
    }
}

/// Collects edits, one for each object: what goes has gone, and of two statements about keys the stronger holds.
private struct EditCollector {
    let configuration: ResultsConfiguration
    private(set) var edits: [ListEdit<NSManagedObject>] = []
    private var indexes: [ObjectIdentifier: Int] = [:]

    init(configuration: ResultsConfiguration) {
        self.configuration = configuration
    }

    mutating func add(_ object: NSManagedObject, keys: ListEdit<NSManagedObject>.Keys) {
        if let index = indexes[ObjectIdentifier(object)] {
            edits[index].keys = max(edits[index].keys, keys)
            return
        }
        add(object, belongs: !object.isDeleted && configuration.includes(object), keys: keys)
    }

    mutating func add(_ object: NSManagedObject, belongs: Bool, keys: ListEdit<NSManagedObject>.Keys) {
        guard indexes[ObjectIdentifier(object)] == nil else { return }
        indexes[ObjectIdentifier(object)] = edits.count
        edits.append(ListEdit(object: object, belongs: belongs, keys: keys))
    }
}
