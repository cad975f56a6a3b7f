// Control-C: commands that write are asked to stop at their next step, so that the work is rolled back and temporary files are
// removed; the others end at once, and the copies that they read are removed. Called by CommandRunner and by commands.
import Foundation
import GraphSQLite
import Synchronization

/// Whether the user wants the command to end.
enum Interruption {
    /// The command was interrupted; it ends with the status 130.
    struct Interrupted: Error {}

    private static let count = Atomic<Int>(0)

    /// From now on SIGINT, SIGTERM and SIGHUP are noted; at the second one the process ends at once.
    static func watch() {
        _ = count.load(ordering: .relaxed)
        handle { _ in
            let (former, _) = Interruption.count.add(1, ordering: .relaxed)
            if former > 0 { _exit(CommandRunner.interrupted) }
        }
    }

    /// The end of a pipe by which a signal wakes a thread, as a signal's handler itself may do next to nothing.
    private static let wake = Atomic<Int32>(-1)

    /// From now on these signals end the process, once the copies of stores that it reads are removed.
    ///
    /// Called once, before other threads are there.
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
            // What nohup has begun goes on when its terminal is gone.
            if number == SIGHUP, isIgnored(number) { continue }
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
            sigaddset(&signals, number)
        }
        // A program that starts this one from a thread of its own may have them blocked.
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        let former = signal(number, SIG_IGN)
        signal(number, former)
        return unsafeBitCast(former, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    static var isWanted: Bool { count.load(ordering: .relaxed) > 0 }

    /// Called by long work at each step.
    ///
    /// - Throws: `Interrupted`.
    static func check() throws {
        if isWanted { throw Interrupted() }
    }
}
