// Names of store types, options, metadata keys and notifications: Apple's texts.
import Foundation
import GraphArchives

/// The type of a SQLite store.
public let NSSQLiteStoreType = "SQLite"
/// The type of a store in Apple's XML format.
public let NSXMLStoreType = "XML"
/// The type of a store in Apple's binary format.
public let NSBinaryStoreType = "Binary"
/// The type of a store in memory.
public let NSInMemoryStoreType = "InMemory"
/// Metadata key: the type of the store.
public let NSStoreTypeKey = "NSStoreType"
/// Metadata key: the UUID of the store.
public let NSStoreUUIDKey = "NSStoreUUID"
/// Metadata key: 32-byte version hashes by entity name.
public let NSStoreModelVersionHashesKey = "NSStoreModelVersionHashes"
/// Metadata key: the version identifiers of the model.
public let NSStoreModelVersionIdentifiersKey = "NSStoreModelVersionIdentifiers"
/// Metadata key: the checksum over all version hashes.
public let NSPersistentStoreModelVersionChecksumKey = "NSStoreModelVersionChecksumKey"
/// Option: `true` opens the store for reading only.
public let NSReadOnlyPersistentStoreOption = "NSReadOnlyPersistentStoreOption"
/// Option key: whether saves are recorded in the store's history (a Boolean); a store with a history continues it.
public let NSPersistentHistoryTrackingKey = "NSPersistentHistoryTrackingKey"
/// Option key: whether `NSPersistentStoreRemoteChange` is posted after each change of the store's file, by any process.
public let NSPersistentStoreRemoteChangeNotificationPostOptionKey = "NSPersistentStoreRemoteChangeNotificationOptionKey"
/// Notification key: the location of the store.
public let NSPersistentStoreURLKey = "storeURL"
/// Notification key: the point in the history after a transaction.
public let NSPersistentHistoryTokenKey = "historyToken"
/// Option: `true` has an XML store refuse a file that differs from Apple's DTD or from the model in any way.
public let NSValidateXMLStoreOption = "NSValidateXMLStoreOption"
/// Option: seconds to wait for a locked store.
public let NSPersistentStoreTimeoutOption = "NSPersistentStoreTimeoutOption"
/// Option: `true` has `destroyPersistentStore` remove a file that is not a store, or that is in use.
public let NSPersistentStoreForceDestroyOption = "NSPersistentStoreForceDestroyOption"
/// Option: how many connections a SQLite store may read with; taken and not needed, as a coordinator reads one at a
/// time.
public let NSPersistentStoreConnectionPoolMaxSizeKey = "NSPersistentStoreConnectionPoolMaxSize"
/// Option: the class of file protection, a `FileProtectionType` or its name.
///
/// Each but `NSFileProtectionNone` keeps other users out of the files; outside Apple's platforms nothing is encrypted.
public let NSPersistentStoreFileProtectionKey = "NSPersistentStoreFileProtectionKey"
/// Option: the classes, besides Apple's collections and values, that a binary store may have archived (a set of
/// classes).
public let NSBinaryStoreSecureDecodingClasses = "NSBinaryStoreSecureDecodingClasses"
/// Option: `true` has a binary store read values of any class.
public let NSBinaryStoreInsecureDecodingCompatibilityOption = "NSBinaryStoreInsecureDecodingCompatibilityOption"
/// Metadata key: the earliest system of Apple's that can open the store; kept, and not read.
public let NSPersistentStoreOSCompatibility = "NSPersistentStoreOSCompatibility"
/// Option: SQLite pragmas by name.
public let NSSQLitePragmasOption = "NSSQLitePragmasOption"
/// Option: `true` runs ANALYZE when the store is opened.
public let NSSQLiteAnalyzeOption = "NSSQLiteAnalyzeOption"
/// Option: `true` runs VACUUM when the store is opened.
public let NSSQLiteManualVacuumOption = "NSSQLiteManualVacuumOption"
/// Option: `true` opens the store although its version hashes differ from the model's.
public let NSIgnorePersistentStoreVersioningOption = "NSIgnorePersistentStoreVersioningOption"
/// Option: `true` migrates a store of an older version when it is added.
public let NSMigratePersistentStoresAutomaticallyOption = "NSMigratePersistentStoresAutomaticallyOption"
/// Option: `true` lets a migration infer its mapping model.
public let NSInferMappingModelAutomaticallyOption = "NSInferMappingModelAutomaticallyOption"
/// Option: an `NSStagedMigrationManager`, whose stages migrate a store of an older version when it is added.
public let NSPersistentStoreStagedMigrationManagerOptionKey = "NSPersistentStoreStagedMigrationManagerOptionKey"
/// Option: `true` leaves the removals of a lightweight migration to `finishDeferredLightweightMigration()`; the
/// store's metadata have the key while something is left.
public let NSPersistentStoreDeferredLightweightMigrationOptionKey =
    "NSPersistentStoreDeferredLightweightMigrationOptionKey"
/// Notification entry: stores that were added.
public let NSAddedPersistentStoresKey = "added"
/// Notification entry: stores that were removed.
public let NSRemovedPersistentStoresKey = "removed"
/// Notification entry: the old and the new store if a UUID has changed.
public let NSUUIDChangedPersistentStoresKey = "changed"

