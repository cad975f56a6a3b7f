// `managedgraph --version`, and that the list of changes is of that version.
import ExpectationSupport
import Foundation
import Testing

@Suite("managedgraph --version")
struct VersionTests {
    @Test("It is the version that the list of changes begins with")
    func version() async throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        let changes = try String(contentsOf: root.appending(path: "CHANGELOG.md"), encoding: .utf8)
        let newest = try #require(changes.firstMatch(of: /(?m)^## (\d+\.\d+\.\d+)$/))
        let result = try await Command.run([], of: "--version")
        expectEqual(result.output, "\(newest.1)\n")
        expectEqual(result.status, 0)
    }
}
