// A column that a fetch requests, and the description of the resulting column.
import GraphModel
import GraphPredicates

/// A column requested by a fetch.
package enum PlanColumn {
    /// `Z_ENT`.
    case entityNumber
    /// `Z_PK`.
    case primaryKey
    /// `Z_OPT`.
    case version
    /// A column of the entity's own table, by its name in the file (`ZTEXT`, `Z2_LOCATION`, `Z_FOK_TASKS`).
    case stored(String)
    /// A column of the entity's own table whose values may be in files; it is read in the form of `LargeValue`.
    case large(String)
    /// NULL, in place of a column that is missing from this store.
    case absent
    /// A key path over to-one relationships that ends in an attribute or in a to-one relationship.
    case keyPath([String])
    /// An expression, named by its description.
    case expression(name: String, ExpressionNode)

    /// The columns that identify an object, before its values: entity, key, version.
    package static var identity: [PlanColumn] { [.entityNumber, .primaryKey, .version] }
}
