// The aliases of the tables in one statement. Created by Translator.
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
