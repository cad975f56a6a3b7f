// A configuration as an editor shows it. Part of ModelPicture.

/// A configuration.
public struct ConfigurationPicture: Sendable, Hashable, Codable {
    /// The name.
    public var name: String
    /// The names of its entities.
    public var entities: [String]
    /// Whether its store is synchronized with CloudKit.
    public var isUsedWithCloudKit: Bool
}
