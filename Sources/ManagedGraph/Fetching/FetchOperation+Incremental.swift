// Fetches from a program's own store: the request is passed to the store's class as it is. Called by FetchOperation
// instead of the queries for stores with tables.
import Foundation
import GraphEngine

extension FetchOperation {
    /// Whether one of the stores is of the program's own class.
    var hasIncrementalStore: Bool { stores.contains { $0 is NSIncrementalStore } }

    /// The objects that the store finds.
    func objects(in store: NSIncrementalStore, _ fetch: StoreFetch) throws -> [NSManagedObject] {
        let elements = try answer(of: store, .managedObjectResultType, fetch)
        let objects = try elements.map { element -> NSManagedObject in
            switch element {
            case let object as NSManagedObject where object.managedObjectContext === context: return object
            case let object as NSManagedObject: return context.objectOrFault(object.objectID)
            case let identifier as NSManagedObjectID: return context.objectOrFault(identifier)
            default: throw misfit(element, store)
            }
        }
        if request.shouldRefreshRefetchedObjects {
            for object in objects where !object.hasChanges { context.reread(object, mergeChanges: true) }
        }
        if !request.returnsObjectsAsFaults { for object in objects where object.isFault { object.fire() } }
        return objects
    }

    /// The identifiers that the store finds.
    func identifiers(in store: NSIncrementalStore) throws -> [NSManagedObjectID] {
        try answer(of: store, .managedObjectIDResultType, fetch).map { element in
            guard let identifier = element as? NSManagedObjectID ?? (element as? NSManagedObject)?.objectID else {
                throw misfit(element, store)
            }
            return identifier
        }
    }

    /// The number of objects that the store finds.
    func count(in store: NSIncrementalStore) throws -> Int {
        let results = try answer(of: store, .countResultType, fetch)
        guard let first = results.first, results.count == 1, let number = Value.number(first) else {
            throw misfit(results, store)
        }
        return number.intValue
    }

    func dictionaries(in store: NSIncrementalStore) throws -> [[String: Any]] {
        try answer(of: store, .dictionaryResultType, fetch).map { element in
            guard let dictionary = element as? [String: Any] else { throw misfit(element, store) }
            return dictionary
        }
    }

    private func answer(
        of store: NSIncrementalStore,
        _ type: NSFetchRequestResultType,
        _ fetch: StoreFetch
    ) throws -> [Any] {
        let answer = try store.calling {
            let isAsAsked =
                request.resultType == type && fetch.limit == max(0, request.fetchLimit)
                && fetch.offset == max(0, request.fetchOffset)
            // The class reads the entity, which a request may only name. The caller's request stays as it is: other
            // threads may use it.
            let hasEntity = request.hasOwnEntity
            if isAsAsked, hasEntity { return try store.execute(request, with: context) }
            if isAsAsked, let copy = request.copy() as? NSFetchRequest<T> {
                copy.entity = layout.entity
                return try store.execute(copy, with: context)
            }
            let copy = NSFetchRequest<NSManagedObject>()
            request.copyContents(to: copy)
            if !hasEntity { copy.entity = layout.entity }
            copy.resultType = type
            (copy.fetchLimit, copy.fetchOffset) = (fetch.limit, fetch.offset)
            return try store.execute(copy, with: context)
        }
        guard let elements = answer as? [Any] else { throw misfit(answer, store) }
        return elements
    }

    private func misfit(_ answer: Any, _ store: NSIncrementalStore) -> NSError {
        CoreDataError.make(
            NSPersistentStoreOperationError,
            "\(Swift.type(of: store)).execute(_:with:) answers a fetch with a \(Swift.type(of: answer)).",
            remedy: "Return an array of objects, identifiers, dictionaries or one number, by the request's resultType."
        )
    }
}
