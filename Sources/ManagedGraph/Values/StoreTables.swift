// The tables of a layout by store. Owned by the layout; read whenever an object receives its key.
import GraphEngine
import Synchronization

/// The tables of one layout for the stores that have objects of it.
///
/// They grow with the largest index of a store and are never freed.
final class StoreTables: @unchecked Sendable {
    /// A table is put in once; other threads may be looking for it.
    private typealias Entry = Atomic<UnsafePointer<LayoutTable>?>

    /// The number of tables there is room for, and the tables.
    private struct Content {
        let capacity: Int32
        let entries: UnsafeMutablePointer<Entry>
    }

    private let published = Atomic<UnsafeMutablePointer<Content>?>(nil)
    private let lock = Mutex<Void>(())

    /// The table for a store; `base` is the one for objects without a store.
    @inline(__always)
    func table(_ store: Int32, _ base: UnsafePointer<LayoutTable>) -> UnsafePointer<LayoutTable> {
        guard store >= 0 else { return base }
        if let content = published.load(ordering: .acquiring), store < content.pointee.capacity,
            let table = content.pointee.entries[Int(store)].load(ordering: .acquiring)
        {
            return table
        }
        return make(store, base)
    }

    @inline(never)
    private func make(_ store: Int32, _ base: UnsafePointer<LayoutTable>) -> UnsafePointer<LayoutTable> {
        lock.withLock { _ in
            let entry = content(for: store).entries + Int(store)
            if let table = entry.pointee.load(ordering: .acquiring) { return UnsafeTransfer(table) }
            let table = base.pointee.copy(store: store)
            entry.pointee.store(table, ordering: .releasing)
            return UnsafeTransfer(table)
        }.value
    }

    /// Makes room for a store; must be called with the lock held.
    ///
    /// A larger copy is published: other threads may be reading the former one, which therefore stays in memory.
    private func content(for store: Int32) -> Content {
        let former = published.load(ordering: .acquiring)?.pointee
        if let former, store < former.capacity { return former }
        let formerCapacity = former?.capacity ?? 0
        let capacity = max(store + 1, formerCapacity * 2)
        let entries = UnsafeMutablePointer<Entry>.allocate(capacity: Int(capacity))
        for index in 0..<Int(capacity) {
            let existing = index < formerCapacity ? former?.entries[index].load(ordering: .relaxed) : nil
            (entries + index).initialize(to: Entry(existing))
        }
        let content = UnsafeMutablePointer<Content>.allocate(capacity: 1)
        content.initialize(to: Content(capacity: capacity, entries: entries))
        published.store(content, ordering: .releasing)
        return content.pointee
    }
}
