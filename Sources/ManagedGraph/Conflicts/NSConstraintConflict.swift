// Objects of a save that violate a uniqueness constraint. Created by a save, resolved by a merge policy.
import Foundation

/// Objects that a uniqueness constraint does not allow together.
///
/// See [NSConstraintConflict](https://developer.apple.com/documentation/coredata/nsconstraintconflict).
open class NSConstraintConflict: NSObject {
    /// The constraint: the names of its properties.
    public final let constraint: [String]
    /// The duplicate values.
    open var constraintValues: [String: Any] {
        let values = givenSnapshots?.first as? [String: Any] ?? conflictingValues.first?.dictionary ?? [:]
        return values.filter { constraint.contains($0.key) }
    }
    /// The object whose row already has the values; nil if only objects of the save conflict.
    public final let databaseObject: NSManagedObject?
    /// The row's values.
    public final var databaseSnapshot: [String: Any]? { databaseValues?.dictionary }
    /// The objects of the save that have the values, in order of insertion or change.
    public final let conflictingObjects: [NSManagedObject]
    /// Their values.
    public final var conflictingSnapshots: [Any] { givenSnapshots ?? conflictingValues.map(\.dictionary) }
    private let databaseValues: ConflictSnapshot?
    private let conflictingValues: [ConflictSnapshot]
    /// The values of a conflict that the program created.
    private let givenSnapshots: [Any]?

    /// Makes a conflict.
    ///
    /// - Parameters:
    ///   - contraint: The names of the constraint's properties.
    ///   - databaseObject: The object whose row already has the values, or nil.
    ///   - databaseSnapshot: The row's values.
    ///   - conflictingObjects: The objects of the save that have the values.
    ///   - conflictingSnapshots: Their values.
    public init(
        constraint contraint: [String],
        database databaseObject: NSManagedObject?,
        databaseSnapshot: [String: Any]?,
        conflicting conflictingObjects: [NSManagedObject],
        conflictingSnapshots: [Any]
    ) {
        constraint = contraint
        self.databaseObject = databaseObject
        databaseValues = databaseSnapshot.map(ConflictSnapshot.init)
        self.conflictingObjects = conflictingObjects
        conflictingValues = []
        givenSnapshots = conflictingSnapshots
        super.init()
    }

    /// Creates a conflict of objects as they are now with each other and with a row.
    init(
        _ constraint: [String],
        _ objects: [NSManagedObject],
        row: (object: NSManagedObject, values: ConflictSnapshot)?
    ) {
        self.constraint = constraint
        databaseObject = row?.object
        databaseValues = row?.values
        conflictingObjects = objects
        conflictingValues = objects.map { $0.currentSnapshot() }
        givenSnapshots = nil
        super.init()
    }

    /// Makes a conflict without a constraint or objects.
    public convenience override init() {
        self.init(constraint: [], database: nil, databaseSnapshot: nil, conflicting: [], conflictingSnapshots: [])
    }

    /// The values and the objects that have them.
    open override var description: String {
        let values = constraint.map { "\($0) = \(constraintValues[$0].map { "\($0)" } ?? "nil")" }.joined(
            separator: ", "
        )
        let objects = conflictingObjects.map(\.describeForMessages).joined(separator: ", ")
        let row = databaseObject.map { " and \($0.describeForMessages) in the store" } ?? ""
        return "\(values) in \(objects)\(row)"
    }
}
