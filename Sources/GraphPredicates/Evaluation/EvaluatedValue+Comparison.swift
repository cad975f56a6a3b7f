// Equality and order of values, without the options of a comparison. Texts compare by Unicode scalar values, which is
// the order of their UTF-8 bytes and of SQLite's BINARY collation. Values of different kinds are unequal and unordered.

import Foundation
import GraphArchives

extension EvaluatedValue {
    /// Whether two values are equal; nil equals only nil.
    package func isEqual(to other: EvaluatedValue) -> Bool {
        switch (self, other) {
        case (.null, .null): return true
        case (.null, _), (_, .null): return false
        case (.text(let a), .text(let b)): return TextOrder.areEqual(a, b)
        case (.date(let a), .date(let b)): return a == b
        case (.uuid(let a), .uuid(let b)): return a == b
        case (.data(let a), .data(let b)): return a == b
        case (.url(let a), .url(let b)): return a.absoluteString == b.absoluteString
        case (.collection(let a), .collection(let b)): return EvaluatedValue.areEqual(a, b)
        case (.dictionary(let a), .dictionary(let b)):
            return a.evaluatedCount == b.evaluatedCount
                && a.evaluatedKeys.allSatisfy { a.evaluatedValue(forKey: $0).isEqual(to: b.evaluatedValue(forKey: $0)) }
        default:
            if let order = numericOrder(against: other) { return order == .orderedSame }
            guard let a = objectValue, let b = other.objectValue else { return false }
            return EvaluatedValue.areSame(a, b)
        }
    }

    private static func areEqual(_ a: any EvaluableCollection, _ b: any EvaluableCollection) -> Bool {
        guard a.evaluatedCount == b.evaluatedCount || a.isUnordered || b.isUnordered else { return false }
        let left = a.evaluatedElements()
        let right = b.evaluatedElements()
        guard a.isUnordered || b.isUnordered else { return zip(left, right).allSatisfy { $0.isEqual(to: $1) } }
        return Set(left.map(HashedValue.init)) == Set(right.map(HashedValue.init))
    }

    private var objectValue: Any? {
        switch self {
        case .readable(let value): return value
        case .other(let value): return value
        default: return nil
        }
    }

    private static func areSame(_ a: Any, _ b: Any) -> Bool {
        if let a = a as? any IdentityComparable, let b = b as? any IdentityComparable {
            return a.comparableIdentity == b.comparableIdentity
        }
        if type(of: a) is AnyClass, type(of: b) is AnyClass {
            let first = a as AnyObject
            let second = b as AnyObject
            if first === second { return true }
            if let first = a as? NSObject { return first.isEqual(b) }
        }
        if let a = a as? AnyHashable, let b = b as? AnyHashable { return a == b }
        return false
    }

    /// The order of two values of one kind; nil if they are unordered or one is missing.
    package func order(against other: EvaluatedValue) -> ComparisonResult? {
        switch (self, other) {
        case (.text(let a), .text(let b)): return TextOrder.compare(a, b)
        case (.date(let a), .date(let b)): return a < b ? .orderedAscending : a == b ? .orderedSame : .orderedDescending
        case (.uuid(let a), .uuid(let b)): return TextOrder.compare(a.uuidString, b.uuidString)
        case (.url(let a), .url(let b)): return TextOrder.compare(a.absoluteString, b.absoluteString)
        case (.data(let a), .data(let b)):
            if a == b { return .orderedSame }
            return a.lexicographicallyPrecedes(b) ? .orderedAscending : .orderedDescending
        case (.other(let a), .other(let b)): return EvaluatedValue.comparableOrder(a, b)
        default: return numericOrder(against: other)
        }
    }

    private static func comparableOrder(_ a: Any, _ b: Any) -> ComparisonResult? {
        func order<Value: Comparable>(_ a: Value) -> ComparisonResult? {
            guard let b = b as? Value else { return nil }
            return a < b ? .orderedAscending : a == b ? .orderedSame : .orderedDescending
        }
        guard let a = a as? any Comparable else { return nil }
        return order(a)
    }

    /// The order of two numbers of any types, exact; nil unless both are numbers.
    func numericOrder(against other: EvaluatedValue) -> ComparisonResult? {
        switch (self, other) {
        case (.integer(let a), .integer(let b)): return EvaluatedValue.order(a, b)
        case (.real(let a), .real(let b)): return EvaluatedValue.order(a, b)
        case (.decimal(let a), _):
            if let b = other.decimalValue { return EvaluatedValue.order(a, b) }
            return realOrder(against: other)
        case (_, .decimal(let b)):
            if let a = decimalValue { return EvaluatedValue.order(a, b) }
            return realOrder(against: other)
        case (.integer(let a), .real(let b)): return EvaluatedValue.order(a, b)
        case (.real(let a), .integer(let b)): return EvaluatedValue.order(b, a)?.reversed
        case (.boolean(let a), _): return EvaluatedValue.integer(a ? 1 : 0).numericOrder(against: other)
        case (_, .boolean(let b)): return numericOrder(against: .integer(b ? 1 : 0))
        default: return nil
        }
    }

    /// The order of a decimal and a real number that is not a decimal: infinite, too large or too near to 0.
    private func realOrder(against other: EvaluatedValue) -> ComparisonResult? {
        guard let a = doubleValue, let b = other.doubleValue else { return nil }
        return EvaluatedValue.order(a, b)
    }

    private static func order<Value: Comparable>(_ a: Value, _ b: Value) -> ComparisonResult {
        a < b ? .orderedAscending : a > b ? .orderedDescending : .orderedSame
    }

    private static func order(_ a: Double, _ b: Double) -> ComparisonResult? {
        if a == b { return .orderedSame }
        if a < b { return .orderedAscending }
        return a > b ? .orderedDescending : nil
    }

    /// Compares exactly: a large integer must not be rounded to the nearest double first.
    private static func order(_ a: Int64, _ b: Double) -> ComparisonResult? {
        if b.isNaN { return nil }
        if b >= 0x1p63 { return .orderedAscending }
        if b < -0x1p63 { return .orderedDescending }
        let whole = b.rounded(.down)
        let floor = Int64(whole)
        if a != floor { return a < floor ? .orderedAscending : .orderedDescending }
        return whole < b ? .orderedAscending : .orderedSame
    }

    package var decimalValue: Decimal? {
        switch self {
        case .decimal(let value): return value
        case .integer(let value): return Decimal(value)
        case .boolean(let value): return value ? 1 : 0
        // Convert a double through its printed form: 1.1 equals the Decimal 1.1.
        case .real(let value): return Decimal(digitsOf: value)
        default: return nil
        }
    }
}

extension ComparisonResult {
    package var reversed: ComparisonResult {
        switch self {
        case .orderedAscending: return .orderedDescending
        case .orderedDescending: return .orderedAscending
        case .orderedSame: return .orderedSame
        }
    }
}

extension EvaluatedValue {
    /// Hashes the components that equal values share; values that may equal values of a different case (numbers,
    /// collections) hash coarsely.
    package func hash(into hasher: inout Hasher) {
        switch self {
        case .text(var value): value.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        case .date(let value): hasher.combine(value)
        case .uuid(let value): hasher.combine(value)
        case .data(let value): hasher.combine(value)
        case .url(let value): hasher.combine(value.absoluteString)
        case .boolean, .integer, .real, .decimal: hasher.combine(doubleValue)
        case .other(let value as any IdentityComparable): hasher.combine(value.comparableIdentity)
        case .readable(let value as any IdentityComparable): hasher.combine(value.comparableIdentity)
        case .null, .collection, .dictionary, .readable, .other: break
        }
    }
}
