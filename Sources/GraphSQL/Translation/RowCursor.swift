// A row in a SELECT, from which key paths are followed.
import GraphEngine

/// An object in a SELECT: known by its key, joined only when one of its columns is needed.
struct RowCursor {
    let scope: Scope
    let entity: EntitySchema
    /// `t0.Z_PK`, or the column that points to the row.
    let key: SQLFragment
    /// Names the row in its scope.
    let path: String
    let isNullable: Bool

    var alias: String { scope.alias(of: self) }

    var operand: SQLOperand {
        SQLOperand(sql: key, kind: .object(table: entity.table, entity: entity.name), isNullable: isNullable)
    }
}
