// What stands for an argument in a format that is read without its arguments, as it is in a source file. Made by the lexer
// where the caller says so; printed as it was written, so that the text reads back.

/// A specifier without its argument.
struct FormatPlaceholder: Hashable, CustomStringConvertible {
    /// As in the format: `%@`, `%2$ld`.
    let text: String

    var description: String { text }

    /// Whether a key of a key path is one.
    static func isKey(_ key: String) -> Bool {
        guard key.hasPrefix("%"), key.hasSuffix("K") else { return false }
        let position = key.dropFirst().dropLast()
        return position.isEmpty || (position.last == "$" && position.dropLast().allSatisfy(\.isNumber))
    }
}
