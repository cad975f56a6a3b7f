// A store's identity and its property list, such as the row of Z_METADATA. Read and written by engines; the coordinator
// compares the hashes with a model.
import Foundation

/// A store's metadata.
///
/// The values are property-list values (strings, numbers, data, dates, arrays, dictionaries) that are never mutated in
/// place; therefore the unchecked conformance.
package struct StoreMetadata: @unchecked Sendable {
    /// `Z_UUID`: the store's identifier, upper case.
    package var uuid: String
    /// `Z_PLIST` with Apple's keys and the application's own.
    package var values: [String: Any]

    package init(uuid: String = UUID().uuidString, values: [String: Any] = [:]) {
        self.uuid = uuid
        self.values = values
    }

    /// The metadata of a new store of a model.
    ///
    /// - Parameters:
    ///   - uuid: The store's identifier; a new one by default.
    ///   - versionHashes: 32 bytes by entity name.
    ///   - versionHashesDigest: Base 64, as in Apple's key.
    ///   - versionChecksum: Base 64, as in Apple's key.
    ///   - versionIdentifiers: The model's version identifiers.
    package init(
        uuid: String = UUID().uuidString,
        versionHashes: [String: Data],
        versionHashesDigest: String,
        versionChecksum: String,
        versionIdentifiers: [String]
    ) {
        self.uuid = uuid
        values = [
            Key.storeType: "SQLite",
            Key.autoVacuumLevel: "2",
            Key.frameworkVersion: StoreMetadata.frameworkVersion,
        ]
        setModel(
            versionHashes: versionHashes,
            versionHashesDigest: versionHashesDigest,
            versionChecksum: versionChecksum,
            versionIdentifiers: versionIdentifiers
        )
    }

    /// The metadata with the values that a user has set; the framework's own that are missing there stay.
    package func withUserValues(_ values: [String: Any]) -> StoreMetadata {
        var result = self
        result.values = values
        result.values[Key.storeUUID] = nil
        for (key, value) in self.values where StoreMetadata.isReserved(key) && result.values[key] == nil {
            result.values[key] = value
        }
        return result
    }

    /// Copies the entries about the model from another store's metadata.
    package mutating func takeModel(of other: StoreMetadata) {
        for key in [
            Key.versionHashes, Key.versionHashesDigest, Key.versionHashesVersion, Key.versionChecksum,
            Key.versionIdentifiers, Key.frameworkVersion,
        ] {
            values[key] = other.values[key]
        }
    }

    /// Replaces the metadata of the model, and leaves the rest.
    ///
    /// - Parameters:
    ///   - versionHashes: 32 bytes by entity name.
    ///   - versionHashesDigest: Base 64, as in Apple's key.
    ///   - versionChecksum: Base 64, as in Apple's key.
    ///   - versionIdentifiers: The model's version identifiers.
    package mutating func setModel(
        versionHashes: [String: Data],
        versionHashesDigest: String,
        versionChecksum: String,
        versionIdentifiers: [String]
    ) {
        values[Key.versionHashes] = versionHashes
        values[Key.versionHashesDigest] = versionHashesDigest
        values[Key.versionHashesVersion] = 3
        values[Key.versionChecksum] = versionChecksum
        values[Key.versionIdentifiers] = versionIdentifiers
    }

    /// 32 bytes by entity name; empty if the file has none.
    package var versionHashes: [String: Data] {
        values[Key.versionHashes] as? [String: Data] ?? [:]
    }

    /// Apple's keys.
    package enum Key {
        package static let storeType = "NSStoreType"
        package static let storeUUID = "NSStoreUUID"
        package static let versionHashes = "NSStoreModelVersionHashes"
        package static let versionHashesVersion = "NSStoreModelVersionHashesVersion"
        package static let versionHashesDigest = "NSStoreModelVersionHashesDigest"
        package static let versionChecksum = "NSStoreModelVersionChecksumKey"
        package static let versionIdentifiers = "NSStoreModelVersionIdentifiers"
        package static let frameworkVersion = "NSPersistenceFrameworkVersion"
        package static let autoVacuumLevel = "_NSAutoVacuumLevel"
        /// Apple's: `true` while a deferred migration is not finished.
        package static let isDeferred = "NSPersistentStoreDeferredLightweightMigrationOptionKey"
        /// Ours: the remaining tasks of that migration.
        package static let deferredTasks = "_NSDeferredLightweightMigrationTasks"
    }

    /// The framework version whose layout we write: the latest one compared.
    static let frameworkVersion = 1345
}

extension StoreMetadata {
    /// Replaces the user's metadata values and keeps the framework's.
    package static func replacingUserValues(of stored: [String: Any], with metadata: [String: Any]?) -> [String: Any] {
        var values = (metadata ?? [:]).filter { !isReserved($0.key) }
        for (key, value) in stored where isReserved(key) { values[key] = value }
        return values
    }

    /// Metadata that a user sets for an open store, with the framework's entries that they lack.
    package static func completing(_ metadata: [String: Any]?, with stored: [String: Any]) -> [String: Any] {
        var values = metadata ?? [:]
        for (key, value) in stored where isReserved(key) && values[key] == nil { values[key] = value }
        return values
    }

    /// Whether a key belongs to the framework, so that users' metadata cannot replace it.
    package static func isReserved(_ key: String) -> Bool {
        key.hasPrefix("NSStore") || key.hasPrefix("_NS") || key.hasPrefix("NSPersistence") || key == Key.isDeferred
    }
}
