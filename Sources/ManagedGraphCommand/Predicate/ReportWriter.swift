// Writes reports as text or JSON to standard output and standard error. Used by PredicateCommand.
import Foundation
import GraphArchives

struct ReportWriter {
    let isJSON: Bool
    /// Whether a report contained an error.
    private(set) var hasFailures = false
    private let output = Output()

    init(isJSON: Bool) { self.isJSON = isJSON }

    /// Writes a report; `source` names the origin of its format.
    mutating func write(_ report: PredicateReport, from source: String?) throws {
        if report.error != nil { hasFailures = true }
        if isJSON {
            try output.line(ReportWriter.json(report))
        } else if let explanation = report.explanation {
            // Flush first, to keep the order if both streams have the same destination.
            try flush()
            let prefix = source.map { "\($0): " } ?? ""
            try FileHandle.standardError.write(contentsOf: Data((prefix + explanation + "\n").utf8))
        } else if let value = report.value {
            try output.line("\(value)")
        } else {
            try output.line(report.printed ?? "")
        }
    }

    func flush() throws { try output.flush() }

    private static func json(_ report: PredicateReport) -> JSONValue {
        var members: [(String, JSONValue)] = [
            ("format", .string(report.format)), ("ok", .boolean(report.error == nil)),
            ("printed", .string(report.printed)), ("error", .string(report.error)),
            ("position", .number(report.position)),
        ]
        if report.isEvaluated { members.append(("value", report.value.map { .boolean($0) } ?? .null)) }
        return .object(members)
    }
}
