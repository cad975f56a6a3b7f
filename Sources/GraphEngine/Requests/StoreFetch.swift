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

/// The part of a fetch that an engine evaluates, without limit and offset, and the remainder for the objects.
package struct SplitStoreFetch {
    package var fetch: StoreFetch
    /// The condition that the objects must also satisfy; nil for none.
    package var remainder: PredicateNode?
    /// Whether the rows come in the requested order.
    package var isSorted: Bool

    package init(fetch: StoreFetch, remainder: PredicateNode?, isSorted: Bool) {
        self.fetch = fetch
        self.remainder = remainder
        self.isSorted = isSorted
    }
}

/// The columns that a fetch reads from each row instead of whole rows.
package struct ColumnFetch {
    package var columns: [PlanColumn]
    /// The columns' attributes, if reading them takes more than the column's type.
    package var attributes: [PropertyLayout?]
    package var isDistinct = false
    package var groupBy: [PlanColumn] = []
    package var having: PredicateNode?

    package init(
        columns: [PlanColumn],
        attributes: [PropertyLayout?] = [],
        isDistinct: Bool = false,
        groupBy: [PlanColumn] = [],
        having: PredicateNode? = nil
    ) {
        self.columns = columns
        self.attributes = attributes
        self.isDistinct = isDistinct
        self.groupBy = groupBy
        self.having = having
    }
}
