// Combine's cancellables for other platforms, as far as observers of notifications need them.
#if !canImport(Combine)
    import Foundation

    /// Something under way that can be ended.
    public protocol Cancellable {
        /// Ends it.
        func cancel()
    }

    extension Cancellable {
        /// Keeps this in a collection.
        ///
        /// - Parameter collection: The collection.
        public func store<C: RangeReplaceableCollection>(in collection: inout C) where C.Element == AnyCancellable {
            AnyCancellable(self).store(in: &collection)
        }

        /// Keeps this in a set.
        ///
        /// - Parameter set: The set.
        public func store(in set: inout Set<AnyCancellable>) { AnyCancellable(self).store(in: &set) }
    }

    /// Ends something when it is let go.
    public final class AnyCancellable: Cancellable, Hashable {
        /// Guards `action`.
        private let lock = NSLock()
        private var action: (() -> Void)?

        /// Makes one of a closure.
        ///
        /// - Parameter cancel: Called once.
        public init(_ cancel: @escaping () -> Void) { action = cancel }

        /// Makes one of another.
        ///
        /// - Parameter canceller: What is to be ended.
        public init(_ canceller: some Cancellable) { action = { canceller.cancel() } }

        deinit { cancel() }

        /// Ends it, once.
        public func cancel() {
            let last = lock.withLock {
                defer { action = nil }
                return action
            }
            last?()
        }

        /// Keeps this in a collection.
        ///
        /// - Parameter collection: The collection.
        public func store<C: RangeReplaceableCollection>(in collection: inout C) where C.Element == AnyCancellable {
            collection.append(self)
        }

        /// Keeps this in a set.
        ///
        /// - Parameter set: The set.
        public func store(in set: inout Set<AnyCancellable>) { set.insert(self) }

        /// Whether both are one object.
        public static func == (one: AnyCancellable, other: AnyCancellable) -> Bool { one === other }

        /// Hashes the object's identity.
        ///
        /// - Parameter hasher: The hasher.
        public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }
#endif
