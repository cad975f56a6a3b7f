// Checks the list of traps in Documentation/Traps.md against their number in the sources, so that each is documented.
import ExpectationSupport
import Foundation
import Testing

struct TrapList {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The number of traps in each source file.
    private static func sitesInSources() throws -> [String: Int] {
        let pattern = try Regex(
            #"\b(fatalError|precondition|preconditionFailure|assert|assertionFailure)\(|\btry! |\bas! |\bunsafelyUnwrapped\b"#
        )
        let sources = root.appending(path: "Sources")
        let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        // Searched for in the bytes first, as most files have none: a regular expression takes a hundred times longer.
        let words = ["fatalError", "precondition", "assert", "try!", "as!", "unsafelyUnwrapped"].map { Data($0.utf8) }
        var sites: [String: Int] = [:]
        for case let file as URL in files where file.pathExtension == "swift" {
            let bytes = try Data(contentsOf: file)
            guard words.contains(where: { bytes.range(of: $0) != nil }) else { continue }
            let code = String(decoding: bytes, as: UTF8.self).split(separator: "\n").filter {
                !$0.drop { $0 == " " }.hasPrefix("//")
            }
            let count = code.reduce(0) { $0 + $1.matches(of: pattern).count }
            if count > 0 { sites[String(file.path.dropFirst(sources.path.count + 1))] = count }
        }
        return sites
    }

    /// The numbers in the documentation, by file.
    private static func sitesInDocumentation() throws -> [String: Int] {
        let page = try String(contentsOf: root.appending(path: "Documentation/Traps.md"), encoding: .utf8)
        let row = try Regex(#"^\| `([^`]+\.swift)` \| ([0-9]+) \|$"#, as: (Substring, Substring, Substring).self)
        var sites: [String: Int] = [:]
        for line in page.split(separator: "\n") {
            guard let match = line.wholeMatch(of: row) else { continue }
            sites[String(match.output.1)] = Int(match.output.2)
        }
        return sites
    }

    @Test func everyPlaceThatStopsTheProgramIsInTheDocumentation() throws {
        let sources = try Self.sitesInSources()
        let documentation = try Self.sitesInDocumentation()
        for file in Set(sources.keys).union(documentation.keys).sorted() {
            let (found, listed) = (sources[file, default: 0], documentation[file, default: 0])
            expectEqual(
                found,
                listed,
                """
                Sources/\(file) stops the program in \(found) places, and Documentation/Traps.md lists \(listed). Throw, log or \
                report at the save where data or another process can lead there; otherwise describe the place in Traps.md \
                and correct the number.
                """
            )
        }
    }
}
