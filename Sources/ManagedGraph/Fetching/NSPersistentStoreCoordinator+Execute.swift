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
        return (request as? any ArrayRequest)?.array(of: result) ?? result
    }
}

/// A request whose result is an array.
private protocol ArrayRequest {
    func array(of result: NSPersistentStoreResult) -> Any?
}

extension NSFetchRequest: ArrayRequest {
    fileprivate func array(of result: NSPersistentStoreResult) -> Any? {
        (result as? NSAsynchronousFetchResult<ResultType>).map { $0.finalResult ?? [] }
    }
}
