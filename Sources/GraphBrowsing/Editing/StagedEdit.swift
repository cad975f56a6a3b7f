// One edit that a reader makes. Sent by a page; applied by StagedEdits.

/// An edit of an object.
public struct StagedEdit: Codable, Sendable, Hashable {
    /// The sort of edit.
    public enum Kind: String, Codable, Sendable {
        /// Sets an attribute from a text.
        case set
        /// Sets the objects of a relationship.
        case replace
        /// Adds objects to a relationship.
        case add
        /// Removes objects from a relationship.
        case remove
        /// Inserts a new object.
        case insert
        /// Inserts a copy of an object.
        case duplicate
        /// Deletes an object, and those that its delete rules take along.
        case delete
    }

    /// The sort of edit.
    public var kind: Kind
    /// The object's name; nil for an insertion.
    public var object: String?
    /// The property.
    public var property: String?
    /// The value's text; nil for no value.
    public var text: String?
    /// The names of related objects.
    public var members: [String]?
    /// The entity of a new object.
    public var entity: String?

    /// Creates an edit.
    public init(
        _ kind: Kind,
        object: String? = nil,
        property: String? = nil,
        text: String? = nil,
        members: [String]? = nil,
        entity: String? = nil
    ) {
        self.kind = kind
        self.object = object
        self.property = property
        self.text = text
        self.members = members
        self.entity = entity
    }
}
