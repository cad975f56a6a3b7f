// The errors of staged migrations; each names the stage, the version and the reason.
import Foundation

extension CoreDataError {
    /// A reference leads to no model: 134504.
    static func unresolvedReference(_ place: String, _ checksum: String, _ seen: [String]) -> NSError {
        let reason =
            seen.isEmpty ? "no model is there" : "the models there have the checksums \(seen.joined(separator: ", "))"
        return make(
            NSManagedObjectModelReferenceNotFoundError,
            "The model reference of \(place) leads to no model with the checksum \(checksum): \(reason).",
            reason: reason,
            remedy:
                "Correct the name, the place or the checksum; NSManagedObjectModel.versionChecksum gives the latter."
        )
    }

    /// A version is none of those that the stages list: 134504.
    static func unknownVersion(_ checksum: String, isStore: Bool, _ url: URL) -> NSError {
        let subject = isStore ? "store's" : "coordinator's"
        return make(
            NSManagedObjectModelReferenceNotFoundError,
            "Staged migration of \(url.lastPathComponent) is not possible: no stage has the \(subject) model version.",
            reason: "no stage lists the checksum \(checksum)",
            remedy: "Add a stage for that version of the model.",
            userInfo: [NSFilePathErrorKey: url.path]
        )
    }

    /// The store's version comes after the coordinator's: 134506.
    static func backwardMigration(_ url: URL, _ reason: String) -> NSError {
        make(
            NSStagedMigrationBackwardMigrationError,
            "The store \(url.lastPathComponent) cannot be migrated backwards with staged migration: \(reason).",
            reason: reason,
            remedy: "Open the store with a newer version of the program, or list each version once, the oldest first.",
            userInfo: [NSFilePathErrorKey: url.path]
        )
    }

    /// No stage leads from one version to the next: 134140.
    static func brokenChain(_ url: URL, _ first: NSMigrationStage, _ second: NSMigrationStage) -> NSError {
        let names = [first, second].map { $0.label.isEmpty ? "without a label" : $0.label }.joined(separator: " and ")
        return make(
            NSMigrationMissingMappingModelError,
            "The stages (\(names)) of the migration of \(url.lastPathComponent) do not meet: no stage leads from the "
                + "version that the first ends with to the one that the second begins with.",
            reason: "the chain of stages is broken",
            remedy: "Add a lightweight stage, or a custom one, between the two versions.",
            userInfo: [NSFilePathErrorKey: url.path]
        )
    }

    /// The store's hashes were made in another way than ours: 134505.
    static func frameworkMismatch(_ url: URL, _ kind: Any) -> NSError {
        make(
            NSStagedMigrationFrameworkVersionMismatchError,
            "The store \(url.lastPathComponent) was written by a framework whose version hashes cannot be compared "
                + "with those of the stages.",
            reason: "its version hashes are of the kind \(kind), those of the stages of the kind 3",
            remedy: "Migrate it with the system that wrote it.",
            userInfo: [NSFilePathErrorKey: url.path]
        )
    }

    /// A handler failed: 134110, with its error.
    static func failedStage(_ url: URL, _ stage: NSMigrationStage, _ error: any Error) -> NSError {
        let cause = migrationCause(error, url)
        if cause.domain == NSCocoaErrorDomain, cause.code == NSMigrationCancelledError { return cause }
        var info: [String: Any] = ["sourceURL": url, "destinationURL": url, NSFilePathErrorKey: url.path]
        for key in ["entity", "property", "reason"] { info[key] = cause.userInfo[key] }
        let label = stage.label ?? ""
        let name = label.isEmpty ? "" : " \"\(label)\""
        return make(
            NSMigrationError,
            "The stage\(name) of the migration of \(url.lastPathComponent) failed: \(cause.localizedDescription)",
            reason: cause.userInfo["reason"] as? String ?? cause.localizedDescription,
            remedy: "The store is as it was before the stage, and the next attempt goes on with it.",
            underlying: cause,
            userInfo: info
        )
    }
}
