// The conflicts that a save cannot resolve itself. Thrown by saves and incremental stores, caught by the caller of the
// merge policy.
import Foundation

/// The conflicts that a merge policy has to resolve.
struct SaveConflicts: Error, @unchecked Sendable {
    let list: [NSObject]
}
