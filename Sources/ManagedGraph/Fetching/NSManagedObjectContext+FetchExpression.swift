// Evaluates `FETCH(request, context, countOnly)`. Called by the predicate evaluator for the context of the expression.
import Foundation
import GraphPredicates

extension NSManagedObjectContext: FetchEvaluating {
    /// Evaluates a request to an array of its results, or to their number.
    package func evaluateFetch(_ request: Any, countOnly: Bool) throws -> Any? {
        guard let request = request as? any AnyFetchRequest else {
            throw CoreDataError.make(
                NSCoreDataError,
                "The request of a FETCH expression is a \(type(of: request)).",
                remedy: "Give it an expression whose value is an NSFetchRequest."
            )
        }
        return countOnly ? try request.count(in: self) : try request.results(in: self)
    }
}

/// A request of any result type.
private protocol AnyFetchRequest {
    func results(in context: NSManagedObjectContext) throws -> [Any]
    func count(in context: NSManagedObjectContext) throws -> Int
}

extension NSFetchRequest: AnyFetchRequest {
    fileprivate func count(in context: NSManagedObjectContext) throws -> Int { try context.count(for: self) }
}
