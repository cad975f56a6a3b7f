// Control-C during long work: the work is asked to stop at its next step, so that it is rolled back and its temporary files are
// removed. Called by commands that write; the others are ended by the system.
import Foundation
import Synchronization

/// Whether the user wants the command to end.
enum Interruption {
    /// The command was interrupted; it ends with the status 130.
    struct Interrupted: Error {}

    private static let count = Atomic<Int>(0)

    /// From now on SIGINT, SIGTERM and SIGHUP are noted; at the second one the process ends at once.
    static func watch() {
        _ = count.load(ordering: .relaxed)
        for number in [SIGINT, SIGTERM, SIGHUP] {
            signal(number) { _ in
                let (former, _) = Interruption.count.add(1, ordering: .relaxed)
                if former > 0 { _exit(CommandRunner.interrupted) }
            }
        }
    }

    static var isWanted: Bool { count.load(ordering: .relaxed) > 0 }

    /// Called by long work at each step.
    ///
    /// - Throws: `Interrupted`.
    static func check() throws {
        if isWanted { throw Interrupted() }
    }
}
