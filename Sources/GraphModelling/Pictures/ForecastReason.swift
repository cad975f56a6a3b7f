// A reason for which a migration cannot be inferred. Part of ForecastPicture.

/// A change that prevents the migration, with its remedy.
public struct ForecastReason: Sendable, Hashable, Codable {
    /// The entity.
    public var entity: String
    /// The property, if there is one.
    public var property: String?
    /// The cause.
    public var reason: String
    /// The remedy.
    public var remedy: String
}
