// How a store answers a fetch, in words. Made by StoreQuery, printed by the command; values only.
import GraphSQL
import GraphSQLite
import ManagedGraph

/// What SQLite does for a fetch.
package struct QueryExplanation: Sendable {
    /// The statement; nil where tables cannot answer the fetch.
    package var sql: String?
    /// The values of its marks, as SQL writes them.
    package var bindings: [String] = []
    /// What is done, in order; what belongs to a step is indented below it.
    package var steps: [String] = []
    /// Rows of the result.
    package var rows = 0
    /// Rows that were stepped over in tables that were read from one end to the other.
    package var scannedRows = 0
    /// Whether the rows were sorted after they were found.
    package var isSorted = false
    package var seconds = 0.0

    /// A fetch that objects answer.
    init(inMemory entity: String) {
        steps = [
            "tables cannot answer this: the rows of \(entity) that they can judge are read, and objects judge the rest"
        ]
    }

    init(_ statement: SQLStatement, _ profile: StatementProfile) {
        sql = statement.text
        bindings = statement.bindings.map(\.sqlText)
        var depths: [Int64: Int] = [:]
        for step in profile.steps {
            let depth = depths[step.parent].map { $0 + 1 } ?? 0
            depths[step.number] = depth
            steps.append(String(repeating: "  ", count: depth) + Self.words(step.text))
        }
        rows = profile.rows
        scannedRows = profile.counters.scannedRows
        isSorted = profile.counters.sorts > 0
        seconds = profile.seconds
    }

    /// A step of SQLite's plan as a sentence.
    static func words(_ text: String) -> String {
        var words = text.split(separator: " ").map(String.init)
        if words.first == "SCAN" || words.first == "SEARCH" {
            let isScan = words.removeFirst() == "SCAN"
            if words.first == "TABLE" { words.removeFirst() }
            guard !words.isEmpty else { return text }
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
        switch text {
        case "USE TEMP B-TREE FOR ORDER BY": return "sorts the rows found, as no index has this order"
        case "USE TEMP B-TREE FOR DISTINCT": return "takes out rows that are there already"
        case "USE TEMP B-TREE FOR GROUP BY": return "sorts the rows found into groups"
        case _ where text.hasPrefix("USE TEMP B-TREE FOR"): return "sorts the rows found by the last of the keys"
        case _ where text.hasPrefix("CORRELATED"): return "for each row: " + text.lowercased()
        default: return text.lowercased()
        }
    }
}

extension String {
    fileprivate var trimmedEnd: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}

extension SQLValue {
    /// The value as SQL writes it.
    package var sqlText: String {
        switch self {
        case .null: "NULL"
        case .integer(let value): "\(value)"
        case .real(let value): "\(value)"
        case .text(let text): "'" + text.replacing("'", with: "''") + "'"
        case .blob(let data): "x'" + data.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() + "'"
        }
    }
}
