// What a form says above its fields. Made by screens, rendered by PageRenderer.

/// Large words above a form's fields: a question, with what became of the one before.
public struct Prompt: Sendable {
    /// The large words.
    public var text: String
    /// Small words above them.
    public var caption: String?
    /// What is told first, with a mark and a colour.
    public var notice: Notice?

    /// Good news or bad.
    public enum Notice: Sendable {
        case success(String)
        case failure(String)
    }

    /// Large words above a form's fields.
    ///
    /// - Parameters:
    ///   - text: the large words.
    ///   - caption: small words above them.
    ///   - notice: what is told first, with a mark and a colour.
    public init(_ text: String, caption: String? = nil, notice: Notice? = nil) {
        self.text = text
        self.caption = caption
        self.notice = notice
    }
}
