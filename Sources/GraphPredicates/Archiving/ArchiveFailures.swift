// What cannot be archived: closures, and constants without an archived form. `encode(with:)` cannot throw, so the archiving
// methods for predicates collect what their parts report, and throw it.

import Foundation
import Synchronization

/// Collects what the parts of one archive could not write.
final class ArchiveFailures: Sendable {
    @TaskLocal private static var current: ArchiveFailures?
    private let reasons = Mutex<[String]>([])

    /// Notes that a part cannot be archived.
    ///
    /// In the archive of another object it stops the program, as Apple's exception does: Foundation's unarchiver would not
    /// survive an archive that lacks the part.
    static func report(_ reason: String) {
        guard let current else {
            preconditionFailure(
                "\(reason) Archive it with NSKeyedArchiver.archivedData(withRootObject:requiringSecureCoding:): it throws."
            )
        }
        current.reasons.withLock { $0.append(reason) }
    }

    /// Runs `archive`, and throws where a part reported that it cannot be archived.
    ///
    /// - Throws: What `archive` throws; `CocoaError.coderInvalidValue` for a part that cannot be archived.
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

/// A constant that has no archived form.
struct UnarchivableConstant: Error {
    let reason: String
}
