// The buttons in the bars at the top and the bottom, as values. Made by screens, rendered by PageRenderer.

/// A button in the navigation bar.
public enum BarButton: Sendable {
    /// A plus sign that opens a screen.
    case addLink(label: String, to: String)
    /// A plus sign that does the screen's action.
    case addAction(label: String, action: String)
    /// A word that opens a screen.
    case link(String, to: String)
    /// A word that does the screen's action, after a question where there is one.
    case action(String, action: String, question: Question? = nil)

    /// The action that the button does, with the question before it.
    var asked: (action: String, question: Question)? {
        if case .action(_, let action, let question?) = self { (action, question) } else { nil }
    }
}

/// What is asked before an action that cannot be taken back.
public struct Question: Sendable {
    /// The question.
    public var title: String
    /// The words below it: what will be lost.
    public var message: String
    /// The word on the button that does it.
    public var confirm: String

    /// What is asked before an action that cannot be taken back.
    ///
    /// - Parameters:
    ///   - title: the question.
    ///   - message: the words below it: what will be lost.
    ///   - confirm: the word on the button that does it.
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

    /// A button that opens an address.
    ///
    /// - Parameters:
    ///   - title: the short word shown.
    ///   - label: what a screen reader says.
    ///   - address: an address that `Place` made.
    ///   - isCurrent: whether what it leads to is what is shown.
    public init(_ title: String, label: String, to address: String, isCurrent: Bool = false) {
        self.title = title
        self.label = label
        self.address = address
        self.isCurrent = isCurrent
    }
}
