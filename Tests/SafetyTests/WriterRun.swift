// Runs StoreProgram with a store in a temporary folder. Used by the tests of kills, full disks and several writers.
import ExpectationSupport
import Foundation
import ManagedGraph
import ManagedGraphTools
import TestSupport
import Testing

@testable import StoreProgram

/// A store that separate processes write.
final class WriterRun {
    let folder: URL
    var store: URL { folder.appending(path: "Notes.sqlite") }
    let seed: UInt64

    init(seed: UInt64) throws {
        self.seed = seed
        folder = FileManager.default.temporaryDirectory.appending(path: "safety-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func start(_ arguments: String...) throws -> (process: Process, output: FileHandle) {
        let process = Process()
        process.executableURL = Bundle.main.bundleURL.appending(path: "StoreProgram")
        process.arguments = arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        process.setEnvironment([:])
        try process.run()
        return (process, pipe.fileHandleForReading)
    }

    /// Runs a writer and kills it the given time after a number of steps; returns the last step it acknowledged.
    func write(_ steps: Int, killedAfter seconds: Double) async throws -> Int {
        let (process, output) = try start("write", store.path, "\(seed)")
        var text = ""
        while text.count(where: { $0 == "\n" }) < steps, case let data = output.availableData, !data.isEmpty {
            text += String(decoding: data, as: UTF8.self)
        }
        #expect(!text.hasPrefix("failed"), "\(text)")
        try await Task.sleep(for: .seconds(seconds))
        Foundation.kill(process.processIdentifier, SIGKILL)
        text += String(decoding: output.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        // The last line may be incomplete.
        return text.components(separatedBy: "\n").dropLast().last.flatMap { Int($0) } ?? 0
    }

    /// Checks every page, row, relationship and file of a store.
    static func check(_ store: URL, _ comment: Comment? = nil) {
        let report = StoreChecker().check(store, with: NoteStore.model)
        #expect(report.problems.isEmpty, comment)
    }

    /// Runs the program's check of the store; returns "last" or "next", or its error message.
    func check(_ last: Int) throws -> String {
        let (process, output) = try start("check", store.path, "\(seed)", "\(last)")
        let text = String(decoding: output.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        expectEqual(process.terminationStatus, 0, "after step \(last) of seed \(seed): \(text)")
        Self.check(store)
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
