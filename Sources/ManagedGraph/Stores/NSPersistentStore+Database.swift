// Access to the database that backs a store of any kind. Called by the tools that read rows without objects.
import GraphSQLite

extension NSPersistentStore {
    /// The database that holds the store's rows, on disk or in memory; nil if the store has none.
    package var database: SQLiteEngine? { engineStore?.engine as? SQLiteEngine }
}
