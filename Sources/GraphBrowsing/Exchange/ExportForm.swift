// The formats in which shown rows leave the browser.

/// A format of exported rows.
public enum ExportForm: String, Codable, Sendable {
    /// An array of objects.
    case json
    /// A header line and a line for each row.
    case csv
}
