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

/// The store's knowledge about constants.
package struct ConstantResolvers {
    /// The row of an object or object ID of this store; nil when the value is neither.
    package var object: (Any) -> ObjectReference?
    /// The name of an entity description; nil when the value is none.
    package var entityName: (Any) -> String?

    package init(
        object: @escaping (Any) -> ObjectReference? = { _ in nil },
        entityName: @escaping (Any) -> String? = { _ in nil }
    ) {
        self.object = object
        self.entityName = entityName
    }
}
