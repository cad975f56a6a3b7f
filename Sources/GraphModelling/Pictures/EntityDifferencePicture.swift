// A changed entity as an editor shows it. Part of ModelComparisonPicture.

/// The difference of an entity between two versions.
public struct EntityDifferencePicture: Sendable, Hashable, Codable {
    /// `added`, `removed`, `changed` or `renamed`.
    public var kind: String
    /// The new name, or the old one of a removed entity.
    public var name: String
    /// The old name of a renamed entity.
    public var formerName: String?
    /// The settings of the entity that differ.
    public var changes: [FieldChangePicture]
    /// The properties that differ.
    public var properties: [PropertyDifferencePicture]
    /// Whether the version hash differs.
    public var isHashChanged: Bool
}
