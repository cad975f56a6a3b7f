// A form as a value: fields with what they hold. Made by screens, rendered by PageRenderer.
import Foundation

/// A form with a button that sends it as the action `save`.
public struct Form: Sendable {
    /// The fields, from top to bottom.
    public var fields: [Field]
    /// The button's word.
    public var submit: String
    /// Whether the form slides in over the screen that it comes from, with Cancel in place of the back button.
    public var isModal: Bool
    /// What is said above the fields.
    public var prompt: Prompt?
    /// Values that go with the fields and are not shown.
    public var hidden: [String: String]

    /// A form.
    ///
    /// - Parameters:
    ///   - fields: the fields, from top to bottom.
    ///   - submit: the button's word.
    ///   - isModal: whether it slides in over the screen that it comes from.
    ///   - prompt: what is said above the fields.
    ///   - hidden: values that go with the fields and are not shown.
    public init(
        fields: [Field],
        submit: String = "Save",
        isModal: Bool = false,
        prompt: Prompt? = nil,
        hidden: [String: String] = [:]
    ) {
        self.fields = fields
        self.submit = submit
        self.isModal = isModal
        self.prompt = prompt
        self.hidden = hidden
    }
}

/// A field of a form.
public struct Field: Sendable {
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

    /// What a field takes, with what it holds at first.
    public enum Kind: Sendable {
        case text(String)
        /// A text of several lines, in a field that grows with it.
        case longText(String)
        /// A day, from a picker, with the chosen day in long form beside it.
        case day(Date)
        /// A switch.
        case flag(Bool)
        /// A picture, chosen from a file; `Action.picture` tells what became of it.
        case picture(Data?)
    }

    /// A field of a form.
    ///
    /// - Parameters:
    ///   - name: the name under which the action has its value.
    ///   - label: the words beside it.
    ///   - kind: what it takes, and holds at first.
    public init(name: String, label: String, _ kind: Kind) {
        self.name = name
        self.label = label
        self.kind = kind
    }
}
