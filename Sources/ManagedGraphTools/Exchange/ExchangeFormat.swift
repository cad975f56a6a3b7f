// The formats in which rows are exported and imported.

/// A text format for rows.
package enum ExchangeFormat: String, CaseIterable, Sendable {
    /// One JSON object per line.
    case jsonl
    /// A table with a header line.
    case csv
    /// SQL of the store's own tables.
    case sql

    /// The format that a file's name implies; nil if it implies none.
    package init?(fileName: String) {
        switch fileName.split(separator: ".").last.map({ $0.lowercased() }) {
        case "jsonl", "ndjson", "json": self = .jsonl
        case "csv": self = .csv
        case "sql": self = .sql
        default: return nil
        }
    }
}
