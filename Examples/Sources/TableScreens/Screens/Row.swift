// A row as a value: made by an application from an object on the context's queue, rendered by RowRenderer.
import Foundation

/// A row of a table.
public struct Row: Sendable, Equatable {
    /// What tells it from the table's other rows: an object's reference, or a word.
    public var id: String
    /// The first line.
    public var title: RowText
    /// The second line, beneath the title.
    public var subtitle: RowText?
    /// The value at the trailing end.
    public var value: RowText?
    /// The moment from which the row is shown in red.
    public var warnsFrom: Date?
    /// Whether it bears the check mark.
    public var isChecked: Bool
    /// What a tap does.
    public var action: RowAction

    /// What a tap on a row does.
    public enum RowAction: Sendable, Equatable {
        case none
        /// Opens an address; the row shows a disclosure mark.
        case open(String)
        /// Shows the alert of the page at an address.
        case alert(String)
        /// Posts the action `choose` with this value.
        case choose(String)
    }

    /// A row of a table.
    ///
    /// - Parameters:
    ///   - id: what tells it from the table's other rows: an object's reference, or a word.
    ///   - title: the first line.
    ///   - subtitle: the second line.
    ///   - value: the value at the trailing end.
    ///   - warnsFrom: the moment from which the row is shown in red.
    ///   - isChecked: whether it bears the check mark.
    ///   - action: what a tap does.
    public init(
        id: String,
        title: RowText,
        subtitle: RowText? = nil,
        value: RowText? = nil,
        warnsFrom: Date? = nil,
        isChecked: Bool = false,
        action: RowAction = .none
    ) {
        self.id = id
        self.title = title
        self.subtitle = subtitle
        self.value = value
        self.warnsFrom = warnsFrom
        self.isChecked = isChecked
        self.action = action
    }
}

/// A text in a row: words, a moment in the reader's own form, or words that stand for nothing.
public enum RowText: Sendable, Equatable, ExpressibleByStringLiteral {
    case text(String)
    /// A moment, formatted in the reader's language and time zone.
    case date(Date, DateForm)
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
}
