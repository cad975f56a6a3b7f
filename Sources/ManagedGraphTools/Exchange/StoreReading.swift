// A store of any kind, open for reading without leaving a trace, with the model that fits it. Made for one run of a command
// that fetches, counts or exports; it writes neither into the store nor beside it.
import Foundation
import GraphEngine
import GraphModel
import GraphSQL
import GraphSQLite
import ManagedGraph

/// A store that is read and stays as it is.
package final class StoreReading {
    package let url: URL
    /// Where the model came from: `cache`, or a path.
    package let modelSource: String
    let model: CompiledModel
    let coordinator: NSPersistentStoreCoordinator
    /// What the objects' identifiers name.
    let store: NSPersistentStore
    /// Where the rows are: the store itself, or the engine of one that is no database.
    let rows: SQLiteEngine
    /// What reads it: one moment of the store, as long as this lives.
    private let session: SQLiteReader

    /// Opens a store.
    ///
    /// - Parameters:
    ///   - url: The store's file.
    ///   - file: A model file to look at first; without one that fits, the store's own, or one beside it.
    /// - Throws: Where there is no store, where it is damaged, and where no model fits it.
    package init(_ url: URL, model file: URL? = nil) throws {
        guard FileManager.default.fileExists(atPath: url.path) else {
            throw CoreDataError.cannotOpen(
                url,
                reason: "there is no such file",
                remedy: "Check the path.",
                code: CocoaError.Code.fileReadNoSuchFile.rawValue
            )
        }
        self.url = url
        let check = StoreCheck(url)
        let other = check.otherType()
        var options: [AnyHashable: Any] = [NSReadOnlyPersistentStoreOption: true]
        let metadata: StoreMetadata
        if let other {
            let values = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: other, at: url)
            metadata = StoreMetadata(uuid: values[NSStoreUUIDKey] as? String ?? "", values: values)
        } else {
            if let error = StoreFile.inspect(url.path).error(path: url.path) {
                throw CoreDataError.storeFile(error, url: url)
            }
            let still = try CoreDataError.mapping(url) { try StillFile(url.path) }
            options[StoreOptions.stillFile] = still
            metadata = try CoreDataError.mapping(url) {
                let connection = try still.connection()
                defer { connection.close() }
                return try StoreFile.readMetadata(connection)
            }
        }
        let found = try FoundModel.required(metadata, store: url, named: file)
        modelSource = found.source
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: found.model)
        self.model = coordinator.compiledModel
        store = try coordinator.addPersistentStore(
            ofType: other ?? NSSQLiteStoreType,
            configurationName: found.configuration,
            at: url,
            options: options
        )
        guard let rows = store.database else {
            throw CoreDataError.cannotOpen(
                url,
                reason: "stores of the type \(store.type) have no rows that can be read this way",
                remedy: "Convert the store to SQLite."
            )
        }
        self.rows = rows
        session = try CoreDataError.mapping(url) { try rows.leaseReader(holdsSnapshot: true) }
    }

    deinit { rows.giveBack(session) }

    /// Whether the store is a database itself, with all that those have.
    var isDatabase: Bool { store.type == NSSQLiteStoreType }

    /// Reads the moment that this stands for.
    func read<R>(_ body: (SQLiteReader) throws -> R) throws -> R {
        try CoreDataError.mapping(url) { try body(session) }
    }

    /// The entities that the store has rows of, in the order of their names.
    package var entityNames: [String] {
        model.layouts.filter { rows.schema.entities[$0.name] != nil }.map(\.name).sorted()
    }

    /// The rows of each entity, without those of entities below it; abstract ones are left out.
    ///
    /// O(rows).
    ///
    /// - Returns: The entities by name.
    /// - Throws: Where the file cannot be read.
    package func counts() throws -> [(entity: String, rows: Int)] {
        try entityNames.compactMap { name in
            guard let layout = model.byName[name], !layout.isAbstract else { return nil }
            let fetch = StoreFetch(layout: layout.stored, includesSubentities: false)
            return (name, try read { try $0.count(fetch) })
        }
    }

    /// The layout of an entity that the store holds, or an error that names the nearest one.
    func layout(_ name: String) throws -> ObjectLayout {
        let layout = try model.layout(named: name)
        guard rows.schema.entities[name] != nil else {
            throw CoreDataError.make(
                NSCoreDataError,
                "The store holds no rows of \(name): it is of another configuration of the model.",
                remedy: "Use one of: \(entityNames.joined(separator: ", "))."
            )
        }
        return layout
    }

    /// The layout of a row, by the entity number in it.
    func layout(of batch: RowBatch, _ row: Int, in layout: ObjectLayout) -> ObjectLayout {
        guard layout.tree.isInTree,
            let index = rows.entityIndex(number: batch.integer(TreeLayout.entityColumn, row))
        else { return layout }
        return model.layouts[index]
    }
}

extension FoundModel {
    /// The model that a store is read or written with.
    ///
    /// - Throws: 134100 or 134080 where none fits, saying what was looked at.
    static func required(_ metadata: StoreMetadata, store url: URL, named file: URL?) throws -> FoundModel {
        var complaints: [String] = []
        if let found = find(metadata, store: url, named: file, complaints: &complaints), found.fits {
            if file == nil || found.source != "cache" { return found }
            // What the user has named does not fit; another model would be a surprise.
        }
        throw CoreDataError.cannotOpen(
            url,
            reason: complaints.isEmpty
                ? "there is no model to read it with: it has none in Z_MODELCACHE, and none that fits lies beside it"
                : complaints.joined(separator: " "),
            remedy: "Name the model that it was made with: --model FILE.",
            code: NSPersistentStoreIncompatibleVersionHashError
        )
    }
}
