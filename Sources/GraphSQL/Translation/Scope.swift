// The FROM clause of one SELECT while its other clauses are written: a table, the joins that key paths asked for
// (one for each path, shared), and the conditions that tie a subselect to the row around it.
import GraphEngine

/// One SELECT's tables.
final class Scope {
    private let from: SQLFragment
    private var joins: [SQLFragment] = []
    private var aliases: [String: String]
    private let aliasSource: AliasSource
    var conditions: [SQLCondition] = []

    /// `path` names the table's own rows; it is nil for a join table, whose rows are no objects.
    init(table: String, alias: String, path: String?, aliasSource: AliasSource) {
        from = "\(.identifier(table, aliasSource.dialect)) \(SQLFragment(text: alias))"
        aliases = path.map { [$0: alias] } ?? [:]
        self.aliasSource = aliasSource
    }

    /// The rows of a subselect.
    init(subselect: SQLFragment, alias: String, aliasSource: AliasSource) {
        from = "(\(subselect)) \(SQLFragment(text: alias))"
        aliases = [:]
        self.aliasSource = aliasSource
    }

    /// `FROM …` with all joins so far: read it after everything else of the SELECT was written.
    var clause: SQLFragment {
        joins.reduce(" FROM \(from)") { $0 + $1 }
    }

    /// The alias of a cursor's row, joined at its first use.
    func alias(of cursor: RowCursor) -> String {
        if let alias = aliases[cursor.path] { return alias }
        let alias = aliasSource.next()
        aliases[cursor.path] = alias
        let table = SQLFragment.identifier(cursor.entity.tableName, aliasSource.dialect)
        let key = SQLFragment.column(alias, "Z_PK", aliasSource.dialect)
        joins.append(" LEFT OUTER JOIN \(table) \(SQLFragment(text: alias)) ON \(cursor.key) = \(key)")
        return alias
    }

    /// Joins the rows that point to the cursor's row, and returns their alias.
    func join(table: String, column: String, key cursor: RowCursor, path: String?) -> String {
        let alias = aliasSource.next()
        // A row that is not there has no collection: it stands for itself as one nil, as key-value coding has it.
        let kind: SQLFragment = cursor.isNullable ? " LEFT OUTER JOIN " : " JOIN "
        let joined = SQLFragment.identifier(table, aliasSource.dialect)
        let pointer = SQLFragment.column(alias, column, aliasSource.dialect)
        joins.append("\(kind)\(joined) \(SQLFragment(text: alias)) ON \(pointer) = \(cursor.key)")
        if cursor.isNullable {
            let condition: SQLFragment = "\(pointer) IS NOT NULL OR \(cursor.key) IS NULL"
            conditions.append(SQLCondition(condition, isNullable: false, level: .or))
        }
        if let path { aliases[path] = alias }
        return alias
    }

    /// A path for rows that were joined by `join`.
    func newPath() -> String { "#\(joins.count)" }
}

/// Gives the tables of one statement their names, t0, t1 and so on.
final class AliasSource {
    let dialect: any SQLDialect
    private var count = 0

    init(_ dialect: any SQLDialect) {
        self.dialect = dialect
    }

    func next() -> String {
        defer { count += 1 }
        return "t\(count)"
    }
}

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
