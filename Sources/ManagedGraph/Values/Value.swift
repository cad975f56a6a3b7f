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
    case data(Data)
    case uuid(UUID)
    case url(URL)
    case decimal(Decimal)
    /// A transformable's value, or one of an undefined type.
    case any(AnyBox)
    /// A to-one destination that was set and not yet saved.
    case object(NSManagedObject)
    /// A to-one destination by its key, so that saved objects do not hold each other.
    case reference(ObjectKey)
    case toMany(ToManyState)

    var isAbsent: Bool { if case .absent = self { true } else { false } }
    package var isNull: Bool { if case .null = self { true } else { false } }
}

/// A box that keeps `Value` small.
package final class AnyBox {
    package let value: Any
    package init(_ value: Any) { self.value = value }

    /// Whether the values say that they are equal.
    func isEqual(to other: AnyBox) -> Bool {
        if let own = value as? UnreadableValue, let others = other.value as? UnreadableValue {
            return own.stored == others.stored
        }
        return Self.areEqual(value, other.value)
    }

    /// Collections are compared member by member: Foundation's own comparison of nested ones depends on the kind of
    /// the members were made of.
    private static func areEqual(_ one: Any, _ other: Any) -> Bool {
        if let one = one as? [Any], let other = other as? [Any] {
            return one.count == other.count && zip(one, other).allSatisfy { areEqual($0, $1) }
        }
        if let one = one as? [AnyHashable: Any], let other = other as? [AnyHashable: Any] {
            return one.count == other.count
                && one.allSatisfy { key, value in other[key].map { areEqual(value, $0) } ?? false }
        }
        if let one = one as? NSObject, let other = other as? NSObject, one.isEqual(other) { return true }
        if let one = one as? AnyHashable, let other = other as? AnyHashable { return one == other }
        return false
    }
}

extension Value {
    /// The value without the objects of the context it comes from; members of to-many relationships are asked for
    /// again.
    var detached: Value {
        switch self {
        case .object(let object): .reference(object.identifyingKey)
        case .toMany: .absent
        default: self
        }
    }
}
