// The result of checking a predicate as it is typed. Created by ModelSession.

/// The result of checking a predicate.
public struct ModelPredicateCheck: Sendable, Hashable, Codable {
    /// Whether the predicate can be used with the entity.
    public var isValid: Bool
    /// The cause and the remedy.
    public var message: String?
    /// The number of characters before the error, for a syntax error.
    public var position: Int?
    /// The predicate as it is printed.
    public var printed: String?
}
