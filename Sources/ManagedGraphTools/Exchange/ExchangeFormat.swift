// The forms in which a store's rows leave and enter it. Named by exports and imports.

/// A form of text for rows.
package enum ExchangeFormat: String, CaseIterable, Sendable {
    /// One JSON object a line.
    case jsonl
    /// A table with a line of names.
    case csv
    /// SQL of the store's own tables.
    case sql

    /// The form that a file's name tells; nil where it tells none.
    package init?(fileName: String) {
        switch fileName.split(separator: ".").last.map({ $0.lowercased() }) {
        case "jsonl", "ndjson", "json": self = .jsonl
        case "csv": self = .csv
        case "sql": self = .sql
        default: return nil
        }
    }
}
