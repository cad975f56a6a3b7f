// The functions of the predicate language that a translation may ask a dialect for. The evaluator defines the result
// of each.

/// A function of values.
package enum DialectFunction: CaseIterable, Sendable {
    case modulus, power, squareRoot, log, naturalLog, exponential, floor, ceiling, truncate, absolute
    /// A number from 0 up to 1, another for each row.
    case random
    /// A whole number below the argument, another for each row.
    case randomBelow
    case uppercase, lowercase, canonical
    /// The number of a text's characters.
    case length
    /// The number of bytes of data.
    case byteCount
    /// A number as a text.
    case text
    /// The value of a key of a value, such as `capitalizedString`; the second argument is the key.
    case key
}

/// A comparison of two texts, with the options of the predicate's operator.
package enum TextComparison: CaseIterable, Sendable {
    case contains, beginsWith, endsWith, like, matches
    /// Whether the texts are equal; NULL equals NULL only.
    case equal
    /// A number below 0, 0 or a number above it.
    case order
}

/// A statistic over the values of many rows.
package enum DialectStatistic: CaseIterable, Sendable {
    case median, deviation
}
