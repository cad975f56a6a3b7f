// Tests that the files of Tests/Fixtures are those that their script writes.
import Foundation
import Testing

@Suite struct ScriptTests {
    @Test func theFilesAreThoseThatTheScriptWrites() throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", Fixture.url("make.py").path, "--check"]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = try output.fileHandleForReading.readToEnd().map { String(decoding: $0, as: UTF8.self) } ?? ""
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(text)")
    }
}
