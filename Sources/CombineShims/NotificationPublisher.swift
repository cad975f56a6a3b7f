// `NotificationCenter.publisher(for:)` for other platforms, with the operators that observers of notifications use. Code that
// uses more of Combine takes OpenCombine.
#if !canImport(Combine)
    import Foundation

    /// Values made of notifications.
    public struct NotificationPublisher<Output> {
        /// Observing notifications does not fail.
        public typealias Failure = Never

        /// Begins to pass values on, and returns what ends that.
        private let subscribe: (@escaping (Output) -> Void) -> AnyCancellable

        init(_ subscribe: @escaping (@escaping (Output) -> Void) -> AnyCancellable) { self.subscribe = subscribe }

        /// Calls a closure with each value until what is returned is let go.
        ///
        /// - Parameter receiveValue: The closure; called on the thread that posts, or where `receive(on:)` says.
        /// - Returns: What ends it.
        public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable { subscribe(receiveValue) }

        /// Assigns each value to a property until what is returned is let go.
        ///
        /// - Parameters:
        ///   - keyPath: The property.
        ///   - object: The object that has it.
        /// - Returns: What ends it.
        public func assign<Root>(to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root) -> AnyCancellable
        {
            sink { object[keyPath: keyPath] = $0 }
        }

        /// Passes on what a closure makes of each value.
        ///
        /// - Parameter transform: The closure.
        /// - Returns: The publisher of its results.
        public func map<T>(_ transform: @escaping (Output) -> T) -> NotificationPublisher<T> {
            NotificationPublisher<T> { next in subscribe { next(transform($0)) } }
        }

        /// Passes on a property of each value.
        ///
        /// - Parameter keyPath: The property.
        /// - Returns: The publisher of its values.
        public func map<T>(_ keyPath: KeyPath<Output, T>) -> NotificationPublisher<T> { map { $0[keyPath: keyPath] } }

        /// Passes on what a closure makes of each value, unless that is nil.
        ///
        /// - Parameter transform: The closure.
        /// - Returns: The publisher of its results.
        public func compactMap<T>(_ transform: @escaping (Output) -> T?) -> NotificationPublisher<T> {
            NotificationPublisher<T> { next in subscribe { transform($0).map(next) } }
        }

        /// Passes on the values that a closure accepts.
        ///
        /// - Parameter isIncluded: The closure.
        /// - Returns: The publisher of these values.
        public func filter(_ isIncluded: @escaping (Output) -> Bool) -> NotificationPublisher {
            NotificationPublisher { next in subscribe { if isIncluded($0) { next($0) } } }
        }

        /// Passes values on from a queue.
        ///
        /// - Parameter queue: The queue.
        /// - Returns: The publisher of the same values.
        public func receive(on queue: DispatchQueue) -> NotificationPublisher { later { queue.async(execute: $0) } }

        /// Passes values on from a queue.
        ///
        /// - Parameter queue: The queue.
        /// - Returns: The publisher of the same values.
        public func receive(on queue: OperationQueue) -> NotificationPublisher { later { queue.addOperation($0) } }

        /// Passes values on from a run loop.
        ///
        /// - Parameter loop: The run loop.
        /// - Returns: The publisher of the same values.
        public func receive(on loop: RunLoop) -> NotificationPublisher { later { loop.perform($0) } }

        private func later(_ schedule: @escaping (@escaping @Sendable () -> Void) -> Void) -> NotificationPublisher {
            NotificationPublisher { next in
                let delivery = Delivery(next)
                let upstream = subscribe { value in
                    let passed = Passed(value: value)
                    schedule { delivery.call(passed.value) }
                }
                return AnyCancellable {
                    upstream.cancel()
                    delivery.end()
                }
            }
        }
    }

    /// A value on its way to another queue: as in Combine, the program sees to it that one queue uses it at a time.
    private struct Passed<Value>: @unchecked Sendable {
        let value: Value
    }

    /// A closure that is called until it is ended, by any thread.
    private final class Delivery<Value>: @unchecked Sendable {
        /// Guards `next`.
        private let lock = NSLock()
        private var next: ((Value) -> Void)?

        init(_ next: @escaping (Value) -> Void) { self.next = next }

        func call(_ value: Value) { lock.withLock { next }?(value) }

        func end() { lock.withLock { next = nil } }
    }

    extension NotificationCenter {
        /// Notifications as they are posted.
        public typealias Publisher = NotificationPublisher<Notification>

        /// The notifications of a name.
        ///
        /// - Parameters:
        ///   - name: The name.
        ///   - object: The object that posts them, or nil for any.
        /// - Returns: A publisher, which observes once `sink(receiveValue:)` is called.
        public func publisher(for name: Notification.Name, object: AnyObject? = nil) -> Publisher {
            NotificationPublisher { next in
                let delivery = Delivery(next)
                let token = Passed(
                    value: self.addObserver(forName: name, object: object, queue: nil) { delivery.call($0) }
                )
                return AnyCancellable {
                    delivery.end()
                    self.removeObserver(token.value)
                }
            }
        }
    }
#endif
