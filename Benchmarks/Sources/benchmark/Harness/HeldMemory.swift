// What rows take in memory while they are held: the growth of the resident private memory from an open file to all
// rows fetched and read once. Each subject runs in a child of its own, where nothing was freed before.
import Foundation

/// Measures the memory of rows that stay.
enum HeldMemory {
    /// The case as the command line and the table name it.
    static let name = "memory"

    /// Fetches once in this process, holds what came, and prints the growth in bytes.
    static func runAsChild(_ subject: any Subject.Type, _ arguments: Arguments) throws {
        let opened = try subject.init(file: file(subject, arguments))
        let before = try PeakMemory.status("RssAnon")
        let (held, checksum) = try opened.hold()
        let after = try PeakMemory.status("RssAnon")
        guard checksum.rows == arguments.rows else {
            throw BenchmarkError("\(subject.name) holds \(checksum.rows) rows, not \(arguments.rows).")
        }
        withExtendedLifetime((opened, held)) { print(max(0, after - before)) }
    }

    /// Bytes a row of one subject.
    static func measure(_ subject: any Subject.Type, _ arguments: Arguments) throws -> Double {
        let full = file(subject, arguments)
        if !FileManager.default.fileExists(atPath: full.path) {
            try Runner.makeFull(subject, at: full, InputRow.make(count: arguments.rows))
        }
        let bytes = try PeakMemory.runChild("\(name)/\(subject.name)", "--held", arguments)
        return Double(bytes) / Double(arguments.rows)
    }

    private static func file(_ subject: any Subject.Type, _ arguments: Arguments) -> URL {
        arguments.folder.appendingPathComponent("\(subject.name)-full.sqlite")
    }
}
