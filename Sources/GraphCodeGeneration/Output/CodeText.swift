// Source text under construction, with indentation. Used by all writers.

/// Lines of Swift.
struct CodeText {
    private(set) var lines: [String] = []
    private var depth = 0

    var text: String { lines.joined(separator: "\n") + "\n" }

    mutating func line(_ text: String = "") {
        lines.append(text.isEmpty ? "" : String(repeating: "    ", count: depth) + text)
    }

    /// Writes `head {`, the lines of `body` indented, and `}`.
    mutating func block(_ head: String, _ body: (inout CodeText) -> Void) {
        line("\(head) {")
        depth += 1
        body(&self)
        depth -= 1
        line("}")
    }

    /// Writes lines, inside an `#if` if there is a condition.
    mutating func conditional(_ condition: String?, _ body: (inout CodeText) -> Void) {
        if let condition { lines.append("#if \(condition)") }
        body(&self)
        if condition != nil { lines.append("#endif") }
    }
}
