// The row of an object. Created when keys are assigned and rows are read.

/// Identifies an object's row in a context or a store.
///
/// Public, because the compiler does not inline `package` members in other modules.
public struct ObjectKey: Hashable, Sendable {
    /// Index of the entity in its model.
    public var entity: Int32
    /// Index of the store in its coordinator; -1 for an object that was never saved.
    public var store: Int32
    /// The primary key; negative for an object that was never saved.
    public var primaryKey: Int64

    /// Creates a key from its parts.
    @inlinable
    public init(entity: Int32, store: Int32, primaryKey: Int64) {
        self.entity = entity
        self.store = store
        self.primaryKey = primaryKey
    }

    /// Creates a key from an entity's index in its model.
    @inlinable
    public init(_ entity: Int, store: Int32, _ primaryKey: Int64) {
        self.init(entity: Int32(truncatingIfNeeded: entity), store: store, primaryKey: primaryKey)
    }

    /// Whether the object was never saved.
    @inlinable public var isTemporary: Bool { primaryKey < 0 }

    /// Whether two keys have the same parts.
    @inlinable
    public static func == (lhs: ObjectKey, rhs: ObjectKey) -> Bool {
        lhs.primaryKey == rhs.primaryKey && lhs.entity == rhs.entity && lhs.store == rhs.store
    }

    /// Adds the parts to a hash.
    @inlinable
    public func hash(into hasher: inout Hasher) {
        hasher.combine(entity)
        hasher.combine(store)
        hasher.combine(primaryKey)
    }
}
