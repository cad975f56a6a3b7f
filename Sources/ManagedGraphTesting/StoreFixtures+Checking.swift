// Opens stores of past versions with the current one: migrates copies as a program migrates its store, and compares
// them with the originals object by object.
import Foundation
import ManagedGraph
import ManagedGraphTools

extension StoreFixtures {
    /// The result of checking one store.
    public struct Result: Sendable {
        /// The store; nil for a version without one.
        public let store: URL?
        /// The version of the store.
        public let version: String
        /// The failures: the store is missing, cannot be opened, or objects are lost or differ unexpectedly.
        public let problems: [String]
        /// Objects that violate the current version's rules.
        public let refused: [String]
        /// The number of objects of each entity before the migration, and of the corresponding entity after it.
        public let counts: [(entity: String, before: Int, after: Int)]
    }

    /// Opens a copy of every store with the current version, and compares it with the original.
    ///
    /// O(n) in the number of objects. The stores themselves do not change.
    ///
    /// - Parameter options: Options for opening the stores, such as a staged migration manager. By default, stores are
    ///   migrated automatically, with the program's mapping models or inferred ones.
    /// - Returns: One result for each store, and one for each version without a store.
    /// - Throws: An error if the folder cannot be read.
    public func check(options: [AnyHashable: Any]? = nil) throws -> [Result] {
        let results = try stores().map { check($0, options ?? Self.automatic) }
        let lacking = try missing().map { name in
            Result(
                store: nil,
                version: name,
                problems: [
                    "there is no store of the version \(name) in \(folder.path). Call record(), or put one there."
                ],
                refused: [],
                counts: []
            )
        }
        return results + lacking
    }

    /// Opens a copy of a version's store with the current version.
    ///
    /// - Parameters:
    ///   - version: The version's name.
    ///   - options: Options for opening the store; by default, it is migrated automatically.
    ///   - body: Called on the queue of the context passed to it.
    /// - Returns: The result of `body`.
    /// - Throws: 260 if there is no store of that version, and errors from opening the store and from `body`.
    public func open<R>(
        _ version: String,
        options: [AnyHashable: Any]? = nil,
        _ body: (NSManagedObjectContext) throws -> R
    ) throws -> R {
        let source = try stores().lazy.compactMap { try? MigrationSource($0, versions: all) }
            .first { $0.version.name == version }
        guard let source else {
            throw CoreDataError.cannotOpen(
                folder.appending(path: "\(version).sqlite"),
                reason: "there is no store of the version \(version)",
                remedy: "Call record(), or put one there."
            )
        }
        return try withCopy(of: source) { copy in
            try NSPersistentStoreCoordinator.using(
                copy,
                type: source.type,
                model: try currentModel(),
                options: options ?? Self.automatic,
                body
            )
        }
    }

    private static var automatic: [AnyHashable: Any] {
        [NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true]
    }

    /// The current version, with the program's classes.
    private func currentModel() throws -> NSManagedObjectModel {
        let model = try NSManagedObjectModel(all.destination.model)
        model.origin = self.model
        return model
    }

    private func check(_ store: URL, _ options: [AnyHashable: Any]) -> Result {
        var version = store.lastPathComponent
        do {
            let source = try MigrationSource(store, versions: all)
            version = source.version.name
            let report = try withCopy(of: source) { copy in
                let model = try currentModel()
                try NSPersistentStoreCoordinator.using(copy, type: source.type, model: model, options: options) { _ in }
                return try MigrationRehearsal.compare(source, with: copy)
            }
            return Result(
                store: store,
                version: version,
                problems: report.problems,
                refused: report.broken,
                counts: report.entities.map { ($0.source ?? $0.destination ?? "", $0.before, $0.after) }
            )
        } catch {
            let error = error as NSError
            let remedy = error.userInfo[NSLocalizedRecoverySuggestionErrorKey] as? String
            let text = [error.localizedDescription, remedy].compactMap(\.self).joined(separator: " ")
            return Result(store: store, version: version, problems: [text], refused: [], counts: [])
        }
    }

    private func withCopy<R>(of source: MigrationSource, _ body: (URL) throws -> R) throws -> R {
        let scratch = FileManager.default.temporaryDirectory.appending(path: "fixture-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: scratch) }
        let copy = scratch.appending(path: source.url.lastPathComponent)
        try source.copy(to: copy)
        return try body(copy)
    }
}
