// Opens or creates the store that rows are imported into. Called by `managedgraph store import`. A new store is created
// in a hidden folder beside its destination and moved there when it is complete.
import Foundation
import GraphArchives
import GraphEngine
import GraphModel
import GraphModelFiles
import GraphSQL
import GraphSQLite
import ManagedGraph

/// Imports files into stores.
package struct StoreImporter {
    private let url: URL
    private let model: URL?

    /// Describes an import; `run` executes it.
    ///
    /// - Parameters:
    ///   - url: The store; a new one is created if there is none.
    ///   - model: A model file, for a new store or one without a model of its own.
    package init(_ url: URL, model: URL?) {
        self.url = url
        self.model = model
    }

    /// Imports files in one transaction.
    ///
    /// - Parameters:
    ///   - files: Their paths.
    ///   - options: The options.
    ///   - progress: Called periodically; if it throws, the import ends and the store is unchanged.
    /// - Returns: The result of the import.
    /// - Throws: If a file or the store cannot be used. Rejected lines are in the report.
    package func run(
        _ files: [String],
        options: StoreImport.Options,
        progress: @escaping (StoreImport.Progress) throws -> Void
    ) throws -> ImportReport {
        if let type = try StoreLocation.databaseType(of: url) {
            return try intoDatabase(type, files, options, progress)
        }
        if try url.fileIsThere() {
            return try intoExisting(files, options, progress)
        }
        return try intoNew(files, options, progress)
    }

    private func intoExisting(
        _ files: [String],
        _ options: StoreImport.Options,
        _ progress: @escaping (StoreImport.Progress) throws -> Void
    ) throws -> ImportReport {
        if let type = StoreCheck(url).otherType() {
            throw CoreDataError.cannotOpen(
                url,
                reason: "rows are imported into SQLite stores, and this one is of the type \(type)",
                remedy: "Import into a new SQLite store: name one that does not exist, with --model."
            )
        }
        let metadata = try CoreDataError.mapping(url) { () throws -> StoreMetadata in
            if let error = StoreFile.inspect(url.path).error(path: url.path) { throw error }
            let snapshotFile = try ImmutableSnapshotFile(url.path)
            let connection = try snapshotFile.connection()
            defer { connection.close() }
            return try StoreFile.readMetadata(connection)
        }
        let resolved = try ResolvedModel.required(metadata, store: url, named: model)
        return try fill(url, NSSQLiteStoreType, resolved.model, resolved.configuration, files, options, progress)
    }

    /// Imports into the store in a schema; if it has none, into a new SQLite store, which is moved there.
    private func intoDatabase(
        _ type: String,
        _ files: [String],
        _ options: StoreImport.Options,
        _ progress: @escaping (StoreImport.Progress) throws -> Void
    ) throws -> ImportReport {
        if let database = try StoreLocation.migrator(of: url),
            let metadata = try CoreDataError.mapping(url, { try database.metadata(ifAt: url) })
        {
            let resolved = try ResolvedModel.required(metadata, store: url, named: model)
            return try fill(url, type, resolved.model, resolved.configuration, files, options, progress)
        }
        guard let model else {
            throw CoreDataError.cannotOpen(
                url,
                reason: "there is no store in the schema of the address",
                remedy: "Check the address; or name a model for a new store: --model FILE."
            )
        }
        let folder = try ScratchFolders.make("managedgraph-")
        defer { ScratchFolders.remove(folder) }
        let draft = URL(filePath: folder).appending(path: "import.sqlite")
        let newModel = try NSManagedObjectModel(NamedModel.read(model.path).model.withoutClasses)
        var report = try fill(draft, NSSQLiteStoreType, newModel, nil, files, options) {
            try progress(StoreImport.Progress(rows: $0.rows, fraction: $0.fraction.map { $0 / 2 }))
        }
        guard report.isSaved else { return report }
        report.isSaved = false
        let total = Double(max(1, report.inserted))
        _ = try StoreCopy(draft, model: nil).run(to: url) { rows in
            try progress(StoreImport.Progress(rows: report.inserted, fraction: 0.5 + Double(rows) / total / 2))
        }
        report.isSaved = true
        return report
    }

    private func intoNew(
        _ files: [String],
        _ options: StoreImport.Options,
        _ progress: @escaping (StoreImport.Progress) throws -> Void
    ) throws -> ImportReport {
        guard let model else {
            throw CoreDataError.noFile(
                url,
                remedy: "Check the path; or name a model for a new store: --model FILE."
            )
        }
        let newModel = try NSManagedObjectModel(NamedModel.read(model.path).model.withoutClasses)
        let draft: URL
        do {
            let parent = url.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
            draft = try FilePlacement.makeFolder(for: .import, of: url.path)
        } catch let error as CocoaError {
            throw CoreDataError.cannotOpen(
                url,
                reason: "no folder for its draft can be made beside it: \(error.systemReason)",
                remedy: "Check the permissions and the space of \(url.deletingLastPathComponent().path).",
                underlying: error
            )
        }
        defer { try? FileManager.default.removeItem(at: draft) }
        // A short name: SQLite limits the length of a path.
        let new = draft.appending(path: "Import.sqlite")
        let report = try fill(new, NSSQLiteStoreType, newModel, nil, files, options, progress)
        guard report.isSaved else { return report }
        try CoreDataError.mapping(url) {
            // The log must be empty, as only the database file is moved.
            let connection = try Connection(path: new.path)
            try connection.emptyLog(waiting: 1_000)
            connection.close()
            try ExternalFiles.moveFolder(of: new, to: url)
            do {
                try StoreFile.install(new.path, at: url.path)
            } catch {
                ExternalFiles.removeFolder(of: url)
                throw error
            }
        }
        return report
    }

    private func fill(
        _ place: URL,
        _ type: String,
        _ model: NSManagedObjectModel,
        _ configuration: String?,
        _ files: [String],
        _ options: StoreImport.Options,
        _ progress: @escaping (StoreImport.Progress) throws -> Void
    ) throws -> ImportReport {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let opened = try coordinator.addPersistentStore(
            ofType: type,
            configurationName: configuration,
            at: place,
            options: [NSMigratePersistentStoresAutomaticallyOption: false]
        )
        defer { try? coordinator.remove(opened) }
        guard let store = (opened as? any EngineStore)?.engine as? any ExchangeEngine else {
            throw CoreDataError.unknownType(opened.type)
        }
        let run = try CoreDataError.mapping(url) {
            try StoreImport(
                store,
                identifier: opened.identifier ?? "",
                at: opened.url,
                coordinator.compiledModel,
                options,
                progress: progress
            )
        }
        return try CoreDataError.mapping(url) { try run.run(files) }
    }
}
