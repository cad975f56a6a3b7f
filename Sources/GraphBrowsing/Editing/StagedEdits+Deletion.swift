// The effect of a deletion, found by making it in a child context that is thrown away.
import Foundation
import ManagedGraph

extension StagedEdits {
    /// The objects that a deletion would take along or change, staged changes included.
    ///
    /// O(objects reached).
    ///
    /// - Parameter ids: The names of the objects to delete.
    /// - Returns: The effect.
    /// - Throws: 134060 for a name that is not an object's and an object that is to be deleted already, 133000 if an object
    ///   is gone.
    public func forecastDeletion(of ids: [String]) async throws -> DeletionForecast {
        try await context.perform { [self] in
            let objects = try ids.map { try object($0) }
            let links = objects.map(reader.link)
            // A new object without a permanent identifier exists in a child by its temporary one.
            let objectIDs = objects.map(\.objectID)
            let child = NSManagedObjectContext(.privateQueue)
            child.parent = context
            let (reader, shapes) = (reader, session.shapes)
            return child.performAndWait {
                let doomed = objectIDs.map { child.object(with: $0) }
                for object in doomed { child.delete(object) }
                child.processPendingChanges()
                let requested = Set(doomed)
                let cascaded = child.deletedObjects.subtracting(requested)
                let all = Set(child.deletedObjects.map { $0.entity.name ?? "" }).union(links.map(\.entity))
                let changed = child.updatedObjects.filter { !$0.changedValues().isEmpty }
                var denials: [StagedProblem] = []
                for object in child.deletedObjects {
                    do { try object.validateForDelete() } catch {
                        denials += self.problems(of: error as NSError, object)
                    }
                }
                let forecast = DeletionForecast(
                    objects: links,
                    deleted: Self.groups(cascaded, reader) { entity, _ in
                        Self.cascades(to: entity, from: all, shapes)
                    },
                    nullified: Self.groups(changed, reader) { entity, objects in
                        Set(objects.flatMap { $0.changedValues().keys }).sorted().map { "\(entity).\($0)" }
                    },
                    denials: denials
                )
                child.reset()
                return forecast
            }
        }
    }

    private static func groups(
        _ objects: Set<NSManagedObject>,
        _ reader: CellReader,
        _ causes: (String, [NSManagedObject]) -> [String]
    ) -> [DeletionForecast.Group] {
        Dictionary(grouping: objects) { $0.entity.name ?? "" }.sorted { $0.key < $1.key }.map { entity, objects in
            let sorted = objects.sorted { $0.objectID.key.primaryKey < $1.objectID.key.primaryKey }
            return DeletionForecast.Group(
                entity: entity,
                count: objects.count,
                examples: sorted.prefix(10).map(reader.link),
                causes: causes(entity, sorted)
            )
        }
    }

    /// The relationships of deleted entities whose rule deletes objects of an entity.
    private static func cascades(to entity: String, from entities: Set<String>, _ shapes: EntityShapes) -> [String] {
        var ancestors: Set<String> = []
        var next: String? = entity
        while let name = next {
            ancestors.insert(name)
            next = shapes[name]?.parent
        }
        return entities.sorted().flatMap { owner in
            (shapes[owner]?.properties ?? []).filter {
                $0.deleteRule == "cascade" && $0.subentity == nil && ancestors.contains($0.destination ?? "")
            }
            .map { "\(owner).\($0.name)" }
        }
    }
}
