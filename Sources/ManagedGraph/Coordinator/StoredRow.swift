// The row of an object as it is in its table. Read by NSPersistentStoreCoordinator.storedRow(for:).
import Foundation

/// The row of an object in its table.
public struct StoredRow: Sendable, Hashable {
    /// The name of the table.
    public let table: String
    /// The row's primary key, `Z_PK`.
    public let primaryKey: Int64
    /// The columns, in the order of the table.
    public let columns: [Column]

    /// The printed value of a column; nil if the table has no such column.
    ///
    /// - Parameter column: The name of the column.
    public subscript(column: String) -> String? { columns.first { $0.name == column }?.value }
}
