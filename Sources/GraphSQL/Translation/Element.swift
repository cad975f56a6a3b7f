import GraphEngine

/// The meaning of SELF or of a SUBQUERY's variable in a translation.
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
