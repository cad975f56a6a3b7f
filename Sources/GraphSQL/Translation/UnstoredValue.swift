// The constants of a predicate that no row of a database has. Made by ConstantReader. Part of a fetch's shape
// (ConstantShape), because a comparison with one has another text: its answer is known without the database.

/// A constant that no column holds, so that no stored value equals it.
enum UnstoredValue: String, Sendable {
    /// NaN as a real number. No number comes before or after it.
    case real = "R"
    /// NaN as a decimal. It comes before all numbers.
    case decimal = "M"
    /// A date that is NaN seconds after 2001.
    case date = "D"
    /// A text with the character U+0000, for a database that cannot store it.
    case text = "T"

    /// The kind of the value.
    var kind: ValueKind {
        switch self {
        case .real: .real
        case .decimal: .decimal
        case .date: .date
        case .text: .text
        }
    }

    /// Whether stored values come before or after it.
    var isOrdered: Bool { self != .real }

    /// The reason why the database cannot compute with it.
    var reason: String {
        switch self {
        case .real, .decimal, .date: "the database stores no NaN"
        case .text: "the database stores no text with the character U+0000"
        }
    }
}
