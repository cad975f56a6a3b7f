// An entity as an editor shows it. Part of ModelPicture.

/// An entity with every option of Xcode's inspectors.
public struct EntityPicture: Sendable, Hashable, Codable {
    /// The name.
    public var name: String
    /// The class as the model spells it; nil for `NSManagedObject`.
    public var className: String?
    /// The module in the class name: empty for the current product's module, nil for none.
    public var module: String?
    /// `Manual/None`, `Class Definition` or `Category/Extension`.
    public var codeGeneration: String
    /// The superentity.
    public var superentity: String?
    /// Whether no object is of this entity itself.
    public var isAbstract: Bool
    /// The name in the previous version, for migration.
    public var renamingIdentifier: String?
    /// A text that changes the version hash.
    public var hashModifier: String?
    /// The expression for an object's name in Spotlight.
    public var spotlightName: String?
    /// The user info.
    public var userInfo: [String: String]
    /// The uniqueness constraints, each a list of attributes.
    public var constraints: [[String]]
    /// The fetch indexes.
    public var indexes: [IndexPicture]
    /// The indexes of older models, each a list of properties.
    public var compoundIndexes: [[String]]
    /// The properties that the entity declares, attributes first.
    public var properties: [PropertyPicture]
    /// The properties of superentities, from the root down.
    public var inherited: [InheritedProperty]
    /// The version hash, in hexadecimal digits.
    public var hash: String
    /// The entity's place in the file.
    public var sortOrder: Int
}
