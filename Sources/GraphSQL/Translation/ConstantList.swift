// A collection that is a constant of a predicate.
import Foundation

/// The elements of a constant collection.
struct ConstantList {
    /// Without nil.
    var elements: [Constant]
    var hasNull: Bool
}
