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
        let handler: @convention(c) (Int32) -> Void = { _ in
            let (former, _) = Interruption.count.add(1, ordering: .relaxed)
            if former > 0 { _exit(CommandRunner.interrupted) }
        }
        for number in [SIGINT, SIGTERM, SIGHUP] {
            var action = sigaction()
            // Without SA_RESTART: who waits for a reader is to hear of it.
            #if canImport(Darwin)
                action.__sigaction_u.__sa_handler = handler
            #elseif canImport(Musl)
                action.__sa_handler.sa_handler = handler
            #else
                action.__sigaction_handler.sa_handler = handler
            #endif
            sigaction(number, &action, nil)
        }
        // A program that starts this one from a thread of its own may have them blocked.
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, number) }
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }

    static var isWanted: Bool { count.load(ordering: .relaxed) > 0 }

    /// Called by long work at each step.
    ///
    /// - Throws: `Interrupted`.
    static func check() throws {
        if isWanted { throw Interrupted() }
    }
}
