// A property of an entity, as a browser needs it. Created by EntityShapes.

/// A property that a grid can show.
public struct PropertySummary: Codable, Sendable, Hashable {
    /// The sort of property.
    public enum Kind: String, Codable, Sendable {
        /// An attribute.
        case attribute
        /// A relationship to at most one object.
        case toOne
        /// A relationship to many objects.
        case toMany
    }

    /// The property's name.
    public var name: String
    /// The sort of property.
    public var kind: Kind
    /// The type of an attribute, such as `String`; the destination of a relationship.
    public var type: String
    /// The kind of its cells.
    public var cell: CellKind
    /// Whether the value may be missing.
    public var isOptional: Bool
    /// Whether rows can be sorted by it.
    public var isSortable: Bool
    /// Whether a to-many relationship has an order.
    public var isOrdered: Bool
    /// The entity of related objects.
    public var destination: String?
    /// The inverse relationship.
    public var inverse: String?
    /// The delete rule, such as `cascade`.
    public var deleteRule: String?
    /// The subentity that adds the property; nil if every row has it.
    public var subentity: String?
    /// The reason why it cannot be edited; nil if it can.
    public var refusal: String?
}
