// The values bound to SQL statements, and statements as text with bindings.
import Foundation

/// A value bound to a statement or read from a row.
package enum SQLValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob(Data)
    /// A value of a type that only some databases have; the dialect decides.
    indirect case typed(TypedValue)
}
