// What a save cannot settle by itself. Thrown by saves and by incremental stores, caught where the merge policy is asked.
import Foundation

/// What a merge policy is asked about.
struct SaveConflicts: Error, @unchecked Sendable {
    let list: [NSObject]
}
