// The associations between source and destination objects, for policies and expressions. MigrationAssociations stores
// them.
import Foundation
import GraphEngine

extension NSMigrationManager {
    /// Keeps an object in memory for a while, so that small stores are read once.
    final func hold(_ object: NSManagedObject) {
        heldObjects.append(object)
        if heldObjects.count > 2 * heldCount { heldObjects.removeFirst(heldCount) }
    }

    final func note(_ source: NSManagedObject, _ destination: NSManagedObject, _ mapping: String) {
        let (sourceKey, destinationKey) = (MigrationKey(source), MigrationKey(destination))
        if destinationKey.isTemporary { pending[destinationKey] = destination }
        hold(source)
        hold(destination)
        associations[mapping, default: MigrationAssociations()].add(sourceKey, destinationKey)
    }

    /// The object of a key, a fault if it is not in memory; nil if a policy has deleted it.
    final func object(_ key: MigrationKey, in context: NSManagedObjectContext) -> NSManagedObject? {
        if key.isTemporary { return pending[key].flatMap { $0.isDeleted ? nil : $0 } }
        if context === destinationContext, deletedKeys.contains(key) { return nil }
        guard let object = identifier(key, in: context).map({ context.objectOrFault($0) }) else { return nil }
        return context === destinationContext && object.isDeleted ? nil : object
    }

    final func identifier(_ key: MigrationKey, in context: NSManagedObjectContext) -> NSManagedObjectID? {
        guard let coordinator = context.persistentStoreCoordinator, let store = coordinator.persistentStores.first,
            coordinator.compiledModel.layouts.indices.contains(Int(key.entity))
        else { return nil }
        let layout = coordinator.compiledModel.layouts[Int(key.entity)]
        let objectKey = ObjectKey(entity: key.entity, store: store.index, primaryKey: key.primaryKey)
        return NSManagedObjectID(layout: layout, key: objectKey, store: store)
    }

    /// The objects of some keys in their order, read with one fetch.
    final func objects(_ keys: some Collection<MigrationKey>, in context: NSManagedObjectContext) throws
        -> [NSManagedObject]
    {
        let saved = keys.filter { !$0.isTemporary }
        if let name = saved.first.flatMap({ identifier($0, in: context) })?.layout.tree.rootName {
            let request = NSFetchRequest<NSManagedObject>(entityName: name)
            request.predicate = NSPredicate(format: "SELF IN %@", saved.compactMap { identifier($0, in: context) })
            request.returnsObjectsAsFaults = false
            // Held until the keys below are looked up.
            let fetchedObjects = try context.fetch(request)
            return withExtendedLifetime(fetchedObjects) { keys.compactMap { object($0, in: context) } }
        }
        return keys.compactMap { object($0, in: context) }
    }

    /// The destinations of source objects by any mapping.
    final func destinations(of sources: [NSManagedObject]) -> [NSManagedObject] {
        let mappings: [NSEntityMapping] = mappingModel.entityMappings
        return sources.flatMap { source in
            destinations(of: MigrationKey(source), mappings).compactMap { object($0, in: destinationContext) }
        }
    }

    /// The destinations by the first mapping that has made some.
    private func destinations(of source: MigrationKey, _ mappings: [NSEntityMapping]) -> [MigrationKey] {
        for mapping in mappings {
            guard let keys = mapping.name.flatMap({ associations[$0]?.destinations(of: source) }) else { continue }
            if !keys.isEmpty { return keys }
        }
        // Those of earlier mapping models too, if several are run one after the other.
        for name in associations.keys.sorted() where !mappings.contains(where: { $0.name == name }) {
            guard let keys = associations[name]?.destinations(of: source), !keys.isEmpty else { continue }
            return keys
        }
        return []
    }
}

/// Objects of the destination that a migration has saved and keeps registered: a policy may look for the ones it has
/// made in `registeredObjects`, as it can with Apple's framework, which keeps them all.
struct HeldDestinations {
    private var objects: [NSManagedObject] = []
    /// The number of them, from the first, that were turned into faults.
    private var faults = 0

    /// Adds saved objects; those beyond the last `count` become faults, so that memory holds few values.
    mutating func add(_ saved: [NSManagedObject], whole count: Int) {
        objects += saved
        while objects.count - faults > count {
            let object = objects[faults]
            faults += 1
            guard !object.isDeleted, let context = object.managedObjectContext else { continue }
            context.reread(object, mergeChanges: false)
        }
    }
}
