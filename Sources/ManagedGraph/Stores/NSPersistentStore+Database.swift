// Where the rows of a store of any kind are. Called by the tools that read rows without objects.

extension NSPersistentStore {
    /// The database that holds the store's rows: the store itself, or the engine of one that is no database; nil where it has none.
    package var database: SQLiteStore? {
        self as? SQLiteStore ?? (self as? any EngineStore)?.engine
    }
}

extension SQLiteStore {
    /// Takes a reader back that was leased for a tool.
    package func giveBack(reader: SQLiteReader) { giveBack(reader) }
}
