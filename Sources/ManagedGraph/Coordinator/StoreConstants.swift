// Names of store types, options, metadata keys and notifications: Apple's texts.
import Foundation

/// The type of a SQLite store.
public let NSSQLiteStoreType = "SQLite"
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
/// Option: seconds to wait for a locked store.
public let NSPersistentStoreTimeoutOption = "NSPersistentStoreTimeoutOption"
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
/// Notification entry: stores that were added.
public let NSAddedPersistentStoresKey = "added"
/// Notification entry: stores that were removed.
public let NSRemovedPersistentStoresKey = "removed"
/// Notification entry: the old and the new store where a UUID has changed.
public let NSUUIDChangedPersistentStoresKey = "changed"

extension NSNotification.Name {
    /// Posted by a coordinator before its stores change.
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

/// Reading of options, whose values come as Bool, NSNumber or text.
enum StoreOptions {
    static func flag(_ options: [AnyHashable: Any]?, _ key: String) -> Bool? {
        switch options?[key] {
        case let flag as Bool: flag
        case let number as NSNumber: number.boolValue
        case let text as String: (text as NSString).boolValue
        default: nil
        }
    }

    static func seconds(_ options: [AnyHashable: Any]?, _ key: String) -> Double? {
        switch options?[key] {
        case let number as NSNumber: number.doubleValue
        case let number as Double: number
        case let number as Int: Double(number)
        default: nil
        }
    }

    /// SQLite pragmas by name, values as text.
    static func pragmas(_ options: [AnyHashable: Any]?) -> [String: String] {
        switch options?[NSSQLitePragmasOption] {
        case let texts as [String: String]: texts
        case let values as [String: Any]: values.mapValues { "\($0)" }
        default: [:]
        }
    }
}
