// The errors of migrations: each names the entity, the property and the reason if there are any.
import Foundation
import GraphModel
import GraphSQL
import GraphSQLite

extension CoreDataError {
    /// A change needs a mapping model: 134190.
    package static func notInferred(_ problems: MappingProblems) -> NSError {
        let first = problems.problems.first
        let texts = problems.problems.map { problem in
            "\(problem.entity)\(problem.property.map { "." + $0 } ?? ""): \(problem.reason)"
        }
        var info: [String: Any] = ["reason": first?.reason ?? ""]
        info["entity"] = first?.entity
        info["property"] = first?.property
        return make(
            NSInferredMappingModelError,
            "The mapping model cannot be inferred: " + texts.joined(separator: "; "),
            reason: texts.joined(separator: "; "),
            remedy:
                "Add a mapping model (.xcmappingmodel) to the target, give new required attributes default values, or "
                + "set renaming identifiers.",
            userInfo: info
        )
    }

    /// The model that a store was made with is not to be found: 134130.
    package static func missingSourceModel(_ url: URL, metadata: [String: Any], searched: Int) -> NSError {
        make(
            NSMigrationMissingSourceModelError,
            "The model that the store \(url.lastPathComponent) was made with was not found, so that it cannot be "
                + "migrated.",
            reason:
                "None of the \(searched) model versions of the program has the version hashes of the store's metadata",
            remedy: "Keep all versions of the model in its .xcdatamodeld, in the target's folder.",
            userInfo: ["metadata": metadata, "sourceURL": url, NSFilePathErrorKey: url.path]
        )
    }

    /// There is no mapping model, and none may be inferred: 134140.
    static func missingMappingModel(_ url: URL) -> NSError {
        make(
            NSMigrationMissingMappingModelError,
            "There is no mapping model for the migration of the store \(url.lastPathComponent).",
            reason:
                "No mapping model of the program has the version hashes of both models, and inferring one is switched "
                + "off",
            remedy: "Add a mapping model (.xcmappingmodel) to the target, or set shouldInferMappingModelAutomatically.",
            userInfo: ["sourceURL": url, NSFilePathErrorKey: url.path]
        )
    }

    /// A migration failed and left the store as it was: 134110.
    package static func migrationFailed(_ url: URL, _ error: any Error) -> NSError {
        let cause = migrationCause(error, url)
        if cause.domain == NSCocoaErrorDomain, cause.code == NSMigrationCancelledError { return cause }
        var info: [String: Any] = ["sourceURL": url, "destinationURL": url, NSFilePathErrorKey: url.path]
        for key in ["entity", "property", "reason"] { info[key] = cause.userInfo[key] }
        return make(
            NSMigrationError,
            "The store \(url.lastPathComponent) could not be migrated: \(cause.localizedDescription)",
            reason: cause.userInfo["reason"] as? String ?? cause.localizedDescription,
            remedy: [cause.localizedRecoverySuggestion, "The store was not changed."].compactMap(\.self)
                .joined(separator: " "),
            underlying: cause,
            userInfo: info
        )
    }

    /// The error that ended a migration, as Apple's errors are.
    static func migrationCause(_ error: any Error, _ url: URL) -> NSError {
        switch error {
        case let failure as MigrationFailure: migrationFailure(failure)
        default: published(error, url) as NSError
        }
    }

    /// A migration was cancelled by its progress: 134120.
    static func migrationCancelled(_ url: URL) -> NSError {
        make(
            NSMigrationCancelledError,
            "The migration of the store \(url.lastPathComponent) was cancelled. The store was not changed.",
            reason: "its progress was cancelled",
            remedy: "Add the store again to go on.",
            userInfo: [NSFilePathErrorKey: url.path]
        )
    }

    private static func migrationFailure(_ failure: MigrationFailure) -> NSError {
        var info: [String: Any] = ["reason": failure.reason]
        info["entity"] = failure.entity
        info["property"] = failure.property
        let code =
            switch failure.kind {
            case .sourceStore: NSMigrationManagerSourceStoreError
            case .constraint: NSMigrationConstraintViolationError
            case .content: NSMigrationError
            }
        return make(code, failure.description, reason: failure.reason, userInfo: info)
    }
}
