// The description of a column that a fetch returns: its content and type.
import GraphModel
import GraphPredicates

/// The description of a column in a translated fetch's result.
package struct ResultColumn: Hashable, Sendable {
    /// The content of a column.
    package enum Content: Hashable, Sendable {
        /// `Z_ENT`, `Z_PK`, `Z_OPT`, or a column requested by its name in the file.
        case stored
        /// A value of this attribute type, encoded like that type's columns.
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
