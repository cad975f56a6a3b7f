// Copies a store to a new place of any type. Called by `managedgraph store copy` and by imports into databases; the move
// of the library does the work, some thousands of rows at a time.
import Foundation
import GraphEngine
import ManagedGraph

/// Copies an opened store, and reports the progress by objects.
package struct StoreCopy {
    private let opened: OpenedStore
    /// The number of objects in the store.
    package let total: Int

    /// Opens the store to be copied; it is not changed.
    ///
    /// - Parameters:
    ///   - url: The store.
    ///   - model: A model file to try first.
    /// - Throws: If there is no store, if it is damaged, or if no model fits it.
    package init(_ url: URL, model: URL?) throws {
        total = try StoreReading(url, model: model).counts().reduce(0) { $0 + $1.rows }
        opened = try OpenedStore(url, model: model, isWritable: false)
    }

    /// Copies all objects with their keys; the new store has the same UUID.
    ///
    /// The history is not copied. If the copy fails, nothing is left of the new store.
    ///
    /// - Parameters:
    ///   - url: The new place: a file that does not exist, or the address of a database without a store in its schema.
    ///   - progress: Called with the number of objects copied; if it throws, the copy ends.
    /// - Returns: The type of the new store.
    /// - Throws: If there is something at the new place, the errors of both stores, and those of `progress`.
    package func run(to url: URL, progress: @escaping (Int) throws -> Void) throws -> String {
        let type = try StoreLocation.databaseType(of: url) ?? Self.fileType(url)
        let coordinator = opened.coordinator
        guard let store = coordinator.persistentStores.first else {
            throw CoreDataError.unknownType(type)
        }
        let new = try coordinator.migratePersistentStore(
            store,
            to: url,
            options: [:],
            withType: type,
            progress: progress
        )
        try coordinator.remove(new)
        return type
    }

    /// The type of a new file, by its extension.
    private static func fileType(_ url: URL) -> String {
        switch url.pathExtension.lowercased() {
        case "xml": NSXMLStoreType
        case "binary": NSBinaryStoreType
        default: NSSQLiteStoreType
        }
    }
}
