// A box for values without a case of their own, such as those of transformable attributes.
import Foundation

/// A box that keeps `Value` small.
package final class AnyBox {
    package let value: Any
    package init(_ value: Any) { self.value = value }

    /// Whether the values are equal by their own comparison.
    func isEqual(to other: AnyBox) -> Bool {
        if let unreadable = value as? UnreadableValue, let otherUnreadable = other.value as? UnreadableValue {
            return unreadable.stored == otherUnreadable.stored
        }
        return Self.areEqual(value, other.value)
    }

    /// Collections are compared member by member: Foundation's own comparison of nested ones depends on the kind of
    /// the members were made of.
    private static func areEqual(_ lhs: Any, _ rhs: Any) -> Bool {
        if let lhs = lhs as? [Any], let rhs = rhs as? [Any] {
            return lhs.count == rhs.count && zip(lhs, rhs).allSatisfy { areEqual($0, $1) }
        }
        if let lhs = lhs as? [AnyHashable: Any], let rhs = rhs as? [AnyHashable: Any] {
            return lhs.count == rhs.count
                && lhs.allSatisfy { key, value in rhs[key].map { areEqual(value, $0) } ?? false }
        }
        if let lhs = lhs as? NSObject, let rhs = rhs as? NSObject, lhs.isEqual(rhs) { return true }
        if let lhs = lhs as? AnyHashable, let rhs = rhs as? AnyHashable { return lhs == rhs }
        return false
    }
}
