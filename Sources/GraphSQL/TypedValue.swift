// Values of types that SQLite lacks. Dialects of databases with these types bind them.
import Foundation

/// A value with a type of its own in databases with many types.
package enum TypedValue: Hashable, Sendable {
    case boolean(Bool)
    case decimal(Decimal)
    /// Seconds since 2001-01-01 UTC.
    case time(Double)
    case uuid(UUID)
    /// Values of one type; NULL among them.
    case list([SQLValue], ElementType)

    /// The type of a list's elements.
    package enum ElementType: Hashable, Sendable {
        case boolean, integer, real, decimal, time, text, uuid, data
    }

    /// The value in a database without such types.
    package var plain: SQLValue {
        switch self {
        case .boolean(let value): .integer(value ? 1 : 0)
        case .decimal(let value): value.storedNumber
        case .time(let value): .real(value)
        case .uuid(let value): .blob(value.storedBytes)
        case .list: .null
        }
    }
}
