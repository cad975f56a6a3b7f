// Processes that write one store: SharedStoreProgram, started, watched line by line, and killed. Used by the tests of
// kills, fail-overs, counters and isolation.
import Foundation
import Synchronization

/// A process of SharedStoreProgram.
final class SharedStoreProcess: Sendable {
    private struct State {
        var saved = 0
        var saves = 0
        var isOpen = false
        var errors: [String] = []
        var failure: String?
        var others: [Substring] = []
        var hasEnded = false
    }

    private let process: Process
    private let state = Mutex(State())
    private let ended = DispatchSemaphore(value: 0)

    init(_ arguments: [String]) throws {
        process = Process()
        process.executableURL = Bundle.main.bundleURL.appending(path: "SharedStoreProgram")
        process.arguments = arguments
        process.setEnvironment([:])
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = pipe.fileHandleForReading
        Thread.detachNewThread { [self] in
            var rest = Data()
            while case let data = output.availableData, !data.isEmpty {
                rest.append(data)
                // The last line may be incomplete.
                guard let end = rest.lastIndex(of: UInt8(ascii: "\n")) else { continue }
                let text = String(decoding: rest[...end], as: UTF8.self)
                rest = Data(rest[rest.index(after: end)...])
                take(text.split(separator: "\n"))
            }
            state.withLock { $0.hasEnded = true }
            ended.signal()
        }
    }

    private func take(_ lines: [Substring]) {
        state.withLock { state in
            for line in lines {
                if line.hasPrefix("saved ") {
                    state.saved = Int(line.dropFirst(6)) ?? 0
                    state.saves += 1
                } else if line == "open" {
                    state.isOpen = true
                } else if line.hasPrefix("error ") {
                    state.errors.append(String(line.dropFirst(6)))
                } else if line.hasPrefix("failed: ") {
                    state.failure = String(line)
                } else {
                    state.others.append(line)
                }
            }
        }
    }

    var identifier: Int32 { process.processIdentifier }
    /// The number of the last acknowledged step.
    var saved: Int { state.withLock(\.saved) }
    var saves: Int { state.withLock(\.saves) }
    var errors: [String] { state.withLock(\.errors) }
    var failure: String? { state.withLock(\.failure) }
    var lines: [Substring] { state.withLock(\.others) }

    /// Kills the process and waits for its last output.
    func kill() {
        Foundation.kill(process.processIdentifier, SIGKILL)
        waitForEnd()
    }

    /// Waits for the end of the process.
    func waitForEnd() {
        ended.wait()
        process.waitUntilExit()
    }

    /// Waits until a step after the given number of saves is acknowledged; false if it is not in time.
    func saves(more: Int, than count: Int, within seconds: Double = 60) -> Bool {
        let end = Date(timeIntervalSinceNow: seconds)
        while Date() < end {
            let (saves, hasEnded) = state.withLock { ($0.saves, $0.hasEnded) }
            if saves >= count + more { return true }
            if hasEnded { return false }
            usleep(2_000)
        }
        return false
    }
}
