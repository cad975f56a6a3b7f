// A field of a form as a value: what it takes, and what it holds at first. Made by screens, rendered by
// FieldRenderer.
import Foundation

/// A field of a form.
public struct Field {
    /// The most characters that a text field takes.
    public static let textLimit = 1_000
    /// The most characters that a field of several lines takes.
    public static let longTextLimit = 50_000

    /// The name under which the action has its value; letters and digits.
    public var name: String
    /// The words beside it.
    public var label: String
    /// What it takes.
    public var kind: Kind
    /// A link beside it, to where its choices are edited.
    public var accessory: Link?

    /// What a field takes, with what it holds at first.
    public enum Kind {
        case text(String)
        /// A text of several lines, in a field that grows with it.
        case longText(String)
        /// A day, from a picker, with the chosen day in long form beside it.
        case day(Date)
        /// A switch.
        case flag(Bool)
        /// A picture, chosen from a file; `Action.picture` tells what became of it.
        case picture(Data?)
        /// A number with decimals, as the reader writes numbers; read with `Action.number`.
        case number(Double)
        /// One object of several; read with `Place.chosen`.
        case choice(Choice)
    }

    /// A field of a form.
    ///
    /// - Parameters:
    ///   - name: the name under which the action has its value.
    ///   - label: the words beside it.
    ///   - kind: what it takes, and holds at first.
    ///   - accessory: a link beside it, to where its choices are edited.
    public init(name: String, label: String, _ kind: Kind, accessory: Link? = nil) {
        self.name = name
        self.label = label
        self.kind = kind
        self.accessory = accessory
    }
}
