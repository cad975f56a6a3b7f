// Checks formats one at a time. Used by PredicateCommand; it neither reads nor writes.
import Foundation
import GraphPredicates

/// Parses formats, and evaluates them if there is an object.
struct PredicateJudge {
    /// The object to evaluate on, as returned by JSONSerialization; nil to check formats only.
    let object: Any?

    func report(on format: String) -> PredicateReport {
        var report = PredicateReport(format: format, isEvaluated: object != nil)
        do {
            // A format that is only checked may refer to arguments; one that is evaluated may not.
            let node = try PredicateParser.parse(format: format, arguments: object == nil ? nil : [])
            report.printed = PredicatePrinter.print(node)
            if let object { report.value = try Evaluator(node).evaluate(object) }
        } catch let error as PredicateFormatError {
            report.error = error.expected.isEmpty ? error.message : "\(error.message) Expected \(error.expected)."
            report.position = error.position
            report.explanation = error.description
        } catch {
            report.error = "\(error)"
            report.explanation = "Unable to evaluate \(report.printed ?? format): \(error)"
        }
        return report
    }

    /// Reports on a line, which is a format unless it is not UTF-8.
    func report(on line: LineReader.Line) -> PredicateReport {
        switch line {
        case .text(let format): return report(on: format)
        case .damaged(let repaired, let position):
            var report = PredicateReport(format: repaired, isEvaluated: object != nil)
            let message = "The line is not UTF-8."
            report.error = message
            report.position = position
            report.explanation = "Unable to read the format string at character \(position): \(message)"
            return report
        }
    }
}
