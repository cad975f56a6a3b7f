// Errors as commands report them: `FILE: reason and remedy`, on standard error. Thrown by commands; the text of library
// errors is made here for all commands.
import Foundation
import GraphModelFiles
import GraphPredicates
import GraphSQLite
import ManagedGraph
import ManagedGraphTools

/// A failure that ends the command with status 1 when thrown.
struct CommandFailure: Error, CustomStringConvertible {
    let file: String?
    let reason: String

    /// - Parameters:
    ///   - file: The file concerned, as the user named it.
    ///   - reason: Cause and remedy.
    init(_ file: String?, _ reason: String) {
        // An address may contain a password.
        self.file = file.map(StoreLocation.shown)
        self.reason = reason
    }

    /// - Parameters:
    ///   - file: The file concerned, as the user named it.
    ///   - error: An error of the library.
    init(_ file: String?, _ error: any Error) {
        if let failure = error as? CommandFailure {
            self.init(failure.file ?? file, failure.reason)
        } else {
            self.init(file, Self.text(error))
        }
    }

    var description: String { file.map { "\($0): \(reason)" } ?? "Error: \(reason)" }

    /// Writes the failure to standard error, in red on a terminal.
    func write() {
        let isColoured = Terminal.hasColours(STDERR_FILENO)
        // The reason may have several lines, with names from files in them.
        let lines = reason.components(separatedBy: "\n").map(TextWidth.harmless).joined(separator: "\n")
        let place = file.map { "\(TextWidth.harmless($0)): " } ?? Colour.red.paint("Error: ", if: isColoured)
        let message = "\(place)\(lines)\n"
        // If standard error is closed, the message cannot be delivered.
        try? FileHandle.standardError.write(contentsOf: Data(message.utf8))
    }

    /// Runs a part of a command; errors of the library become failures that name the file.
    ///
    /// Errors that end a command, such as an interruption, are rethrown.
    static func naming<Result>(_ file: String?, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error where CommandRunner.isEnd(error) {
            throw error
        } catch {
            throw CommandFailure(file, error)
        }
    }

    /// A reason without `PostgreSQL error 28P01: `, which may be in front of a message that is shown already.
    private static func withoutCode(_ reason: String) -> Substring {
        guard reason.hasPrefix("PostgreSQL error "), let end = reason.firstRange(of: ": ") else { return reason[...] }
        return reason[end.upperBound...]
    }

    /// The cause and remedy of an error, in one text.
    static func text(_ error: any Error) -> String {
        switch error {
        case let error as CommandFailure: return error.reason
        case let error as SQLiteError: return error.message
        case let error as StoreFileError: return error.reason
        // The last line of its description marks the position.
        case let error as PredicateFormatError: return error.description
        case let error as ModelFileError:
            let lines = error.description.split(separator: "\n").map { line in
                line.hasPrefix(error.file + ": ") ? String(line.dropFirst(error.file.count + 2)) : String(line)
            }
            return lines.joined(separator: "\n")
        default: break
        }
        let error = error as NSError
        var parts = [error.localizedDescription]
        // Append the reason, unless the description contains it, and the remedy. SQLite's reason contains the
        // statement, so omit it.
        let isSQLite = error.userInfo[NSSQLiteErrorDomain] != nil
        for key in [NSLocalizedFailureReasonErrorKey, NSLocalizedRecoverySuggestionErrorKey] {
            guard !isSQLite || key == NSLocalizedRecoverySuggestionErrorKey,
                let part = error.userInfo[key] as? String, !part.isEmpty,
                !parts.contains(where: { $0.contains(part) || $0.contains(withoutCode(part)) })
            else { continue }
            parts.append(part)
        }
        return parts.map { $0.hasSuffix(".") || $0.hasSuffix("?") || $0.hasSuffix("!") ? $0 : $0 + "." }
            .joined(separator: " ")
    }
}
