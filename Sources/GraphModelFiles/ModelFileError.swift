// The only error of this module. Thrown by ModelFile, by NSManagedObjectModel and by the code that writes models; commands
// print it, and other callers see Apple's code and the remedy.
import Foundation
import GraphArchives
import GraphModel

/// The reason why a model file was rejected: file, version, entity, property, cause and remedy.
package struct ModelFileError: Error, Sendable, Hashable, CustomStringConvertible {
    package var file: String
    /// The broken version, if the file holds several.
    package var version: String?
    package var entity: String?
    package var property: String?
    /// The cause as the first sentence, followed by the remedy.
    package var reason: String
    /// The code in Cocoa's domain.
    package var code: CocoaError.Code
    /// All findings, including warnings; empty if the file could not be read at all.
    package var problems: [ModelProblem]

    package init(
        file: String,
        entity: String? = nil,
        property: String? = nil,
        reason: String,
        code: CocoaError.Code = .fileReadCorruptFile
    ) {
        self.file = file
        self.entity = entity
        self.property = property
        self.reason = reason
        self.code = code
        problems = []
    }

    /// The error for a file that the system does not let be read or written.
    ///
    /// - Parameters:
    ///   - file: The path.
    ///   - action: The clause that the system's reason follows.
    ///   - remedy: A sentence.
    ///   - cause: The error of the file system.
    package init(file: String, _ action: String, remedy: String, cause: any Error) {
        let system = cause as? CocoaError
        let reason = system?.systemReason ?? cause.localizedDescription
        self.init(
            file: file,
            reason: "\(action): \(reason)\(reason.hasSuffix(".") ? "" : ".") \(remedy)",
            code: system?.code ?? .fileReadUnknown
        )
    }

    package init(file: String, problems: [ModelProblem]) {
        self.file = file
        let first = problems.first { $0.level == .error }
        entity = first?.entity
        property = first?.property
        reason = first?.reason ?? ""
        code = .fileReadCorruptFile
        self.problems = problems
    }

    /// The findings that make the file unusable, with their locations.
    package var errors: [ModelProblem] {
        problems.isEmpty
            ? [ModelProblem(.invalidValue, level: .error, entity: entity, property: property, reason: reason)]
            : problems.filter { $0.level == .error }
    }

    /// One line per error, each beginning with the file and the version.
    package var description: String {
        let place = version.map { "\(file): version \($0)" } ?? file
        return errors.map { "\(place): \($0.description)" }.joined(separator: "\n")
    }
}

// Without LocalizedError: Foundation on Linux takes the texts of an error with user info from that alone.
extension ModelFileError: CustomNSError {
    package static var errorDomain: String { NSCocoaErrorDomain }
    package var errorCode: Int { code.rawValue }
    package var errorUserInfo: [String: Any] {
        var entries: [String: Any] = [NSFilePathErrorKey: file, NSLocalizedDescriptionKey: description]
        if let end = reason.firstRange(of: ". ")?.upperBound {
            entries[NSLocalizedRecoverySuggestionErrorKey] = String(reason[end...])
        }
        return entries
    }
}
