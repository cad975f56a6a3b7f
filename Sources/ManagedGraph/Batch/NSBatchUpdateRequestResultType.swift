import Foundation

/// The kind of result of a batch update; raw values are Apple's.
public enum NSBatchUpdateRequestResultType: UInt, Sendable {
    /// Whether it succeeded.
    case statusOnlyResultType = 0
    /// The identifiers of the rows.
    case updatedObjectIDsResultType = 1
    /// The number of the rows.
    case updatedObjectsCountResultType = 2
}
