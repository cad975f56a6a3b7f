// The tables of a database that exist already, as its catalog describes them. Read by engines, drawn as a model by the
// tools.

/// The tables of a schema.
package struct DatabaseCatalog: Sendable {
    /// A column with its type as the database spells it.
    package struct Column: Sendable {
        package var name: String
        /// The type as the database spells it without length, such as `character varying`.
        package var type: String
        /// The greatest number of characters; nil for none.
        package var length: Int?
        package var isRequired: Bool
        /// The expression of the default, also for an identity column; nil for none.
        package var defaultText: String?
        /// Whether the database computes the value.
        package var isGenerated: Bool
        package var comment: String?
        /// The type's name with its schema, in quotes as far as they are needed; empty if it is not known.
        package var typeName = ""
        /// The sequence that gives the default, with its schema; nil if none does.
        package var sequence: String?

        package init(
            name: String,
            type: String,
            length: Int? = nil,
            isRequired: Bool = false,
            defaultText: String? = nil,
            isGenerated: Bool = false,
            comment: String? = nil
        ) {
            (self.name, self.type, self.length, self.isRequired) = (name, type, length, isRequired)
            (self.defaultText, self.isGenerated, self.comment) = (defaultText, isGenerated, comment)
        }
    }

    /// An index on columns; indexes on expressions are left out.
    package struct Index: Sendable {
        package var name: String
        package var columns: [(name: String, isAscending: Bool)]
        package var isUnique: Bool
        package var isPrimary: Bool

        package init(name: String, columns: [(name: String, isAscending: Bool)], isUnique: Bool, isPrimary: Bool) {
            (self.name, self.columns, self.isUnique, self.isPrimary) = (name, columns, isUnique, isPrimary)
        }
    }

    /// A reference from columns of a table to those of another one.
    package struct ForeignKey: Sendable {
        /// The consequence of a deleted destination.
        package enum Action: Sendable { case refuse, cascade, setNull }

        package var columns: [String]
        package var table: String
        package var targets: [String]
        package var onDelete: Action

        package init(columns: [String], table: String, targets: [String], onDelete: Action) {
            (self.columns, self.table, self.targets, self.onDelete) = (columns, table, targets, onDelete)
        }
    }

    /// A table with its columns, indexes and references.
    package struct Table: Sendable {
        package var name: String
        package var comment: String?
        package var columns: [Column] = []
        package var indexes: [Index] = []
        package var foreignKeys: [ForeignKey] = []

        package init(name: String, comment: String? = nil) { (self.name, self.comment) = (name, comment) }

        /// The columns of the primary key; empty if there is none.
        package var primaryKey: [String] { indexes.first(where: \.isPrimary)?.columns.map(\.name) ?? [] }
    }

    package var schema: String
    /// Sorted by name.
    package var tables: [Table]

    package init(schema: String, tables: [Table]) { (self.schema, self.tables) = (schema, tables) }
}
