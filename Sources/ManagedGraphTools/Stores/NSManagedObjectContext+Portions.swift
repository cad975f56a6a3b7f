// All objects of an entity, some hundreds at a time, for work that looks at a whole store in constant memory. Used by checks of
// stores, and by forecasts and comparisons of migrations.
import Foundation
import ManagedGraph

extension NSManagedObjectContext {
    /// Objects in memory at a time.
    static let portion = 500

    /// Calls `body` with each object of an entity, those of entities below it not included, in the order of the keys.
    ///
    /// The context forgets the objects after each portion.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - relationships: Those that `body` reads; nil for all to-many relationships.
    ///   - body: Must not keep the objects.
    /// - Throws: What the fetches and `body` throw.
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

    /// The identifiers of an entity's objects, those of entities below it not included, by key.
    func identifiers(of entity: String) throws -> [NSManagedObjectID] {
        let request = NSFetchRequest<NSManagedObjectID>(entityName: entity)
        request.resultType = .managedObjectIDResultType
        request.includesSubentities = false
        return try fetch(request).sorted { $0.key.primaryKey < $1.key.primaryKey }
    }

    /// The objects with these identifiers, by key.
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
