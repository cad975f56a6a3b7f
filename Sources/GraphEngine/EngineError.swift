// Why an engine could not do something, as a value. Thrown by engines and their sessions; the graph turns it into Apple's errors
// where a request ends.

/// A failure of an engine.
package struct EngineError: Error, Sendable {
    /// What callers tell apart.
    package enum Kind: Sendable {
        /// Somebody else has been writing for too long.
        case busy
        /// Another row has the value.
        case uniqueValue
        case full
        case readOnly
        case cannotOpen
        /// What the store holds cannot be read.
        case corrupt
        /// The engine itself reports a failure of another kind.
        case failed
        case outOfMemory
        /// The store is closed.
        case closed
        /// The store is not where it was opened.
        case moved
        /// There is no store, and none is to be made.
        case missing
        /// The place holds something that is no store.
        case noStore
        /// The place holds a damaged file.
        case damagedFile
        /// The store does not have what the model needs.
        case incompatibleSchema
        /// What was to be saved cannot be.
        case unsaved
        /// A file beside the store could not be written; `code` is the file system's.
        case file
    }

    package var kind: Kind
    /// What happened: a sentence, or for failures that the engine only passes on, what it said.
    package var message: String
    package var reason: String?
    package var remedy: String?
    /// The engine's or the system's own number of the failure.
    package var code: Int?

    package init(_ kind: Kind, _ message: String, reason: String? = nil, remedy: String? = nil, code: Int? = nil) {
        self.kind = kind
        self.message = message
        self.reason = reason
        self.remedy = remedy
        self.code = code
    }
}

extension EngineError: CustomStringConvertible {
    package var description: String { [message, remedy].compactMap(\.self).joined(separator: " ") }
}
