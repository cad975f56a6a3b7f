// A field of a form as a value: its kind and initial value. Created by screens, rendered by PageRenderer.
import Foundation

/// A field of a form.
public struct Field {
    /// The maximum length of a text field, in characters.
    public static let textLimit = 1_000
    /// The maximum length of a multi-line field, in characters.
    public static let longTextLimit = 50_000

    /// The name of the value in the action; letters and digits.
    public var name: String
    /// The label beside it.
    public var label: String
    /// The kind of field and its initial value.
    public var kind: Kind
    /// A link beside it that leads to the editor of its choices.
    public var accessory: Link?

    /// The kind of a field, with its initial value.
    public enum Kind {
        case text(String)
        /// A multi-line text, in a field that grows with it.
        case longText(String)
        /// A day, from a picker, with the chosen day in long form beside it.
        case day(Date)
        /// A switch.
        case flag(Bool)
        /// A picture, chosen from a file; read with `Action.picture`.
        case picture(Data?)
        /// A number with decimals, in the reader's notation; read with `Action.number`.
        case number(Double)
        /// One object of several; read with `Place.chosen`.
        case choice(Choice)
    }

    /// Creates a field of a form.
    ///
    /// - Parameters:
    ///   - name: The name of the value in the action.
    ///   - label: The label beside it.
    ///   - kind: The kind of field and its initial value.
    ///   - accessory: A link beside it that leads to the editor of its choices.
    public init(name: String, label: String, _ kind: Kind, accessory: Link? = nil) {
        self.name = name
        self.label = label
        self.kind = kind
        self.accessory = accessory
    }
}
