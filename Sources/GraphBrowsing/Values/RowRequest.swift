// A request for rows of one entity. Sent by a grid; read by BrowsingSession.

/// A part of the rows of an entity, or of a relationship.
public struct RowRequest: Codable, Sendable, Hashable {
    /// A relationship whose members are requested.
    public struct Owner: Codable, Sendable, Hashable {
        /// The name of the object that has the relationship.
        public var id: String
        /// The name of the relationship; `Entity.relationship` for the objects of an entity that refer to the object by a
        /// relationship without an inverse.
        public var relationship: String

        /// Creates the place of a relationship.
        public init(id: String, relationship: String) {
            (self.id, self.relationship) = (id, relationship)
        }
    }

    /// The entity; that of the relationship's destination if there is an owner.
    public var entity: String
    /// A predicate's format; nil for all rows.
    public var predicate: String?
    /// Key paths; a leading hyphen means descending.
    public var sort: [String]
    /// The names of properties, or key paths of to-one relationships; empty for all properties of the entity.
    public var columns: [String]
    /// The number of rows before the first one.
    public var offset: Int
    /// The greatest number of rows.
    public var limit: Int
    /// Whether rows of subentities are included.
    public var includesSubentities: Bool
    /// The relationship; nil for all rows of the entity.
    public var owner: Owner?

    /// Requests rows.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - predicate: A predicate's format.
    ///   - sort: Key paths; a leading hyphen means descending.
    ///   - columns: The names of properties; empty for all.
    ///   - offset: The number of rows before the first one.
    ///   - limit: The greatest number of rows.
    ///   - includesSubentities: Whether rows of subentities are included.
    ///   - owner: The relationship whose members are requested.
    public init(
        entity: String,
        predicate: String? = nil,
        sort: [String] = [],
        columns: [String] = [],
        offset: Int = 0,
        limit: Int = 100,
        includesSubentities: Bool = true,
        owner: Owner? = nil
    ) {
        self.entity = entity
        self.predicate = predicate
        self.sort = sort
        self.columns = columns
        self.offset = offset
        self.limit = limit
        self.includesSubentities = includesSubentities
        self.owner = owner
    }
}