extension NSNotification.Name {
    /// Posted by Apple's framework before a store changes with its user's iCloud account; not posted here.
    public static let NSPersistentStoreCoordinatorStoresWillChange = NSNotification.Name(
        "NSPersistentStoreCoordinatorStoresWillChangeNotification"
    )
    /// Posted by a coordinator after its stores have changed.
    public static let NSPersistentStoreCoordinatorStoresDidChange = NSNotification.Name(
        "NSPersistentStoreCoordinatorStoresDidChangeNotification"
    )
    /// Posted before a store is removed; the object is the store.
    public static let NSPersistentStoreCoordinatorWillRemoveStore = NSNotification.Name(
        "NSPersistentStoreCoordinatorWillRemoveStoreNotification"
    )
}

extension URL {
    /// Whether a store here is in memory: `/dev/null`.
    var isDevNull: Bool { path == "/dev/null" || sharedMemoryName != nil }

    /// The name of a store in memory that all coordinators of the process share: the part after `/dev/null/`.
    var sharedMemoryName: String? {
        let prefix = "/dev/null/"
        return path.hasPrefix(prefix) && path.count > prefix.count ? String(path.dropFirst(prefix.count)) : nil
    }
}

/// Reading of options, whose values come as Bool, NSNumber or text.
package enum StoreOptions {
    /// Not one of Apple's: the `ImmutableSnapshotFile` that a store opened for reading is read from.
    package static let snapshotFile = "ManagedGraphStillFile"
    /// Not one of Apple's: the name of the exported snapshot of a database that a store is read from.
    package static let exportedSnapshot = "ManagedGraphExportedSnapshot"

    static func flag(_ options: [AnyHashable: Any]?, _ key: String) -> Bool? {
        switch options?[key] {
        case nil: nil
        case let number as NSNumber: number.boolValue
        case let flag as Bool: flag
        case let text as String: (text as NSString).boolValue
        // Apple's framework takes a dictionary of settings too, which turns the history on.
        case is [AnyHashable: Any] where key == NSPersistentHistoryTrackingKey: true
        default: nil
        }
    }

    static func number(_ options: [AnyHashable: Any]?, _ key: String) -> Double? {
        switch options?[key] {
        case nil: nil
        case let number as NSNumber: number.doubleValue
        case let number as Double: number
        case let number as Int: Double(number)
        default: nil
        }
    }

    /// The number of connections that read beside the writing one: by default the number of processor cores, at least 2
    /// and at most 8.
    static func poolSize(_ options: [AnyHashable: Any]?) -> Int {
        let requestedSize = number(options, NSPersistentStoreConnectionPoolMaxSizeKey).flatMap { $0.isNaN ? nil : $0 }
        return Int(max(2, min(requestedSize ?? Double(ProcessInfo.processInfo.activeProcessorCount), 8)))
    }

    /// Milliseconds to wait for other users of a file: 5 seconds unless the options set another time.
    static func busyTimeout(_ options: [AnyHashable: Any]?) -> Int32 {
        let seconds = number(options, NSPersistentStoreTimeoutOption) ?? 5
        return Int32(max(0, min(seconds.isNaN ? 5 : seconds, 86_400)) * 1_000)
    }

    /// Pragmas about writers, or about the file as a whole.
    private static let writerPragmas: Set<String> = [
        "journal_mode", "synchronous", "locking_mode", "wal_autocheckpoint", "journal_size_limit", "auto_vacuum",
        "page_size", "user_version", "application_id", "foreign_keys", "secure_delete", "encoding",
    ]

    /// The pragmas that a connection gets which reads only.
    static func readerPragmas(_ options: [AnyHashable: Any]?) -> [String: String] {
        pragmas(options).filter { !writerPragmas.contains($0.key.lowercased()) }
    }

    /// Whether the pragmas keep all but one connection out of the file.
    static func locksExclusively(_ options: [AnyHashable: Any]?) -> Bool {
        pragmas(options).contains { $0.key.lowercased() == "locking_mode" && $0.value.lowercased() == "exclusive" }
    }

    /// The permissions of a store's files: the owner's alone for each kind of protection but none.
    static func permissions(_ options: [AnyHashable: Any]?) -> FilePermissions {
        guard let value = options?[NSPersistentStoreFileProtectionKey], type(of: value) != NSNull.self else {
            return .usual
        }
        let name = (value as? any RawRepresentable<String>)?.rawValue ?? "\(value)"
        return name == "NSFileProtectionNone" ? .usual : .ownerOnly
    }

    /// SQLite pragmas by name, values as text.
    static func pragmas(_ options: [AnyHashable: Any]?) -> [String: String] {
        switch options?[NSSQLitePragmasOption] {
        case let values as [String: NSObject]: values.mapValues { $0.description }
        case let values as [String: Any]: values.mapValues { "\($0)" }
        default: [:]
        }
    }
}

extension NSNotification.Name {
    /// Posted by a coordinator, on a queue of its own, after a store's file was changed by this process or by another.
    ///
    /// The store was opened with `NSPersistentStoreRemoteChangeNotificationPostOptionKey`. The userInfo has its UUID
    /// under `NSStoreUUIDKey`, its location under `NSPersistentStoreURLKey` and, if it has a history, the newest point
    /// in it under `NSPersistentHistoryTokenKey`.
    public static let NSPersistentStoreRemoteChange = NSNotification.Name("NSPersistentStoreRemoteChangeNotification")
}
