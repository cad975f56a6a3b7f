// A merge policy of ConflictSnapshotTests.
import ManagedGraph

/// A policy that records the conflicts it gets, and resolves them like the standard one.
final class ConflictRecordingPolicy: NSMergePolicy, @unchecked Sendable {
    enum Level: CaseIterable { case all, versions, constraints }
    var level = Level.all
    var versions: [NSMergeConflict] = []
    var constraints: [NSConstraintConflict] = []
    var calls: [Level] = []

    override func resolve(mergeConflicts list: [Any]) throws {
        calls.append(.all)
        versions += list.compactMap { $0 as? NSMergeConflict }
        constraints += list.compactMap { $0 as? NSConstraintConflict }
        try super.resolve(mergeConflicts: list)
    }

    override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
        calls.append(.versions)
        try super.resolve(optimisticLockingConflicts: list)
    }

    override func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
        calls.append(.constraints)
        try super.resolve(constraintConflicts: list)
    }
}
