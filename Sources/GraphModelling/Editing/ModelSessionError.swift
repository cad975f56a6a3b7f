// The error of this module. Thrown by ModelSession; pages show its three parts.
import Foundation

/// The reason why a model cannot be opened, changed or saved, with a remedy.
public struct ModelSessionError: Error, Sendable, Hashable, Codable, CustomStringConvertible {
    /// The kinds of failures.
    public enum Code: String, Sendable, Hashable, Codable {
        /// The file cannot be read.
        case unreadable
        /// The model cannot be edited in its form.
        case readOnly
        /// A change does not fit the model.
        case invalidEdit
        /// Another version is shown than the one that a change is for.
        case otherVersion
        /// A file changed on the disk since it was read.
        case changedOnDisk
        /// The model has errors that Apple's compiler refuses.
        case hasErrors
        /// A file cannot be written.
        case notWritten
        /// A part, a version or a field does not exist.
        case missing
    }

    /// The kind of failure.
    public var code: Code
    /// The cause.
    public var message: String
    /// The remedy.
    public var remedy: String
    /// The part of the model, if there is one.
    public var place: ModelPlace?
    /// The differences between the file that was read and the one on the disk, for `changedOnDisk`.
    public var difference: ModelComparisonPicture?

    init(
        _ code: Code,
        _ message: String,
        remedy: String,
        place: ModelPlace? = nil,
        difference: ModelComparisonPicture? = nil
    ) {
        self.code = code
        self.message = message
        self.remedy = remedy
        self.place = place
        self.difference = difference
    }

    /// The cause and the remedy.
    public var description: String { "\(message) \(remedy)" }
}

extension ModelSessionError: LocalizedError {
    /// The cause, for `localizedDescription`.
    public var errorDescription: String? { message }
    /// The remedy, for `localizedRecoverySuggestion`.
    public var recoverySuggestion: String? { remedy }
}
