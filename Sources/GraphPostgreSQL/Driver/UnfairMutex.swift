// A lock for state that many threads take for very short times. Synchronization's Mutex hands itself over to the thread that
// waits longest: once threads wait, each of them costs a switch. With this lock the running thread continues.
import Foundation

/// A value behind a lock that is not handed over in the order of waiting.
final class UnfairMutex<Value>: @unchecked Sendable {
    // Unchecked: the lock guards the value.
    private let lock = NSLock()
    private var value: Value

    init(_ value: sending Value) { self.value = value }

    /// Runs `body` while no other thread has the value.
    func withLock<R>(_ body: (inout Value) throws -> R) rethrows -> R {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
