import Foundation

/// The kind of result of a batch insert; raw values are Apple's.
public enum NSBatchInsertRequestResultType: UInt, Sendable {
    /// Whether it succeeded.
    case statusOnly = 0
    /// The identifiers of the rows.
    case objectIDs = 1
    /// The number of the rows.
    case count = 2
}
