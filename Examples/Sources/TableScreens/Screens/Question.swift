// The confirmation before an action that cannot be undone.

/// The confirmation before an action that cannot be undone.
public struct Question: Sendable {
    /// The question.
    public var title: String
    /// The text below the question: the consequences.
    public var message: String
    /// The title of the button that confirms.
    public var confirm: String

    /// Creates the confirmation before an action that cannot be undone.
    ///
    /// - Parameters:
    ///   - title: The question.
    ///   - message: The text below the question: the consequences.
    ///   - confirm: The title of the button that confirms.
    public init(_ title: String, message: String = "", confirm: String) {
        self.title = title
        self.message = message
        self.confirm = confirm
    }
}
