// One thing that a fetch reads of each row, and what the reader finds in its place in the result.
import GraphModel
import GraphPredicates

/// A column that a fetch asks for.
package enum PlanColumn {
    /// `Z_ENT`.
    case entityNumber
    /// `Z_PK`.
    case primaryKey
    /// `Z_OPT`.
    case version
    /// A column of the entity's own table by its name in the file (`ZTEXT`, `Z2_LOCATION`, `Z_FOK_TASKS`).
    case stored(String)
    /// NULL, in the place of a column that this store has not.
    case absent
    /// A key path over to-one relationships that ends in an attribute or in a to-one relationship.
    case keyPath([String])
    /// An expression under the name of its description.
    case expression(name: String, ExpressionNode)

    /// What an object needs before its values: entity, key, version.
    package static var identity: [PlanColumn] { [.entityNumber, .primaryKey, .version] }
}

/// What stands in a column of a translated fetch's result.
package struct ResultColumn: Hashable, Sendable {
    /// What the value is.
    package enum Content: Hashable, Sendable {
        /// `Z_ENT`, `Z_PK`, `Z_OPT`, or a column asked for by its name in the file.
        case stored
        /// A value of this attribute type, encoded as that type's columns are.
        case value(AttributeType)
        /// The primary key of an object of this entity's tree.
        case object(entity: String)
    }

    package var name: String
    package var content: Content

    package init(name: String, content: Content) {
        self.name = name
        self.content = content
    }
}
