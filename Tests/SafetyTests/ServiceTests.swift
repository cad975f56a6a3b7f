// Tests that a server that edits in child contexts for a long time has constant memory use. SERVED_REQUESTS sets the
// number of requests: `make safety` serves a million.
import ExpectationSupport
import Foundation
import TestSupport
import Testing

@testable import StoreProgram

struct ServiceTests {
    @Test func aServerThatEditsInChildContextsHasLevelMemory() throws {
        let requests = ProcessInfo.processInfo.environment["SERVED_REQUESTS"].flatMap { Int($0) } ?? 2_000
        let run = try WriterRun(seed: 4)
        try NoteStore(run.store).close()
        let (process, output) = try run.start("serve", run.store.path, "\(requests)")
        let text = String(decoding: output.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        expectEqual(process.terminationStatus, 0, "\(text)")
        let bytes = text.split(separator: "\n").compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }
        try #require(bytes.count == 10, "\(text)")
        let megabytes = bytes.map { $0 >> 20 }
        print("\(requests) requests served, MB in memory at each tenth: \(megabytes)")
        // Caches are full after two tenths; a leak of a hundred bytes per request would be 80 MB of a million.
        #expect(Sanitizer.isOn || bytes[9] <= bytes[1] + 8 << 20, "MB at each tenth: \(megabytes)")
    }
}
