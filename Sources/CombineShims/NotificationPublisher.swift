// `NotificationCenter.publisher(for:)` for other platforms, with the operators that notification observers use. Code
// that uses more of Combine needs OpenCombine.
#if !canImport(Combine)
    import Foundation

    /// A publisher of values derived from notifications.
    public struct NotificationPublisher<Output> {
        /// Observing notifications never fails.
        public typealias Failure = Never

        /// Starts delivering values, and returns a cancellable that stops it.
        private let subscribe: (@escaping (Output) -> Void) -> AnyCancellable

        init(_ subscribe: @escaping (@escaping (Output) -> Void) -> AnyCancellable) { self.subscribe = subscribe }

        /// Calls a closure with each value until the returned cancellable is deallocated.
        ///
        /// - Parameter receiveValue: The closure; called on the posting thread, or as chosen with `receive(on:)`.
        /// - Returns: A cancellable that ends the subscription.
        public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable { subscribe(receiveValue) }

        /// Assigns each value to a property until the returned cancellable is deallocated.
        ///
        /// - Parameters:
        ///   - keyPath: The property.
        ///   - object: The object with the property.
        /// - Returns: A cancellable that ends the subscription.
        public func assign<Root>(to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root) -> AnyCancellable
        {
            sink { object[keyPath: keyPath] = $0 }
        }

        /// Transforms each value with a closure.
        ///
        /// - Parameter transform: The closure.
        /// - Returns: A publisher of its results.
        public func map<T>(_ transform: @escaping (Output) -> T) -> NotificationPublisher<T> {
            NotificationPublisher<T> { next in subscribe { next(transform($0)) } }
        }

        /// Maps each value to one of its properties.
        ///
        /// - Parameter keyPath: The property.
        /// - Returns: A publisher of the property's values.
        public func map<T>(_ keyPath: KeyPath<Output, T>) -> NotificationPublisher<T> { map { $0[keyPath: keyPath] } }

        /// Transforms each value with a closure and drops nil results.
        ///
        /// - Parameter transform: The closure.
        /// - Returns: A publisher of the other results.
        public func compactMap<T>(_ transform: @escaping (Output) -> T?) -> NotificationPublisher<T> {
            NotificationPublisher<T> { next in subscribe { transform($0).map(next) } }
        }

        /// Publishes only the values that a closure accepts.
        ///
        /// - Parameter isIncluded: The closure.
        /// - Returns: A publisher of these values.
        public func filter(_ isIncluded: @escaping (Output) -> Bool) -> NotificationPublisher {
            NotificationPublisher { next in subscribe { if isIncluded($0) { next($0) } } }
        }

        /// Delivers values on a queue.
        ///
        /// - Parameter queue: The queue.
        /// - Returns: A publisher of the same values.
        public func receive(on queue: DispatchQueue) -> NotificationPublisher { later { queue.async(execute: $0) } }

        /// Delivers values on a queue.
        ///
        /// - Parameter queue: The queue.
        /// - Returns: A publisher of the same values.
        public func receive(on queue: OperationQueue) -> NotificationPublisher { later { queue.addOperation($0) } }

        /// Delivers values on a run loop.
        ///
        /// - Parameter loop: The run loop.
        /// - Returns: A publisher of the same values.
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

    /// A value in transit to another queue.
    ///
    /// As in Combine, the program must ensure that only one queue uses it at a time.
    private struct Passed<Value>: @unchecked Sendable {
        let value: Value
    }

    /// A closure that any thread may call until delivery ends.
    private final class Delivery<Value>: @unchecked Sendable {
        /// Guards `next`.
        private let lock = NSLock()
        private var next: ((Value) -> Void)?

        init(_ next: @escaping (Value) -> Void) { self.next = next }

        func call(_ value: Value) { lock.withLock { next }?(value) }

        func end() { lock.withLock { next = nil } }
    }

    extension NotificationCenter {
        /// A publisher of notifications.
        public typealias Publisher = NotificationPublisher<Notification>

        /// Publishes the notifications with a name.
        ///
        /// - Parameters:
        ///   - name: The name.
        ///   - object: The object that posts them, or nil for any object.
        /// - Returns: A publisher that starts observing when `sink(receiveValue:)` is called.
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
