// A translated expression that is one value.
import GraphEngine

/// An SQL expression, the kind of its value, and whether that can be NULL.
struct SQLOperand {
    var sql: SQLFragment
    var kind: ValueKind
    var isNullable: Bool
    /// Whether it must be put in parentheses beside an operator.
    var isCompound = false

    /// Ready to stand beside an operator.
    var atom: SQLFragment { isCompound ? "(\(sql))" : sql }

    static let null = SQLOperand(sql: "NULL", kind: .unknown, isNullable: true)
}

/// A translated expression: a value, a row, many of them, or a constant whose form its partner decides.
enum Operand {
    case value(SQLOperand)
    case row(RowCursor)
    case collection(CollectionSource)
    case hole(Hole)
    case list([Operand])
}

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
