// What is wrong with a predicate or expression format, and where. Thrown by the lexer and the parser;
// shown to the person who wrote the format, so it must name the remedy.

import Foundation

/// The reason why a predicate or expression format cannot be read.
public struct PredicateFormatError: Error, Equatable, Sendable {
    /// What is wrong, in one sentence.
    public let message: String
    /// The number of characters of the format before the place of the error.
    public let position: Int
    /// What would have been right at that place, such as `an expression`; empty where nothing simple would be.
    public let expected: String
    /// The format as it was given.
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
    /// The message, and the format with a mark under the place.
    public var description: String {
        let (line, column) = lineAndColumn
        let hint = expected.isEmpty ? "" : " Expected \(expected)."
        return """
            Unable to parse the format string at character \(position): \(message)\(hint)
                \(line)
                \(String(repeating: " ", count: column))^
            """
    }

    /// The line of the place, of a long one the part around it, and the number of characters before the place.
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
