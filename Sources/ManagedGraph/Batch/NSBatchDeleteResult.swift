import Foundation

/// The result of a batch delete.
open class NSBatchDeleteResult: NSPersistentStoreResult {
    /// Whether it succeeded (`Bool`), the identifiers (`[NSManagedObjectID]`), or their number (`Int`).
    open var result: Any?
    /// The kind of result.
    open var resultType: NSBatchDeleteRequestResultType

    init(_ result: Any, _ resultType: NSBatchDeleteRequestResultType) {
        self.result = result
        self.resultType = resultType
    }
}
