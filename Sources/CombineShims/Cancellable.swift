// Combine's cancellables for other platforms, as far as notification observers need them.
#if !canImport(Combine)
    import Foundation

    /// An activity that can be canceled.
    public protocol Cancellable {
        /// Cancels the activity.
        func cancel()
    }

    extension Cancellable {
        /// Stores this in a collection.
        ///
        /// - Parameter collection: The collection.
        public func store<C: RangeReplaceableCollection>(in collection: inout C) where C.Element == AnyCancellable {
            AnyCancellable(self).store(in: &collection)
        }

        /// Stores this in a set.
        ///
        /// - Parameter set: The set.
        public func store(in set: inout Set<AnyCancellable>) { AnyCancellable(self).store(in: &set) }
    }

    /// Cancels an activity when deallocated.
    public final class AnyCancellable: Cancellable, Hashable {
        /// Guards `action`.
        private let lock = NSLock()
        private var action: (() -> Void)?

        /// Creates a cancellable from a closure.
        ///
        /// - Parameter cancel: Called once.
        public init(_ cancel: @escaping () -> Void) { action = cancel }

        /// Creates a type-erased cancellable.
        ///
        /// - Parameter canceller: The activity to cancel.
        public init(_ canceller: some Cancellable) { action = { canceller.cancel() } }

        deinit { cancel() }

        /// Cancels the activity, at most once.
        public func cancel() {
            let last = lock.withLock {
                defer { action = nil }
                return action
            }
            last?()
        }

        /// Stores this in a collection.
        ///
        /// - Parameter collection: The collection.
        public func store<C: RangeReplaceableCollection>(in collection: inout C) where C.Element == AnyCancellable {
            collection.append(self)
        }

        /// Stores this in a set.
        ///
        /// - Parameter set: The set.
        public func store(in set: inout Set<AnyCancellable>) { set.insert(self) }

        /// Whether both are the same object.
        public static func == (one: AnyCancellable, other: AnyCancellable) -> Bool { one === other }

        /// Hashes the object's identity.
        ///
        /// - Parameter hasher: The hasher.
        public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }
#endif
