// Reports as text or JSON, to standard output and standard error. Called by PredicateCommand.
import ArgumentParser
import Foundation

struct ReportWriter {
    let isJSON: Bool
    /// Whether a report told an error.
    private(set) var hasFailures = false
    private var pending = ""

    init(isJSON: Bool) { self.isJSON = isJSON }

    /// Writes a report; `source` says where its format came from.
    mutating func write(_ report: PredicateReport, from source: String?) throws {
        if report.error != nil { hasFailures = true }
        if isJSON {
            pending += ReportWriter.json(report) + "\n"
        } else if let explanation = report.explanation {
            // Keeps the order of what is written where both go to one place.
            try flush()
            let prefix = source.map { "\($0): " } ?? ""
            try FileHandle.standardError.write(contentsOf: Data((prefix + explanation + "\n").utf8))
        } else if let value = report.value {
            pending += "\(value)\n"
        } else {
            pending += (report.printed ?? "") + "\n"
        }
        if pending.utf8.count > 1 << 16 { try flush() }
    }

    mutating func flush() throws {
        if pending.isEmpty { return }
        try FileHandle.standardOutput.write(contentsOf: Data(pending.utf8))
        pending = ""
    }

    /// Says why nothing can be done, and ends the command with the status 1.
    static func fail(_ message: String) throws -> Never {
        try FileHandle.standardError.write(contentsOf: Data("Error: \(message)\n".utf8))
        throw ExitCode.failure
    }

    private static func json(_ report: PredicateReport) -> String {
        var members: [(String, JSONText)] = [
            ("format", .string(report.format)), ("ok", .boolean(report.error == nil)),
            ("printed", .string(report.printed)), ("error", .string(report.error)),
            ("position", .number(report.position)),
        ]
        if report.isEvaluated { members.append(("value", report.value.map { .boolean($0) } ?? .null)) }
        return JSONText.object(members).text
    }
}
