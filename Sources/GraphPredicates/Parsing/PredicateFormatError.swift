// The error for an invalid predicate or expression format. Thrown by the lexer and the parser; shown to the author of
// the format, so it must describe the remedy.

import Foundation

/// The reason why a predicate or expression format cannot be parsed.
public struct PredicateFormatError: Error, Equatable, Sendable {
    /// A description of the error, in one sentence.
    public let message: String
    /// The number of characters of the format before the error.
    public let position: Int
    /// The expected text at that position, such as `an expression`; empty if there is no simple one.
    public let expected: String
    /// The original format.
    public let format: String

    /// Describes an error.
    public init(message: String, position: Int, expected: String = "", format: String) {
        self.message = message
        self.position = position
        self.expected = expected
        self.format = format
    }

    init(message: String, offset: Int, expected: String = "", format: String) {
        let bytes = format.utf8
        let end = bytes.index(bytes.startIndex, offsetBy: min(max(offset, 0), bytes.count))
        let characters = format[..<end].count
        self.init(message: message, position: characters, expected: expected, format: format)
    }
}

extension PredicateFormatError: CustomStringConvertible {
    /// The message, and the format with a mark under the position.
    public var description: String {
        let (line, column) = lineAndColumn
        let hint = expected.isEmpty ? "" : " Expected \(expected)."
        return """
            Unable to parse the format string at character \(position): \(message)\(hint)
                \(line)
                \(String(repeating: " ", count: column))^
            """
    }

    /// The line with the error, or the part of a long line around it, and the number of characters before the error.
    private var lineAndColumn: (String, Int) {
        let place = format.index(format.startIndex, offsetBy: position, limitedBy: format.endIndex) ?? format.endIndex
        let reach = 100
        let before = format[..<place].suffix(reach)
        let begin = before.lastIndex(where: \.isNewline).map { before.index(after: $0) } ?? before.startIndex
        let after = format[place...].prefix(reach)
        let end = after.firstIndex(where: \.isNewline) ?? after.endIndex
        let isCutBefore = begin == before.startIndex && begin != format.startIndex && !format[..<begin].endsInNewline
        let isCutAfter = end == after.endIndex && end != format.endIndex && !format[end].isNewline
        let line = (isCutBefore ? "…" : "") + format[begin..<end] + (isCutAfter ? "…" : "")
        return (line, format[begin..<place].count + (isCutBefore ? 1 : 0))
    }
}

extension PredicateFormatError: LocalizedError {
    /// The same text as `description`.
    public var errorDescription: String? { description }
}

extension Substring {
    fileprivate var endsInNewline: Bool { last?.isNewline ?? false }
}
