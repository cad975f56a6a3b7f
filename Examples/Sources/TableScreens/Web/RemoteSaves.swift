// Merges the saves of other processes into an application's context: several servers may have one database. Owned by
// ApplicationStore; the store posts a notification, and the history lists the changes.
import CoreData
import Foundation
import Logging

/// Follows the history of a store.
final class RemoteSaves: @unchecked Sendable {
    // Unchecked: the token is used only on the context's queue, the observer only by `init` and `stop`.

    /// The author of this process's own saves, which its contexts have merged already.
    static let author = "server \(ProcessInfo.processInfo.processIdentifier)-\(UUID().uuidString.prefix(8))"

    private let context: NSManagedObjectContext
    private let logger: Logger
    private let merged: () -> Void
    private let missed: () -> Void
    private var token: NSPersistentHistoryToken?
    private var observer: (any NSObjectProtocol)?

    /// Starts with the saves that follow those of this moment.
    ///
    /// - Parameters:
    ///   - coordinator: The coordinator with the store.
    ///   - context: The context that merges.
    ///   - logger: Receives errors.
    ///   - merged: Called on the context's queue after changes were merged.
    ///   - missed: Called on the context's queue if the history no longer has the changes; all objects read their values
    ///     again.
    init(
        _ coordinator: NSPersistentStoreCoordinator,
        into context: NSManagedObjectContext,
        _ logger: Logger,
        merged: @escaping () -> Void,
        missed: @escaping () -> Void
    ) {
        (self.context, self.logger, self.merged, self.missed) = (context, logger, merged, missed)
        token = coordinator.currentPersistentHistoryToken(fromStores: nil)
        observer = NotificationCenter.default.addObserver(
            forName: .NSPersistentStoreRemoteChange,
            object: coordinator,
            queue: nil
        ) { [weak self] _ in
            guard let self else { return }
            self.context.perform { self.merge() }
        }
    }

    /// Ends the merging.
    func stop() {
        if let observer { NotificationCenter.default.removeObserver(observer) }
        observer = nil
    }

    private func merge() {
        do {
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
            let result = try context.execute(request) as? NSPersistentHistoryResult
            let transactions = result?.result as? [NSPersistentHistoryTransaction] ?? []
            guard let last = transactions.last else { return }
            token = last.token
            let otherTransactions = transactions.filter { $0.author != Self.author }
            for transaction in otherTransactions {
                context.mergeChanges(fromContextDidSave: transaction.objectIDNotification())
            }
            if !otherTransactions.isEmpty { merged() }
        } catch let error as NSError where error.code == NSPersistentHistoryTokenExpiredError {
            // The token first: saves that follow it are merged even if they are read here too.
            token = context.persistentStoreCoordinator?.currentPersistentHistoryToken(fromStores: nil)
            context.refreshAllObjects()
            missed()
        } catch {
            // The next notification tries again from the same point.
            logger.warning("Saves of other processes could not be merged: \(error)")
        }
    }
}
