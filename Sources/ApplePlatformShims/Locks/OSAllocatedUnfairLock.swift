// Apple's OSAllocatedUnfairLock for other platforms, for ported code. New code uses Mutex of the Synchronization
// library.
#if !canImport(os)
    import Foundation

    /// A lock that guards a state; copies share the lock.
    public struct OSAllocatedUnfairLock<State>: @unchecked Sendable {
        /// Checked by `precondition(_:)`.
        public enum Ownership: Hashable, Sendable {
            /// The calling thread holds the lock.
            case owner
            /// The calling thread does not hold the lock.
            case notOwner
        }

        /// The state; only the thread that holds the lock accesses it, which makes the lock sendable.
        private final class Storage {
            let lock = OwnedLock()
            var state: State

            init(_ state: State) { self.state = state }
        }

        private let storage: Storage

        /// Creates a lock around a state that need not be sendable.
        ///
        /// - Parameter initialState: The state; nothing else may use it afterwards.
        public init(uncheckedState initialState: State) { storage = Storage(initialState) }

        /// Acquires the lock and calls a closure with the state.
        ///
        /// - Parameter body: Reads and changes the state; its captures need not be sendable.
        /// - Returns: The closure's result.
        public func withLockUnchecked<R>(_ body: (inout State) throws -> R) rethrows -> R {
            storage.lock.lock()
            defer { storage.lock.unlock() }
            return try body(&storage.state)
        }

        /// Acquires the lock and calls a closure with the state.
        ///
        /// - Parameter body: Reads and changes the state.
        /// - Returns: The closure's result.
        public func withLock<R: Sendable>(_ body: @Sendable (inout State) throws -> R) rethrows -> R {
            try withLockUnchecked(body)
        }

        /// Calls a closure with the state if no other thread holds the lock.
        ///
        /// - Parameter body: Reads and changes the state; its captures need not be sendable.
        /// - Returns: The closure's result, or nil if the lock was held.
        public func withLockIfAvailableUnchecked<R>(_ body: (inout State) throws -> R) rethrows -> R? {
            guard storage.lock.tryLock() else { return nil }
            defer { storage.lock.unlock() }
            return try body(&storage.state)
        }

        /// Calls a closure with the state if no other thread holds the lock.
        ///
        /// - Parameter body: Reads and changes the state.
        /// - Returns: The closure's result, or nil if the lock was held.
        public func withLockIfAvailable<R: Sendable>(_ body: @Sendable (inout State) throws -> R) rethrows -> R? {
            try withLockIfAvailableUnchecked(body)
        }

        /// Traps unless the calling thread's ownership of the lock matches the condition.
        ///
        /// - Parameter condition: The required ownership.
        public func precondition(_ condition: Ownership) {
            Swift.precondition(
                storage.lock.isOwned == (condition == .owner),
                "The lock is \(condition == .owner ? "not " : "")held by this thread."
            )
        }
    }

    extension OSAllocatedUnfairLock where State: Sendable {
        /// Creates a lock around a state.
        ///
        /// - Parameter initialState: The state.
        public init(initialState: State) { self.init(uncheckedState: initialState) }
    }

    extension OSAllocatedUnfairLock where State == Void {
        /// Creates a lock without a state.
        public init() { self.init(uncheckedState: ()) }

        /// Acquires the lock and calls a closure.
        ///
        /// - Parameter body: The closure; its captures need not be sendable.
        /// - Returns: The closure's result.
        public func withLockUnchecked<R>(_ body: () throws -> R) rethrows -> R {
            try withLockUnchecked { (_: inout State) in try body() }
        }

        /// Acquires the lock and calls a closure.
        ///
        /// - Parameter body: The closure.
        /// - Returns: The closure's result.
        public func withLock<R: Sendable>(_ body: @Sendable () throws -> R) rethrows -> R {
            try withLockUnchecked { (_: inout State) in try body() }
        }

        /// Acquires the lock; call `unlock()` on the same thread.
        public func lock() { storage.lock.lock() }

        /// Releases the lock.
        public func unlock() { storage.lock.unlock() }

        /// Acquires the lock if no other thread holds it.
        ///
        /// - Returns: Whether the lock was acquired.
        public func lockIfAvailable() -> Bool { storage.lock.tryLock() }
    }
#endif
