// A screen whose form edits a draft: a child context with undo, saved when the reader leaves. The responder keeps the
// drafts (Draft, Drafts) and calls these methods on the draft's queue, within the application's queue.

/// A screen with a form that applies each change immediately, and saves when the reader leaves it.
///
/// `page(at:)` is called in two contexts: in the application's for the saved values, and in the draft's for the edited
/// ones. Without scripts the form is a plain form with a button.
public protocol DraftScreen: Screen {
    /// Prepares the object when the screen is opened; the change is saved immediately.
    ///
    /// Called on the application context's queue.
    ///
    /// - Parameter place: The address, with the application's context.
    /// - Throws: `ScreenError.notFound` if the address names no object; the errors of a fetch.
    func enter(at place: Place) throws

    /// Sets one property from a field.
    ///
    /// - Parameters:
    ///   - field: The field's name.
    ///   - action: The action with the field's text.
    ///   - place: The address, with the draft's context.
    /// - Throws: `ScreenError.badInput`, shown beside the field, which keeps the input.
    func change(_ field: String, in action: Action, at place: Place) throws

    /// Completes the object when the screen is left, before the draft is saved.
    ///
    /// - Parameter place: The address, with the draft's context.
    /// - Throws: `ScreenError.badInput`, or the errors of a fetch; nothing is saved then.
    func leave(at place: Place) throws
}

extension DraftScreen {
    /// Does nothing.
    public func enter(at place: Place) throws {}

    /// Does nothing.
    public func leave(at place: Place) throws {}
}
