// A row's texts as values. Text that depends on the reader (language, time zone) is formatted by the renderer, and
// again by the browser, never by the application.
import Foundation

/// A text in a row: words, a number or a moment in the reader's notation, or a placeholder.
public enum RowText: Sendable, Equatable, ExpressibleByStringLiteral {
    case text(String)
    /// A moment, formatted in the reader's language and time zone.
    case date(Date, DateForm)
    /// A number in the reader's notation, followed by its unit.
    case number(Double, unit: String)
    /// Greyed text in place of a missing value.
    case placeholder(String)

    /// The format of a moment.
    public enum DateForm: String, Sendable {
        /// November 24, 2026
        case longDate = "date"
        /// Nov 24
        case day
        /// Nov 24, 2026 at 13:05:09
        case moment = "moment"
    }

    /// Creates a plain text.
    ///
    /// - Parameter value: The text.
    public init(stringLiteral value: String) { self = .text(value) }

    /// Creates a text, or a placeholder if the text is empty.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - placeholder: The words shown for nil and for an empty text.
    public init(_ text: String?, placeholder: String) {
        if let text, !text.isEmpty { self = .text(text) } else { self = .placeholder(placeholder) }
    }

    /// Creates a number of single precision with its shortest decimal digits: 1.1, not 1.10000002.
    ///
    /// - Parameters:
    ///   - number: The number.
    ///   - unit: The unit after it.
    public init(_ number: Float, unit: String = "") {
        self = .number(Double(number.description) ?? Double(number), unit: unit)
    }
}
