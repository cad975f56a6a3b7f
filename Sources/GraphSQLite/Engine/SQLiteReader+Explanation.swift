// Explains how SQLite runs a fetch: a readable plan, and the cost of running the statement. Called by the tools.
import GraphEngine
import GraphSQL

extension SQLiteReader: ExplainingReadSession {
    package func explain(_ fetch: StoreFetch, columns: ColumnFetch?, isCount: Bool) throws -> FetchExplanation {
        try explain(engine.statement(fetch, columns: columns, isCount: isCount))
    }

    private func explain(_ statement: SQLStatement) throws -> FetchExplanation {
        try read { connection in
            var depths: [Int64: Int] = [:]
            var steps: [String] = []
            for row in try connection.rows("EXPLAIN QUERY PLAN \(statement.text)", statement.bindings) {
                guard case .integer(let number) = row[0], case .integer(let parent) = row[1],
                    case .text(let detail) = row[3]
                else { continue }
                let depth = depths[parent].map { $0 + 1 } ?? 0
                depths[number] = depth
                steps.append(String(repeating: "  ", count: depth) + Self.words(detail))
            }
            let prepared = try connection.prepare(statement)
            prepared.resetCounters()
            let began = ContinuousClock.now
            var rows = 0
            while try prepared.step() { rows += 1 }
            let seconds = ContinuousClock.now - began
            return FetchExplanation(
                statement: statement.text,
                bindings: statement.bindings.map(\.sqlText),
                steps: steps,
                rows: rows,
                scannedRows: prepared.counters.scannedRows,
                isSorted: prepared.counters.sorts > 0,
                seconds: Double(seconds.components.seconds) + Double(seconds.components.attoseconds) / 1e18
            )
        }
    }

    /// A step of SQLite's plan as a readable phrase.
    private static func words(_ detail: String) -> String {
        var words = detail.split(separator: " ").map(String.init)
        if words.first == "SCAN" || words.first == "SEARCH" {
            let isScan = words.removeFirst() == "SCAN"
            if words.first == "TABLE" { words.removeFirst() }
            guard !words.isEmpty else { return detail }
            let table = words.removeFirst()
            let rest = words.joined(separator: " ")
            let condition = rest.firstIndex(of: "(").map { String(rest[$0...]) } ?? ""
            let how = rest.firstIndex(of: "(").map { String(rest[..<$0]) } ?? rest
            let index = how.split(separator: " ").last.map(String.init) ?? ""
            let start = isScan ? "reads all rows of \(table)" : "searches \(table)"
            switch how.trimmedEnd {
            case _ where how.contains("INTEGER PRIMARY KEY"):
                return "\(start) by the primary key \(condition)".trimmedEnd
            case _ where how.contains("AUTOMATIC"):
                return "\(start) by an index made for this fetch alone \(condition)".trimmedEnd
            case _ where how.contains("COVERING INDEX"):
                return "\(start) in the index \(index), without touching the table \(condition)".trimmedEnd
            case _ where how.contains("INDEX"):
                return isScan
                    ? "\(start) in the order of the index \(index) \(condition)".trimmedEnd
                    : "\(start) by the index \(index) \(condition)".trimmedEnd
            default: return rest.isEmpty ? start : "\(start) (\(rest))"
            }
        }
        switch detail {
        case "USE TEMP B-TREE FOR ORDER BY": return "sorts the rows found, as no index has this order"
        case "USE TEMP B-TREE FOR DISTINCT": return "takes out rows that are there already"
        case "USE TEMP B-TREE FOR GROUP BY": return "sorts the rows found into groups"
        case _ where detail.hasPrefix("USE TEMP B-TREE FOR"): return "sorts the rows found by the last of the keys"
        case _ where detail.hasPrefix("CORRELATED"): return "for each row: " + detail.lowercased()
        default: return detail.lowercased()
        }
    }
}

extension String {
    fileprivate var trimmedEnd: String {
        var trimmed = self
        while trimmed.last == " " { trimmed.removeLast() }
        return trimmed
    }
}

extension SQLValue {
    /// The value as an SQL literal.
    fileprivate var sqlText: String {
        switch self {
        case .null: "NULL"
        case .integer(let value): "\(value)"
        case .real(let value): "\(value)"
        case .text(let text): "'" + text.doubling("'") + "'"
        case .typed(let value): value.plain.sqlText
        case .blob(let data): "x'" + data.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() + "'"
        }
    }
}
