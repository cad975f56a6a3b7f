// Reads the objects that delete rules reach: one statement for each relationship and some hundred deleted objects. Without
// it the rules would read the same objects one by one, so a failure here is not an error. Used while delete rules are
// applied, and before a save checks which of them deny a deletion.
import Foundation
import GraphEngine

/// Reads the destinations of many deleted objects together.
struct DeleteRuleReader {
    let context: NSManagedObjectContext

    /// The maximum number of objects whose relationships are read at once.
    static let limit = 1024

    /// Reads the destinations for which a delete rule must be applied.
    ///
    /// - Parameter objects: Deleted objects.
    /// - Returns: The destinations in lists, which the caller holds until the rules are applied.
    func read(_ objects: ArraySlice<NSManagedObject>) -> [[NSManagedObject]] {
        read(objects) { layout in
            // Destinations of to-one relationships that only deny are read by the check before a save.
            layout.ruledToOneSlots.filter { layout.slots[$0].deleteRule != .denyDeleteRule } + layout.ruledToManySlots
        }
    }

    /// Reads the destinations that may deny the deletion of objects.
    ///
    /// - Parameter objects: Deleted objects.
    /// - Returns: The destinations in lists, which the caller holds until the objects are validated.
    func readDenying(_ objects: ArraySlice<NSManagedObject>) -> [[NSManagedObject]] {
        read(objects) { $0.denyingSlots }
    }

    private func read(_ objects: ArraySlice<NSManagedObject>, _ slots: (ObjectLayout) -> [Int]) -> [[NSManagedObject]] {
        // Subentities share the statement of a relationship that they inherit.
        var owners: [(name: String, objects: [NSManagedObject])] = []
        var rest = objects
        while let first = rest.first {
            // Most objects have the same entity as the one before.
            let run = rest.prefix { $0.layout === first.layout }
            rest = rest.dropFirst(run.count)
            for slot in slots(first.layout) {
                let name = first.layout.slots[slot].name
                let unread = first.layout.slots[slot].kind == .toOne ? withUnreadDestination(run, slot) : Array(run)
                if unread.isEmpty { continue }
                if let place = owners.firstIndex(where: { $0.name == name }) {
                    owners[place].objects += unread
                } else {
                    owners.append((name, unread))
                }
            }
        }
        return owners.flatMap { read($0.objects, $0.name) }
    }

    /// The objects whose destination is not in memory, one for each run of objects with the same destination.
    private func withUnreadDestination(_ objects: ArraySlice<NSManagedObject>, _ slot: Int) -> [NSManagedObject] {
        guard let model = context.compiledModel else { return [] }
        var last: ObjectKey?
        return objects.filter { object in
            guard let key = object.destinationInMemory(slot), key != last else { return false }
            last = key
            return context.registered(key, model.layouts[Int(key.entity)].tree)?.isUnread ?? true
        }
    }

    private func read(_ owners: [NSManagedObject], _ name: String) -> [[NSManagedObject]] {
        do {
            return try context.readDestinations(of: owners, name)
        } catch {
            Diagnosis.log.debug("Objects could not be read together and are read one by one: \(error)")
            return []
        }
    }
}

extension NSManagedObjectContext {
    /// Reads one relationship of many objects.
    ///
    /// - Returns: Lists of objects to hold until the destinations are requested.
    fileprivate final func readDestinations(
        of owners: [NSManagedObject],
        _ name: String
    ) throws -> [[NSManagedObject]] {
        guard let parentContext else {
            guard let coordinator = registry.coordinator else { return [] }
            return try Prefetch(context: self, coordinator: coordinator).read(owners, name)
        }
        let keys = owners.map(\.key).filter { $0.primaryKey > 0 }
        // The parent's objects are held, too: this context requests them one by one afterwards.
        return try parentContext.onQueue { () throws in
            let sources = try parentContext.objectsWithRows(for: keys)
            return try [sources] + parentContext.readDestinations(of: sources, name)
        }
    }
}
