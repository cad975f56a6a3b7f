// The tables of a layout by store. Owned by the layout; read whenever an object receives its key.
import GraphEngine
import Synchronization

/// The tables of one layout for the stores that have objects of it.
///
/// They grow with the largest index of a store and are never freed.
final class StoreTables: @unchecked Sendable {
    private typealias Entry = UnsafePointer<LayoutTable>?

    /// The number of tables there is room for, and their addresses behind it.
    private struct Content {
        var capacity: Int32
        var entries: UnsafeMutablePointer<Entry>
    }

    private let published = Atomic<UnsafeMutablePointer<Content>?>(nil)
    private let lock = Mutex<Void>(())

    /// The table for a store; `base` is the one for objects without a store.
    @inline(__always)
    func table(_ store: Int32, _ base: UnsafePointer<LayoutTable>) -> UnsafePointer<LayoutTable> {
        guard store >= 0 else { return base }
        if let content = published.load(ordering: .acquiring), store < content.pointee.capacity,
            let table = content.pointee.entries[Int(store)]
        {
            return table
        }
        return make(store, base)
    }

    /// Publishes a larger copy: other threads may be reading the former one, which therefore stays in memory.
    @inline(never)
    private func make(_ store: Int32, _ base: UnsafePointer<LayoutTable>) -> UnsafePointer<LayoutTable> {
        lock.withLock { _ in
            let former = published.load(ordering: .acquiring)
            if let former, store < former.pointee.capacity, let table = former.pointee.entries[Int(store)] {
                return UnsafeTransfer(table)
            }
            let formerCapacity = former?.pointee.capacity ?? 0
            let capacity = store < formerCapacity ? formerCapacity : max(store + 1, formerCapacity * 2)
            let entries = UnsafeMutablePointer<Entry>.allocate(capacity: Int(capacity))
            entries.initialize(repeating: nil, count: Int(capacity))
            for index in 0..<Int(formerCapacity) { entries[index] = former?.pointee.entries[index] }
            let table = base.pointee.copy(store: store)
            entries[Int(store)] = table
            let content = UnsafeMutablePointer<Content>.allocate(capacity: 1)
            content.initialize(to: Content(capacity: capacity, entries: entries))
            published.store(content, ordering: .releasing)
            return UnsafeTransfer(table)
        }.value
    }
}
