import Synchronization

/// A number that each call increments, on any thread.
final class Counter: Sendable {
    private let value = Atomic<Int64>(0)

    /// The next number, from 1 upwards.
    func next() -> Int64 { value.add(1, ordering: .relaxed).newValue }
}
