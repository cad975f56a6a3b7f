// Runs Tests/MainQueueProgram as a process of its own. Used by tests of what only a whole program shows.
import Foundation
import Synchronization

/// The program Tests/MainQueueProgram, which is built beside the tests.
enum Program {
    static let url = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appending(path: "MainQueueProgram")

    /// A development package may leave the program out; the package of the repository builds it with the tests.
    static var isBuilt: Bool { FileManager.default.isExecutableFile(atPath: url.path) }

    /// What it writes, and how it ends; it is stopped after 20 seconds.
    static func run(
        _ mode: String,
        arguments: [String] = [],
        environment: [String: String] = [:]
    ) throws -> (output: String, errors: String, status: Int32) {
        let process = Process()
        process.executableURL = url
        process.arguments = [mode] + arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let output = Pipe()
        let errors = Pipe()
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let identifier = process.processIdentifier
        let hasEnded = Atomic<Bool>(false)
        // A thread, as the tests may keep all of Dispatch's busy.
        let stop = Thread {
            for _ in 0..<200 where !hasEnded.load(ordering: .relaxed) { Thread.sleep(forTimeInterval: 0.1) }
            if !hasEnded.load(ordering: .relaxed) { kill(identifier, SIGKILL) }
        }
        stop.start()
        process.waitUntilExit()
        hasEnded.store(true, ordering: .relaxed)
        func text(_ pipe: Pipe) -> String {
            String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        }
        return (text(output), text(errors), process.terminationStatus)
    }
}
