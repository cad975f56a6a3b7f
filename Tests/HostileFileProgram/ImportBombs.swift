// Imports whose lines are very long, very many, or nested.
import Foundation

/// Hostile imports.
enum ImportBombs {
    /// One line of JSON with a long text.
    static func longLine(_ size: Int) -> Data {
        Data(("{\"entity\":\"Item\",\"name\":\"" + String(repeating: "a", count: size) + "\"}\n").utf8)
    }

    /// Very many lines of which each is refused.
    static func refusedLines(_ size: Int) -> Data { Data(String(repeating: "x\n", count: size / 2).utf8) }

    /// A line of lists in lists.
    static func deep(_ size: Int) -> Data {
        Data(("{\"entity\":\"Item\",\"name\":" + String(repeating: "[", count: size)).utf8)
    }

    /// A record of CSV with very many fields.
    static func fields(_ size: Int) -> Data { Data(("name\n" + String(repeating: ",", count: size) + "\n").utf8) }

    /// A head of CSV with very many columns.
    static func columns(_ size: Int) -> Data { Data((String(repeating: "name,", count: size / 5) + "\n").utf8) }

    /// A quote that is never closed.
    static func openQuote(_ size: Int) -> Data { Data(("name\n\"" + String(repeating: "\n", count: size)).utf8) }
}
