// A property's value as the object graph keeps it. Made by accessors, by key-value coding and from row batches;
// read by validation and by the store. It is independent of SQL.
import Foundation
import GraphEngine

/// One property's value.
package enum Value {
    /// No value of the object's own: the snapshot's holds.
    case absent
    case null
    /// Integers of every width, and booleans as 0 and 1.
    case integer(Int64)
    /// Doubles, floats, and dates as seconds since 2001-01-01 UTC.
    case real(Double)
    case string(String)
    /// A transformable's value, or one of an undefined type.
    case any(AnyBox)
    /// A to-one destination that was set and not yet saved.
    case object(NSManagedObject)
    /// A to-one destination by its key, so that saved objects do not hold each other.
    case reference(ObjectKey)
    case toMany(ToManyState)
    case data(Data)
    case uuid(UUID)
    case url(URL)
    case decimal(Decimal)

    var isAbsent: Bool { if case .absent = self { true } else { false } }
    /// Whether the value owns no memory.
    @inline(__always)
    var isPlain: Bool {
        switch self {
        case .absent, .null, .integer, .real: true
        default: false
        }
    }
    package var isNull: Bool { if case .null = self { true } else { false } }
}

extension Value {
    /// The value without the objects of the context it comes from; members of to-many relationships are read
    /// again.
    var detached: Value {
        switch self {
        case .object(let object): .reference(object.identifyingKey)
        case .toMany: .absent
        default: self
        }
    }
}
