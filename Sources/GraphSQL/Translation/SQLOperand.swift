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
