// A store of any type, opened for reading without side effects, with the model that fits it. Created for one run of a
// command that fetches, counts or exports; it writes neither into the store nor beside it.
import Foundation
import GraphEngine
import GraphModel
import GraphSQL
import GraphSQLite
import ManagedGraph

/// A store opened for reading only.
package final class StoreReading {
    package let url: URL
    /// The source of the model: `cache`, or a path.
    package let modelSource: String
    let model: CompiledModel
    /// The coordinator that has the store.
    package let coordinator: NSPersistentStoreCoordinator
    /// The store that the objects' identifiers refer to.
    let store: NSPersistentStore
    /// The engine that has the rows: the store's own, or that of a store that is not a database.
    let rows: any ExchangeEngine
    /// The reader, which holds one snapshot of the store for the lifetime of this object.
    private let session: any ExchangeReadSession

    /// Opens a store.
    ///
    /// - Parameters:
    ///   - url: The store's file, or the address of a database.
    ///   - file: A model file to try first; if it does not fit or is nil, the store's own model is used, or one beside
    ///     it.
    /// - Throws: If there is no store, if it is damaged, or if no model fits it.
    package init(_ url: URL, model file: URL? = nil) throws {
        self.url = url
        let otherType = try StoreLocation.databaseType(of: url) ?? Self.fileType(url)
        var options: [AnyHashable: Any] = [NSReadOnlyPersistentStoreOption: true]
        let metadata: StoreMetadata
        if let otherType {
            let values = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: otherType, at: url)
            metadata = StoreMetadata(uuid: values[NSStoreUUIDKey] as? String ?? "", values: values)
        } else {
            if let error = StoreFile.inspect(url.path).error(path: url.path) {
                throw CoreDataError.storeFile(error, url: url)
            }
            let snapshotFile = try CoreDataError.mapping(url) { try ImmutableSnapshotFile(url.path) }
            options[StoreOptions.snapshotFile] = snapshotFile
            metadata = try CoreDataError.mapping(url) {
                let connection = try snapshotFile.connection()
                defer { connection.close() }
                return try StoreFile.readMetadata(connection)
            }
        }
        let resolved = try ResolvedModel.required(metadata, store: url, named: file)
        modelSource = resolved.source
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: resolved.model)
        self.model = coordinator.compiledModel
        store = try coordinator.addPersistentStore(
            ofType: otherType ?? NSSQLiteStoreType,
            configurationName: resolved.configuration,
            at: url,
            options: options
        )
        let engine = (store as? any EngineStore)?.engine as? any ExchangeEngine
        let leased = try CoreDataError.mapping(url) { try engine?.lease(holdsSnapshot: true) }
        guard let engine, let session = leased as? any ExchangeReadSession else {
            throw CoreDataError.cannotOpen(
                url,
                reason: "stores of the type \(store.type) have no rows that can be read this way",
                remedy: "Convert the store to SQLite."
            )
        }
        (rows, self.session) = (engine, session)
    }

    /// The type of a file that is not a SQLite store; nil for one that may be.
    private static func fileType(_ url: URL) throws -> String? {
        guard try url.fileIsThere() else { throw CoreDataError.noFile(url) }
        return StoreCheck(url).otherType()
    }

    deinit { rows.giveBack(session) }

    /// Whether the store is itself a database, on disk or of a server.
    var isDatabase: Bool { store.type == NSSQLiteStoreType || rows is any DatabaseEngine }

    /// The tables of a SQLite store; nil for a store of another type.
    var file: SQLiteEngine? { store.type == NSSQLiteStoreType ? store.database : nil }

    /// Reads from the snapshot.
    func read<R>(_ body: (any ExchangeReadSession) throws -> R) throws -> R {
        try CoreDataError.mapping(url) { try body(session) }
    }

    /// The entities that the store can have rows of, sorted by name.
    package var entityNames: [String] {
        model.layouts.filter(holds).map(\.name).sorted()
    }

    /// Whether the store has a table for an entity.
    func holds(_ layout: ObjectLayout) -> Bool { rows.entityNumber(layout.stored) > 0 }

    /// The number of rows of each entity, subentities excluded; abstract entities are left out.
    ///
    /// O(rows).
    ///
    /// - Returns: The entities, sorted by name.
    /// - Throws: If the file cannot be read.
    package func counts() throws -> [(entity: String, rows: Int)] {
        try entityNames.compactMap { name in
            guard let layout = model.byName[name], !layout.isAbstract else { return nil }
            let fetch = StoreFetch(layout: layout.stored, includesSubentities: false)
            return (name, try read { try $0.count(fetch) })
        }
    }

    /// The layout of an entity that the store holds; otherwise throws an error that suggests the nearest name.
    func layout(_ name: String) throws -> ObjectLayout {
        let layout = try model.layout(named: name)
        guard holds(layout) else {
            throw CoreDataError.make(
                NSCoreDataError,
                "The store has no table for \(name), which belongs to another configuration of the model.",
                remedy: "Use one of: \(entityNames.joined(separator: ", "))."
            )
        }
        return layout
    }

    /// The layout of a row, determined by its entity number.
    func layout(of batch: RowBatch, _ row: Int, in layout: ObjectLayout) -> ObjectLayout {
        guard layout.tree.isInTree,
            let index = rows.entityIndex(number: batch.integer(TreeLayout.entityColumn, row))
        else { return layout }
        return model.layouts[index]
    }
}

extension ResolvedModel {
    /// The model that a store is read or written with.
    ///
    /// - Throws: 134100 or 134080 if none fits, listing the models examined.
    static func required(_ metadata: StoreMetadata, store url: URL, named file: URL?) throws -> ResolvedModel {
        var complaints: [String] = []
        if let resolved = find(metadata, store: url, named: file, complaints: &complaints), resolved.fits {
            if file == nil || resolved.source != "cache" { return resolved }
            // The model named by the user does not fit; using another one would be a surprise.
        }
        throw CoreDataError.cannotOpen(
            url,
            reason: complaints.isEmpty
                ? "there is no model to read it with: it contains none, and no matching model file is beside it"
                : complaints.joined(separator: " "),
            remedy: "Name the model that it was made with: --model FILE.",
            code: NSPersistentStoreIncompatibleVersionHashError
        )
    }
}
