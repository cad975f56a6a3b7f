// A finding of `managedgraph model check` as an editor shows it. Part of ModelPicture.

/// A problem of a model with its place and its remedy.
public struct ProblemPicture: Sendable, Hashable, Codable {
    /// `note`, `warning` or `error`.
    public var level: String
    /// The part of the model; empty for the model itself.
    public var place: ModelPlace
    /// The cause and the remedy, in one or two sentences.
    public var reason: String
}
