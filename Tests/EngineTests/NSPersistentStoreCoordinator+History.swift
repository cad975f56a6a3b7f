// Reading the history of a store. Used by the tests of standbys and of backups.
import GraphSupport
import ManagedGraph
import Testing

extension NSPersistentStoreCoordinator {
    /// The saves after a point of the history, in its order.
    func saves(after token: NSPersistentHistoryToken?) throws -> [NSPersistentHistoryTransaction] {
        let context = makeContext()
        return try context.performAndWait { () throws -> [NSPersistentHistoryTransaction] in
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
            let result = try context.execute(request) as? NSPersistentHistoryResult
            return try #require(result?.result as? [NSPersistentHistoryTransaction])
        }
    }
}
