// A fetch in the form passed to engines. Created from requests by fetches and prefetching.
import GraphPredicates

/// A fetch as values.
package struct StoreFetch {
    package var layout: EntityLayout
    package var includesSubentities = true
    package var predicate: PredicateNode?
    package var sort: [SortTerm] = []
    /// 0 means no limit.
    package var limit = 0
    package var offset = 0

    package init(
        layout: EntityLayout,
        includesSubentities: Bool = true,
        predicate: PredicateNode? = nil,
        sort: [SortTerm] = [],
        limit: Int = 0,
        offset: Int = 0
    ) {
        self.layout = layout
        self.includesSubentities = includesSubentities
        self.predicate = predicate
        self.sort = sort
        self.limit = limit
        self.offset = offset
    }
}
