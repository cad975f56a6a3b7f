// Runs Tests/MainQueueProgram in a separate process. Used by tests that need a whole program.
import Foundation
import TestSupport

/// The program Tests/MainQueueProgram, which is built with the tests.
enum Program {
    static let url = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appending(path: "MainQueueProgram")

    /// A development package may leave out the program; the repository's package builds it with the tests.
    static var isBuilt: Bool { FileManager.default.isExecutableFile(atPath: url.path) }

    /// Runs the program and returns its output and exit status; kills it after 20 seconds.
    static func run(
        _ mode: String,
        arguments: [String] = [],
        environment: [String: String] = [:]
    ) async throws -> (output: String, errors: String, status: Int32) {
        let process = Process()
        process.executableURL = url
        process.arguments = [mode] + arguments
        process.setEnvironment(environment)
        let output = Pipe()
        let errors = Pipe()
        process.standardOutput = output
        process.standardError = errors
        try await process.runToEnd(within: .seconds(20))
        func text(_ pipe: Pipe) -> String {
            String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        }
        return (text(output), text(errors), process.terminationStatus)
    }
}
