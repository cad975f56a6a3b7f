// A changed property as an editor shows it. Part of ModelComparisonPicture.

/// The difference of a property between two versions.
public struct PropertyDifferencePicture: Sendable, Hashable, Codable {
    /// `added`, `removed`, `changed`, `renamed` or `moved`.
    public var kind: String
    /// The new name, or the old one of a removed property.
    public var name: String
    /// The old name of a renamed property.
    public var formerName: String?
    /// The entity that declared a moved property.
    public var formerEntity: String?
    /// `attribute`, `relationship` or `fetched property`.
    public var sort: String
    /// A short description.
    public var summary: String
    /// The settings that differ.
    public var changes: [FieldChangePicture]
    /// Whether the entity's hash changes with it.
    public var isHashChanged: Bool
}
