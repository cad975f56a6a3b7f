// A key of another table's rows. Declared when tables are created or migrated.
import GraphSQL

/// A column that references a table.
struct TableReference: Hashable {
    var table: String
    var column: String
    var destination: String
    /// The key column of the destination.
    var key: String
    /// The action on the row when the destination's is deleted.
    var action: String

    /// Declares the reference.
    func statement(in dialect: any SQLDialect) -> String {
        "ALTER TABLE \(dialect.table(table)) ADD FOREIGN KEY (\(dialect.identifier(column))) REFERENCES "
            + "\(dialect.table(destination)) (\(dialect.identifier(key))) ON DELETE \(action) "
            + "DEFERRABLE INITIALLY DEFERRED"
    }
}
