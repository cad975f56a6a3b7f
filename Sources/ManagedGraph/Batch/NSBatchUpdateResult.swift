import Foundation

/// The result of a batch update.
open class NSBatchUpdateResult: NSPersistentStoreResult {
    /// Whether it succeeded (`Bool`), the identifiers (`[NSManagedObjectID]`), or their number (`Int`).
    open var result: Any?
    /// The kind of result.
    open var resultType: NSBatchUpdateRequestResultType

    init(_ result: Any, _ resultType: NSBatchUpdateRequestResultType) {
        self.result = result
        self.resultType = resultType
    }
}
