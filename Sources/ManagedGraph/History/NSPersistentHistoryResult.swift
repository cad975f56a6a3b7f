import Foundation

/// The result of a history request.
open class NSPersistentHistoryResult: NSPersistentStoreResult {
    /// `[NSPersistentHistoryTransaction]`, `[NSPersistentHistoryChange]`, `[NSManagedObjectID]`, `Int` or `Bool`.
    open var result: Any?
    /// The kind of result that was requested.
    open var resultType: NSPersistentHistoryResultType

    init(_ result: Any, _ resultType: NSPersistentHistoryResultType) {
        self.result = result
        self.resultType = resultType
    }
}
