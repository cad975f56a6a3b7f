/// Lists of `?` marks.
package enum SQLMarks {
    /// `?, ?, ?`.
    package static func list(_ count: Int) -> String {
        repeatElement("?", count: count).joined(separator: ", ")
    }
}
