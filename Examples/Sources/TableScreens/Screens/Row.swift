// A row as a value: created by an application from an object on the context's queue, rendered by RowRenderer.
import Foundation

/// A row of a table.
public struct Row: Sendable, Equatable {
    /// The unique identifier of the row in its table: an object's reference, or a word.
    public var id: String
    /// The first line.
    public var title: RowText
    /// The second line, beneath the title.
    public var subtitle: RowText?
    /// The value at the trailing end.
    public var value: RowText?
    /// The part beside the texts.
    public var decoration: RowDecoration?
    /// The moment after which the row is shown in red.
    public var warnsFrom: Date?
    /// Whether the row has a check mark.
    public var isChecked: Bool
    /// The emphasis of the row.
    public var style: Style
    /// The description of the style for screen readers; nil for the default.
    public var styleLabel: String?
    /// The address that the accessory button ⓘ opens; `Table.showsDetail` determines when it is visible.
    public var detail: String?
    /// The action of a tap.
    public var action: RowAction

    /// The emphasis of a row, by colour and also by weight or a mark.
    public enum Style: String, Sendable {
        case plain
        /// Orange.
        case highlighted
        /// Greyed, with a check mark.
        case dimmed
        /// Red.
        case warning

        /// The default description for screen readers.
        var label: String? {
            switch self {
            case .plain: nil
            case .highlighted: "marked"
            case .dimmed: "done"
            case .warning: "attention"
            }
        }
    }

    /// The action of a tap on a row.
    public enum RowAction: Sendable, Equatable {
        case none
        /// Opens an address; the row shows a disclosure indicator.
        case open(String)
        /// Shows the alert of the page at an address.
        case alert(String)
        /// Posts the action `choose` with this value.
        case choose(String)
        /// Posts an action, named by one word, with a value; the browser stays on the screen if the outcome does.
        case perform(String, String)
    }

    /// Creates a row of a table.
    ///
    /// - Parameters:
    ///   - id: The unique identifier in the table: an object's reference, or a word.
    ///   - title: The first line.
    ///   - subtitle: The second line.
    ///   - value: The value at the trailing end.
    ///   - decoration: The part beside the texts.
    ///   - warnsFrom: The moment after which the row is shown in red.
    ///   - isChecked: Whether the row has a check mark.
    ///   - style: The emphasis of the row.
    ///   - styleLabel: The description of the style for screen readers; nil for the default.
    ///   - detail: The address that the accessory button opens.
    ///   - action: The action of a tap.
    public init(
        id: String,
        title: RowText,
        subtitle: RowText? = nil,
        value: RowText? = nil,
        decoration: RowDecoration? = nil,
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
        self.decoration = decoration
        self.warnsFrom = warnsFrom
        self.isChecked = isChecked
        self.style = style
        self.styleLabel = styleLabel
        self.detail = detail
        self.action = action
    }
}
