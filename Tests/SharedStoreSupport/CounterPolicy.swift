// The merge policies with which processes count, and the results that each must have.
import ManagedGraph

/// A merge policy, and the guarantee that holds if counters are incremented under it concurrently.
package enum CounterPolicy: String, CaseIterable, Sendable {
    /// The save fails, and the caller reads the counter again: no increment is lost.
    case error
    /// The value in the store wins: an increment is either based on the latest value, or not written.
    case storeTrump
    /// The value in the context wins: every save writes, and the last one stays.
    case objectTrump
    /// The whole object in the context wins: as `objectTrump`.
    case overwrite
    /// Changes of objects in conflict are dropped: as `storeTrump`.
    case rollback

    package var policy: NSMergePolicy {
        switch self {
        case .error: NSMergePolicy(merge: .errorMergePolicyType)
        case .storeTrump: NSMergePolicy(merge: .mergeByPropertyStoreTrumpMergePolicyType)
        case .objectTrump: NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
        case .overwrite: NSMergePolicy(merge: .overwriteMergePolicyType)
        case .rollback: NSMergePolicy(merge: .rollbackMergePolicyType)
        }
    }

    /// Whether each write is based on the previous one, so that the value is the number of writes.
    package var buildsOnLatest: Bool { self != .objectTrump && self != .overwrite }
}
