// Makes the type "PostgreSQL" known to coordinators. A program that has the module among its dependencies needs no call.
import CManagedGraphPostgreSQL
import Foundation
import GraphPostgreSQL
import ManagedGraph

/// The type of a store in a PostgreSQL database.
public let NSPostgreSQLStoreType = PostgreSQLEngine.storeType

extension NSPersistentStore.StoreType {
    /// A schema of a PostgreSQL database, at `postgresql://user@host:port/database?schema=name`.
    public static var postgreSQL: NSPersistentStore.StoreType {
        registerPostgreSQL()
        return NSPersistentStore.StoreType(rawValue: NSPostgreSQLStoreType)
    }
}

/// Registers the class; called when the program is loaded.
@_cdecl("managedgraph_postgresql_register")
func registerPostgreSQL() {
    guard managedgraph_postgresql_is_linked == 1,
        NSPersistentStoreCoordinator.registeredStoreTypes[PostgreSQLEngine.storeType] == nil
    else { return }
    NSPersistentStoreCoordinator.registerStoreClass(PostgreSQLStore.self, forStoreType: PostgreSQLEngine.storeType)
}
