// The request of a results controller's last fetch. Created by performFetch(), read by the tracker and the router.
// Later changes of the request have no effect before the next fetch.
import Foundation
import GraphPredicates
import GraphSQL

/// The immutable settings of a fetch and its arrangement.
struct ResultsConfiguration {
    let layout: ObjectLayout
    /// A copy of the request for objects of any class.
    let request: NSFetchRequest<NSManagedObject>
    let sort: SortOrder
    let sectionNameKeyPath: String?
    /// The condition by which the context looks up the controller; nil if it must examine every change.
    let condition: IndexedCondition?
    /// The properties that decide whether an object belongs; nil if more than its stored properties decides.
    let decidingKeys: Set<String>?
    /// The properties of related objects that place results in the order, or select them.
    let relatedKeys: [(key: RelatedKey, isPlacing: Bool)]
    /// The properties of the entity itself that place an object: the first keys of all sort and section key paths.
    private let placingKeys: Set<String>
    /// Whether a computed value places the objects, so that any change can move them.
    private let isPlacedByComputed: Bool

    /// Validates a request and copies the settings needed for tracking.
    ///
    /// - Throws: 134060 for a request that a results controller cannot use.
    init<ResultType>(
        _ original: NSFetchRequest<ResultType>,
        sectionNameKeyPath: String?,
        context: NSManagedObjectContext
    ) throws {
        let model = try context.requireCoordinator().compiledModel
        guard let layout = original.entityName.flatMap({ model.byName[$0] }) else {
            let entityNames = model.byName.keys.sorted()
            let near = original.entityName.flatMap { NearestName.of($0, among: entityNames) }
            throw Self.error(
                original.entityName.map { "the context's model has no entity named \($0)" }
                    ?? "its fetch request has no entity",
                remedy: near.map { "Did you mean \($0)?" }
                    ?? "Give the request one of: \(entityNames.joined(separator: ", "))."
            )
        }
        guard original.resultType == .managedObjectResultType else {
            throw Self.error(
                "its fetch request does not ask for managed objects, the only results that can be followed",
                remedy: "Set the request's resultType to .managedObjectResultType."
            )
        }
        // An empty list is valid: it means the order of the keys. Sections need at least one descriptor.
        guard let descriptors = original.sortDescriptors, sectionNameKeyPath == nil || !descriptors.isEmpty else {
            throw Self.error(
                "its fetch request has no sort descriptors",
                remedy: sectionNameKeyPath.map { "Sort by \($0) first." }
                    ?? "Give the request a list of them; an empty one means the order of the keys."
            )
        }
        try Self.checkClass(of: layout, ResultType.self)
        if let path = sectionNameKeyPath {
            try model.check { try $0.checkPath(path.split(separator: ".").map(String.init), entity: layout.name) }
            try Self.check(path, layout)
        }
        self.layout = layout
        original.noteFetched(layout)
        let request = NSFetchRequest<NSManagedObject>()
        original.copyContents(to: request)
        // The results reflect the objects in memory, not the rows in the file.
        request.includesPendingChanges = true
        self.request = request
        sort = SortOrder(descriptors)
        self.sectionNameKeyPath = sectionNameKeyPath

        let placing = sort.keyPaths + [sectionNameKeyPath].compactMap { $0 }
        placingKeys = Set(placing.compactMap(Self.firstKey))
        isPlacedByComputed =
            descriptors.contains { $0.sortKey == nil }
            || !placingKeys.allSatisfy { Self.isStored($0, layout) }
        let node = request.predicate?.node
        let deciding = node.map(PredicateKeyPaths.init)
        let keys = Set((deciding?.keyPaths ?? []).compactMap(Self.firstKey))
        decidingKeys = deciding?.isComplete != false && keys.allSatisfy { Self.isStored($0, layout) } ? keys : nil
        // With an offset, changes of objects before the results shift the results.
        condition =
            request.fetchOffset > 0 ? nil : node.flatMap { IndexedCondition($0, layout: layout, context: context) }
        relatedKeys =
            RelatedKey.keys(in: placing, from: layout.entity).map { ($0, true) }
            + RelatedKey.keys(in: deciding?.keyPaths ?? [], from: layout.entity).map { ($0, false) }
    }

    /// Layouts of the entities whose objects can be among the results.
    var family: [ObjectLayout] {
        request.includesSubentities ? layout.family.map { layout.model.layouts[$0] } : [layout]
    }

