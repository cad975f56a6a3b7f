// The columns of a fetch that returns dictionaries or values instead of rows.
import GraphPredicates

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
