// A form as a value: its fields with their values. Created by screens, rendered by PageRenderer.
import Foundation

/// A form with a button that submits it as the action `save`.
public struct Form {
    /// The fields, from top to bottom.
    public var fields: [Field]
    /// The title of the button.
    public var submit: String
    /// Whether the form slides in over the previous screen, with Cancel in place of the back button.
    public var isModal: Bool
    /// The text above the fields.
    public var prompt: Prompt?
    /// Hidden values that are submitted with the fields.
    public var hidden: [String: String]
    /// Whether the first field has the focus when the form opens.
    public var focuses: Bool

    /// Creates a form.
    ///
    /// - Parameters:
    ///   - fields: The fields, from top to bottom.
    ///   - submit: The title of the button.
    ///   - isModal: Whether it slides in over the previous screen.
    ///   - prompt: The text above the fields.
    ///   - hidden: Hidden values that are submitted with the fields.
    ///   - focuses: Whether the first field has the focus when the form opens.
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
