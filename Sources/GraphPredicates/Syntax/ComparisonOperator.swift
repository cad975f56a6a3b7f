// The predicate language as a tree of values, with one definition and several outputs. Beside `PredicateNode`.
import Foundation

/// A comparison's operator; raw values are Apple's.
package enum ComparisonOperator: UInt, Sendable, CaseIterable {
    case lessThan = 0
    case lessThanOrEqual = 1
    case greaterThan = 2
    case greaterThanOrEqual = 3
    case equal = 4
    case notEqual = 5
    case matches = 6
    case like = 7
    case beginsWith = 8
    case endsWith = 9
    case `in` = 10
    case customSelector = 11
    case contains = 99
    case between = 100
}
