// Reports values that cannot be archived: closures, and constants without an archived form. `encode(with:)` cannot
// throw, so the archiving methods for predicates collect the failures of the parts and throw one of them.

import Foundation
import Synchronization

/// Collects the reasons why parts of one archive could not be written.
final class ArchiveFailures: Sendable {
    @TaskLocal private static var current: ArchiveFailures?
    private let reasons = Mutex<[String]>([])

    /// Records that a part cannot be archived.
    ///
    /// Traps when the part belongs to the archive of another object, as Apple's exception does: Foundation's unarchiver
    /// would crash on an archive that lacks the part.
    static func report(_ reason: String) {
        guard let current else {
            preconditionFailure(
                "\(reason) Archive it with NSKeyedArchiver.archivedData(withRootObject:requiringSecureCoding:): it "
                    + "throws."
            )
        }
        current.reasons.withLock { $0.append(reason) }
    }

    /// Runs `archive`, and throws if a part reported that it cannot be archived.
    ///
    /// - Throws: The error of `archive`; `CocoaError.coderInvalidValue` if a part cannot be archived.
    static func check(_ archive: () throws -> Data) throws -> Data {
        let failures = ArchiveFailures()
        let data = try $current.withValue(failures, operation: archive)
        guard let reason = failures.reasons.withLock({ $0.first }) else { return data }
        throw CocoaError(
            .coderInvalidValue,
            userInfo: [NSLocalizedDescriptionKey: reason, NSDebugDescriptionErrorKey: reason]
        )
    }
}
