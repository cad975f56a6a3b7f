// The FROM clause of one SELECT while its other clauses are written: a table, the joins that key paths asked for (one
// for each path, shared), and the conditions that tie a subselect to the row around it. Beside `Scope`.
import GraphEngine

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
