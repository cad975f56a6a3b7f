// The result of checking a predicate as it is typed. Created by BrowsingSession.

/// The result of checking a predicate.
public struct PredicateCheck: Codable, Sendable {
    /// The error; nil for a predicate that can be used.
    public var problem: PredicateProblem?
    /// The predicate in Apple's spelling.
    public var printed: String?
}
