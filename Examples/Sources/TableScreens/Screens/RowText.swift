// A row's texts as values: what depends on the reader (language, time zone) is formatted by the renderer, and again by
// the browser, never by the application.
import Foundation

/// A text in a row: words, a number or a moment in the reader's own form, or words that stand for nothing.
public enum RowText: Sendable, Equatable, ExpressibleByStringLiteral {
    case text(String)
    /// A moment, formatted in the reader's language and time zone.
    case date(Date, DateForm)
    /// A number, written as the reader writes numbers, with the words of its unit after it.
    case number(Double, unit: String)
    /// Words shown greyed, where there is no value.
    case placeholder(String)

    /// How much of a moment is shown.
    public enum DateForm: String, Sendable {
        /// November 24, 2026
        case longDate = "date"
        /// Nov 24
        case day
        /// Nov 24, 2026 at 13:05:09
        case moment = "moment"
    }

    /// Words.
    ///
    /// - Parameter value: the words.
    public init(stringLiteral value: String) { self = .text(value) }

    /// Words, or a placeholder where there are none.
    ///
    /// - Parameters:
    ///   - text: the words.
    ///   - placeholder: what stands for nil and for the empty text.
    public init(_ text: String?, placeholder: String) {
        if let text, !text.isEmpty { self = .text(text) } else { self = .placeholder(placeholder) }
    }

    /// A number of single precision, with the digits that it was entered with: 1.1, not 1.10000002.
    ///
    /// - Parameters:
    ///   - number: the number.
    ///   - unit: the words after it.
    public init(_ number: Float, unit: String = "") {
        self = .number(Double(number.description) ?? Double(number), unit: unit)
    }
}
