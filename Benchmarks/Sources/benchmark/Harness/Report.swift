// The figures as a table and as JSON.
import Foundation

/// The result of one case and subject.
struct Result: Codable {
    var `case`: String
    var subject: String
    /// The median over the rounds.
    var nanosecondsPerRow: Double
    /// To the C API in the same run; nil where that was left out.
    var ratioToCAPI: Double?
    var peakBytes: Int
}

/// What the rows of a subject take in memory, held and unchanged.
struct HeldResult: Codable {
    var subject: String
    var bytesPerRow: Double
    /// To the C API's plain objects in the same run; nil where that was left out.
    var ratioToCAPI: Double?
}

/// All results of a run.
struct Report: Codable {
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
        _ benchmark: Case,
        _ subjects: [any Subject.Type],
        _ figures: [String: [Double]],
        peaks: [String: Int]
    ) {
        let base = figures[CAPISubject.name].map(Self.median)
        for subject in subjects {
            guard let values = figures[subject.name] else { continue }
            let median = Self.median(values)
            results.append(
                Result(
                    case: benchmark.rawValue,
                    subject: subject.name,
                    nanosecondsPerRow: (median * 10).rounded() / 10,
                    ratioToCAPI: base.map { (median / $0 * 1000).rounded() / 1000 },
                    peakBytes: peaks[subject.name] ?? 0
                )
            )
        }
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
        return (lines + heldTable + goals).joined(separator: "\n")
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
        let widths = [12, 18, 10, 10, 10]
        return zip(cells, widths).enumerated().map { index, pair in
            let (cell, width) = pair
            let padding = String(repeating: " ", count: max(0, width - cell.count))
            return index < 2 ? cell + padding : padding + cell
        }.joined(separator: " ")
    }
}
