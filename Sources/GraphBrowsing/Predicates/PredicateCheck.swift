// The result of checking a predicate as it is typed. Created by BrowsingSession.

/// The result of checking a predicate.
public struct PredicateCheck: Codable, Sendable {
    /// The error; nil for a predicate that can be used.
    public var problem: PredicateProblem?
    /// The predicate in Apple's spelling; nil if it has an error or is empty.
    public var printed: String?
}
