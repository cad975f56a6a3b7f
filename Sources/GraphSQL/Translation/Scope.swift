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

    /// `path` names the table's own rows; it is nil for a join table, whose rows are not objects.
    init(table: String, alias: String, path: String?, aliasSource: AliasSource) {
        from = "\(.table(table, aliasSource.dialect)) \(SQLFragment(text: alias))"
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

    /// Whether rows of other tables are read.
    var hasJoins: Bool { !joins.isEmpty }

    /// The alias of a cursor's row, joined at its first use.
    func alias(of cursor: RowCursor) -> String {
        if let alias = aliases[cursor.path] { return alias }
        let alias = aliasSource.next()
        aliases[cursor.path] = alias
        let table = SQLFragment.table(cursor.entity.tableName, aliasSource.dialect)
        let key = SQLFragment.column(alias, cursor.entity.own.key, aliasSource.dialect)
        joins.append(" LEFT OUTER JOIN \(table) \(SQLFragment(text: alias)) ON \(cursor.key) = \(key)")
        return alias
    }

    /// Joins the rows that point to the cursor's row, and returns their alias.
    func join(table: String, column: String, key cursor: RowCursor, path: String?) -> String {
        let alias = aliasSource.next()
        // A missing row has no collection: as in key-value coding, it counts as a single nil.
        let kind: SQLFragment = cursor.isNullable ? " LEFT OUTER JOIN " : " JOIN "
        let joined = SQLFragment.table(table, aliasSource.dialect)
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
