// The fetch of a results controller: the stores' results, corrected for unsaved changes of related objects. Called by
// performFetch() and by the tracker when results must be fetched again.
import Foundation

extension ResultsConfiguration {
    /// Fetches the objects in order, as they are in memory.
    ///
    /// The context's fetch evaluates changed objects of the request's own entity in memory. This method adds the
    /// effects of unsaved changes of related objects.
    func fetch(in context: NSManagedObjectContext) throws -> [NSManagedObject] {
        let related = relatedKeys.isEmpty ? [] : unsavedRelated(in: context)
        guard !related.isEmpty else { return try context.fetch(request) }
        let unlimitedRequest = NSFetchRequest<NSManagedObject>()
        request.copyContents(to: unlimitedRequest)
        unlimitedRequest.fetchLimit = 0
        unlimitedRequest.fetchOffset = 0
        var objects = try context.fetch(unlimitedRequest)
        var members = Set(objects)
        for object in related {
            for (key, isPlacing) in relatedKeys where !isPlacing && object.entity.isKindOf(entity: key.entity) {
                for dependent in dependents(of: object, by: key, in: nil) {
                    if includes(dependent) {
                        if members.insert(dependent).inserted { objects.append(dependent) }
                    } else {
                        members.remove(dependent)
                    }
                }
            }
        }
        objects = sort.sorted(objects.filter(members.contains)).map { $0 }
        let rest = objects.dropFirst(max(0, request.fetchOffset))
        return Array(request.fetchLimit > 0 ? rest.prefix(request.fetchLimit) : rest)
    }

    /// Objects with unsaved changes, in this context or a parent, whose values place or select results.
    ///
    /// O(unsaved objects).
    private func unsavedRelated(in context: NSManagedObjectContext) -> [NSManagedObject] {
        func concerns(_ object: NSManagedObject) -> Bool {
            relatedKeys.contains { object.entity.isKindOf(entity: $0.key.entity) }
        }
        context.endEvent()
        var related = context.updatedObjects.filter(concerns)
        var above = context.parent
        while let parent = above {
            let identifiers = parent.onQueue {
                parent.updatedObjects.filter(concerns).map(\.objectID)
            }
            for identifier in identifiers {
                let object = context.objectOrFault(identifier)
                if !object.isDeleted { related.insert(object) }
            }
            above = parent.parent
        }
        return Array(related)
    }
}
