// The columns of a table that belong to no property. Named by SchemaNaming.

/// The columns of a table besides the properties.
package struct OwnColumns: Hashable, Sendable {
    package var key: String
    /// The number of the row's entity; nil if all rows of the table are of one entity and no column says so.
    package var entityNumber: String?
    package var version: String

    package init(key: String, entityNumber: String?, version: String) {
        self.key = key
        self.entityNumber = entityNumber
        self.version = version
    }

    /// The columns in Apple's layout.
    package static let apple = OwnColumns(key: "Z_PK", entityNumber: "Z_ENT", version: "Z_OPT")

    /// All of them, in the order of a table.
    package var names: [String] { [key, entityNumber, version].compactMap(\.self) }
}
