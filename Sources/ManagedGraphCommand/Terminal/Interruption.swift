// Handles Control-C: commands that write stop at their next step, so that changes are rolled back and temporary files
// removed; the others end immediately after their copies of stores are removed. Used by CommandRunner and by commands.
import Foundation
import GraphSQLite
import Synchronization

/// Whether the user has interrupted the command.
enum Interruption {
    /// The command was interrupted and ends with status 130.
    struct Interrupted: Error {}

    private static let count = Atomic<Int>(0)

    /// Starts recording SIGINT, SIGTERM and SIGHUP; a second signal ends the process immediately.
    static func watch() {
        _ = count.load(ordering: .relaxed)
        handle { _ in
            let (former, _) = Interruption.count.add(1, ordering: .relaxed)
            if former > 0 { _exit(CommandRunner.interrupted) }
        }
    }

    /// The write end of a pipe that wakes a thread, as a signal handler may call only async-signal-safe functions.
    private static let wake = Atomic<Int32>(-1)

    /// Makes these signals end the process, after removing its copies of stores.
    ///
    /// Called once, before other threads exist.
    static func endAtOnce() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return }
        wake.store(ends[1], ordering: .relaxed)
        let awake = ends[0]
        Thread.detachNewThread {
            var byte: UInt8 = 0
            while read(awake, &byte, 1) < 0, errno == EINTR {}
            ScratchFolders.removeAll()
            _exit(CommandRunner.interrupted)
        }
        handle { _ in
            var byte: UInt8 = 0
            if write(Interruption.wake.load(ordering: .relaxed), &byte, 1) != 1 { _exit(CommandRunner.interrupted) }
        }
    }

    private static func handle(_ handler: @escaping @convention(c) (Int32) -> Void) {
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGINT, SIGTERM, SIGHUP] {
            // A process started by nohup must survive the end of its terminal.
            if number == SIGHUP, isIgnored(number) { continue }
            var action = sigaction()
            // No SA_RESTART: a blocked call must return EINTR.
            #if canImport(Darwin)
                action.__sigaction_u.__sa_handler = handler
            #elseif canImport(Musl)
                action.__sa_handler.sa_handler = handler
            #else
                action.__sigaction_handler.sa_handler = handler
            #endif
            sigaction(number, &action, nil)
            sigaddset(&signals, number)
        }
        // The parent process may have blocked these signals.
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        let former = signal(number, SIG_IGN)
        signal(number, former)
        return unsafeBitCast(former, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    static var isWanted: Bool { count.load(ordering: .relaxed) > 0 }

    /// Called by long operations at each step.
    ///
    /// - Throws: `Interrupted`.
    static func check() throws {
        if isWanted { throw Interrupted() }
    }
}
