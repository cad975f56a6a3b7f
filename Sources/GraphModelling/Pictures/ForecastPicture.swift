// Whether a store of one version opens with another. Created by ModelSession.

/// The forecast of opening a store of one version with another.
public struct ForecastPicture: Sendable, Hashable, Codable {
    /// The version of existing stores.
    public var from: String
    /// The outcome.
    public var outcome: Outcome
    /// The changes that prevent the migration.
    public var reasons: [ForecastReason]
    /// Allowed changes that are probably unintended.
    public var notes: [String]

    /// The outcomes of opening a store.
    public enum Outcome: String, Sendable, Hashable, Codable {
        /// The store opens as it is.
        case opens
        /// The store is migrated without a mapping model.
        case migrates
        /// The store needs a mapping model, a custom stage, or another change of the model.
        case refuses
        /// A version has errors, so that no store opens with it.
        case unknown
    }
}
