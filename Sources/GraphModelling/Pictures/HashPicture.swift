// A version hash as an editor shows it. Part of ModelAnalysis.

/// The version hash of an entity.
public struct HashPicture: Sendable, Hashable, Codable {
    /// The entity.
    public var entity: String
    /// The hash, in hexadecimal digits.
    public var hash: String
    /// Whether the hash differs from the saved file's; for a new version, from the previous version's.
    public var isChanged: Bool
}
