// The errors of screens. The responder turns them into a 404 page or an alert.
import Foundation

/// A reason for which a screen rejects a request.
public enum ScreenError: Error, LocalizedError, Sendable, Equatable {
    /// The address names an object or a screen that does not exist.
    case notFound
    /// A field has an invalid value; the text asks for a valid one.
    case badInput(String)
    /// A file exceeds the size limit; the text explains how to proceed.
    case tooLarge(String)
    /// A button or form asked for an action that this screen does not support.
    case unknownAction(String)

    /// The message shown to the reader.
    public var errorDescription: String? {
        switch self {
        case .notFound: "This item does not exist. It may have been deleted."
        case .badInput(let text), .tooLarge(let text): text
        case .unknownAction: "This screen does not know that action. Nothing was changed."
        }
    }
}
