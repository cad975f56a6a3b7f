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
