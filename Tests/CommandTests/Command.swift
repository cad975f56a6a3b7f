// Runs the built command `managedgraph` in a separate process, for the tests of this target.
import Foundation
import TestSupport
import Testing

/// The command, which is built beside the tests.
struct Command {
    var output = ""
    var errors = ""
    var status: Int32 = 0

    /// The lines of the output, each parsed as a JSON object.
    var objects: [[String: Any]] {
        output.split(separator: "\n").compactMap {
            (try? JSONSerialization.jsonObject(with: Data($0.utf8))) as? [String: Any]
        }
    }

    static let folder = FileManager.default.temporaryDirectory

    static let url = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "managedgraph")

    /// Creates a file with the given bytes; the test removes it.
    static func file(_ bytes: Data = Data()) throws -> URL {
        let url = folder.appending(path: "managedgraph-\(UUID().uuidString)")
        try bytes.write(to: url)
        return url
    }

    /// Runs the command and returns its output and exit status.
    ///
    /// Files replace the pipes, so that neither side blocks on the other.
    static func run(
        _ arguments: [String],
        of subcommand: String = "predicate",
        input: Data = Data()
    ) async throws -> Command {
        try await run(url, [subcommand] + arguments, input: input)
    }

    /// Runs a shell command line and returns its output and exit status.
    static func shell(_ line: String) async throws -> Command {
        try await run(URL(filePath: "/bin/bash"), ["-c", line], input: Data())
    }

    private static func run(_ url: URL, _ arguments: [String], input: Data) async throws -> Command {
        let files = (try file(input), try file(), try file())
        defer { for file in [files.0, files.1, files.2] { try? FileManager.default.removeItem(at: file) } }
        let process = Process()
        process.executableURL = url
        process.arguments = arguments
        process.standardInput = try FileHandle(forReadingFrom: files.0)
        process.standardOutput = try FileHandle(forWritingTo: files.1)
        process.standardError = try FileHandle(forWritingTo: files.2)
        try await process.runToEnd(within: .seconds(60))
        return Command(
            output: String(decoding: try Data(contentsOf: files.1), as: UTF8.self),
            errors: String(decoding: try Data(contentsOf: files.2), as: UTF8.self),
            status: process.terminationStatus
        )
    }

    static func run(_ arguments: [String], input: String) async throws -> Command {
        try await run(arguments, input: Data(input.utf8))
    }
}
