// Stores that keep their rows in an engine, which answers fetches, reads relationships and detects conflicts. The
// SQLite store and NSAtomicStore conform.
import Foundation
import GraphEngine
import GraphSQLite

/// A store that reads and writes rows in an engine.
package protocol EngineStore: RowStore {
    /// The engine; nil before the store is opened for the first time.
    var engine: (any StoreEngine)? { get }
}

extension EngineStore {
    /// The engine of a store that is open.
    func requireEngine() throws -> any StoreEngine {
        guard let engine else {
            throw EngineError(.closed, "it was removed", remedy: "Add it to the coordinator again.")
        }
        return engine
    }

    /// Opens the engine; assigns an identifier to a store without one.
    package func open(_ model: CompiledModel) throws {
        try mapErrors { try requireEngine().open(model.stored) }
        if identifier?.isEmpty ?? true { identifier = UUID().uuidString }
        takeModel(StoreMetadata.values(of: model, configuration: configurationName))
        hasMetadataChanges = false
    }
    package func close() { engine?.close() }
    package func retire() { engine?.retire() }
    package func lease(for context: NSManagedObjectContext?, holdsSnapshot: Bool) throws -> any ReadSession {
        try mapErrors { try requireEngine().lease(holdsSnapshot: holdsSnapshot) }
    }
    package func giveBack(_ session: any ReadSession) { engine?.giveBack(session) }
    package func beginSave(_ origin: SaveOrigin, for context: NSManagedObjectContext?) throws -> any WriteSession {
        if isReadOnly { throw CoreDataError.readOnly([self]) }
        return try mapErrors { try requireEngine().beginSave(origin) }
    }
    package func split(_ fetch: StoreFetch) throws -> SplitStoreFetch {
        try mapErrors { try requireEngine().split(fetch) }
    }
    package func entityIndex(number: Int64) -> Int? { engine?.entityIndex(number: number) }
    package func entityNumber(_ layout: EntityLayout) -> Int64 { engine?.entityNumber(layout) ?? 0 }
    package func hasJoinTable(_ layout: EntityLayout, _ slot: Int) -> Bool {
        engine?.hasJoinTable(layout, slot) ?? false
    }
    package func hasOwnerColumn(_ layout: EntityLayout, _ slot: Int) -> Bool {
        engine?.hasOwnerColumn(layout, slot) ?? false
    }
    package func externalData(named name: String) throws -> Data? {
        try mapErrors { try engine?.externalData(named: name) }
    }
}

extension NSPersistentStore {
    /// Records the model in the metadata.
    final func takeModel(_ fresh: [String: Any]) {
        var values = metadata ?? [:]
        for (key, value) in fresh where StoreMetadata.isReserved(key) && !key.hasPrefix("_NS") { values[key] = value }
        values[NSStoreTypeKey] = type
        values[NSStoreUUIDKey] = identifier
        metadata = values
    }
}

extension NSPersistentStore: EngineHost {
    /// The row that an object or identifier in a predicate stands for; nil for any other value.
    package func row(of constant: Any) -> ConstantRow? {
        switch constant {
        case let object as NSManagedObject:
            // The index of a store is its place in one coordinator.
            guard let coordinator = object.registry?.coordinator, coordinator === persistentStoreCoordinator else {
                return row(of: object.objectID)
            }
            return ConstantRow(key: object.key, isElsewhere: object.key.store != index)
        case let identifier as NSManagedObjectID:
            let isElsewhere =
                !identifier.isTemporaryID && identifier.persistentStore?.identifier != self.identifier
            return ConstantRow(key: identifier.key, isElsewhere: isElsewhere)
        default:
            return nil
        }
    }

    package func entityName(of constant: Any) -> String? { (constant as? NSEntityDescription)?.name }

    package func log(_ severity: LogSeverity, _ message: String) {
        switch severity {
        case .debug: Diagnosis.log.debug("\(message)")
        case .warning: Diagnosis.log.warning("\(message)")
        case .error: Diagnosis.log.error("\(message)")
        }
    }
}

extension CoreDataError {
    /// The error for a batch request to a store that has no tables: 134091.
    static func noBatches(_ store: NSPersistentStore) -> NSError {
        make(
            NSPersistentStoreUnsupportedRequestTypeError,
            "Batch requests work on SQLite stores only, and \(store.url?.lastPathComponent ?? "the store") is of the "
                + "type \(store.type).",
            remedy: "Change the objects in a context and save it, or keep the entity in a SQLite store."
        )
    }
}
