// The differences of two versions as values that pages show. Created by ModelSession.

/// The differences of two versions.
public struct ModelComparisonPicture: Sendable, Hashable, Codable {
    /// The older version.
    public var from: String
    /// The newer version.
    public var to: String
    /// The entities that differ.
    public var entities: [EntityDifferencePicture]
    /// The changes of requests, configurations and identifiers.
    public var changes: [FieldChangePicture]
    /// Whether there are no differences.
    public var isEqual: Bool
    /// The outcome of opening a store of the older version.
    public var forecast: ForecastPicture
}
