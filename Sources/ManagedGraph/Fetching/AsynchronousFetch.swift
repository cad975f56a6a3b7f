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
