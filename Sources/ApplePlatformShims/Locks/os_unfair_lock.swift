// Apple's os_unfair_lock and its functions for other platforms, for ported code.
#if !canImport(os)
    import Foundation

    /// A lock passed by its address.
    public struct os_unfair_lock_s: Sendable {
        /// Apple's structure must not be copied while in use; a copy of this one is the same lock.
        fileprivate let owned = OwnedLock()

        /// Creates an unlocked lock.
        public init() {}
    }

    /// A lock passed by its address.
    public typealias os_unfair_lock = os_unfair_lock_s

    /// The address of a lock.
    public typealias os_unfair_lock_t = UnsafeMutablePointer<os_unfair_lock_s>

    /// Acquires a lock.
    ///
    /// - Parameter lock: The lock's address.
    public func os_unfair_lock_lock(_ lock: os_unfair_lock_t) { lock.pointee.owned.lock() }

    /// Acquires a lock if no other thread holds it.
    ///
    /// - Parameter lock: The lock's address.
    /// - Returns: Whether the lock was acquired.
    public func os_unfair_lock_trylock(_ lock: os_unfair_lock_t) -> Bool { lock.pointee.owned.tryLock() }

    /// Releases a lock.
    ///
    /// - Parameter lock: The lock's address.
    public func os_unfair_lock_unlock(_ lock: os_unfair_lock_t) { lock.pointee.owned.unlock() }

    /// Traps unless the calling thread holds a lock.
    ///
    /// - Parameter lock: The lock's address.
    public func os_unfair_lock_assert_owner(_ lock: os_unfair_lock_t) {
        precondition(lock.pointee.owned.isOwned, "This thread does not hold the lock.")
    }

    /// Traps if the calling thread holds a lock.
    ///
    /// - Parameter lock: The lock's address.
    public func os_unfair_lock_assert_not_owner(_ lock: os_unfair_lock_t) {
        precondition(!lock.pointee.owned.isOwned, "The lock is held by this thread.")
    }
#endif
