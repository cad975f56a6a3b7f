// A changed setting as an editor shows it. Part of ModelComparisonPicture.

/// A setting that differs between two versions.
public struct FieldChangePicture: Sendable, Hashable, Codable {
    /// The setting, such as `type` or `deleteRule`.
    public var field: String
    /// The old value as text; nil for none.
    public var before: String?
    /// The new value as text; nil for none.
    public var after: String?
    /// Whether the change makes stores of the old version incompatible.
    public var isHashed: Bool
}
