// A chart of the ratios: for each case a bar for ManagedGraph and one for GRDB, on a logarithmic axis, and a mark at
// the goal. Drawn by hand as SVG; the README shows it.
import Foundation

/// The chart of a report.
struct Plot {
    private struct Line {
        var name: String
        var managed: Double
        var grdb: Double?
        var goal: Double?
    }

    private let lines: [Line]
    private let left = 210.0
    private let width = 900.0
    private let lineHeight = 22.0
    private let top = 74.0
    private let smallest = 0.5
    private let largest: Double

    init(_ report: Report) {
        var names: [String] = []
        for result in report.results where !names.contains(result.case) { names.append(result.case) }
        lines = names.compactMap { name in
            let results = report.results.filter { $0.case == name }
            // A case with several sizes shows its last one.
            guard let rows = results.last?.rows else { return nil }
            let shown = results.filter { $0.rows == rows }
            guard let managed = shown.last(where: { $0.subject.hasPrefix(SubjectName.managedGraph) }),
                let ratio = managed.ratio, managed.subject != managed.yardstick
            else { return nil }
            let goal = managed.goals.compactMap { if case .ratio(let most) = $0 { most } else { nil } }.first
            let grdb = shown.first { $0.subject.hasPrefix("grdb") }?.ratio
            let isToC = managed.yardstick == SubjectName.cAPI
            let label = managed.unit == .bytesPerRow ? "\(name) (bytes)" : isToC ? name : "\(name) *"
            return Line(name: label, managed: ratio, grdb: grdb, goal: goal)
        }
        // Longer bars end at the right edge; the number next to the bar is exact.
        largest = min(100, max(10, lines.map { max($0.managed, $0.grdb ?? 0) }.max() ?? 10))
    }

    var svg: String {
        let height = top + Double(lines.count) * lineHeight + 16
        var parts = [
            """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Int(width)) \(Int(height))" font-size="12" \
            font-family="system-ui, sans-serif" role="img" aria-label="Time of each case as a multiple of the C API">
            <style>
            text { fill: #333 } .axis { stroke: #8888; stroke-width: 1 } .one { stroke: #888; stroke-width: 2 }
            .mg { fill: #2f7de1 } .grdb { fill: #b0a089 } .goal { stroke: #d4442e; stroke-width: 3 }
            @media (prefers-color-scheme: dark) { text { fill: #ddd } }
            </style>
            <text x="10" y="22" font-size="15">Time of each case as a multiple of the SQLite C API (shorter is \
            faster; * compared with another yardstick)</text>
            """
        ]
        parts += legend
        parts += axis(height)
        for (index, line) in lines.enumerated() { parts += bars(line, top + Double(index) * lineHeight) }
        parts.append("</svg>\n")
        return parts.joined(separator: "\n")
    }

    private var legend: [String] {
        [
            #"<rect class="mg" x="10" y="34" width="12" height="10"/><text x="27" y="43">ManagedGraph</text>"#,
            #"<rect class="grdb" x="130" y="34" width="12" height="10"/><text x="147" y="43">GRDB</text>"#,
            #"<line class="goal" x1="200" x2="200" y1="33" y2="45"/><text x="208" y="43">goal</text>"#,
        ]
    }

    private func axis(_ height: Double) -> [String] {
        [0.5, 1, 2, 5, 10, 20, 50, 100, 200].filter { $0 <= largest }.flatMap { value in
            let x = Self.text(position(value))
            let name = value == value.rounded() ? String(Int(value)) : String(value)
            return [
                """
                <line class="\(value == 1 ? "one" : "axis")" x1="\(x)" x2="\(x)" y1="\(Int(top) - 6)" \
                y2="\(Int(height) - 10)"/>
                """,
                #"<text x="\#(x)" y="\#(Int(top) - 10)" text-anchor="middle">\#(name)</text>"#,
            ]
        }
    }

    private func bars(_ line: Line, _ y: Double) -> [String] {
        let end = Self.text(max(position(line.managed), position(line.grdb ?? 0), position(line.goal ?? 0)) + 6)
        var parts = [
            #"<text x="\#(Int(left) - 8)" y="\#(Self.text(y + 13))" text-anchor="end">\#(line.name)</text>"#,
            bar("mg", line.managed, y + 2),
            #"<text x="\#(end)" y="\#(Self.text(y + 13))">\#(String(format: "%.2f", line.managed))</text>"#,
        ]
        if let grdb = line.grdb { parts.append(bar("grdb", grdb, y + 11)) }
        if let goal = line.goal {
            let x = Self.text(position(goal))
            parts.append(
                #"<line class="goal" x1="\#(x)" x2="\#(x)" y1="\#(Self.text(y))" y2="\#(Self.text(y + 20))"/>"#
            )
        }
        return parts
    }

    private func bar(_ style: String, _ value: Double, _ y: Double) -> String {
        let width = Self.text(max(1, position(value) - left))
        return #"<rect class="\#(style)" x="\#(Int(left))" y="\#(Self.text(y))" width="\#(width)" height="8"/>"#
    }

    /// The x coordinate of a ratio.
    private func position(_ ratio: Double) -> Double {
        let part = log(min(max(ratio, smallest), largest) / smallest) / log(largest / smallest)
        return left + part * (width - left - 50)
    }

    private static func text(_ value: Double) -> String { String(format: "%.1f", value) }
}
