// How far long work has come, on standard error, where that is a terminal; elsewhere nothing is written. Made by commands, fed by
// the library's progress callbacks.
import Foundation

/// One line that is drawn over and over.
final class ProgressBar {
    private let title: String
    private let unit: String
    private let isShown: Bool
    private let began = ContinuousClock.now
    private var drawn: ContinuousClock.Instant?
    private var isOnScreen = false

    /// - Parameters:
    ///   - title: What is being done, as in "importing".
    ///   - unit: What is counted, as in "rows"; empty where nothing is, so that the time is told.
    init(_ title: String, unit: String) {
        self.title = title
        self.unit = unit
        isShown = Terminal.isErrorTerminal && Terminal.isSmart
    }

    deinit { finish() }

    /// Draws the line anew, at most ten times a second.
    ///
    /// - Parameters:
    ///   - done: Units done so far.
    ///   - total: All units, where they are known.
    ///   - fraction: How much of the work is done, where that is not `done` by `total`: 0 to 1.
    func update(_ done: Int, of total: Int? = nil, fraction: Double? = nil) {
        guard isShown else { return }
        let now = ContinuousClock.now
        if let drawn, now - drawn < .milliseconds(100) { return }
        drawn = now
        let seconds = Double((now - began).components.seconds) + Double((now - began).components.attoseconds) / 1e18
        let known = total.flatMap { $0 > 0 ? Double(done) / Double($0) : nil }
        let text = Self.text(
            title: title,
            unit: unit,
            done: done,
            total: total,
            fraction: fraction ?? known,
            seconds: seconds,
            width: (Terminal.width(of: STDERR_FILENO) ?? 80) - 1
        )
        draw("\r\(text)\u{1B}[K")
        isOnScreen = true
    }

    /// Takes the line away.
    func finish() {
        guard isOnScreen else { return }
        isOnScreen = false
        draw("\r\u{1B}[K")
    }

    private func draw(_ text: String) {
        // A terminal that is gone needs no bar.
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }

    /// The line for a state of the work.
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
        let whole = Int(min(seconds.rounded(.up), 1e9))
        return whole < 60
            ? "\(whole) s"
            : whole < 3_600 ? "\(whole / 60) min \(whole % 60) s" : "\(whole / 3_600) h \(whole / 60 % 60) min"
    }

    /// A number with commas between its thousands.
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
