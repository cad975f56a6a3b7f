// The box of a value that has no case of its own, such as a transformable's.
import Foundation
import GraphEngine

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
