// A fetch as an engine is asked it. Made by fetches and prefetching from requests.
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

/// What an engine answers of a fetch, without limit and offset, and what is left for the objects.
package struct SplitStoreFetch {
    package var fetch: StoreFetch
    /// What the objects must satisfy besides; nil for nothing.
    package var remainder: PredicateNode?
    /// Whether the rows come in the order that was asked for.
    package var isSorted: Bool

    package init(fetch: StoreFetch, remainder: PredicateNode?, isSorted: Bool) {
        self.fetch = fetch
        self.remainder = remainder
        self.isSorted = isSorted
    }
}

/// What a fetch reads of each row, where it is not the row as it stands.
package struct ColumnFetch {
    package var columns: [PlanColumn]
    /// The attributes that the columns are, where it takes more than the column's type to read them.
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
