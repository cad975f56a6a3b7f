// An entity with its properties and its number of rows. Created by BrowsingSession.

/// An entity of the model.
public struct EntitySummary: Codable, Sendable {
    /// The entity's name.
    public var name: String
    /// Whether it is abstract.
    public var isAbstract: Bool
    /// The entity that it inherits from.
    public var parent: String?
    /// The number of its own objects; nil if no store holds the entity.
    public var count: Int?
    /// The number of its objects and those of its subentities.
    public var total: Int?
    /// The properties, those of subentities last.
    public var properties: [PropertySummary]
    /// The attribute that objects are recognized by.
    public var titleProperty: String?
}
