// A constant of a predicate in the few forms that SQL has. Made by ConstantReader; bound by Binding.
import Foundation

/// A constant's value.
enum Constant {
    case null
    case boolean(Bool)
    case integer(Int64)
    case real(Double)
    case decimal(Decimal)
    /// Seconds since 2001-01-01 UTC.
    case date(Double)
    case text(String)
    case url(String)
    case uuid(UUID)
    case data(Data)
    case object(ObjectReference)
    case entity(String)
    case list(ConstantList)
    /// A value of a kind that columns hold, which no column can hold itself.
    case unstored(UnstoredValue)
    /// Something that no column holds, by the name of its type.
    case other(String)
}
