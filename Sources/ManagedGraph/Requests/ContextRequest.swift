// The requests that contexts execute: fetches, batch requests and requests for history, each implemented in its own folder.
import Foundation

/// A request that a context executes.
protocol ContextRequest {
    func execute(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult
}

extension NSPersistentStoreRequest {
    /// Executes the request, whether or not the context overrides `execute(_:)`.
    func result(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
        context.checkQueue("execute(\(self))")
        guard let request = self as? any ContextRequest else { throw CoreDataError.unsupported(self) }
        return try request.execute(in: context)
    }
}

extension CoreDataError {
    /// The error for a request that contexts do not execute.
    fileprivate static func unsupported(_ request: NSPersistentStoreRequest) -> NSError {
        make(
            NSPersistentStoreUnsupportedRequestTypeError,
            "A \(type(of: request)) cannot be executed.",
            remedy: "Execute an NSFetchRequest or an NSAsynchronousFetchRequest; save with save()."
        )
    }
}
