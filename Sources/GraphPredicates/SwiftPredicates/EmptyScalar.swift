import Foundation

/// A type whose properties read as zero if the store has no value.
protocol EmptyScalar {
    static var emptyValue: Any { get }
}
