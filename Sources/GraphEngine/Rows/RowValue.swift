// One value of a row, passed to and from an engine. Built from objects' values by the graph, bound by engines.
import Foundation

/// A value of a row; the engine determines its storage.
package enum RowValue: Hashable, Sendable {
    case null
    /// Integers of every width, and booleans as 0 and 1.
    case integer(Int64)
    /// Doubles, floats, and dates as seconds since 2001-01-01 UTC.
    case real(Double)
    case string(String)
    /// Bytes, including those of a transformable attribute.
    case data(Data)
    case uuid(UUID)
    case url(URL)
    case decimal(Decimal)
    /// The destination of a to-one relationship.
    case key(ObjectKey)

    package var isNull: Bool { if case .null = self { true } else { false } }
}
