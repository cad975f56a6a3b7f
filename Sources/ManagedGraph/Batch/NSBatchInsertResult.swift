import Foundation

/// The result of a batch insert.
open class NSBatchInsertResult: NSPersistentStoreResult {
    /// Whether it succeeded (`Bool`), the identifiers (`[NSManagedObjectID]`), or their number (`Int`).
    open var result: Any?
    /// The kind of result.
    open var resultType: NSBatchInsertRequestResultType

    init(_ result: Any, _ resultType: NSBatchInsertRequestResultType) {
        self.result = result
        self.resultType = resultType
    }
}
