// Shows the progress of long operations on standard error if that is a terminal; otherwise nothing is written. Created
// by commands, updated by the library's progress callbacks.
import Foundation

/// A single line that is redrawn.
final class ProgressBar {
    private let title: String
    private let unit: String
    private let isShown: Bool
    private let began = ContinuousClock.now
    private var drawn: ContinuousClock.Instant?
    private var isOnScreen = false

    /// - Parameters:
    ///   - title: The operation, as in "importing".
    ///   - unit: The counted unit, as in "rows"; if empty, the elapsed time is shown.
    init(_ title: String, unit: String) {
        self.title = title
        self.unit = unit
        isShown = Terminal.isErrorTerminal && Terminal.isSmart
    }

    deinit { finish() }

    /// Redraws the line, at most ten times a second.
    ///
    /// - Parameters:
    ///   - done: Units completed so far.
    ///   - total: The total number of units, if known.
    ///   - fraction: The completed fraction of the work from 0 to 1, if it is not `done` divided by `total`.
    func update(_ done: Int, of total: Int? = nil, fraction: Double? = nil) {
        guard isShown else { return }
        let now = ContinuousClock.now
        if let drawn, now - drawn < .milliseconds(100) { return }
        drawn = now
        let seconds = Double((now - began).components.seconds) + Double((now - began).components.attoseconds) / 1e18
        let fractionDone = total.flatMap { $0 > 0 ? Double(done) / Double($0) : nil }
        let line = Self.text(
            title: title,
            unit: unit,
            done: done,
            total: total,
            fraction: fraction ?? fractionDone,
            seconds: seconds,
            width: (Terminal.width(of: STDERR_FILENO) ?? 80) - 1
        )
        draw("\r\(line)\u{1B}[K")
        isOnScreen = true
    }

    /// Removes the line.
    func finish() {
        guard isOnScreen else { return }
        isOnScreen = false
        draw("\r\u{1B}[K")
    }

    private func draw(_ line: String) {
        // If the terminal is gone, no bar is needed.
        try? FileHandle.standardError.write(contentsOf: Data(line.utf8))
    }

    /// The line for a state of the operation.
    static func text(
        title: String,
        unit: String,
        done: Int,
        total: Int?,
        fraction: Double?,
        seconds: Double,
        width: Int
    ) -> String {
        if unit.isEmpty { return String("\(title), \(duration(seconds.rounded(.down)))".prefix(max(0, width))) }
        var parts = [title]
        let share = fraction.map { min(1, max(0, $0)) }
        if let share { parts.append(String(format: "%3d%%", Int(share * 100))) }
        var facts = total.map { "\(grouped(done)) of \(grouped($0)) \(unit)" } ?? "\(grouped(done)) \(unit)"
        if seconds > 0.5 {
            facts += ", \(grouped(Int(Double(done) / seconds)))/s"
            if let share, share > 0, share < 1 { facts += ", \(duration(seconds / share - seconds)) left" }
        }
        let free = width - parts.joined(separator: " ").count - facts.count - 4
        if let share, free >= 8 {
            let size = min(free, 30)
            let full = Int(Double(size) * share)
            parts.append("[" + String(repeating: "#", count: full) + String(repeating: ".", count: size - full) + "]")
        }
        return String((parts + [facts]).joined(separator: " ").prefix(max(0, width)))
    }

    private static func duration(_ seconds: Double) -> String {
        let wholeSeconds = Int(min(seconds.rounded(.up), 1e9))
        return wholeSeconds < 60
            ? "\(wholeSeconds) s"
            : wholeSeconds < 3_600
                ? "\(wholeSeconds / 60) min \(wholeSeconds % 60) s"
                : "\(wholeSeconds / 3_600) h \(wholeSeconds / 60 % 60) min"
    }

    /// A number with commas as thousands separators.
    static func grouped(_ number: Int) -> String {
        var digits = Array(String(number.magnitude))
        var place = digits.count - 3
        while place > 0 {
            digits.insert(",", at: place)
            place -= 3
        }
        return (number < 0 ? "-" : "") + String(digits)
    }
}
