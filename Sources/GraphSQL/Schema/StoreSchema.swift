// The places of a model's entities and properties in Apple's layout, in the spelling of one dialect. Built once from a
// Model by StoreSchema+Layout; read by the statement builders, the translator and the store.
import GraphModel

/// The tables of a store.
package struct StoreSchema: Sendable {
    /// The database's spelling of statements about these tables.
    package let dialect: any SQLDialect
    /// By entity name.
    package var entities: [String: EntitySchema]
    /// All entity names in the order of their numbers.
    package var entityOrder: [String]
    /// One table per inheritance tree, in the order of the root entities' numbers.
    package var tables: [TableSchema]
    package var joinTables: [JoinTableSchema]
    /// Statements that make the triggers of derived attributes.
    package var triggers: [String] = []

    package init(
        entities: [String: EntitySchema] = [:],
        entityOrder: [String] = [],
        tables: [TableSchema] = [],
        joinTables: [JoinTableSchema] = [],
        dialect: any SQLDialect
    ) {
        self.dialect = dialect
        self.entities = entities
        self.entityOrder = entityOrder
        self.tables = tables
        self.joinTables = joinTables
    }
}
