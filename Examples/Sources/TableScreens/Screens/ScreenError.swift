// What a screen refuses. The responder turns these into a 404 page or an alert.
import Foundation

/// A reason for which a screen does not do what it was asked to.
public enum ScreenError: Error, LocalizedError, Sendable, Equatable {
    /// The address names an object or a screen that does not exist.
    case notFound
    /// A field holds what it cannot hold; the text says what to enter instead.
    case badInput(String)
    /// A file is larger than is taken; the text says what to do.
    case tooLarge(String)
    /// A button or form asked for something that this screen does not know.
    case unknownAction(String)

    /// The words shown.
    public var errorDescription: String? {
        switch self {
        case .notFound: "This item does not exist. It may have been deleted."
        case .badInput(let text), .tooLarge(let text): text
        case .unknownAction: "This screen does not know that action. Nothing was changed."
        }
    }
}
