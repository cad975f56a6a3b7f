// Factories for the NSErrors that leave the module: domain NSCocoaErrorDomain, Apple's codes and keys, a description of
// the failure, and a remedy. Every layer that reports errors to users calls them; they do not depend on those layers.
import Foundation
import GraphEngine

/// Creates errors in Apple's format.
package enum CoreDataError {
    /// An error in `NSCocoaErrorDomain`.
    ///
    /// - Parameters:
    ///   - code: One of Core Data's codes.
    ///   - description: A sentence that describes the failure; without one, the code's meaning.
    ///   - reason: The cause, for `NSLocalizedFailureReasonErrorKey` and the entry `reason`.
    ///   - remedy: A suggested fix, for `NSLocalizedRecoverySuggestionErrorKey`.
    ///   - underlying: The error that led to this one.
    ///   - userInfo: Further entries.
    /// - Returns: The error.
    package static func make(
        _ code: Int,
        _ description: String? = nil,
        reason: String? = nil,
        remedy: String? = nil,
        underlying: (any Error)? = nil,
        userInfo: [String: Any] = [:]
    ) -> NSError {
        var info = userInfo
        info[NSLocalizedDescriptionKey] = description ?? sentence(for: code)
        if let reason {
            info[NSLocalizedFailureReasonErrorKey] = reason
            info["reason"] = info["reason"] ?? reason
        }
        if let remedy { info[NSLocalizedRecoverySuggestionErrorKey] = remedy }
        if let underlying { info[NSUnderlyingErrorKey] = underlying }
        return NSError(domain: NSCocoaErrorDomain, code: code, userInfo: info)
    }

    /// The text with which a program stops if no error can be thrown: the message, the reason and the remedy.
    static func stopMessage(_ error: any Error) -> String {
        let error = error as NSError
        let parts = [error.localizedDescription, error.localizedFailureReason, error.localizedRecoverySuggestion]
        return parts.compactMap(\.self).joined(separator: " ")
    }

    /// Combines errors: nil for none, a single error unchanged, and error 1560 listing them for several.
    ///
    /// The entries of an error that is itself a list are added one by one.
    ///
    /// - Parameter errors: The errors.
    /// - Returns: The error, or nil.
    package static func combine(_ errors: [NSError]) -> NSError? {
        let details = errors.flatMap(details)
        guard details.count > 1 else { return details.first }
        let texts = details.map(\.localizedDescription)
        return make(
            NSValidationMultipleErrorsError,
            "\(details.count) values are not valid: " + texts.joined(separator: "; "),
            remedy: "Correct each of them and save again.",
            userInfo: [NSDetailedErrorsKey: details]
        )
    }

    /// Combines errors of which some may be thrown by methods of the program.
    ///
    /// A single error keeps its type, which the program's `catch` clauses name; converted to `NSError` it has none.
    ///
    /// - Parameter errors: The errors.
    /// - Returns: The error, or nil.
    package static func combine(_ errors: [any Error]) -> (any Error)? {
        if errors.count == 1 { return errors[0] }
        let converted: NSError? = combine(errors.map { $0 as NSError })
        return converted
    }

    /// The errors that make up an error: itself, or the entries of a list.
    ///
    /// - Parameter error: Any error.
    /// - Returns: One error or more.
    package static func details(_ error: NSError) -> [NSError] {
        guard error.domain == NSCocoaErrorDomain, error.code == NSValidationMultipleErrorsError,
            let details = error.userInfo[NSDetailedErrorsKey] as? [NSError]
        else { return [error] }
        return details
    }

    /// The store was created with another version of the model: 134100.
    ///
    /// - Parameters:
    ///   - metadata: The store's metadata.
    ///   - reason: The differing entities, from
    ///     `NSManagedObjectModel.incompatibility(withStoreMetadata:configuration:)`.
    ///   - url: The store's URL.
    /// - Returns: The error.
    package static func incompatibleVersionHash(metadata: [String: Any], reason: String, url: URL?) -> NSError {
        var info: [String: Any] = ["metadata": metadata, "reason": reason]
        if let url { info[NSFilePathErrorKey] = url.path }
        return make(
            NSPersistentStoreIncompatibleVersionHashError,
            "The model used to open the store is incompatible with the one used to create the store",
            reason: reason,
            remedy: "Open the store with the model it was made with, or let it be migrated: set "
                + "shouldMigrateStoreAutomatically and shouldInferMappingModelAutomatically of its description.",
            userInfo: info
        )
    }

    /// A store that is not at its location: 260.
    ///
    /// - Parameters:
    ///   - url: The store's URL.
    ///   - remedy: A suggested fix.
    /// - Returns: The error.
    package static func noFile(_ url: URL, remedy: String = "Check the path.") -> NSError {
        cannotOpen(
            url,
            reason: "the file does not exist",
            remedy: remedy,
            code: CocoaError.Code.fileReadNoSuchFile.rawValue
        )
    }

    /// The store could not be opened: 134080 or a code of the file system.
    ///
    /// - Parameters:
    ///   - url: The store's URL.
    ///   - reason: The cause of the failure.
    ///   - remedy: A suggested fix.
    ///   - code: The code.
    ///   - underlying: The error that led to this one.
    /// - Returns: The error.
    package static func cannotOpen(
        _ url: URL?,
        reason: String,
        remedy: String,
        code: Int = 134080,
        underlying: (any Error)? = nil
    ) -> NSError {
        let name = url?.lastPathComponent ?? "in memory"
        var info: [String: Any] = [:]
        if let url { info[NSFilePathErrorKey] = url.path }
        return make(
            code,
            "The store \(name) could not be opened: \(reason)",
            reason: reason,
            remedy: remedy,
            underlying: underlying,
            userInfo: info
        )
    }

    /// SQLite reported an error: 134180, or another code with SQLite's in userInfo.
    ///
    /// - Parameters:
    ///   - sqliteCode: SQLite's result code.
    ///   - message: SQLite's text.
    ///   - url: The store's URL.
    ///   - code: The code of the error.
    ///   - underlying: The error that led to this one.
    /// - Returns: The error.
    package static func sqlite(
        _ sqliteCode: Int,
        message: String,
        url: URL?,
        code: Int = 134180,
        underlying: (any Error)? = nil
    ) -> NSError {
        var info: [String: Any] = [NSSQLiteErrorDomain: sqliteCode]
        if let url { info[NSFilePathErrorKey] = url.path }
        let place = url.map { " in \($0.lastPathComponent)" } ?? ""
        return make(
            code,
            "SQLite reported error \(sqliteCode)\(place): \(message)",
            reason: message,
            underlying: underlying,
            userInfo: info
        )
    }

    private static func sentence(for code: Int) -> String {
        guard let row = CocoaErrorTable.row(for: code) else { return "Error \(code)." }
        return row.meaning.prefix(1).uppercased() + row.meaning.dropFirst() + " (\(row.name), \(code))."
    }
}
