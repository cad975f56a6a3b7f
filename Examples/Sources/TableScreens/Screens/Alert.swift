// A message over a screen, as a value. Made by screens and for errors, rendered by PageRenderer and screens.js.

/// A message that waits for an OK.
public struct Alert: Sendable {
    /// The title.
    public var title: String
    /// The words below the title.
    public var message: String
    /// A list below the words.
    public var items: [String]

    /// A message that waits for an OK.
    ///
    /// - Parameters:
    ///   - title: the title.
    ///   - message: the words below the title.
    ///   - items: a list below the words.
    public init(title: String, message: String = "", items: [String] = []) {
        self.title = title
        self.message = message
        self.items = items
    }
}
