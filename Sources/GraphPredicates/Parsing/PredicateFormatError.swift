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

    private var lineAndColumn: (Substring, Int) {
        var start = 0
        for line in format.split(separator: "\n", omittingEmptySubsequences: false) {
            if position <= start + line.count { return (line, position - start) }
            start += line.count + 1
        }
        return (format[...], position)
    }
}

extension PredicateFormatError: LocalizedError {
    /// The same text as `description`.
    public var errorDescription: String? { description }
}
