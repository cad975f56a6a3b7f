// A property as an editor shows it, of one type for all kinds, so that pages read one list. Part of EntityPicture.

/// A property of an entity with every option of Xcode's inspectors.
public struct PropertyPicture: Sendable, Hashable, Codable {
    /// The kind of property, which decides the fields that are set.
    public var kind: PropertyKind
    /// The name.
    public var name: String
    /// Whether an object may have no value.
    public var isOptional: Bool
    /// Whether the value is not stored.
    public var isTransient: Bool
    /// Whether the property is marked as read-only.
    public var isReadOnly: Bool
    /// Whether the property has the index flag of older models.
    public var isIndexed: Bool
    /// Whether Spotlight indexes the value.
    public var isSpotlight: Bool
    /// Whether the value is kept in an external record file.
    public var isStoredInTruthFile: Bool
    /// The name in the previous version, for migration.
    public var renamingIdentifier: String?
    /// A text that changes the version hash.
    public var hashModifier: String?
    /// The user info.
    public var userInfo: [String: String]
    /// A short description, such as `String, optional`.
    public var summary: String
    /// An attribute's type, as Xcode names it.
    public var type: String?
    /// An attribute's default value; dates in ISO 8601.
    public var defaultValue: String?
    /// Whether the class has a scalar type for an attribute.
    public var usesScalar: Bool?
    /// Whether large binary values are stored in files of their own.
    public var isExternal: Bool?
    /// Whether the history keeps the value of a deleted object.
    public var isPreserved: Bool?
    /// Whether iCloud encrypts the value.
    public var isEncrypted: Bool?
    /// The name of a transformable's value transformer.
    public var transformer: String?
    /// The class of a transformable's value.
    public var valueClass: String?
    /// The expression of a derived attribute.
    public var derivation: String?
    /// The lowest value, or the shortest length of a string.
    public var minimum: String?
    /// The highest value, or the greatest length of a string.
    public var maximum: String?
    /// The regular expression that strings match.
    public var pattern: String?
    /// The composite type of an attribute.
    public var composite: String?
    /// The elements of a composite attribute.
    public var elements: [PropertyPicture]?
    /// A relationship's destination.
    public var destination: String?
    /// The name of the inverse relationship.
    public var inverse: String?
    /// Whether a relationship has several objects.
    public var isToMany: Bool?
    /// Whether a to-many relationship keeps an order.
    public var isOrdered: Bool?
    /// The lowest number of objects; 0 for no limit.
    public var minCount: Int?
    /// The highest number of objects; 0 for no limit.
    public var maxCount: Int?
    /// A relationship's delete rule, as Xcode names it.
    public var deleteRule: String?
    /// The request of a fetched property.
    public var request: RequestPicture?
}
