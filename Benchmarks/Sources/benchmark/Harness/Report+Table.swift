// Formats the results as the table that a run prints.
import Foundation

extension Report {
    var table: String {
        var lines = ["Medians of \(rounds) interleaved rounds, SQLite \(sqliteVersion)", ""]
        lines.append(
            Self.row(["case", "rows", "subject", "median", "minimum", "spread", "ratio", "peak MB", "goal", ""])
        )
        var previous: (name: String, rows: Int)?
        for result in results {
            let isNew = previous?.name != result.case || previous?.rows != result.rows
            lines.append(Self.row(Self.cells(result, isNew: isNew)))
            previous = (result.case, result.rows)
        }
        return (lines + figureLines + summary).joined(separator: "\n")
    }

    /// The cost of a row at the smallest and the largest size, and the factor between them.
    var scalingTable: String {
        var lines = ["Medians of \(rounds) interleaved rounds, SQLite \(sqliteVersion)", ""]
        lines.append(Self.row(["case", "", "subject", "ns a row", "largest", "factor"]))
        var names: Set<String> = []
        for result in results where names.insert("\(result.case) \(result.subject)").inserted {
            let sizes = results.filter { $0.case == result.case && $0.subject == result.subject }
            guard let last = sizes.last, sizes.count > 1 else { continue }
            let factor = String(format: "%.2f", last.median / result.median)
            let (small, large) = (String(format: "%.0f", result.median), String(format: "%.0f", last.median))
            lines.append(Self.row([result.case, "", result.subject, small, large, factor]))
        }
        return lines.joined(separator: "\n")
    }

    private static func cells(_ result: Result, isNew: Bool) -> [String] {
        let format = result.unit == .milliseconds ? "%.2f" : "%.0f"
        let unit =
            switch result.unit {
            case .nanosecondsPerRow: "ns"
            case .milliseconds: "ms"
            case .bytesPerRow: "B"
            }
        return [
            isNew ? result.case : "", isNew ? String(result.rows) : "", result.subject,
            String(format: format, result.median) + " " + unit, String(format: format, result.minimum),
            String(format: format, result.spread), result.ratio.map { String(format: "%.2f", $0) } ?? "-",
            result.peakBytes.map { String(format: "%.1f", Double($0) / 1_000_000) } ?? "-",
            result.goals.map(\.description).joined(separator: ", "),
            (result.reached.map { $0 ? "reached" : "missed" } ?? "")
                + (result.rounds < 3 ? " (rounds: \(result.rounds))" : ""),
        ]
    }

    private var figureLines: [String] {
        let lines = results.filter { !$0.figures.isEmpty }.map { result in
            let figures = result.figures.map { "\($0.name) \($0.value)" }.joined(separator: ", ")
            return "\(result.case), \(result.subject): \(figures)"
        }
        return lines.isEmpty ? [] : ["", "Further figures", ""] + lines
    }

    private var summary: [String] {
        let verdicts = results.compactMap(\.reached)
        guard !verdicts.isEmpty else { return [] }
        return ["", "\(verdicts.count { $0 }) of \(verdicts.count) goals reached."]
    }

    private static func row(_ cells: [String]) -> String {
        let widths = [26, 8, 24, 14, 10, 10, 8, 9]
        let columns = cells.enumerated().map { index, cell in
            guard index < widths.count else { return cell }
            let padding = String(repeating: " ", count: max(0, widths[index] - cell.count))
            return index == 0 || index == 2 ? cell + padding : padding + cell
        }
        var line = columns.joined(separator: "  ")
        while line.last == " " { line.removeLast() }
        return line
    }
}
