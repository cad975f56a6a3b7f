// Opens a store of unknown origin with the model that fits it. Called by the studio; the tools of the command do the work.
import Foundation
import ManagedGraph
import ManagedGraphTools

/// Opens stores without a program's own model: the model is found in the store, or beside it.
public enum StoreOpening {
    /// The entities of a store, for a list.
    public struct Facts: Sendable {
        /// Apple's name of the store type.
        public let type: String
        /// The origin of the model: `cache` for the store itself, or a path.
        public let modelSource: String
        /// The number of objects of each entity, without subentities, by name.
        public let entities: [(name: String, rows: Int)]
    }

    /// Reads the names and counts of a store's entities, without a file written beside it.
    ///
    /// O(rows).
    ///
    /// - Parameters:
    ///   - url: The store.
    ///   - model: A model file to try first.
    /// - Returns: The facts.
    /// - Throws: 260 if there is no file, 134080 or 259 if it is damaged or not a store, 134100 if no model fits it,
    ///   and errors of the database, each with a remedy.
    public static func facts(of url: URL, model: URL? = nil) throws -> Facts {
        let reading = try StoreReading(url, model: model)
        return Facts(
            type: reading.storeType,
            modelSource: reading.modelSource,
            entities: try reading.counts().map { ($0.entity, $0.rows) }
        )
    }

    /// Opens a store read-only in its state of this moment.
    ///
    /// The store may be open elsewhere: it is not disturbed, and no file is written beside it. Later changes are not seen.
    ///
    /// - Parameters:
    ///   - url: The store.
    ///   - model: A model file to try first.
    /// - Returns: A coordinator with the store; entities have no classes of a program.
    /// - Throws: As `facts(of:model:)`.
    public static func snapshot(of url: URL, model: URL? = nil) throws -> NSPersistentStoreCoordinator {
        try StoreReading(url, model: model).coordinator
    }

    /// Opens a store for changes, which its history records if it has one.
    ///
    /// - Parameters:
    ///   - url: The store.
    ///   - model: A model file to try first.
    /// - Returns: A coordinator with the store; entities have no classes of a program.
    /// - Throws: As `facts(of:model:)`.
    public static func writable(_ url: URL, model: URL? = nil) throws -> NSPersistentStoreCoordinator {
        try StoreReading.writable(url, model: model)
    }
}
