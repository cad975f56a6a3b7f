// The results as values: medians, ratios, and whether goals are reached. ReportTable prints them, Plot draws them.
import Foundation

/// All results of a run.
struct Report: Encodable {
    var rounds: Int
    var sqliteVersion: String
    var results: [Result] = []

    /// Adds the medians of a case at one size, in the order of the subjects.
    mutating func add(_ benchmark: BenchmarkCase, _ measurement: Measurement) {
        let base = measurement.median(benchmark.yardstick)
        let unit: Result.Unit =
            switch benchmark.measure {
            case .time: .nanosecondsPerRow
            case .wholeTime: .milliseconds
            case .memory: .bytesPerRow
            }
        for entrant in benchmark.entrants {
            guard let values = measurement.values[entrant.subject], let median = measurement.median(entrant.subject),
                let minimum = values.min(), let maximum = values.max()
            else { continue }
            let places = unit == .milliseconds ? 1000.0 : 10.0
            func rounded(_ value: Double) -> Double { (value * places).rounded() / places }
            results.append(
                Result(
                    case: benchmark.name,
                    subject: entrant.subject,
                    rows: measurement.rows,
                    unit: unit,
                    median: rounded(median),
                    minimum: rounded(minimum),
                    spread: rounded(maximum - minimum),
                    yardstick: benchmark.yardstick,
                    ratio: base.map { (median / $0 * 1000).rounded() / 1000 },
                    peakBytes: measurement.peaks[entrant.subject],
                    goals: benchmark.hasGoals(entrant.subject) ? benchmark.goals : [],
                    rounds: values.count,
                    figures: Figure.medians(of: measurement.figures[entrant.subject] ?? [])
                )
            )
        }
    }

    func write(to file: URL) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try encoder.encode(self).write(to: file)
    }
}

extension BenchmarkCase {
    /// Whether the goals apply to a subject: to ManagedGraph, or to its variant with a yardstick.
    fileprivate func hasGoals(_ subject: String) -> Bool {
        subject.hasPrefix(SubjectName.managedGraph) && subject != yardstick
    }
}
