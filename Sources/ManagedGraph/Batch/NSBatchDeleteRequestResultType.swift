import Foundation

/// The kind of result of a batch delete; raw values are Apple's.
public enum NSBatchDeleteRequestResultType: UInt, Sendable {
    /// Whether it succeeded.
    case resultTypeStatusOnly = 0
    /// The identifiers of all deleted rows.
    case resultTypeObjectIDs = 1
    /// The number of all deleted rows.
    case resultTypeCount = 2
}
