import Foundation

/// The qualifier of a comparison, `ANY`, `ALL` or neither; raw values are Apple's.
///
/// `NONE` is the negation of `ANY`, `SOME` is `ANY`.
package enum ComparisonModifier: UInt, Sendable {
    case direct = 0
    case all = 1
    case any = 2
}
