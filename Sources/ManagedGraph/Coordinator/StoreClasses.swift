// The classes of stores by their types. Read when a store is added; changed by programs that register types of their
// own.
import Foundation
import Synchronization

/// Classes of stores by type.
enum StoreClasses {
    private struct Table: @unchecked Sendable {
        var classes: [String: NSPersistentStore.Type] = [
            NSSQLiteStoreType: SQLiteStore.self, NSInMemoryStoreType: SQLiteStore.self,
            NSXMLStoreType: XMLStore.self, NSBinaryStoreType: BinaryStore.self,
        ]
    }

    private static let table = Mutex(Table())

    static var all: [String: NSPersistentStore.Type] { table.withLock { $0.classes } }

    /// The type of stores at addresses of a database; nil for files.
    static func type(of url: URL) -> String? {
        switch url.scheme?.lowercased() {
        case "postgresql", "postgres": postgreSQLType
        default: nil
        }
    }

    /// The type whose class is in the product ManagedGraphPostgreSQL.
    static let postgreSQLType = "PostgreSQL"

    static func register(_ storeClass: NSPersistentStore.Type?, type: String) {
        table.withLock { $0.classes[type] = storeClass }
    }
}

extension NSPersistentStoreCoordinator {
    /// The classes of stores by type.
    public class var registeredStoreTypes: [String: NSPersistentStore.Type] { StoreClasses.all }

    /// The type of stores at addresses of a database, whether its class is registered or not; nil for files.
    package static func databaseType(of url: URL) -> String? { StoreClasses.type(of: url) }

    /// Names the class that opens stores of a type.
    ///
    /// The class is a subclass of `NSAtomicStore` or `NSIncrementalStore`, or one that `registeredStoreTypes` has.
    ///
    /// - Parameters:
    ///   - storeClass: The class, or nil to take the type out.
    ///   - storeType: The type.
    public class func registerStoreClass(_ storeClass: AnyClass?, forStoreType storeType: String) {
        guard let storeClass else { return StoreClasses.register(nil, type: storeType) }
        guard let storeClass = storeClass as? NSPersistentStore.Type else {
            preconditionFailure("\(storeClass) is not a class of stores: it must be an NSPersistentStore.")
        }
        StoreClasses.register(storeClass, type: storeType)
    }

    /// Names the class that opens stores of a type.
    ///
    /// - Parameters:
    ///   - storeClass: The class, or nil to take the type out.
    ///   - type: The type.
    public class func registerStoreClass(_ storeClass: AnyClass?, type: NSPersistentStore.StoreType) {
        registerStoreClass(storeClass, forStoreType: type.rawValue)
    }
}
