// The results as values: medians, ratios, and whether goals are reached. ReportTable prints them, Plot draws them.
import Foundation

/// The result of a case for one subject at one size.
struct Result: Encodable {
    var `case`: String
    var subject: String
    var rows: Int
    /// The unit of the median, the minimum and the spread.
    var unit: Unit
    /// The median over the rounds.
    var median: Double
    var minimum: Double
    /// The largest minus the smallest.
    var spread: Double
    /// The subject that the ratio refers to.
    var yardstick: String
    /// The median divided by the yardstick's in the same run; nil if there is none.
    var ratio: Double?
    /// Nil for a memory case.
    var peakBytes: Int?
    /// The goals of ManagedGraph.
    var goals: [Goal] = []
    /// The number of timed rounds.
    var rounds: Int
    /// The figures specific to this case: the median of each over the rounds.
    var figures: [Figure] = []

    /// The unit of a median.
    enum Unit: String {
        case nanosecondsPerRow, milliseconds, bytesPerRow
    }

    var ratioName: String { yardstick == SubjectName.cAPI ? "ratioToCAPI" : "ratioTo-\(yardstick)" }

    /// Whether all goals are reached; nil without a goal or the yardstick for it.
    var reached: Bool? {
        let verdicts = goals.compactMap { $0.isReached(value: median, ratio: ratio) }
        return verdicts.isEmpty ? nil : verdicts.allSatisfy { $0 }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Figure.Name.self)
        func name(_ text: String) -> Figure.Name { Figure.Name(stringValue: text) }
        try container.encode(`case`, forKey: name("case"))
        try container.encode(subject, forKey: name("subject"))
        try container.encode(rows, forKey: name("rows"))
        try container.encode(median, forKey: name(unit.rawValue))
        try container.encode(minimum, forKey: name("minimum"))
        try container.encode(spread, forKey: name("spread"))
        try container.encodeIfPresent(ratio, forKey: name(ratioName))
        try container.encodeIfPresent(peakBytes, forKey: name("peakBytes"))
        if !goals.isEmpty { try container.encode(goals.map(\.description), forKey: name("goals")) }
        try container.encode(rounds, forKey: name("rounds"))
        try container.encodeIfPresent(reached, forKey: name("reached"))
        for figure in figures { try container.encode(figure.value, forKey: name(figure.name)) }
    }
}

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
