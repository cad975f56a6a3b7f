// Runs the Swift compiler and nm for tests that compare our output with theirs.
import Foundation
import TestSupport

/// A temporary folder in which a test compiles code.
struct Compiler: ~Copyable {
    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("graph-code-generation-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    func write(_ text: String, to name: String) throws {
        let url = folder.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    /// The output of a command, on both channels, and its exit status.
    struct Output {
        var text: String
        var status: Int32
    }

    /// Runs a command in the folder.
    @discardableResult
    func run(_ command: String...) throws -> Output {
        try run(command)
    }

    /// Runs a command in the folder.
    @discardableResult
    func run(_ command: [String]) throws -> Output {
        let (status, text) = try Process.output(of: command, in: folder)
        return Output(text: text, status: status)
    }

    /// The symbols that an object file defines or needs.
    func symbols(of file: String) throws -> Set<String> {
        let output = try run("nm", file)
        return Set(output.text.split(separator: "\n").compactMap { $0.split(separator: " ").last.map(String.init) })
    }
}
