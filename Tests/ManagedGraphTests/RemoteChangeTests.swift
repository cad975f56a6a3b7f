// Tests the notifications of changes by other coordinators and processes.
import ExpectationSupport
import Foundation
import Testing

@testable import ManagedGraph
@testable import StackSupport

@Suite("Remote changes")
struct RemoteChangeTests {
    private final class Mailbox: @unchecked Sendable {
        private let lock = NSLock()
        private var tokens: [Int64] = []
        private var uuids: Set<String> = []
        func add(_ notification: Notification) {
            lock.withLock {
                let token = notification.userInfo?[NSPersistentHistoryTokenKey] as? NSPersistentHistoryToken
                tokens += token.map { Array($0.numbers.values) } ?? []
                (notification.userInfo?[NSStoreUUIDKey] as? String).map { _ = uuids.insert($0) }
            }
        }
        var last: Int64? { lock.withLock { tokens.last } }
        var stores: Set<String> { lock.withLock { uuids } }
    }

    @Test("Notifies of other writers' changes and its own, with the newest history token")
    func receivesNotifications() async throws {
        let stack = try Stack()
        let store = try watchedStore(of: stack)
        let mailbox = Mailbox()
        let observer = NotificationCenter.default.addObserver(
            forName: .NSPersistentStoreRemoteChange,
            object: stack.coordinator,
            queue: nil
        ) { mailbox.add($0) }
        defer { NotificationCenter.default.removeObserver(observer) }
        // Like another process, a second coordinator shares no state with the first.
        let otherStack = try Stack(model: stack.coordinator.managedObjectModel, url: stack.url)
        try otherStack.context.saveTask("from elsewhere")
        try await wait { mailbox.last == 1 }
        expectEqual(mailbox.stores, [store.identifier])
        try stack.context.saveTask("own")
        try await wait { mailbox.last == 2 }
        try stack.coordinator.remove(store)
    }

    @Test("Notifies of the saves of other coordinators in the process without waiting for the next poll")
    func immediate() async throws {
        let stack = try Stack()
        let store = try watchedStore(of: stack)
        let (notifications, continuation) = AsyncStream<Void>.makeStream()
        let observer = NotificationCenter.default.addObserver(
            forName: .NSPersistentStoreRemoteChange,
            object: stack.coordinator,
            queue: nil
        ) { _ in continuation.yield() }
        defer { NotificationCenter.default.removeObserver(observer) }
        let otherStack = try Stack(model: stack.coordinator.managedObjectModel, url: stack.url)
        var iterator = notifications.makeAsyncIterator()
        // Each save follows a check of the file, so polling alone needs an interval for each of them.
        var waited = Duration.zero
        for number in 0..<20 {
            try otherStack.context.saveTask("\(number)")
            let start = ContinuousClock.now
            await iterator.next()
            waited += ContinuousClock.now - start
        }
        #expect(waited < .milliseconds(20 * 150), "Polling takes 200 ms for each save.")
        try stack.coordinator.remove(store)
    }

    /// The stack's store, opened again so that it posts remote changes.
    private func watchedStore(of stack: Stack) throws -> NSPersistentStore {
        try stack.coordinator.remove(try #require(stack.coordinator.persistentStores.first))
        return try stack.coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType,
            configurationName: nil,
            at: stack.url,
            options: [
                NSPersistentHistoryTrackingKey: true, NSPersistentStoreRemoteChangeNotificationPostOptionKey: true,
            ]
        )
    }

    private func wait(_ isDone: () -> Bool) async throws {
        for _ in 0..<500 where !isDone() { try await Task.sleep(for: .milliseconds(20)) }
        #expect(isDone())
    }
}
