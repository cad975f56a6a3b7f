// Inspects the stored form of an object and a store: the row, the sizes of files. Called by programs that show them;
// Documentation/Diagnosis.md shows how.
import Foundation
import GraphEngine
import GraphSQLite

extension NSPersistentStoreCoordinator {
    /// The row of an object as it is stored now, which may differ from the object in a context.
    ///
    /// - Parameter objectID: The identifier of a saved object of a SQLite or in-memory store.
    /// - Returns: The table, and the columns with printed values.
    /// - Throws: 133000 if there is no such row, 134060 for a temporary identifier and for a store that does not keep
    ///   its rows in tables, and the store's errors.
    public final func storedRow(for objectID: NSManagedObjectID) throws -> StoredRow {
        guard !objectID.isTemporaryID else {
            throw CoreDataError.make(
                NSCoreDataError,
                "\(objectID) has no row: the object is not saved.",
                remedy: "Save the object, and use its new identifier."
            )
        }
        let store = persistentStores.first { $0.identifier == objectID.storeIdentifier }
        guard let rows = store as? any RowStore, let layout = compiledModel.byName[objectID.layout.name] else {
            throw CoreDataError.make(
                NSCoreDataError,
                "\(objectID) belongs to no store of this coordinator.",
                remedy: "Use the coordinator of the object's context."
            )
        }
        let row = try observed(.inspection(objectID)) {
            try rows.reading { session -> InspectedRow? in
                guard rows.capabilities != nil, let session = session as? any InspectingReadSession else {
                    throw CoreDataError.make(
                        NSCoreDataError,
                        "\(objectID) has no row in a table: its store is of the type \(rows.type).",
                        remedy: "Inspect objects of SQLite and PostgreSQL stores only."
                    )
                }
                return try session.inspect(layout: layout.stored, primaryKey: objectID.key.primaryKey)
            }
        }
        guard let row else {
            throw CoreDataError.make(
                NSManagedObjectReferentialIntegrityError,
                "There is no row of \(objectID).",
                remedy: "The object was deleted. Fetch again.",
                userInfo: [NSAffectedObjectsErrorKey: [objectID]]
            )
        }
        return StoredRow(
            table: row.table,
            primaryKey: row.primaryKey,
            columns: row.columns.map { StoredRow.Column(name: $0.name, value: $0.value) }
        )
    }
}

extension NSPersistentStore {
    /// The sizes of the store's files at this moment; nil if the store has no file.
    public final var fileSizes: StoreFileSizes? {
        guard let url, url.isFileURL, !((self as? any RowStore)?.isInMemory ?? false) else { return nil }
        let path = url.path
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        return StoreFileSizes(
            main: StoreFile.byteCount(path),
            log: self is SQLiteStore ? StoreFile.byteCount(path + "-wal") : 0
        )
    }
}
