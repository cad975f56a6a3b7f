// The protocol of a screen. Applications conform small structs to it; the responder calls them, always on the
// context's queue.

/// One screen of an application.
public protocol Screen: Sendable {
    /// The address below the application: `tasks/:task/text`. A component that begins with ":" takes an object's
    /// reference or a word, read with `Place`. The empty path is the application's first screen.
    var path: String { get }

    /// The query keys that make a difference to what is shown; others are ignored.
    var queryKeys: [String] { get }

    /// Describes what is shown at a place. Called on the context's queue.
    ///
    /// - Parameter place: the address, with the objects it names.
    /// - Returns: the page.
    /// - Throws: `ScreenError.notFound` where the address names nothing; a fetch's errors.
    func page(at place: Place) throws -> Page

    /// Does what a button or form asked for, and saves. Called on the context's queue.
    ///
    /// An error rolls the context back, and is shown in an alert on this screen with what was typed still there.
    ///
    /// - Parameters:
    ///   - action: the button's or form's action with its fields.
    ///   - place: the address, with the objects it names.
    /// - Returns: where to go on.
    /// - Throws: `ScreenError`, or the errors of `save()`.
    func perform(_ action: Action, at place: Place) throws -> Outcome
}

extension Screen {
    /// No query key matters.
    public var queryKeys: [String] { [] }

    /// No action is known.
    public func perform(_ action: Action, at place: Place) throws -> Outcome {
        throw ScreenError.unknownAction(action.name)
    }
}

/// Where to go after an action.
public enum Outcome: Sendable {
    /// The same screen again.
    case stay
    /// Another screen, by an address that `Place.link` made.
    case open(String)
    /// Starts a job, and goes on to another screen.
    case start(Job, then: String)
}
