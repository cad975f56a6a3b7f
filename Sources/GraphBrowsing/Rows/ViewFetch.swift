// A view's fetch: the request of a grid with parsed predicate and sort. Created by BrowsingSession for each read.
import Foundation
import GraphEngine
import ManagedGraph

/// The entity, predicate and order of a view, parsed and checked.
struct ViewFetch: @unchecked Sendable {
    // Unchecked: predicates without blocks are immutable.
    let entity: String
    let predicate: NSPredicate?
    let sort: [SortTerm]
    let includesSubentities: Bool
    /// The members of a relationship in its own order; nil if the predicate selects the rows.
    let members: RowRequest.Owner?

    func request<Result>(_ type: Result.Type) -> NSFetchRequest<Result> {
        let request = NSFetchRequest<Result>(entityName: entity)
        request.predicate = predicate
        request.sortDescriptors = sort.map {
            NSSortDescriptor(key: $0.keyPath.joined(separator: "."), ascending: $0.ascending)
        }
        request.includesSubentities = includesSubentities
        return request
    }
}
