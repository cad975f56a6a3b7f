// The protocol of a screen. Applications conform small structs to it; the responder calls them, always on the context's
// queue.

/// One screen of an application.
public protocol Screen: Sendable {
    /// The address below the application: `tasks/:task/text`. A component that begins with ":" matches an object's
    /// reference or a word, read with `Place`. The empty path is the application's first screen.
    var path: String { get }

    /// The query keys that affect the page; others are ignored.
    var queryKeys: [String] { get }

    /// Returns the page at a place. Called on the context's queue.
    ///
    /// - Parameter place: The address, with the objects it names.
    /// - Returns: The page.
    /// - Throws: `ScreenError.notFound` if the address names no object; the errors of a fetch.
    func page(at place: Place) throws -> Page

    /// Performs the action of a button or form, and saves. Called on the context's queue.
    ///
    /// An error rolls the context back, and is shown in an alert on this screen, which keeps the input.
    ///
    /// - Parameters:
    ///   - action: The action of the button or form, with its fields.
    ///   - place: The address, with the objects it names.
    /// - Returns: The next screen.
    /// - Throws: `ScreenError`, or the errors of `save()`.
    func perform(_ action: Action, at place: Place) throws -> Outcome
}

extension Screen {
    /// No query keys affect the page.
    public var queryKeys: [String] { [] }

    /// Rejects every action.
    public func perform(_ action: Action, at place: Place) throws -> Outcome {
        throw ScreenError.unknownAction(action.name)
    }
}
