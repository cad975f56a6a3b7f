// The five ways to resolve conflicts, and a base class for others. Called by a save between two attempts, on the
// context's queue and outside any transaction: it changes objects, then the save retries.
import Foundation

/// A policy for conflicts between a context and the store or parent that it saves to.
///
/// A subclass overrides `resolve(mergeConflicts:)` or one of the two methods it calls. It can change the conflicting
/// objects, call super, or throw, which fails the save. See
/// [NSMergePolicy](https://developer.apple.com/documentation/coredata/nsmergepolicy).
open class NSMergePolicy: NSObject, @unchecked Sendable {
    /// The way in which conflicts are resolved.
    public final let mergeType: NSMergePolicyType

    /// Makes a policy.
    ///
    /// - Parameter ty: How conflicts are resolved.
    public init(merge ty: NSMergePolicyType) {
        mergeType = ty
        super.init()
    }

    /// The save fails: 133020 for versions, 133021 for uniqueness constraints.
    public class var error: NSMergePolicy { Shared.error }
    /// The store wins; the changes of conflicting objects are discarded.
    public class var rollback: NSMergePolicy { Shared.rollback }
    /// The whole object in memory wins.
    public class var overwrite: NSMergePolicy { Shared.overwrite }
    /// Merges by property; if both sides have changed one, the value in memory wins.
    public class var mergeByPropertyObjectTrump: NSMergePolicy { Shared.objectTrump }
    /// Merges by property; if both sides have changed one, the store's value wins.
    public class var mergeByPropertyStoreTrump: NSMergePolicy { Shared.storeTrump }

    private enum Shared {
        static let error = NSMergePolicy(merge: .errorMergePolicyType)
        static let rollback = NSMergePolicy(merge: .rollbackMergePolicyType)
        static let overwrite = NSMergePolicy(merge: .overwriteMergePolicyType)
        static let objectTrump = NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
        static let storeTrump = NSMergePolicy(merge: .mergeByPropertyStoreTrumpMergePolicyType)
    }

    /// Resolves conflicts of either kind.
    ///
    /// - Parameter list: `NSMergeConflict` and `NSConstraintConflict` objects.
    /// - Throws: 133020 or 133021 if they cannot be resolved; the error fails the save.
    open func resolve(mergeConflicts list: [Any]) throws {
        let versions = list.compactMap { $0 as? NSMergeConflict }
        let constraints = list.compactMap { $0 as? NSConstraintConflict }
        if !versions.isEmpty { try resolve(optimisticLockingConflicts: versions) }
        if !constraints.isEmpty { try resolve(constraintConflicts: constraints) }
    }

    /// Resolves version conflicts.
    ///
    /// - Parameter list: The conflicts.
    /// - Throws: 133020 with the policy `error`.
    open func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
        if mergeType == .errorMergePolicyType { throw CoreDataError.conflicts(list) }
        for conflict in list { try VersionResolution(conflict, mergeType).run() }
    }

    /// Resolves conflicts of uniqueness constraints.
    ///
    /// With store trump or rollback, the row in the store survives: a new object is deleted, a changed one reverts to
    /// its stored values (those of the constraint, or all). With object trump or overwrite, a new object takes over the
    /// row: its key and, by property, values never set in the new object; a row that conflicts with a changed object is
    /// deleted. Among objects of one save, the first survives with store trump, else the last.
    ///
    /// - Parameter list: The conflicts.
    /// - Throws: 133021 with the policy `error`.
    open func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
        if mergeType == .errorMergePolicyType { throw CoreDataError.constraintConflicts(list) }
        ConstraintResolution.resolve(list, mergeType)
    }
}

/// The policy `error`.
public var NSErrorMergePolicy: Any { NSMergePolicy.error }
/// The policy `rollback`.
public var NSRollbackMergePolicy: Any { NSMergePolicy.rollback }
/// The policy `overwrite`.
public var NSOverwriteMergePolicy: Any { NSMergePolicy.overwrite }
/// The policy `mergeByPropertyObjectTrump`.
public var NSMergeByPropertyObjectTrumpMergePolicy: Any { NSMergePolicy.mergeByPropertyObjectTrump }
/// The policy `mergeByPropertyStoreTrump`.
public var NSMergeByPropertyStoreTrumpMergePolicy: Any { NSMergePolicy.mergeByPropertyStoreTrump }

extension CoreDataError {
    /// The error for conflicts if there is no policy to resolve them.
    static func unsettled(_ list: [NSObject]) -> NSError {
        let constraints = list.compactMap { $0 as? NSConstraintConflict }
        return constraints.isEmpty
            ? conflicts(list.compactMap { $0 as? NSMergeConflict }) : constraintConflicts(constraints)
    }

    /// The error for objects that were changed elsewhere since they were read: 133020.
    static func conflicts(_ list: [NSMergeConflict]) -> NSError {
        let texts = list.map { "\($0.sourceObject.describeForMessages): \($0.story)" }
        return make(
            NSManagedObjectMergeError,
            "Objects were changed elsewhere since they were read. " + texts.joined(separator: ". ") + ".",
            remedy: "Set the context's mergePolicy, or refresh the objects with refresh(_:mergeChanges: true) and save "
                + "again, or roll back.",
            userInfo: userInfo(list, of: list.map(\.sourceObject))
        )
    }

    /// The error for a violated uniqueness constraint: 133021.
    static func constraintConflicts(_ list: [NSConstraintConflict]) -> NSError {
        make(
            NSManagedObjectConstraintMergeError,
            "Values that must be unique are there more than once: "
                + list.map(\.description).joined(separator: "; ") + ".",
            remedy: "Change the values, or set a mergePolicy that decides between the objects.",
            userInfo: userInfo(list, of: list.flatMap(\.conflictingObjects))
        )
    }

    /// The user info: the conflicts, the objects, and the identifiers of new and of changed objects.
    private static func userInfo(_ list: [NSObject], of objects: [NSManagedObject]) -> [String: Any] {
        var info: [String: Any] = [
            NSPersistentStoreSaveConflictsErrorKey: list, NSAffectedObjectsErrorKey: objects,
        ]
        let inserted = Set(objects.filter(\.isInserted).map(\.objectID))
        let updated = Set(objects.filter { !$0.isInserted }.map(\.objectID))
        if !inserted.isEmpty { info[NSInsertedObjectsKey] = inserted }
        if !updated.isEmpty { info[NSUpdatedObjectsKey] = updated }
        return info
    }
}
