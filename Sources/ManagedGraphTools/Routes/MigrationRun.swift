// Migrates a store along a route: in the store's own file or database if there is one step, otherwise in a copy that
// replaces it after all steps. Called by the command `migrate`; StoreMigrator does the individual steps.
import Foundation
import GraphArchives
import GraphEngine
import GraphModel
import GraphSQLite
import ManagedGraph

/// One migration of one store along a route.
package struct MigrationRun {
    let source: MigrationSource
    let route: MigrationRoute
    /// Called with the completed fraction, from 0 to 1; if it throws, the migration ends and the store is unchanged.
    let progress: (Double) throws -> Void
    /// Records the correspondence of objects in rehearsals.
    var links: MigrationLinks?
    /// Called a few thousand times a second while statements run; the migration ends if it returns false.
    var isWanted: (() -> Bool)?

    /// Migrates a store.
    ///
    /// - Parameters:
    ///   - url: The store.
    ///   - versions: The versions, including the destination.
    ///   - backup: The destination of a copy of the old store; no file may exist there.
    ///   - progress: Called with the completed fraction, from 0 to 1. If it throws, the migration ends.
    ///   - isWanted: Called while statements run; the migration ends if it returns false.
    /// - Returns: The route taken; without steps if the store already had the version.
    /// - Throws: 134130 if the store's version is not found, 134190 if there is no route, 134110 if a step fails,
    ///   `CancellationError` if `isWanted` returned false, and errors of `progress`. The store is then unchanged.
    @discardableResult
    package static func run(
        _ url: URL,
        to versions: MigrationVersions,
        backup: URL? = nil,
        progress: (Double) throws -> Void = { _ in },
        isWanted: (() -> Bool)? = nil
    ) throws -> MigrationRoute {
        try run(url, to: versions, backup: backup, links: nil, isWanted: isWanted, progress: progress)
    }

    /// Migrates a store, recording which object becomes which.
    @discardableResult
    static func run(
        _ url: URL,
        to versions: MigrationVersions,
        backup: URL?,
        links: MigrationLinks?,
        isWanted: (() -> Bool)?,
        progress: (Double) throws -> Void
    ) throws -> MigrationRoute {
        try withoutActuallyEscaping(progress) { progress in
            let source = try MigrationSource(url, versions: versions)
            let route: MigrationRoute
            do {
                route = try MigrationRoute.find(from: source.version, in: source.versions)
            } catch let impasse as MigrationRoute.Impasse {
                throw CoreDataError.notInferred(MappingProblems(problems: impasse.problems))
            }
            guard !route.hops.isEmpty else { return route }
            if let backup { try source.copy(to: backup) }
            var ended: (any Error)?
            var run = MigrationRun(source: source, route: route) { done in
                do {
                    try progress(done)
                } catch {
                    ended = error
                    throw error
                }
            }
            (run.links, run.isWanted) = (links, isWanted)
            do {
                try run.run()
            } catch {
                // A failed step throws its own error, but the caller's cancellation or error is rethrown unchanged.
                if ended == nil, isWanted?() == false { throw CancellationError() }
                throw ended ?? error
            }
            return route
        }
    }

    func run() throws {
        guard source.type == NSSQLiteStoreType || source.database != nil else { return try migrateFile() }
        if route.hops.count == 1, let hop = route.hops.first {
            return try run(hop, on: source.url, progress: progress)
        }
        guard let last = route.hops.last else { return }
        try migrator(source.url, last).withCopy { copy in
            for (number, hop) in route.hops.enumerated() {
                try run(hop, on: copy) { done in
                    try progress((Double(number) + done) / Double(route.hops.count))
                }
            }
        }
    }

    /// Does one step in the store's own file or, with a mapping model, in a new file that replaces it.
    private func run(_ hop: MigrationHop, on url: URL, progress: @escaping (Double) throws -> Void) throws {
        var migrator = try migrator(url, hop)
        switch hop.means {
        case .inferred(let mapping):
            try migrator.migrateInPlace(mapping, from: hop.source.model, progress: progress)
            links?.add(mapping)
        case .mapping(let mapping):
            migrator.progress = progress
            try migrator.migrate(NSMappingModel(mapping.file), from: hop.source.model)
        }
    }

    private func migrator(_ url: URL, _ hop: MigrationHop) throws -> StoreMigrator {
        let part = hop.destination.model
        var migrator = StoreMigrator(
            url: url,
            destination: try NSManagedObjectModel(part.withoutClasses),
            part: part,
            fresh: StoreMetadata(of: part),
            infersMapping: true,
            busyTimeout: 5_000
        )
        if let links { migrator.noteManager = { links.add($0) } }
        migrator.isWanted = isWanted
        migrator.database = source.database
        migrator.database?.isWanted = isWanted
        return migrator
    }

    // MARK: Single-file stores of other types

    /// Opens the store with each version in turn; several steps are done on a copy.
    private func migrateFile() throws {
        guard route.hops.count > 1 else { return try migrateFile(source.url) }
        let folder = try FilePlacement.makeFolder(for: .migration, of: source.url.path)
        defer { try? FileManager.default.removeItem(at: folder) }
        let copy = folder.appending(path: source.url.lastPathComponent)
        let stamp = try source.url.fileStamp()
        // The copy of a link would lead to the store itself.
        try FileManager.default.copyItem(at: source.url.resolvingSymlinksInPath(), to: copy)
        try migrateFile(copy)
        try NSMigrationManager.replaceUnchanged(source.url, since: stamp, by: copy)
    }

    private func migrateFile(_ url: URL) throws {
        for (number, hop) in route.hops.enumerated() {
            if case .mapping(let mapping) = hop.means {
                throw CoreDataError.make(
                    NSMigrationError,
                    "\(mapping.name) cannot be used for the store \(source.url.lastPathComponent), which is not a SQLite "
                        + "store.",
                    remedy: "Move the store into a SQLite store first."
                )
            }
            let model = try NSManagedObjectModel(hop.destination.model.withoutClasses)
            model.origin = source.versions.origin
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            let store = try coordinator.addPersistentStore(
                ofType: source.type,
                configurationName: nil,
                at: url,
                options: [
                    NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
                ]
            )
            try coordinator.remove(store)
            if case .inferred(let mapping) = hop.means { links?.add(mapping) }
            try progress(Double(number + 1) / Double(route.hops.count))
        }
    }
}

