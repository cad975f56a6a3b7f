// The coordinator's use of an incremental store: opening it, its sessions (IncrementalSession.swift) and keys. Fetches
// are passed to the class unchanged (FetchOperation+Incremental.swift).
import Foundation
import GraphEngine
import GraphSQLite

extension NSIncrementalStore: ObjectStore {
    package func open(_ model: CompiledModel) throws {
        self.model = model
        identifier = url.map { "\(Swift.type(of: self).identifierForNewStore(at: $0))" } ?? UUID().uuidString
        references = nil
        try loadMetadata()
        if let uuid = metadata?[NSStoreUUIDKey] as? String, !uuid.isEmpty { identifier = uuid }
        references = ReferenceMap.shared(identifier)
        link.identifier = identifier
        let fresh = StoreMetadata.values(of: model, configuration: configurationName)
        try checkVersion(of: metadata ?? [:], fresh)
        var values = metadata ?? [:]
        for (key, value) in fresh
        where StoreMetadata.isReserved(key) && !key.hasPrefix("_NS") && key != NSStoreTypeKey { values[key] = value }
        if !type.isEmpty { values[NSStoreTypeKey] = type }
        values[NSStoreUUIDKey] = identifier
        metadata = values
        hasMetadataChanges = false
    }

    package func close() {}

    /// Serializes calls to the class, from any thread.
    final func calling<R>(_ body: () throws -> R) rethrows -> R { try calls.withLock(body) }

    // MARK: Sessions

    package func lease(for context: NSManagedObjectContext?, holdsSnapshot: Bool) throws -> any ReadSession {
        IncrementalSession(self, context)
    }

    package func giveBack(_ session: any ReadSession) {}

    package func beginSave(_ origin: SaveOrigin, for context: NSManagedObjectContext?) throws -> any WriteSession {
        if isReadOnly { throw CoreDataError.readOnly([self]) }
        return IncrementalSession(self, context, isSaving: true)
    }

    func newKeys(for objects: ContiguousArray<NSManagedObject>) throws -> [Int64] {
        let identifiers = try calling { try obtainPermanentIDs(for: Array(objects)) }
        guard identifiers.count == objects.count, Set(identifiers).count == objects.count,
            zip(identifiers, objects).allSatisfy({ $0.layout === $1.layout && !$0.isTemporaryID })
        else {
            throw CoreDataError.make(
                NSPersistentStoreSaveError,
                "\(Swift.type(of: self)).obtainPermanentIDs(for:) returns identifiers that do not fit the objects.",
                remedy: "Return an identifier of its own for each object, of its entity and in the same order."
            )
        }
        return identifiers.map(\.key.primaryKey)
    }

    func take(_ objects: SavedObjects, in session: any WriteSession) throws {
        (session as? IncrementalSession)?.saved = objects
    }

    // MARK: Operations that require tables

    package func split(_ fetch: StoreFetch) throws -> SplitStoreFetch { throw CoreDataError.noTables(self) }
    package func entityIndex(number: Int64) -> Int? { Int(number) - 1 }
    package func entityNumber(_ layout: EntityLayout) -> Int64 { Int64(layout.index) + 1 }
    package func hasJoinTable(_ layout: EntityLayout, _ slot: Int) -> Bool { false }
    package func hasOwnerColumn(_ layout: EntityLayout, _ slot: Int) -> Bool { false }
    package func externalData(named name: String) throws -> Data? { nil }
}

extension CoreDataError {
    /// The error for a fetch that only a store with tables can execute: 134060.
    static func noTables(_ store: NSPersistentStore) -> NSError {
        make(
            NSCoreDataError,
            "\(Swift.type(of: store)) is not a store from which rows can be read directly.",
            remedy: "Fetch in a context, which hands the request to the store's class."
        )
    }
}
