// The subselect that a to-many key path or a subquery becomes.
import GraphEngine

/// The values of a to-many key path or of a SUBQUERY: a subselect still being written.
struct CollectionSource {
    let scope: Scope
    var element: Element
    /// The SELECT around, if a single element picked out of the collection is joined.
    var outer: Scope?
    /// The key that the collection hangs on, if it can be NULL: there the collection itself is nil.
    var owner: SQLFragment?
    /// The column that orders the elements, if the relationship is ordered.
    var order: SQLFragment?
    var isDistinct = false

    var value: SQLOperand {
        switch element {
        case .row(let cursor): cursor.operand
        case .value(let value): value
        }
    }
}
