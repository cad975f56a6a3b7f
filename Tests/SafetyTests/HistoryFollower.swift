// Reads the history of a shared store on and on, as a process does that must see every save in its order.
import Foundation
import GraphSupport
import ManagedGraph
import SharedStoreSupport
import Synchronization

/// Follows the history of a store by its tokens, in a thread of its own.
final class HistoryFollower: Sendable {
    /// When it looks at the history.
    enum Occasion {
        /// Fifty times a second.
        case always
        /// When the store reports changes of other processes.
        case remoteChange
    }

    private struct State {
        var authors: [String] = []
        var isStopped = false
        var failure: String?
        /// The number of the latest transaction that a notification has reported.
        var reported: Int64 = 0
        /// A notification that reported an earlier transaction than the one before.
        var disorder: String?
    }

    private let occasion: Occasion
    private let state = Mutex(State())
    private let ended = DispatchSemaphore(value: 0)

    init(_ address: String, on occasion: Occasion = .always) throws {
        self.occasion = occasion
        let options = [NSPersistentStoreRemoteChangeNotificationPostOptionKey: occasion == .remoteChange]
        let store = try SharedStore(address, options: options)
        let context = store.coordinator.makeContext()
        Thread.detachNewThread { [self] in
            let changed = DispatchSemaphore(value: 0)
            let observer = NotificationCenter.default.addObserver(
                forName: .NSPersistentStoreRemoteChange,
                object: store.coordinator,
                queue: nil
            ) { [self] notification in
                let token = notification.userInfo?[NSPersistentHistoryTokenKey] as? NSPersistentHistoryToken
                let number = token?.numbers.values.max() ?? 0
                state.withLock {
                    if number < $0.reported { $0.disorder = "\(number) was reported after \($0.reported)" }
                    $0.reported = max($0.reported, number)
                }
                changed.signal()
            }
            var token: NSPersistentHistoryToken?
            // Only a failure of the last look counts: before, a server may be being restarted. The token stays.
            func look() {
                do {
                    let transactions = try context.performAndWait { () throws in
                        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
                        let result = try context.execute(request) as? NSPersistentHistoryResult
                        return result?.result as? [NSPersistentHistoryTransaction] ?? []
                    }
                    if let last = transactions.last { token = last.token }
                    let authors = transactions.map { $0.author ?? "" }
                    state.withLock {
                        $0.authors += authors
                        $0.failure = nil
                    }
                } catch {
                    state.withLock { $0.failure = "\(error)" }
                }
            }
            while !state.withLock(\.isStopped) {
                look()
                switch occasion {
                case .always: usleep(20_000)
                case .remoteChange:
                    while changed.wait(timeout: .now() + 0.02) == .timedOut, !state.withLock(\.isStopped) {}
                }
            }
            if occasion == .always { look() }
            NotificationCenter.default.removeObserver(observer)
            try? store.close()
            ended.signal()
        }
    }

    /// Stops, after a last look unless it waits for changes.
    ///
    /// - Parameter count: The number of transactions to wait for before, ten seconds at most.
    /// - Returns: The authors of all transactions in the order in which they were seen.
    /// - Throws: If the history could not be read, or if notifications reported its transactions in another order.
    func stop(after count: Int = 0) throws -> [String] {
        for _ in 0..<1_000 where state.withLock({ $0.authors.count < count }) { usleep(10_000) }
        state.withLock { $0.isStopped = true }
        ended.wait()
        let final = state.withLock { $0 }
        if let failure = final.failure {
            throw SharedStoreFailure(description: "the history could not be read: \(failure)")
        }
        if let disorder = final.disorder { throw SharedStoreFailure(description: disorder) }
        if occasion == .remoteChange, final.reported == 0 {
            throw SharedStoreFailure(description: "no notification had a token of the history")
        }
        return final.authors
    }
}
