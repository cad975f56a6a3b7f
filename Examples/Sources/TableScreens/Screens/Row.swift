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
    /// How it stands out.
    public var style: Style
    /// What a screen reader says of the style; nil for the usual words.
    public var styleLabel: String?
    /// The address that the accessory button ⓘ opens; `Table.showsDetail` says when it is shown.
    public var detail: String?
    /// What a tap does.
    public var action: RowAction

    /// How a row stands out: by colour, and by weight or a mark as well.
    public enum Style: String, Sendable {
        case plain
        /// Orange.
        case highlighted
        /// Greyed, with a check mark.
        case dimmed
        /// Red.
        case warning

        /// What a screen reader says where the row has no words of its own.
        var label: String? {
            switch self {
            case .plain: nil
            case .highlighted: "marked"
            case .dimmed: "done"
            case .warning: "attention"
            }
        }
    }

    /// What a tap on a row does.
    public enum RowAction: Sendable, Equatable {
        case none
        /// Opens an address; the row shows a disclosure mark.
        case open(String)
        /// Shows the alert of the page at an address.
        case alert(String)
        /// Posts the action `choose` with this value.
        case choose(String)
        /// Posts an action, named by one word, with a value; the browser stays on the screen where the outcome does.
        case perform(String, String)
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
    ///   - style: how it stands out.
    ///   - styleLabel: what a screen reader says of the style; nil for the usual words.
    ///   - detail: the address that the accessory button opens.
    ///   - action: what a tap does.
    public init(
        id: String,
        title: RowText,
        subtitle: RowText? = nil,
        value: RowText? = nil,
        warnsFrom: Date? = nil,
        isChecked: Bool = false,
        style: Style = .plain,
        styleLabel: String? = nil,
        detail: String? = nil,
        action: RowAction = .none
    ) {
        self.id = id
        self.title = title
        self.subtitle = subtitle
        self.value = value
        self.warnsFrom = warnsFrom
        self.isChecked = isChecked
        self.style = style
        self.styleLabel = styleLabel
        self.detail = detail
        self.action = action
    }
}
