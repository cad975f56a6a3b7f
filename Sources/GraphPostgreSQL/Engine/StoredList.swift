// The property lists in a store's own tables: metadata, and values that the history preserves. Other programs can write
// these columns, and Foundation's reader may end the process at a damaged binary list.
import Foundation
import GraphArchives
import GraphEngine

/// Reads property lists of a store's own tables.
enum StoredList {
    /// The entries of a list.
    ///
    /// - Parameters:
    ///   - data: The bytes in the column.
    ///   - content: The content of the column, for the message, such as `metadata`.
    ///   - table: The table, for the remedy.
    /// - Returns: The entries.
    /// - Throws: `EngineError` of the kind `corrupt` if the bytes are not a property list of a dictionary.
    static func read(_ data: Data, _ content: String, of table: String) throws -> [String: Any] {
        guard let values = PropertyList.read(data) as? [String: Any] else {
            throw EngineError(
                .corrupt,
                "The \(content) of the store cannot be read.",
                remedy: "Restore the row of the table \(table) from a backup."
            )
        }
        return values
    }
}
