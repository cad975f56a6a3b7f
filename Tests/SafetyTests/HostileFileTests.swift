// Reads files that are made to exhaust memory, each in a process of its own: none takes more than 16 times its size, and
// the few MB that its reader takes for any file. A fetch of too many rows is an error that says how to read them in parts.
import ExpectationSupport
import Foundation
import TestSupport
import Testing

@Suite(.serialized) struct HostileFileTests {
    private static func run(_ program: String, _ arguments: [String], limit: String? = nil) throws -> String {
        let process = Process()
        process.executableURL = Bundle.main.bundleURL.appending(path: program)
        process.arguments = arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        process.setEnvironment(limit.map { ["MANAGEDGRAPH_RESULT_LIMIT": $0] } ?? [:])
        try process.run()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        expectEqual(process.terminationReason, .exit, "\(arguments): \(text)")
        expectEqual(process.terminationStatus, 0, "\(arguments): \(text)")
        return text
    }

    @Test func noFileTakesMoreThanSixteenTimesItsSize() throws {
        let names = try Self.run("HostileFileProgram", []).split(separator: "\n").map(String.init)
        #expect(names.count > 30)
        for name in names {
            let parts = try Self.run("HostileFileProgram", [name]).split(separator: " ")
            guard parts.count >= 6, let size = Int(parts[1]), let growth = Int(parts[2]), let slack = Int(parts[4])
            else {
                Issue.record("\(name) ended with \(parts)")
                continue
            }
            print("safety: \(name), \(size >> 10) KB, \(growth >> 10) KB, \(parts[3])")
            // A sanitizer looks for other faults of these readers.
            if Sanitizer.isOn { continue }
            #expect(growth <= 16 * size + slack, "\(name): \(size) bytes took \(growth)")
        }
    }

    @Test func aFetchAboveTheLimitSaysHowToReadInParts() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "limit-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (limit, first) in [("1", "refused 134180"), ("100", "fetched 6000")] {
            let store = folder.appending(path: "Notes-\(limit).sqlite").path
            let text = try Self.run("StoreProgram", ["fetch", store, "6000"], limit: limit)
            #expect(text.hasPrefix(first) && text.hasSuffix("in batches 6000\n"), "\(text)")
            guard limit == "1" else { continue }
            #expect(text.contains("more than 1 MB") && text.contains("Set fetchBatchSize or fetchLimit"), "\(text)")
        }
    }
}
