// Executes an NSBatchDeleteRequest: finds the rows, and the store deletes them and applies their delete rules.
import Foundation
import GraphEngine
import GraphSQL

extension NSBatchDeleteRequest: ContextRequest {
    func execute(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
        if let objectIDs, objectIDs.isEmpty { return report([], count: 0) }
        let operation = try BatchOperation(fetchRequest.entityName ?? "", in: context)
        var changes = SavedChanges()
        var deleted: [NSManagedObjectID] = []
        var count = 0
        try operation.writing {
            for store in try operation.writableStores(self) {
                let outcome = try operation.transaction(store, .batchDelete(entity: operation.layout.name)) {
                    try delete(operation, store, $0)
                }
                operation.note(outcome.deleted)
                operation.note(outcome.changed)
                count += outcome.deleted.count
                if mergesIntoContexts || resultType == .resultTypeObjectIDs {
                    deleted += outcome.deleted.map { operation.identifier($0, store) }
                }
                if mergesIntoContexts {
                    changes.refreshed += outcome.changed.map { operation.identifier($0, store) }
                }
            }
        }
        if mergesIntoContexts {
            changes.deleted = deleted
            operation.notify(changes)
        }
        return report(deleted, count: count)
    }

    private func report(_ deleted: [NSManagedObjectID], count: Int) -> NSBatchDeleteResult {
        switch resultType {
        case .resultTypeStatusOnly: NSBatchDeleteResult(true, resultType)
        case .resultTypeCount: NSBatchDeleteResult(count, resultType)
        case .resultTypeObjectIDs: NSBatchDeleteResult(deleted, resultType)
        }
    }

    private func delete(_ operation: BatchOperation, _ store: any RowStore, _ session: any BatchWriteSession) throws
        -> (deleted: [ObjectKey], changed: [ObjectKey])
    {
        if let objectIDs {
            // Rows that are gone are left out of the result and of the history.
            return try session.delete(session.existing(keys(of: objectIDs, operation, store)))
        }
        let fetch = NSFetchRequest<NSManagedObjectID>()
        fetchRequest.copyContents(to: fetch)
        fetch.propertiesToFetch = nil
        if let outcome = try session.delete(operation.storeFetch(fetch, in: store, session)) { return outcome }
        return try session.delete(operation.keys(fetch, in: store, session))
    }

    /// The keys of identifiers that are of one store.
    private func keys(of objectIDs: [NSManagedObjectID], _ operation: BatchOperation, _ store: any RowStore) throws
        -> [ObjectKey]
    {
        let model = operation.coordinator.compiledModel
        var keys: [ObjectKey] = []
        for identifier in objectIDs {
            guard !identifier.isTemporaryID else {
                throw CoreDataError.make(
                    NSCoreDataError,
                    "The batch delete names \(identifier), which was never saved.",
                    remedy: "Give identifiers of saved objects; delete others in their context."
                )
            }
            // The identifier can be of another coordinator with a model of its own.
            guard let layout = model.byName[identifier.layout.name],
                layout.isKind(of: operation.layout) || operation.layout.isKind(of: layout)
            else {
                throw CoreDataError.make(
                    NSCoreDataError,
                    "The batch delete names objects of \(operation.layout.name) and of \(identifier.layout.name).",
                    remedy: "Make one request for each entity."
                )
            }
            if let key = identifier.key(of: layout, in: store) { keys.append(key) }
        }
        return keys
    }
}
