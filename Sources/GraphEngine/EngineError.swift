// Failures of engines, as values. Thrown by engines and their sessions; the graph maps them to Apple's errors at the
// end of a request.

/// A failure of an engine.
package struct EngineError: Error, Sendable {
    /// The kinds of failure that callers distinguish.
    package enum Kind: Sendable {
        /// Another writer has held the store for too long.
        case busy
        /// The database rolled the transaction back because of a concurrent one or a stale plan; run it again.
        case retry
        /// Another row has the value.
        case uniqueValue
        /// A value breaks a rule of the model that the database has as a constraint; `code` is Cocoa's.
        case invalidValue
        /// A new reference leads to a row that does not exist.
        case missingDestination
        case full
        case readOnly
        case cannotOpen
        /// The store's content cannot be read.
        case corrupt
        /// The engine reports a failure of another kind.
        case failed
        case outOfMemory
        /// The store is closed.
        case closed
        /// The store is no longer at its original location.
        case moved
        /// The store does not exist, and must not be created.
        case missing
        /// The location holds something that is not a store.
        case noStore
        /// The location holds a damaged file.
        case damagedFile
        /// The store lacks tables or columns that the model requires.
        case incompatibleSchema
        /// The store has been migrated to another version of the model since it was opened.
        case otherVersion
        /// The changes cannot be saved.
        case unsaved
        /// A file beside the store could not be written; `code` is the file system's error code.
        case file
    }

    package var kind: Kind
    /// A description: a sentence, or the original message of a failure that the engine only passes on.
    package var message: String
    package var reason: String?
    package var remedy: String?
    /// The engine's or the system's error code.
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
