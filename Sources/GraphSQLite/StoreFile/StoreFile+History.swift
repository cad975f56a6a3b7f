// The history of a store that was built anew beside the old one. Called by migrations with mapping models.
import GraphSQL

extension StoreFile {
    /// Gives a new store an empty history that goes on with the numbers of the old one's, if that has a history.
    ///
    /// The old changes are left out, as the new store's objects have other keys. Tokens from before them have expired.
    ///
    /// - Parameters:
    ///   - old: The old store.
    ///   - new: The store that will take its place and has no history.
    /// - Throws: `SQLiteError`.
    package static func continueHistory(of old: Connection, in new: Connection) throws {
        guard try SQLiteReader.hasHistoryTables(old) else { return }
        try new.transaction {
            for statement in HistorySchema.statements { try new.execute(statement) }
            for number in [HistorySchema.transactionNumber, HistorySchema.changeNumber] {
                let last = try lastKey(rootEntity: number, in: old) ?? 0
                try new.run(
                    "UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?",
                    [.integer(last), .integer(number)]
                )
            }
        }
    }
}
