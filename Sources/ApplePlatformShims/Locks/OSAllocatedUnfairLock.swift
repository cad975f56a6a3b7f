// Apple's OSAllocatedUnfairLock for other platforms, for code that was ported. New code uses Mutex of the Synchronization
// library.
#if !canImport(os)
    import Foundation

    /// A lock that guards a state; copies are one lock.
    public struct OSAllocatedUnfairLock<State>: @unchecked Sendable {
        /// Checked by `precondition(_:)`.
        public enum Ownership: Hashable, Sendable {
            /// The calling thread holds the lock.
            case owner
            /// The calling thread does not hold the lock.
            case notOwner
        }

        /// The state, which only a thread that holds the lock touches: that makes the lock sendable.
        private final class Storage {
            let lock = OwnedLock()
            var state: State

            init(_ state: State) { self.state = state }
        }

        private let storage: Storage

        /// Makes a lock around a state that need not be sendable.
        ///
        /// - Parameter initialState: The state; nothing else may use it from now on.
        public init(uncheckedState initialState: State) { storage = Storage(initialState) }

        /// Waits for the lock and calls a closure with the state.
        ///
        /// - Parameter body: Reads and changes the state; nothing in it need be sendable.
        /// - Returns: The closure's result.
        public func withLockUnchecked<R>(_ body: (inout State) throws -> R) rethrows -> R {
            storage.lock.lock()
            defer { storage.lock.unlock() }
            return try body(&storage.state)
        }

        /// Waits for the lock and calls a closure with the state.
        ///
        /// - Parameter body: Reads and changes the state.
        /// - Returns: The closure's result.
        public func withLock<R: Sendable>(_ body: @Sendable (inout State) throws -> R) rethrows -> R {
            try withLockUnchecked(body)
        }

        /// Calls a closure with the state if no other thread holds the lock.
        ///
        /// - Parameter body: Reads and changes the state; nothing in it need be sendable.
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

        /// Stops the program unless the calling thread holds the lock, or does not, as the condition says.
        ///
        /// - Parameter condition: What must be the case.
        public func precondition(_ condition: Ownership) {
            Swift.precondition(
                storage.lock.isOwned == (condition == .owner),
                "The lock is \(condition == .owner ? "not " : "")held by this thread."
            )
        }
    }

    extension OSAllocatedUnfairLock where State: Sendable {
        /// Makes a lock around a state.
        ///
        /// - Parameter initialState: The state.
        public init(initialState: State) { self.init(uncheckedState: initialState) }
    }

    extension OSAllocatedUnfairLock where State == Void {
        /// Makes a lock without a state.
        public init() { self.init(uncheckedState: ()) }

        /// Waits for the lock and calls a closure.
        ///
        /// - Parameter body: The closure; nothing in it need be sendable.
        /// - Returns: The closure's result.
        public func withLockUnchecked<R>(_ body: () throws -> R) rethrows -> R {
            try withLockUnchecked { (_: inout State) in try body() }
        }

        /// Waits for the lock and calls a closure.
        ///
        /// - Parameter body: The closure.
        /// - Returns: The closure's result.
        public func withLock<R: Sendable>(_ body: @Sendable () throws -> R) rethrows -> R {
            try withLockUnchecked { (_: inout State) in try body() }
        }

        /// Waits for the lock and takes it; `unlock()` must follow on the same thread.
        public func lock() { storage.lock.lock() }

        /// Gives the lock back.
        public func unlock() { storage.lock.unlock() }

        /// Takes the lock if no other thread holds it.
        ///
        /// - Returns: Whether the lock was taken.
        public func lockIfAvailable() -> Bool { storage.lock.tryLock() }
    }
#endif
