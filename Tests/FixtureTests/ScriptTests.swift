// Tests that the files of Tests/Fixtures are those that their script writes.
import ExpectationSupport
import Foundation
import TestSupport
import Testing

struct ScriptTests {
    @Test func theFilesAreThoseThatTheScriptWrites() throws {
        let (status, text) = try Process.output(of: ["python3", Fixture.url("make.py").path, "--check"])
        expectEqual(status, 0, "\(text)")
    }
}
