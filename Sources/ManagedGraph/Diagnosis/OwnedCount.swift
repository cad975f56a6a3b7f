import Synchronization

/// A count that one queue at a time increments and any thread may read, at the cost of a plain integer.
struct OwnedCount: ~Copyable, Sendable {
    private let value = Atomic<Int>(0)

    @inline(__always)
    func add(_ number: Int) {
        value.store(value.load(ordering: .relaxed) &+ number, ordering: .relaxed)
    }

    var current: Int { value.load(ordering: .relaxed) }
}
