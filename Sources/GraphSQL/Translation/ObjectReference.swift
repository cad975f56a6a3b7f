// How constants that are objects, object IDs or entities are understood here, if those classes are unknown.

/// The row that an object or object ID stands for.
package struct ObjectReference: Hashable, Sendable {
    package var entityNumber: Int64
    package var primaryKey: Int64
    /// A temporary object has no row: it equals none.
    package var isTemporary: Bool

    package init(entityNumber: Int64, primaryKey: Int64, isTemporary: Bool = false) {
        self.entityNumber = entityNumber
        self.primaryKey = primaryKey
        self.isTemporary = isTemporary
    }
}
