// The objects that + has inserted, and that are deleted if their readers leave without having filled them in. Confined
// to the context's queue. Browsers report that they leave; this list is for those that disappear without a report.
import CoreData

final class NewObjects {
    /// The time after which an object without a browser is deleted if it is still as it was inserted.
    static let grace = Duration.seconds(10 * 60)
    /// The maximum number of objects in the list; beyond it, the oldest are kept for good.
    static let limit = 1_000

    private struct Entry {
        let objectID: NSManagedObjectID
        let address: String
        let stamp: String
        let since: ContinuousClock.Instant
    }

    private var entries: [Entry] = []

    /// Adds an object that a screen has inserted and saved; returns the stamp that its browser keeps.
    func note(_ objectID: NSManagedObjectID, at address: String, in context: NSManagedObjectContext) -> String {
        guard let object = try? context.existingObject(with: objectID) else { return "" }
        let stamp = ObjectStamp.text(object)
        if entries.count == Self.limit { entries.removeFirst() }
        entries.append(Entry(objectID: objectID, address: address, stamp: stamp, since: .now))
        return stamp
    }

    /// Deletes the object unless its values have changed since it was inserted.
    ///
    /// - Throws: The errors of `save()`.
    func leave(_ object: NSManagedObject, stamp: String, in context: NSManagedObjectContext) throws {
        let id = object.objectID
        entries.removeAll { $0.objectID == id }
        guard ObjectStamp.text(object) == stamp else { return }
        context.delete(object)
        try save(context)
    }

    /// Deletes unchanged objects whose browsers have gone.
    func tick(_ tables: LiveTables, in context: NSManagedObjectContext) {
        let old = entries.filter { ContinuousClock.now - $0.since > Self.grace && !tables.isOpen(beneath: $0.address) }
        for entry in old {
            if let object = try? context.existingObject(with: entry.objectID) {
                try? leave(object, stamp: entry.stamp, in: context)
            }
        }
        entries.removeAll { entry in old.contains { $0.objectID == entry.objectID } }
    }

    private func save(_ context: NSManagedObjectContext) throws {
        do {
            try context.save()
        } catch {
            context.rollback()
            throw error
        }
    }
}
