// The buttons in the top and bottom bars, as values. Created by screens, rendered by PageRenderer.

/// A button in the navigation bar.
public enum BarButton: Sendable {
    /// A plus sign that opens a screen.
    case addLink(label: String, to: String)
    /// A plus sign that performs the screen's action.
    case addAction(label: String, action: String)
    /// A word that opens a screen.
    case link(String, to: String)
    /// A word that performs the screen's action, after a confirmation if there is a question.
    case action(String, action: String, question: Question? = nil)

    /// The action of the button and its question, if it has one.
    var asked: (action: String, question: Question)? {
        if case .action(_, let action, let question?) = self { (action, question) } else { nil }
    }
}

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
    ///   - title: the question.
    ///   - message: the text below the question: the consequences.
    ///   - confirm: the title of the button that confirms.
    public init(_ title: String, message: String = "", confirm: String) {
        self.title = title
        self.message = message
        self.confirm = confirm
    }
}

/// A button in the toolbar at the bottom.
public struct ToolbarItem: Sendable {
    var title: String
    var label: String
    var address: String
    var isCurrent: Bool

    /// Creates a button that opens an address.
    ///
    /// - Parameters:
    ///   - title: the visible short title.
    ///   - label: the text for screen readers.
    ///   - address: an address created by `Place`.
    ///   - isCurrent: whether the button leads to the current screen.
    public init(_ title: String, label: String, to address: String, isCurrent: Bool = false) {
        self.title = title
        self.label = label
        self.address = address
        self.isCurrent = isCurrent
    }
}
