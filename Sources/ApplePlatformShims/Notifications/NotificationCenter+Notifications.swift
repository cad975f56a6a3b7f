// `NotificationCenter.notifications(named:object:)` for other platforms: notifications as an asynchronous sequence.
#if !canImport(ObjectiveC)
    import Foundation

    extension NotificationCenter {
        /// Returns the notifications of a name as an asynchronous sequence.
        ///
        /// - Parameters:
        ///   - name: The name.
        ///   - object: The sender, or nil for all senders. The sequence does not keep it alive.
        /// - Returns: A sequence that ends when its task is cancelled.
        public func notifications(named name: Notification.Name, object: AnyObject? = nil) -> Notifications {
            Notifications(center: self, name: name, object: object)
        }

        /// Notifications as an asynchronous sequence.
        public final class Notifications: AsyncSequence, @unchecked Sendable {
            /// A notification.
            public typealias Element = Notification
            /// Observing notifications never fails.
            public typealias Failure = Never

            private let center: NotificationCenter
            private let name: Notification.Name
            private weak var object: AnyObject?
            private let isOfOneObject: Bool

            init(center: NotificationCenter, name: Notification.Name, object: AnyObject?) {
                self.center = center
                self.name = name
                self.object = object
                isOfOneObject = object != nil
            }

            /// Begins to observe.
            ///
            /// - Returns: An iterator over the notifications that are posted from now on. They are kept until they are
            /// read.
            public func makeAsyncIterator() -> Iterator {
                let (stream, continuation) = AsyncStream.makeStream(of: Box.self)
                guard let object else {
                    if isOfOneObject { continuation.finish() } else { observe(nil, continuation) }
                    return Iterator(stream.makeAsyncIterator())
                }
                observe(object, continuation)
                return Iterator(stream.makeAsyncIterator())
            }

            private func observe(_ object: AnyObject?, _ continuation: AsyncStream<Box>.Continuation) {
                let token = Token(
                    center: center,
                    observer: center.addObserver(forName: name, object: object, queue: nil) {
                        continuation.yield(Box(notification: $0))
                    }
                )
                continuation.onTermination = { _ in token.remove() }
            }

            /// Reads the notifications in the order in which they were posted.
            public struct Iterator: AsyncIteratorProtocol {
                /// A notification.
                public typealias Element = Notification
                /// Observing notifications never fails.
                public typealias Failure = Never

                private var stream: AsyncStream<Box>.Iterator

                init(_ stream: AsyncStream<Box>.Iterator) { self.stream = stream }

                /// Waits for the next notification.
                ///
                /// - Returns: The notification, or nil if the task was cancelled.
                public mutating func next() async -> Notification? { await stream.next()?.notification }

                /// Waits for the next notification, on an actor.
                ///
                /// - Parameter actor: The actor of the caller.
                /// - Returns: The notification, or nil if the task was cancelled.
                public mutating func next(isolation actor: isolated (any Actor)?) async -> Notification? {
                    await stream.next(isolation: actor)?.notification
                }
            }
        }

        /// Passes a notification on to the task that reads it.
        struct Box: @unchecked Sendable {
            let notification: Notification
        }

        /// The registration of an observer, which any thread may remove.
        private struct Token: @unchecked Sendable {
            let center: NotificationCenter
            let observer: any NSObjectProtocol

            func remove() { center.removeObserver(observer) }
        }
    }
#endif
