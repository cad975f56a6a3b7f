/// Lists of `?` marks.
package enum SQLMarks {
    /// Keys a statement asks for at once: few enough for every SQLite, many enough to hide the cost of the call.
    package static let chunk = 500

    /// `?, ?, ?`.
    package static func list(_ count: Int) -> String {
        repeatElement("?", count: count).joined(separator: ", ")
    }

    /// Ranges of at most `chunk` that cover `count` keys.
    package static func chunks(_ count: Int) -> [Range<Int>] {
        stride(from: 0, to: count, by: chunk).map { $0..<min($0 + chunk, count) }
    }
}
