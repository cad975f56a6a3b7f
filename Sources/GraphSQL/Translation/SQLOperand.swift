// A translated expression that is one value.
import GraphEngine

/// An SQL expression, the kind of its value, and whether that can be NULL.
package struct SQLOperand {
    package var sql: SQLFragment
    package var kind: ValueKind
    package var isNullable: Bool
    /// Whether it must be put in parentheses beside an operator.
    var isCompound = false
    /// Whether its number is an integer in some rows and another number in others.
    var isMixed = false

    /// The SQL as an atom, in parentheses if an operator requires them.
    package var atom: SQLFragment { isCompound ? "(\(sql))" : sql }

    static let null = SQLOperand(sql: "NULL", kind: .unknown, isNullable: true)
}
