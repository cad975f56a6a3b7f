// Enumerates the objects of an entity a few hundred at a time, to process a whole store in constant memory. Used by
// checks of stores, and by forecasts and comparisons of migrations.
import Foundation
import ManagedGraph

extension NSManagedObjectContext {
    /// The number of objects in memory at a time.
    static let portion = 500

    /// Calls `body` with each object of an entity, subentities excluded, in the order of the keys.
    ///
    /// The context is reset after each portion.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - relationships: The relationships that `body` reads; nil for all to-many relationships.
    ///   - body: Must not keep the objects.
    /// - Throws: Errors of the fetches and of `body`.
    func eachObject(
        of entity: String,
        prefetching relationships: [String]?,
        _ body: (NSManagedObject) throws -> Void
    ) throws {
        let identifiers = try identifiers(of: entity)
        for start in stride(from: 0, to: identifiers.count, by: Self.portion) {
            let portion = Array(identifiers[start..<min(start + Self.portion, identifiers.count)])
            for object in try objects(portion, of: entity, prefetching: relationships) { try body(object) }
            reset()
        }
    }

    /// The identifiers of an entity's objects, subentities excluded, sorted by key.
    func identifiers(of entity: String) throws -> [NSManagedObjectID] {
        let request = NSFetchRequest<NSManagedObjectID>(entityName: entity)
        request.resultType = .managedObjectIDResultType
        request.includesSubentities = false
        return try fetch(request).sorted { $0.key.primaryKey < $1.key.primaryKey }
    }

    /// The objects with these identifiers, sorted by key.
    func objects(
        _ identifiers: [NSManagedObjectID],
        of entity: String?,
        prefetching relationships: [String]?
    ) throws -> [NSManagedObject] {
        guard let entity, let layout = identifiers.first?.layout else { return [] }
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = NSPredicate(format: "SELF IN %@", identifiers)
        request.includesSubentities = false
        request.returnsObjectsAsFaults = false
        request.relationshipKeyPathsForPrefetching =
            relationships ?? layout.toManySlots.map { layout.slots[$0].name }
        return try fetch(request).sorted { $0.objectID.key.primaryKey < $1.objectID.key.primaryKey }
    }
}
