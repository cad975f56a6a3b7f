// The meaning of SELF or of a subquery's variable in a translation.
import GraphEngine

/// The meaning of SELF or of a SUBQUERY's variable.
enum Element {
    case row(RowCursor)
    case value(SQLOperand)

    var operand: Operand {
        switch self {
        case .row(let cursor): .row(cursor)
        case .value(let value): .value(value)
        }
    }
}
