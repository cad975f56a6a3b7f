// The consequences of the session's changes. Created by ModelSession.

/// Version hashes, and forecasts against the saved file and the previous version.
public struct ModelAnalysis: Sendable, Hashable, Codable {
    /// The version hash of each entity, sorted by name.
    public var hashes: [HashPicture]
    /// The checksum of the version.
    public var checksum: String
    /// One forecast for the saved file, and one for the previous version.
    public var forecasts: [ForecastPicture]
}
