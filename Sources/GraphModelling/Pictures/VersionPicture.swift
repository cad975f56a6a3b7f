// A version of a model as an editor lists it. Part of ModelPicture.

/// A version of a model.
public struct VersionPicture: Sendable, Hashable, Codable {
    /// The name of the version, without the extension.
    public var name: String
    /// Whether new stores are created with this version.
    public var isCurrent: Bool
    /// Whether the version exists in the session only, until it is saved.
    public var isNew: Bool
    /// Whether the version differs from its file.
    public var isChanged: Bool
    /// The reason why the version cannot be read; nil if it can.
    public var error: String?
}