extension MigrationSource {
    /// Copies the store, with its files of large values, to a new location.
    ///
    /// - Parameters:
    ///   - url: The location.
    ///   - linksFiles: Whether files of large values may be hard links, if both are on one volume.
    /// - Throws: If a file exists there, or the copy cannot be written.
    package func copy(to url: URL, linksFiles: Bool = false) throws {
        try StoreLocation.requireFile(
            self.url,
            reason: "a backup in a file is for stores in files",
            remedy: "Back the database up with pg_dump, or copy the store first: managedgraph store copy."
        )
        guard let snapshotFile else {
            guard try !url.fileIsThere() else {
                throw CoreDataError.make(
                    CocoaError.Code.fileWriteFileExists.rawValue,
                    "There is a file at \(url.path) already.",
                    remedy: "Name another place.",
                    userInfo: [NSFilePathErrorKey: url.path]
                )
            }
            // The copy of a link would lead to the store itself.
            return try FileManager.default.copyItem(at: self.url.resolvingSymlinksInPath(), to: url)
        }
        try CoreDataError.mapping(url) {
            let connection = try snapshotFile.connection()
            defer { connection.close() }
            try ExternalFiles.copyFolder(from: self.url, to: url, linksFiles: linksFiles)
            try StoreFile.copy(connection, to: url.path, replaces: false)
        }
    }
}
