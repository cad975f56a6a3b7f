// An error in a predicate that a person typed, with its place. Thrown by BrowsingSession.
import Foundation

/// The reason why a predicate is rejected.
public struct PredicateProblem: Error, Codable, Sendable, Hashable, LocalizedError {
    /// The reason, in one sentence.
    public var message: String
    /// The remedy, or the text expected at the place; nil if there is no simple one.
    public var remedy: String?
    /// The number of characters before the error.
    public var place: Int
    /// The number of characters that are wrong; 0 if something is missing at the place.
    public var length: Int

    /// The reason, in one sentence.
    public var errorDescription: String? { message }
    /// The remedy.
    public var recoverySuggestion: String? { remedy }
}
