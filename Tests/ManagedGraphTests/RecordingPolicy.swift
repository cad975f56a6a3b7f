// A merge policy that records conflicts. Used by MergePolicies.
import Foundation
import ManagedGraph

/// A policy that records its conflicts, and then resolves them like the standard one.
final class RecordingPolicy: NSMergePolicy, @unchecked Sendable {
    var conflicts: [NSMergeConflict] = []
    var constraints: [NSConstraintConflict] = []
    var refusal: NSError?

    override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
        conflicts += list
        if let refusal { throw refusal }
        try super.resolve(optimisticLockingConflicts: list)
    }

    override func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
        constraints += list
        try super.resolve(constraintConflicts: list)
    }
}
