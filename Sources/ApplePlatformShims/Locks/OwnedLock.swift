// The lock that implements Apple's two. Used by OSAllocatedUnfairLock and os_unfair_lock.
#if !canImport(os)
    import Foundation
    import Synchronization

    /// A lock that records its owning thread.
    final class OwnedLock: Sendable {
        private let mutex = NSLock()
        /// The thread that holds the lock, or 0.
        ///
        /// Another thread that reads it concurrently sees a value other than its own.
        private let owner = Atomic<UInt>(0)

        private static var currentThread: UInt { UInt(bitPattern: ObjectIdentifier(Thread.current)) }

        var isOwned: Bool { owner.load(ordering: .relaxed) == Self.currentThread }

        func lock() {
            // Locking again would deadlock. Apple's locks trap too.
            if isOwned { fatalError("The lock is held by this thread already. Unlock it before locking it again.") }
            mutex.lock()
            owner.store(Self.currentThread, ordering: .relaxed)
        }

        func tryLock() -> Bool {
            guard mutex.try() else { return false }
            owner.store(Self.currentThread, ordering: .relaxed)
            return true
        }

        func unlock() {
            guard isOwned else { fatalError("This thread does not hold the lock. Unlock it on the one that does.") }
            owner.store(0, ordering: .relaxed)
            mutex.unlock()
        }
    }
#endif