    /// Whether the results are only a part of the objects that satisfy the predicate.
    var isWindow: Bool { request.fetchLimit > 0 || request.fetchOffset > 0 }

    /// Whether an object is among the results, by entity, store and predicate.
    func includes(_ object: NSManagedObject) -> Bool {
        let isOfEntity = request.includesSubentities ? object.layout.isKind(of: layout) : object.layout === layout
        guard isOfEntity, !object.state.contains(.gone), isInAffectedStore(object) else { return false }
        guard let predicate = request.predicate else { return true }
        // Evaluating the predicate may fire a fault, and only that shows that the row is gone.
        return predicate.evaluate(with: object) && object.state.isDisjoint(with: [.deleted, .gone, .inaccessible])
    }

    private func isInAffectedStore(_ object: NSManagedObject) -> Bool {
        guard let stores = request.affectedStores, let store = object.objectID.persistentStore else { return true }
        return stores.contains { $0 === store }
    }

    /// The effect of changed properties on the keys that place an object.
    func keys(after changed: Set<String>) -> ListEdit.Keys {
        if !placingKeys.isDisjoint(with: changed) { return .changed }
        return isPlacedByComputed ? .unknown : .unchanged
    }

    /// The objects that a related object places or selects.
    func dependents(
        of object: NSManagedObject,
        by key: RelatedKey,
        in list: SectionedList?
    ) -> [NSManagedObject] {
        let candidates = key.dependents(of: object) ?? list?.objects.filter { key.leads(from: $0, to: object) } ?? []
        return candidates.filter {
            $0.state.isDisjoint(with: [.deleted, .gone])
                && (request.includesSubentities ? $0.layout.isKind(of: layout) : $0.layout === layout)
        }
    }

    /// The rules by which the results are arranged.
    var rules: ListRules {
        let sort = sort
        return ListRules(
            sectionName: sectionNameKeyPath.map { keyPath in
                let path = ValuePath(keyPath)
                return { path.sectionName(of: $0) }
            },
            sortKeys: { sort.keys(of: $0) },
            areInOrder: { sort.areInOrder($0, $1) }
        )
    }

    static func error(_ reason: String, remedy: String) -> NSError {
        CoreDataError.make(
            NSCoreDataError,
            "The results controller cannot fetch: \(reason). \(remedy)",
            reason: reason,
            remedy: remedy
        )
    }

    private static func firstKey(of keyPath: String) -> String? {
        keyPath.split(separator: ".").first { !$0.hasPrefix("@") }.map(String.init)
    }

    /// Whether each change of the property is reported under its name, unlike those of computed and derived values.
    private static func isStored(_ key: String, _ layout: ObjectLayout) -> Bool {
        guard let slot = layout.slot(named: key) else { return false }
        return !layout.slots[slot].isTransient && layout.slots[slot].derivation == nil
            && layout.slots[slot].kind != .fetched
    }

    /// Throws if the objects are not of the class that the request's Swift type names.
    private static func checkClass<Wanted>(of layout: ObjectLayout, _ resultType: Wanted.Type) throws {
        guard Wanted.self is NSManagedObject.Type else { return }
        for index in layout.family {
            let member = layout.model.layouts[index]
            guard member.isAbstract || member.objectClass is Wanted.Type else {
                throw error(
                    "it returns \(Wanted.self), but objects of \(member.name) are of the class \(member.objectClass)",
                    remedy: "Fetch another entity, or as NSFetchRequest<NSManagedObject>."
                )
            }
        }
    }

    /// Throws if a section name key path leads over a to-many relationship.
    private static func check(_ keyPath: String, _ layout: ObjectLayout) throws {
        var layout = layout
        let keys = keyPath.split(separator: ".").map(String.init)
        for (index, key) in keys.enumerated() {
            // Key paths through computed values are not checked; unknown names were rejected before.
            guard let slot = layout.slot(named: key).map({ layout.slots[$0] }) else { return }
            if slot.kind == .toMany || slot.kind == .fetched {
                throw error(
                    "the section name key path \(keyPath) leads over \(key), which has many values",
                    remedy: "Use a path of attributes and to-one relationships."
                )
            }
            guard index < keys.count - 1, slot.type != .composite else { return }
            guard let destination = slot.destination else {
                throw error(
                    "the section name key path \(keyPath) continues after \(key), which is not a relationship",
                    remedy: "End it at \(key)."
                )
            }
            layout = layout.model.layouts[destination]
        }
    }
}
