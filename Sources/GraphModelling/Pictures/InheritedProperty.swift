// An inherited property as an editor shows it. Part of EntityPicture.

/// A property that an entity inherits.
public struct InheritedProperty: Sendable, Hashable, Codable {
    /// The entity that declares the property.
    public var entity: String
    /// The name.
    public var name: String
    /// The kind of property.
    public var kind: PropertyKind
    /// A short description.
    public var summary: String
}
