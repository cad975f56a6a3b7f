// One value of a row as it goes into an engine and comes out of it. Made from objects' values by the graph, bound by engines.
import Foundation

/// A value of a row: the engine decides how it is stored.
package enum RowValue: Hashable, Sendable {
    case null
    /// Integers of every width, and booleans as 0 and 1.
    case integer(Int64)
    /// Doubles, floats, and dates as seconds since 2001-01-01 UTC.
    case real(Double)
    case string(String)
    /// Bytes, also those of a transformable attribute.
    case data(Data)
    case uuid(UUID)
    case url(URL)
    case decimal(Decimal)
    /// The destination of a to-one relationship.
    case key(ObjectKey)

    package var isNull: Bool { if case .null = self { true } else { false } }
}
