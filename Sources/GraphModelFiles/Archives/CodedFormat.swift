// Encodes the format strings of a model as archived predicates and expressions. Called by CompiledModelWriter;
// PredicateDecoder does the reverse.
import Foundation
import GraphArchives
import GraphPredicates

/// A predicate or an expression in an archive of its own.
struct CodedFormat {
    let archive: KeyedArchive
    let root: ListValue

    static func predicate(_ format: String) throws -> CodedFormat {
        try CodedFormat(
            NSKeyedArchiver.archivedData(withRootObject: NSPredicate(validating: format), requiringSecureCoding: true),
            format
        )
    }

    static func expression(_ format: String) throws -> CodedFormat {
        let expression = try GraphPredicates.NSExpression(validating: format)
        return try CodedFormat(
            NSKeyedArchiver.archivedData(withRootObject: expression, requiringSecureCoding: true),
            format
        )
    }

    private init(_ data: Data, _ format: String) throws {
        guard let archive = KeyedArchive(data), let root = archive.top[NSKeyedArchiveRootObjectKey] else {
            throw ModelFileError(file: "", reason: "\"\(format)\" cannot be archived.")
        }
        self.archive = archive
        self.root = root
    }
}
