// SQLite's allocator with failing calls. Installed before SQLite is initialized, so only in a process of its own.
import CSQLite
import Synchronization

/// SQLite's standard allocator, of which some calls return no memory.
enum FailingAllocator {
    /// The original methods; set once, before SQLite uses them.
    nonisolated(unsafe) private static var original = sqlite3_mem_methods()
    /// The number of calls since the fault was set.
    private static let calls = Atomic<Int>(0)
    /// The number of the first failing call; `Int.max` for none.
    private static let first = Atomic<Int>(.max)
    /// The number of the last failing call.
    private static let last = Atomic<Int>(0)
    private static let failures = Atomic<Int>(0)

    /// Installs the allocator.
    ///
    /// - Returns: False if SQLite was initialized before.
    static func install() -> Bool {
        guard graph_sqlite3_allocator(&original) == SQLITE_OK else { return false }
        var methods = original
        methods.xMalloc = { FailingAllocator.fails() ? nil : FailingAllocator.original.xMalloc($0) }
        methods.xRealloc = { FailingAllocator.fails() ? nil : FailingAllocator.original.xRealloc($0, $1) }
        return graph_sqlite3_use_allocator(&methods) == SQLITE_OK
    }

    /// Lets a call fail, counted from 1, and all later ones if `isForEver`.
    static func fail(at call: Int, isForEver: Bool) {
        calls.store(0, ordering: .sequentiallyConsistent)
        failures.store(0, ordering: .sequentiallyConsistent)
        last.store(isForEver ? .max : call, ordering: .sequentiallyConsistent)
        first.store(call, ordering: .sequentiallyConsistent)
    }

    /// Lets all calls work again.
    ///
    /// - Returns: The number of calls that failed.
    @discardableResult static func restore() -> Int {
        first.store(.max, ordering: .sequentiallyConsistent)
        return failures.load(ordering: .sequentiallyConsistent)
    }

    private static func fails() -> Bool {
        let call = calls.add(1, ordering: .relaxed).newValue
        guard call >= first.load(ordering: .relaxed), call <= last.load(ordering: .relaxed) else { return false }
        failures.add(1, ordering: .relaxed)
        return true
    }
}
