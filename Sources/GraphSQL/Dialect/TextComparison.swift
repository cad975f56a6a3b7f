// The comparisons of texts that a translation may ask a dialect for.

/// A comparison of two texts, with the options of the predicate's operator.
package enum TextComparison: CaseIterable, Sendable {
    case contains, beginsWith, endsWith, like, matches
    /// Whether the texts are equal; NULL equals NULL only.
    case equal
    /// A number below 0, 0 or a number above it.
    case order
}
