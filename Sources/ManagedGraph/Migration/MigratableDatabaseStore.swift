// Stores in databases of servers that can be migrated while they are not open. Adopted by other modules; used by the tools
// that plan, rehearse and run migrations.

/// A store in a database that has a migrator.
package protocol MigratableDatabaseStore: DatabaseStore {
    /// Migrates stores that are not open, and forecasts and rehearses their migrations.
    static var migrator: any DatabaseMigrator { get }
}
