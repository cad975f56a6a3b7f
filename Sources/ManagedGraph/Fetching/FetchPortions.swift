// Reads the rows of an asynchronous fetch on its own thread. Made by NSAsynchronousFetchRequest.
import Foundation
import GraphEngine

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
