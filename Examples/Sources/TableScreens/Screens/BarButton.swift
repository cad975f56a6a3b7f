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
