// The protocol of a screen whose form edits in a draft: a scratch context with undo, saved when one leaves. The responder
// keeps the drafts (Draft, Drafts) and calls these functions on the draft's queue, within the application's.

/// A screen with a form that takes each change as it happens, and saves when one leaves it.
///
/// `page(at:)` describes the form twice: with the application's context for what is saved, and with the draft's for what
/// is being edited. Without scripts it is a plain form with a button.
public protocol DraftScreen: Screen {
    /// Sets right what must hold when the screen is opened; saved at once. Called on the application's context's queue.
    ///
    /// - Parameter place: the address, with the application's context.
    /// - Throws: `ScreenError.notFound` where the address names nothing; a fetch's errors.
    func enter(at place: Place) throws

    /// Sets one property from a field.
    ///
    /// - Parameters:
    ///   - field: the field's name.
    ///   - action: has the field's text.
    ///   - place: the address, with the draft's context.
    /// - Throws: `ScreenError.badInput`, shown beside the field; what was typed stays.
    func change(_ field: String, in action: Action, at place: Place) throws

    /// Sets right what must hold when the screen is left, before the draft is saved.
    ///
    /// - Parameter place: the address, with the draft's context.
    /// - Throws: `ScreenError.badInput`, or a fetch's errors; nothing is saved then.
    func leave(at place: Place) throws
}

extension DraftScreen {
    /// Nothing needs to hold.
    public func enter(at place: Place) throws {}

    /// Nothing needs to hold.
    public func leave(at place: Place) throws {}
}
