// A fetch that reads its rows while the context's queue does other work. Executed by NSManagedObjectContext.execute.
import Foundation

/// The block that an asynchronous fetch calls when it ends.
public typealias NSPersistentStoreAsynchronousFetchResultCompletionBlock<ResultType> = (
    NSAsynchronousFetchResult<ResultType>
) -> Void

/// A fetch that runs in the background.
///
/// See [NSAsynchronousFetchRequest](https://developer.apple.com/documentation/coredata/nsasynchronousfetchrequest).
open class NSAsynchronousFetchRequest<ResultType>: NSPersistentStoreRequest {
    /// The request to fetch.
    public final let fetchRequest: NSFetchRequest<ResultType>
    /// Called on the context's queue when the fetch has ended, even if it failed or was cancelled.
    public final let completionBlock: NSPersistentStoreAsynchronousFetchResultCompletionBlock<ResultType>?
    /// The expected number of rows, for the progress; 0 if unknown.
    open var estimatedResultCount = 0

    /// Makes an asynchronous request.
    ///
    /// - Parameters:
    ///   - request: The request to fetch.
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
