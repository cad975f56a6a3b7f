import Foundation

/// The results of an asynchronous fetch.
open class NSAsynchronousFetchResult<ResultType>: NSPersistentStoreAsynchronousResult, @unchecked Sendable {
    /// The request.
    public final let fetchRequest: NSAsynchronousFetchRequest<ResultType>
    /// The results; nil until the fetch has ended, and if it failed.
    public internal(set) final var finalResult: [ResultType]?

    init(_ request: NSAsynchronousFetchRequest<ResultType>, context: NSManagedObjectContext, progress: Progress) {
        fetchRequest = request
        super.init(context: context, progress: progress)
    }
}
