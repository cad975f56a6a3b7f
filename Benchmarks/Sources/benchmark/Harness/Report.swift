// The figures as a table and as JSON.
import Foundation

/// The result of one case and subject.
struct Result: Encodable {
    var `case`: String
    var subject: String
    /// The median over the rounds.
    var nanosecondsPerRow: Double
    /// To the C API in the same run; nil where that was left out.
    var ratioToCAPI: Double?
    var peakBytes: Int
    /// The figures of a case in which threads share a file: the median of each over the rounds.
    var figures: [Figure] = []

    private enum CodingKeys: String, CodingKey {
        case `case`, subject, nanosecondsPerRow, ratioToCAPI, peakBytes
    }

    /// The figures stand beside the other fields.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(`case`, forKey: .case)
        try container.encode(subject, forKey: .subject)
        try container.encode(nanosecondsPerRow, forKey: .nanosecondsPerRow)
        try container.encodeIfPresent(ratioToCAPI, forKey: .ratioToCAPI)
        try container.encode(peakBytes, forKey: .peakBytes)
        var named = encoder.container(keyedBy: Figure.Name.self)
        for figure in figures { try named.encode(figure.value, forKey: Figure.Name(stringValue: figure.name)) }
    }
}

/// What the rows of a subject take in memory, held and unchanged.
struct HeldResult: Encodable {
    var subject: String
    var bytesPerRow: Double
    /// To the C API's plain objects in the same run; nil where that was left out.
    var ratioToCAPI: Double?
}

/// All results of a run.
struct Report: Encodable {
    var rows: Int
    var rounds: Int
    var sqliteVersion: String
    var results: [Result] = []
    var held: [HeldResult] = []

    static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }

    /// Adds the medians of a case, in the order of the subjects.
    mutating func add(
        _ benchmark: String,
        _ subjects: [String],
        _ times: [String: [Double]],
        peaks: [String: Int],
        figures: [String: [[Figure]]] = [:]
    ) {
        let base = times[CAPISubject.name].map(Self.median)
        for subject in subjects {
            guard let values = times[subject] else { continue }
            let median = Self.median(values)
            results.append(
                Result(
                    case: benchmark,
                    subject: subject,
                    nanosecondsPerRow: (median * 10).rounded() / 10,
                    ratioToCAPI: base.map { (median / $0 * 1000).rounded() / 1000 },
                    peakBytes: peaks[subject] ?? 0,
                    figures: Figure.medians(of: figures[subject] ?? [])
                )
            )
        }
    }

    /// Adds the medians of a case in which threads share a file.
    mutating func add(
        _ benchmark: String,
        _ subjects: [String],
        _ rounds: [String: [SharingRound]],
        peaks: [String: Int]
    ) {
        let times = rounds.mapValues { $0.map(\.nanosecondsPerRow) }
        add(benchmark, subjects, times, peaks: peaks, figures: rounds.mapValues { $0.map(\.figures) })
    }

    /// Adds the bytes a row, in the order of the subjects.
    mutating func addHeld(_ bytes: [(subject: String, bytesPerRow: Double)]) {
        let base = bytes.first { $0.subject == CAPISubject.name }?.bytesPerRow
        held = bytes.map { entry in
            HeldResult(
                subject: entry.subject,
                bytesPerRow: entry.bytesPerRow.rounded(),
                ratioToCAPI: base.map { (entry.bytesPerRow / $0 * 1000).rounded() / 1000 }
            )
        }
    }

    private var figureLines: [String] {
        let lines = results.filter { !$0.figures.isEmpty }.map { result in
            let figures = result.figures.map { "\($0.name) \($0.value)" }.joined(separator: ", ")
            return Self.row(result.case, result.subject) + " " + figures
        }
        return lines.isEmpty ? [] : ["", "Threads that share a file", ""] + lines
    }

    private var heldTable: [String] {
        guard !held.isEmpty else { return [] }
        let lines = held.map { result in
            Self.row(
                HeldMemory.name,
                result.subject,
                String(format: "%.0f", result.bytesPerRow),
                result.ratioToCAPI.map { String(format: "%.2f", $0) } ?? "-"
            )
        }
        return [
            "", "\(rows) rows held in memory, read once, unchanged", "",
            Self.row("case", "subject", "bytes/row", "to C API"),
        ]
            + lines
    }

    var table: String {
        var lines = ["\(rows) rows of 6 columns, median of \(rounds) interleaved rounds, SQLite \(sqliteVersion)", ""]
        lines.append(Self.row("case", "subject", "ns/row", "to C API", "peak MB"))
        for result in results {
            lines.append(
                Self.row(
                    result.case,
                    result.subject,
                    String(format: "%.0f", result.nanosecondsPerRow),
                    result.ratioToCAPI.map { String(format: "%.2f", $0) } ?? "-",
                    String(format: "%.1f", Double(result.peakBytes) / 1_000_000)
                )
            )
        }
        return (lines + figureLines + heldTable + goals).joined(separator: "\n")
    }

    /// Whether managed objects are as fast as they are meant to be.
    private var goals: [String] {
        results.filter { $0.subject == "managedgraph" }.compactMap { result in
            guard let benchmark = Case(rawValue: result.case), let ratio = result.ratioToCAPI,
                let goal = benchmark.goal
            else { return nil }
            let verdict = ratio <= goal ? "reached" : "missed"
            return "\nGoal for \(result.case): at most \(goal) times the C API: \(verdict) (\(ratio))."
        }
    }

    func write(to file: URL) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try encoder.encode(self).write(to: file)
    }

    private static func row(_ cells: String...) -> String {
        let widths = [16, 18, 10, 10, 10]
        return zip(cells, widths).enumerated().map { index, pair in
            let (cell, width) = pair
            let padding = String(repeating: " ", count: max(0, width - cell.count))
            return index < 2 ? cell + padding : padding + cell
        }.joined(separator: " ")
    }
}
