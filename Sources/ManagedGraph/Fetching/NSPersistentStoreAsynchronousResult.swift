// The base of the results of asynchronous requests.
import Foundation

/// A result that becomes available later.
open class NSPersistentStoreAsynchronousResult: NSPersistentStoreResult, @unchecked Sendable {
    /// The context that executes the request.
    public final let managedObjectContext: NSManagedObjectContext
    /// The error if there is no result; set when the request has ended.
    public internal(set) final var operationError: (any Error)?
    /// The progress in rows; a child of the progress that was current when the request was executed.
    public final let progress: Progress?

    init(context: NSManagedObjectContext, progress: Progress) {
        managedObjectContext = context
        self.progress = progress
        super.init()
    }

    /// Cancels the request.
    ///
    /// It ends with the error `CocoaError.userCancelled` (3072) and no results, unless it has ended already.
    open func cancel() {
        progress?.cancel()
    }
}
