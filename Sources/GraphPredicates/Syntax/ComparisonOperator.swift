import Foundation

/// A comparison's operator; raw values are Apple's.
package enum ComparisonOperator: UInt, Sendable, CaseIterable {
    case lessThan, lessThanOrEqual, greaterThan, greaterThanOrEqual, equal, notEqual
    case matches, like, beginsWith, endsWith, `in`, customSelector
    case contains = 99
    case between = 100
}
