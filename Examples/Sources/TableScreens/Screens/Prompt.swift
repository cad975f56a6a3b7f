// The text above a form's fields. Created by screens, rendered by PageRenderer.

/// The text above a form's fields: a question, with the result of the previous one.
public struct Prompt: Sendable {
    /// The text in large type.
    public var text: String
    /// A small caption above it.
    public var caption: String?
    /// A notice above both, with a mark and a colour.
    public var notice: Notice?

    /// The kind of a notice, with its text.
    public enum Notice: Sendable {
        case success(String)
        case failure(String)
    }

    /// Creates the text above a form's fields.
    ///
    /// - Parameters:
    ///   - text: The text in large type.
    ///   - caption: A small caption above it.
    ///   - notice: A notice above both, with a mark and a colour.
    public init(_ text: String, caption: String? = nil, notice: Notice? = nil) {
        self.text = text
        self.caption = caption
        self.notice = notice
    }
}
