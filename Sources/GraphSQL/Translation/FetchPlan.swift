// A fetch from the tables, before it is SQL. Made by the store from a fetch request; read by FetchTranslator.
// It holds no context, no objects under management and no SQL.
import GraphEngine
import GraphPredicates

/// A fetch over one entity: the rows it admits, their order and the columns read.
package struct FetchPlan {
    /// The result of the statement.
    package enum Form: Hashable, Sendable {
        /// The columns listed in `columns`.
        case rows
        /// One integer: how many rows there would be, after limit and offset.
        case count
    }

    package var entity: String
    package var includesSubentities: Bool
    package var predicate: PredicateNode?
    package var sort: [SortTerm]
    /// 0 means no limit.
    package var limit: Int
    package var offset: Int
    package var columns: [PlanColumn]
    /// Whether `columns` are those of the entity's rows, which the entity determines: they are not part of the shape.
    package var isWholeRow = false
    package var isDistinct: Bool
    package var groupBy: [PlanColumn]
    package var having: PredicateNode?
    package var form: Form

    package init(
        entity: String,
        includesSubentities: Bool = true,
        predicate: PredicateNode? = nil,
        sort: [SortTerm] = [],
        limit: Int = 0,
        offset: Int = 0,
        columns: [PlanColumn] = PlanColumn.identity,
        isDistinct: Bool = false,
        groupBy: [PlanColumn] = [],
        having: PredicateNode? = nil,
        form: Form = .rows
    ) {
        self.entity = entity
        self.includesSubentities = includesSubentities
        self.predicate = predicate
        self.sort = sort
        self.limit = limit
        self.offset = offset
        self.columns = columns
        self.isDistinct = isDistinct
        self.groupBy = groupBy
        self.having = having
        self.form = form
    }
}
