// A store's knowledge about constants: the rows of objects and the numbers of entities.

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
