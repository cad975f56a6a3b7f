// Stores of past versions of a model, kept as files with a program's tests: the current version must open all of them.
// Created by users' tests; the checks are in +Checking.
import Foundation
import GraphModel
import ManagedGraph
import ManagedGraphTools

/// Stores of all shipped versions, which the current version of the model must open.
///
/// Commit the folder with the tests. This test checks all of them:
///
///     @Test func everyPastVersionOpens() throws {
///         let fixtures = try StoreFixtures(model: model, in: folder)
///         try fixtures.record()
///         for result in try fixtures.check() { #expect(result.problems == [], "\(result.version)") }
///     }
///
/// `record()` creates a store of generated objects for each version that has none; users' stores can be added to the
/// folder.
/// When a change of the current version makes a store unreadable, loses objects, or makes them invalid, the test fails.
public struct StoreFixtures: Sendable {
    /// The model with all its versions: an `.xcdatamodeld` or a `.momd`.
    public let model: URL
    /// The folder of the stores.
    public let folder: URL
    /// The names of all versions in order, including the current one.
    public let versions: [String]
    /// The name of the version that opens the stores.
    public let current: String
    let all: MigrationVersions

    /// Creates fixtures from a model and a folder of stores.
    ///
    /// - Parameters:
    ///   - model: An `.xcdatamodeld` or a `.momd`.
    ///   - folder: The folder of the stores; it need not exist yet.
    ///   - current: The version that opens the stores; nil for the model's current one.
    /// - Throws: An error for an invalid model, naming the file, the entity and the property.
    public init(model: URL, in folder: URL, current: String? = nil) throws {
        self.model = model
        self.folder = folder
        all = try MigrationVersions(at: model, version: current)
        versions = all.versions.map(\.name)
        self.current = all.destination.name
    }

    /// The stores in the folder.
    ///
    /// O(n) in the number of files.
    ///
    /// - Returns: SQLite, XML and binary stores, by name.
    /// - Throws: An error if the folder cannot be read.
    public func stores() throws -> [URL] {
        guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
        let beside = ["-wal", "-shm", "-journal"]
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            .filter { name in !name.hasPrefix(".") && !beside.contains { name.hasSuffix($0) } }
            .map { folder.appending(path: $0) }
            .filter { !$0.hasDirectoryPath && Self.isStore($0) }
    }

    /// Whether a file begins as SQLite, XML and binary stores do.
    private static func isStore(_ url: URL) -> Bool {
        guard let handle = try? FileHandle(forReadingFrom: url) else { return false }
        defer { try? handle.close() }
        guard let head = try? handle.read(upToCount: 512) else { return false }
        return head.starts(with: Data("SQLite format 3".utf8)) || head.starts(with: Data("CoreData".utf8))
            || String(decoding: head, as: UTF8.self).contains("<!DOCTYPE database")
    }

    /// The versions without a store.
    ///
    /// - Returns: Their names, in version order; versions with equal hashes count as one.
    /// - Throws: An error if the folder cannot be read.
    public func missing() throws -> [String] {
        var presentHashes = try stores().compactMap {
            try? MigrationSource($0, versions: all).version.model.versionHashes()
        }
        return all.versions.compactMap { version in
            let hashes = version.model.versionHashes()
            guard !presentHashes.contains(hashes) else { return nil }
            presentHashes.append(hashes)
            return version.name
        }
    }

    /// Creates a store of generated objects for each version that has none.
    ///
    /// The store is named after its version and created atomically. A file of that name that is not a store of the
    /// version, such as a damaged one, or one of a version that was changed since, stays; the new store then gets a
    /// number.
    ///
    /// - Parameters:
    ///   - count: The number of objects of each entity, at least 1.
    ///   - fill: Called with each version's context instead of generating objects.
    /// - Returns: The new stores.
    /// - Throws: An error if objects cannot be saved, naming the entity, the property and the rule that generated
    ///   values violate.
    @discardableResult
    public func record(
        objects count: Int = 3,
        fill: ((_ version: String, _ context: NSManagedObjectContext) throws -> Void)? = nil
    ) throws -> [URL] {
        let names = try missing()
        guard !names.isEmpty else { return [] }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return try names.compactMap { name in
            guard let version = all.versions.first(where: { $0.name == name }) else { return nil }
            let url = freePlace(for: name)
            let draft = folder.appending(path: ".\(name)-\(UUID().uuidString).sqlite")
            defer { try? NSPersistentStoreCoordinator.destroy(draft) }
            let managed = try NSManagedObjectModel(version.model.withoutClasses)
            // Without a log, the store is a single file.
            let options: [AnyHashable: Any] = [NSSQLitePragmasOption: ["journal_mode": "DELETE"]]
            try NSPersistentStoreCoordinator.using(
                draft,
                type: NSSQLiteStoreType,
                model: managed,
                options: options
            ) { context in
                if let fill {
                    try fill(name, context)
                } else {
                    try GeneratedObjects(managed, count: max(1, count)).insert(into: context)
                }
                try context.save()
            }
            try NSPersistentStoreCoordinator(managedObjectModel: managed)
                .replacePersistentStore(at: url, withPersistentStoreFrom: draft, type: .sqlite)
            return url
        }
    }

    /// The place of a new store of a version; no file is there.
    private func freePlace(for version: String) -> URL {
        var url = folder.appending(path: "\(version).sqlite")
        var number = 1
        while FileManager.default.fileExists(atPath: url.path) {
            number += 1
            url = folder.appending(path: "\(version)-\(number).sqlite")
        }
        return url
    }
}

extension NSPersistentStoreCoordinator {
    /// Removes a SQLite store if it exists.
    fileprivate static func destroy(_ url: URL) throws {
        guard FileManager.default.fileExists(atPath: url.path) else { return }
        try NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())
            .destroyPersistentStore(at: url, type: .sqlite)
        // The remaining files have no content.
        for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: url.path + suffix) {
            try FileManager.default.removeItem(atPath: url.path + suffix)
        }
    }
}
