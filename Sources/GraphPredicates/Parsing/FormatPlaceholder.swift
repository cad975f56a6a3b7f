// Represents an argument in a format that is parsed without its arguments, for example from a source file. Created by
// the lexer on request; prints as it was written, so that the text parses back.

/// A specifier without its argument.
struct FormatPlaceholder: Hashable, CustomStringConvertible {
    /// As in the format: `%@`, `%2$ld`.
    let text: String

    var description: String { text }

    /// Whether a key of a key path is a placeholder.
    static func isKey(_ key: String) -> Bool {
        guard key.hasPrefix("%"), key.hasSuffix("K") else { return false }
        let position = key.dropFirst().dropLast()
        return position.isEmpty || (position.last == "$" && position.dropLast().allSatisfy(\.isNumber))
    }
}
