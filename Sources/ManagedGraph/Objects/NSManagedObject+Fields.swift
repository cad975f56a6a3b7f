// The fields of an object as the other methods use them; NSManagedObject.swift stores them in fewer words.
import GraphEngine

extension NSManagedObject {
    /// The compiled entity.
    @inline(__always)
    package final var layout: ObjectLayout { table.pointee.layout }

    /// The primary key with the indexes of the entity and of the store.
    final var key: ObjectKey {
        @inline(__always)
        get { ObjectKey(entity: table.pointee.entity, store: table.pointee.store, primaryKey: primaryKey) }
        @inline(__always)
        set {
            primaryKey = newValue.primaryKey
            if newValue.store != table.pointee.store { table = layout.table(store: newValue.store) }
        }
    }

    /// The objects of the context; nil for an object that has left its context or was in none.
    final var registry: ObjectRegistry? {
        @inline(__always)
        get { home.registry }
        @inline(__always)
        set {
            if let newValue { home.enter(newValue) } else { leaveRegistry() }
        }
    }

    /// Forgets the registry, but not the store, which the identifier names.
    private final func leaveRegistry() {
        guard let registry else { return }
        home.leave(for: primaryKey > 0 ? registry.coordinator?.link(at: table.pointee.store) : nil)
    }

    /// The link of the object's store; nil if it has none yet.
    final var storeLink: StoreLink? {
        guard primaryKey > 0 else { return nil }
        return home.link ?? registry?.coordinator?.link(at: table.pointee.store)
    }

    /// The rows this object was read from, owned through `snapshot` and read without counting references.
    @inline(__always)
    final var rows: Unmanaged<RowBatch>? { content.rows }

    /// The rows this object was read from, shared with the other objects of the result.
    final var snapshot: RowBatch? {
        @inline(__always)
        get { content.rows?.takeUnretainedValue() }
        @inline(__always)
        set { content.setRows(newValue) }
    }

    /// The object's own values; nil for a clean object fresh from a fetch.
    final var edits: Edits? {
        @inline(__always)
        get { content.edits }
        set { content.setEdits(newValue) }
    }

    /// The page of a batched fetch to load when a value is read.
    final var page: FaultPage? {
        get { content.page }
        set { content.setPage(newValue) }
    }
}
