// Where the rows of a store of any kind are. Called by the tools that read rows without objects.
import GraphSQLite

extension NSPersistentStore {
    /// The database that holds the store's rows, on disk or in memory; nil where it has none.
    package var database: SQLiteEngine? { (self as? any EngineStore)?.engine as? SQLiteEngine }
}
