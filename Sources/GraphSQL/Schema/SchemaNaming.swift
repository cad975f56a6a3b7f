// The names of tables, columns and indexes. SchemaLayout asks for each name, and appends a number to one that is taken.
import GraphModel

/// The names that a layout gives to the parts of a model.
package protocol SchemaNaming: Sendable {
    /// The columns that each row of a root entity's table has besides the properties.
    func ownColumns(of root: Entity, isInTree: Bool) -> OwnColumns
    /// The table of a root entity and all entities below it.
    func table(of root: Entity) -> String
    /// The column of an attribute, or of the element of a composite one: then `path` has several names.
    func column(of attribute: Attribute, path: [String]) -> String
    /// The column of a to-one relationship, which holds the destination's key.
    func column(of relationship: Relationship) -> String
    /// The column beside a to-one relationship's, which holds the number of the destination's entity.
    func entityColumn(of relationship: Relationship, beside column: String, destination: Int64) -> String
    /// The column beside a key column, which holds the place in an ordered relationship.
    func orderColumn(beside column: String) -> String
    /// The column in the members' rows that holds the owner's key, for a to-many relationship without an inverse.
    func ownerColumn(of relationship: Relationship, owner: Entity, number: Int64) -> String
    /// The order beside such a column.
    func ownerOrderColumn(of relationship: Relationship, owner: Entity, number: Int64) -> String
    /// The table of a many-to-many relationship.
    func joinTable(of relationship: Relationship, owner: Entity, number: Int64) -> String
    /// The column of a join table that holds the key of the relationship's destination.
    func joinColumn(of relationship: Relationship, destination: Int64) -> String
    /// The column that holds the owner's key in the table of a relationship that is its own inverse.
    var reflexiveColumn: String { get }
    /// The order beside a column of a join table.
    func joinOrderColumn(beside column: String) -> String
    /// An index of a key column or of the entity numbers.
    func keyIndex(table: String, column: String) -> String
    /// An index of a join table.
    func joinIndex(table: String, column: String) -> String
    /// A fetch index of an entity.
    func fetchIndex(entity: String, name: String) -> String
    /// The index of a uniqueness constraint.
    func uniqueIndex(entity: String, names: [String]) -> String
}
