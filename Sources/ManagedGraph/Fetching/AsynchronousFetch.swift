// Executes an asynchronous fetch: rows are read on a separate thread, in portions, and become objects on the context's
// queue. Fetches that need the context (for its unsaved changes, or a parent's) run there as a whole.
import Foundation
import GraphEngine
import GraphSQLite

extension NSAsynchronousFetchRequest: ContextRequest {
    func execute(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
        let progress = Progress(totalUnitCount: estimatedResultCount > 0 ? Int64(estimatedResultCount) : -1)
        progress.isCancellable = true
        if Progress.current()?.isCancelled == true { progress.cancel() }
        let result = NSAsynchronousFetchResult(self, context: context, progress: progress)
        let fetch = try FetchOperation(fetchRequest, context: context)
        guard let portions = fetch.portions() else {
            context.perform { result.end { try context.fetch(self.fetchRequest) } }
            return result
        }
        let work = UnsafeTransfer((portions, fetch, context.scopeIfObserved(.fetch(fetchRequest))))
        let event = context.eventNumber
        DispatchQueue.global().async {
            let batches = UnsafeTransfer(
                Result {
                    guard let scope = work.value.2 else { return try work.value.0.read(progress) }
                    return try ActivityRecorder.run(scope) { try work.value.0.read(progress) }
                }
            )
            context.perform {
                result.end {
                    let (portions, fetch, _) = work.value
                    // The rows do not include changes made in the context since.
                    if context.eventNumber != event || !context.pending.isEmpty {
                        return try context.fetch(result.fetchRequest.fetchRequest)
                    }
                    do {
                        return try fetch.typed(portions.objects(try batches.value.get(), in: context))
                    } catch let error as NSError where error.requiresInMemoryEvaluation {
                        return try context.fetch(result.fetchRequest.fetchRequest)
                    }
                }
            }
        }
        return result
    }
}

extension NSFetchRequest: ContextRequest {
    /// A plain fetch returns its result immediately.
    func execute(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
        let request = NSAsynchronousFetchRequest(fetchRequest: self)
        let result = NSAsynchronousFetchResult(request, context: context, progress: Progress(totalUnitCount: 1))
        result.finalResult = try context.fetch(self)
        result.progress?.completedUnitCount = 1
        return result
    }
}

extension NSAsynchronousFetchResult {
    /// Stores the outcome and calls the request's block; called on the context's queue.
    fileprivate func end(_ body: () throws -> [ResultType]) {
        do {
            if progress?.isCancelled == true { throw CoreDataError.cancelled() }
            finalResult = try body()
        } catch {
            operationError = error
        }
        if let progress, operationError == nil {
            progress.totalUnitCount = max(1, Int64(finalResult?.count ?? 0))
            progress.completedUnitCount = progress.totalUnitCount
        }
        fetchRequest.completionBlock?(self)
    }
}

/// The rows of a fetch that one store can answer by itself.
struct FetchPortions {
    let fetch: StoreFetch
    let layout: ObjectLayout
    let store: any RowStore
    let context: NSManagedObjectContext
    /// The generation that the context was pinned to when the fetch began.
    let generation: NSQueryGenerationToken?
    static let size = 1000

    /// Reads all rows in portions; the progress can cancel it between two.
    func read(_ progress: Progress) throws -> [RowBatch] {
        if progress.isCancelled { throw CoreDataError.cancelled() }
        var batches: [RowBatch] = []
        func read(_ session: any ReadSession) throws {
            try session.eachBatch(fetch, size: Self.size) { batch in
                batches.append(batch)
                progress.completedUnitCount += Int64(batch.count)
                return !progress.isCancelled
            }
        }
        // Do not use a session of the context's turn: this runs on another thread.
        if let session = generation?.session(of: store) {
            try store.mapErrors { try read(session) }
        } else {
            try store.reading(for: context, read)
        }
        if progress.isCancelled { throw CoreDataError.cancelled() }
        return batches
    }

    func objects(_ batches: [RowBatch], in context: NSManagedObjectContext) -> [NSManagedObject] {
        batches.flatMap { context.objects(from: $0, layout: layout, store: store, asFaults: true) }
    }
}

extension CoreDataError {
    /// The error of a cancelled request.
    static func cancelled() -> NSError {
        make(
            CocoaError.Code.userCancelled.rawValue,
            "The request was cancelled.",
            remedy: "Execute it again to have its results."
        )
    }
}

extension NSPersistentStoreCoordinator {
    /// Executes a request on behalf of a context.
    ///
    /// - Parameters:
    ///   - request: A request that `NSManagedObjectContext.execute(_:)` takes.
    ///   - context: A context of this coordinator; called on its queue.
    /// - Returns: The fetched array of a fetch; the context's result for any other request.
    /// - Throws: As `NSManagedObjectContext.execute(_:)`.
    @discardableResult
    public func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext) throws -> Any {
        let result = try request.result(in: context)
        guard request is any ImmediateRequest, let fetched = result as? any FetchedArray else { return result }
        return fetched.array
    }
}

private protocol ImmediateRequest {}
extension NSFetchRequest: ImmediateRequest {}

private protocol FetchedArray { var array: Any { get } }
extension NSAsynchronousFetchResult: FetchedArray {
    fileprivate var array: Any { finalResult ?? [] }
}
