// Lets SQLite's allocations fail, one or all from one on in each run, in saves, batches, fetches and migrations: an error
// with a remedy is thrown, nothing is lost, and the next attempt works. SQLite's allocator can only be replaced before
// SQLite is used, so StoreProgram does the runs. ALLOCATION_STRIDE sets the number of allocations from one run to the
// next (1 fails every one of some 11,000), ALLOCATION_FIRST the first; STORE_PROGRAM may be the path of an optimized program.
import ExpectationSupport
import Foundation
import Testing

@Suite(.serialized) struct AllocationTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let stride = environment["ALLOCATION_STRIDE"].flatMap(Int.init) ?? 1999

    @Test(arguments: ["work", "migrate"], ["once", "forever"])
    func missingMemoryLosesNothing(_ scenario: String, _ kind: String) throws {
        // In memory if available, so that thousands of saves do not wait for a disk.
        let memory = URL(filePath: "/dev/shm")
        let isThere = FileManager.default.isWritableFile(atPath: memory.path)
        let folder = (isThere ? memory : FileManager.default.temporaryDirectory)
            .appending(path: "allocations-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let first = Self.environment["ALLOCATION_FIRST"] ?? "\(Int.random(in: 1...Self.stride))"
        let process = Process()
        process.executableURL =
            Self.environment["STORE_PROGRAM"].map { URL(filePath: $0) }
            ?? Bundle.main.bundleURL.appending(path: "StoreProgram")
        process.arguments = ["allocations", folder.path, scenario, first, "\(Self.stride)", "1000000", kind]
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        print("safety: allocations, \(scenario) \(kind): \(text)")
        expectEqual(process.terminationReason, .exit, "\(text)")
        expectEqual(process.terminationStatus, 0, "\(text)")
        let refused = try #require(text.firstMatch(of: /([0-9]+) runs, ([0-9]+) refused/))
        #expect(Int(refused.1) ?? 0 > 0 && Int(refused.2) ?? 0 > 0)
    }
}
