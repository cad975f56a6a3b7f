// Saves that are repeated after conflicts, for tests in which several threads change the same rows.
import ManagedGraph

extension NSManagedObjectContext {
    /// Changes objects and saves them; after a conflict with other saves both are done again.
    func saveUntilItSucceeds(_ change: () throws -> Void) throws {
        try performAndWait { () throws in
            while true {
                try change()
                do {
                    return try save()
                } catch let error as NSError where error.code == NSManagedObjectMergeError {
                    rollback()
                    refreshAllObjects()
                }
            }
        }
    }
}

extension NSManagedObject {
    /// Adds one to an integer.
    func increment(_ key: String) { setValue((value(forKey: key) as? Int ?? 0) + 1, forKey: key) }
}
