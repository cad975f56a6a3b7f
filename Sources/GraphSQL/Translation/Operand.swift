import GraphEngine

/// A translated expression: a value, a row, many of them, or a constant whose form its partner decides.
enum Operand {
    case value(SQLOperand)
    case row(RowCursor)
    case collection(CollectionSource)
    case hole(Hole)
    case list([Operand])
}
