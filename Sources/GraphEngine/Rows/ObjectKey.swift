// Which row an object stands for. Made where keys are given and rows are read.

/// Where an object's row is: enough to find it in a context or a store.
package struct ObjectKey: Hashable, Sendable {
    /// Index of the entity in its model.
    package var entity: Int32
    /// Index of the store in its coordinator; -1 for an object that was never saved.
    package var store: Int32
    /// The primary key; negative for an object that was never saved.
    package var primaryKey: Int64

    package init(entity: Int32, store: Int32, primaryKey: Int64) {
        self.entity = entity
        self.store = store
        self.primaryKey = primaryKey
    }

    package init(_ entity: Int, store: Int32, _ primaryKey: Int64) {
        self.init(entity: Int32(truncatingIfNeeded: entity), store: store, primaryKey: primaryKey)
    }

    package var isTemporary: Bool { primaryKey < 0 }
}
