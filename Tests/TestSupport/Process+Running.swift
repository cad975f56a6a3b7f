// Processes that run to their end. Used by tests of whole programs and of compilers.
import Foundation

extension Process {
    /// Runs a command to its end.
    ///
    /// - Parameters:
    ///   - command: A program, found as the shell finds it, and its arguments.
    ///   - folder: The working folder; nil for that of the tests.
    ///   - includesErrors: Whether the text includes standard error, which is dropped otherwise.
    /// - Returns: The command's status and output.
    /// - Throws: If the process cannot be started.
    package static func output(
        of command: [String],
        in folder: URL? = nil,
        includesErrors: Bool = true
    ) throws -> (status: Int32, text: String) {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = command
        process.currentDirectoryURL = folder
        process.setEnvironment([:])
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = includesErrors ? pipe : FileHandle.nullDevice
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: data, as: UTF8.self))
    }

    /// Adds to the environment of the tests; a program that traps prints no backtrace, which takes seconds.
    package func setEnvironment(_ more: [String: String]) {
        environment = ProcessInfo.processInfo.environment
            .merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
            .merging(more) { $1 }
    }

    /// Runs the process until it ends or its time is over, when it is killed.
    ///
    /// Blocks no thread, because the other tests share few.
    ///
    /// - Parameter limit: The time that it may take.
    /// - Throws: If the process cannot be started.
    package func runToEnd(within limit: Duration) async throws {
        let ended = AsyncStream<Void>.makeStream()
        terminationHandler = { _ in ended.continuation.finish() }
        try run()
        let identifier = processIdentifier
        let stop = Task {
            try await Task.sleep(for: limit)
            kill(identifier, SIGKILL)
        }
        for await _ in ended.stream {}
        stop.cancel()
        // The stream ends early if the test is cancelled; the status can only be read after the process's end.
        if isRunning {
            kill(identifier, SIGKILL)
            waitUntilExit()
        }
    }
}
