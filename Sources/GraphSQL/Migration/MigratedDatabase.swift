// The parts of a plan for a database that its engine has to spell: how tables and the sequences of their keys are made.
// Given by the engine's migration.

/// A database whose tables are altered in place.
package struct MigratedDatabase: Sendable {
    package var dialect: any SQLDialect
    /// The statements that create a table.
    package var create: @Sendable (TableSchema) -> [String]
    /// The name of the sequence of a table's keys.
    package var sequence: @Sendable (_ table: String) -> String

    package init(
        dialect: any SQLDialect,
        create: @escaping @Sendable (TableSchema) -> [String],
        sequence: @escaping @Sendable (String) -> String
    ) {
        self.dialect = dialect
        self.create = create
        self.sequence = sequence
    }
}
