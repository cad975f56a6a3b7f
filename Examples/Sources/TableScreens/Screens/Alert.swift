// A message over a screen, as a value. Created by screens and for errors, rendered by PageRenderer and screens.js.

/// A message with an OK button.
public struct Alert: Sendable {
    /// The title.
    public var title: String
    /// The text below the title.
    public var message: String
    /// A list below the text.
    public var items: [String]

    /// Creates a message with an OK button.
    ///
    /// - Parameters:
    ///   - title: The title.
    ///   - message: The text below the title.
    ///   - items: A list below the text.
    public init(title: String, message: String = "", items: [String] = []) {
        self.title = title
        self.message = message
        self.items = items
    }
}
