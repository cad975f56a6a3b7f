// A fetch whose rows are read while the context's queue does other work. Executed by NSManagedObjectContext.execute.
import Foundation

/// The block that an asynchronous fetch calls when it has ended.
public typealias NSPersistentStoreAsynchronousFetchResultCompletionBlock<ResultType> = (
    NSAsynchronousFetchResult<ResultType>
) -> Void

/// A fetch to be done in the background.
///
/// See [NSAsynchronousFetchRequest](https://developer.apple.com/documentation/coredata/nsasynchronousfetchrequest).
open class NSAsynchronousFetchRequest<ResultType>: NSPersistentStoreRequest {
    /// What to fetch.
    public final let fetchRequest: NSFetchRequest<ResultType>
    /// Called on the context's queue when the fetch has ended, also where it failed or was cancelled.
    public final let completionBlock: NSPersistentStoreAsynchronousFetchResultCompletionBlock<ResultType>?
    /// How many rows are expected, for the progress; 0 where that is unknown.
    open var estimatedResultCount = 0

    /// Makes an asynchronous request.
    ///
    /// - Parameters:
    ///   - request: What to fetch.
    ///   - blk: Called on the context's queue when the fetch has ended.
    public init(
        fetchRequest request: NSFetchRequest<ResultType>,
        completionBlock blk: NSPersistentStoreAsynchronousFetchResultCompletionBlock<ResultType>? = nil
    ) {
        fetchRequest = request
        completionBlock = blk
        super.init()
        affectedStores = request.affectedStores
    }

    /// A copy of the request, with the same fetch request and block.
    ///
    /// - Parameter zone: Not used.
    /// - Returns: The copy.
    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSAsynchronousFetchRequest(fetchRequest: fetchRequest, completionBlock: completionBlock)
        copy.affectedStores = affectedStores
        copy.estimatedResultCount = estimatedResultCount
        return copy
    }
}

/// What came of a request that is no fetch of objects.
open class NSPersistentStoreResult: NSObject {}

/// A result that comes later.
open class NSPersistentStoreAsynchronousResult: NSPersistentStoreResult, @unchecked Sendable {
    /// The context the request is executed in.
    public final let managedObjectContext: NSManagedObjectContext
    /// Why there is no result; set when the request has ended.
    public internal(set) final var operationError: (any Error)?
    /// How far the request is, in rows; a part of the progress that was current when the request was executed.
    public final let progress: Progress?

    init(context: NSManagedObjectContext, progress: Progress) {
        managedObjectContext = context
        self.progress = progress
        super.init()
    }

    /// Gives the request up.
    ///
    /// It ends with the error `CocoaError.userCancelled` (3072) and no results, unless it has ended already.
    open func cancel() {
        progress?.cancel()
    }
}

/// The results of an asynchronous fetch.
open class NSAsynchronousFetchResult<ResultType>: NSPersistentStoreAsynchronousResult, @unchecked Sendable {
    /// The request.
    public final let fetchRequest: NSAsynchronousFetchRequest<ResultType>
    /// What was fetched; nil until the fetch has ended, and where it failed.
    public internal(set) final var finalResult: [ResultType]?

    init(_ request: NSAsynchronousFetchRequest<ResultType>, context: NSManagedObjectContext, progress: Progress) {
        fetchRequest = request
        super.init(context: context, progress: progress)
    }
}
