// A form as a value: fields with what they hold. Made by screens, rendered by PageRenderer.
import Foundation

/// A form with a button that sends it as the action `save`.
public struct Form {
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
    /// Whether the first field has the focus when the form opens.
    public var focuses: Bool

    /// A form.
    ///
    /// - Parameters:
    ///   - fields: the fields, from top to bottom.
    ///   - submit: the button's word.
    ///   - isModal: whether it slides in over the screen that it comes from.
    ///   - prompt: what is said above the fields.
    ///   - hidden: values that go with the fields and are not shown.
    ///   - focuses: whether the first field has the focus when the form opens.
    public init(
        fields: [Field],
        submit: String = "Save",
        isModal: Bool = false,
        prompt: Prompt? = nil,
        hidden: [String: String] = [:],
        focuses: Bool = true
    ) {
        self.fields = fields
        self.submit = submit
        self.isModal = isModal
        self.prompt = prompt
        self.hidden = hidden
        self.focuses = focuses
    }
}
