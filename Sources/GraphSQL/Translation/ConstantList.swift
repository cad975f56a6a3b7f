// A constant of a predicate in the few forms that SQL has. Beside `Constant`.
import Foundation

/// The elements of a constant collection.
struct ConstantList {
    /// Without nil.
    var elements: [Constant]
    var hasNull: Bool
}
