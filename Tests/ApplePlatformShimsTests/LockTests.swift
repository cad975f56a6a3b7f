// Tests Apple's locks with several threads.
import ApplePlatformShims
import ExpectationSupport
import Foundation
import Testing

@Suite("Apple's locks for other platforms")
struct LockTests {
    /// An address that threads share.
    private struct Shared: @unchecked Sendable {
        let lock: os_unfair_lock_t
        let count: UnsafeMutablePointer<Int>
    }

    @Test("A state is changed by one thread at a time")
    func state() {
        let lock = OSAllocatedUnfairLock(initialState: 0)
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<1_000 { lock.withLock { $0 += 1 } }
        }
        expectEqual(lock.withLock { $0 }, 8_000)
        let copy = lock
        copy.withLockUnchecked { $0 = 3 }
        expectEqual(lock.withLockIfAvailable { $0 }, 3)
    }

    @Test("A held lock is not available to another thread, and records its owner")
    func availability() async {
        let lock = OSAllocatedUnfairLock()
        lock.lock()
        lock.precondition(.owner)
        let isTaken = await withCheckedContinuation { continuation in
            Thread { continuation.resume(returning: lock.lockIfAvailable()) }.start()
        }
        #expect(!isTaken)
    }

    @Test("os_unfair_lock excludes other threads")
    func unfairLock() {
        let shared = Shared(lock: .allocate(capacity: 1), count: .allocate(capacity: 1))
        shared.lock.initialize(to: os_unfair_lock())
        shared.count.initialize(to: 0)
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<1_000 {
                os_unfair_lock_lock(shared.lock)
                shared.count.pointee += 1
                os_unfair_lock_unlock(shared.lock)
            }
        }
        expectEqual(shared.count.pointee, 8_000)
        #expect(os_unfair_lock_trylock(shared.lock))
        os_unfair_lock_assert_owner(shared.lock)
        os_unfair_lock_unlock(shared.lock)
        os_unfair_lock_assert_not_owner(shared.lock)
        shared.lock.deinitialize(count: 1)
        shared.lock.deallocate()
        shared.count.deallocate()
    }

    @Test("Locking twice traps with a message instead of hanging")
    func twice() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let lock = OSAllocatedUnfairLock()
            lock.lock()
            lock.lock()
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("The lock is held by this thread already."))
    }
}
