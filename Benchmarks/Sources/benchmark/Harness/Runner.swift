// Rounds and clocks. Every round runs every subject once, and each round begins with a different subject, so that a
// slow moment of the machine does not affect one subject alone.
import Foundation

/// Measures cases.
struct Runner {
    var arguments: Arguments
    var fixtures: Fixtures

    init(_ arguments: Arguments) {
        self.arguments = arguments
        fixtures = Fixtures(folder: arguments.folder)
    }

    /// The nanoseconds after which a case begins no further round.
    private static let longestCase = 40e9

    /// Measures a case at one size.
    func run(_ benchmark: BenchmarkCase, rows: Int) throws -> Measurement {
        var measurement = Measurement(name: benchmark.name, rows: rows)
        // Round 0 warms up and is not counted. Memory cases skip it: each child is a new process.
        let isMemory = if case .memory = benchmark.measure { true } else { false }
        let first = isMemory ? 1 : 0
        let last = isMemory ? min(arguments.rounds, 3) : arguments.rounds
        let start = ContinuousClock.now
        for round in first...max(first, last) {
            // A case far from its goal must not use up the time of the others; the report shows the number of rounds.
            if round > 1, Self.nanoseconds(start.duration(to: .now)) > Self.longestCase { break }
            var expected: (subject: String, checksum: Checksum)?
            for entrant in rotated(benchmark.entrants, by: round) {
                // Fill files here, so that the child grows only by its work.
                if isMemory, round == first { try withSetting(rows) { _ = try entrant.prepare($0) } }
                let result = try runOnce(benchmark, entrant, rows)
                if let expected, expected.checksum != result.checksum {
                    throw BenchmarkError(
                        """
                        \(benchmark.name) at \(rows) rows: \(entrant.subject) has \(result.checksum), \
                        \(expected.subject) \(expected.checksum). Figures of different work would mean nothing.
                        """
                    )
                }
                expected = expected ?? (entrant.subject, result.checksum)
                if round > 0 { measurement.add(result.value, result.figures, for: entrant.subject) }
            }
        }
        if benchmark.measuresPeak, !isMemory, !arguments.scaling {
            for entrant in benchmark.entrants {
                measurement.peaks[entrant.subject] = try Child.run(
                    "peak",
                    benchmark,
                    entrant.subject,
                    rows,
                    arguments.folder
                ).value
            }
        }
        return measurement
    }

    private struct RoundResult {
        var value: Double
        var figures: [Figure]
        var checksum: Checksum
    }

    private func runOnce(_ benchmark: BenchmarkCase, _ entrant: Entrant, _ rows: Int) throws -> RoundResult {
        if case .memory = benchmark.measure {
            let figure = try Child.run("held", benchmark, entrant.subject, rows, arguments.folder)
            return RoundResult(value: Double(figure.value) / Double(rows), figures: [], checksum: figure.checksum)
        }
        return try withSetting(rows) { setting in
            let work = try entrant.prepare(setting)
            let (elapsed, outcome) = try Self.timed(work)
            let nanoseconds = outcome.nanoseconds ?? elapsed
            let value =
                switch benchmark.measure {
                case .time(let units): nanoseconds / Double(max(1, units(rows)))
                case .wholeTime, .memory: nanoseconds / 1e6
                }
            return RoundResult(value: value, figures: outcome.figures, checksum: try outcome.checksum())
        }
    }

    /// Calls `body` with the environment of a round, and closes it afterwards.
    func withSetting<T>(_ rows: Int, _ body: (Setting) throws -> T) throws -> T {
        let setting = Setting(rows: rows, fixtures: fixtures)
        let result = Swift.Result { try body(setting) }
        try setting.close()
        return try result.get()
    }

    private func rotated<T>(_ values: [T], by count: Int) -> [T] {
        guard !values.isEmpty else { return [] }
        let start = count % values.count
        return Array(values[start...] + values[..<start])
    }

    static func timed<T>(_ body: () throws -> T) rethrows -> (Double, T) {
        let clock = ContinuousClock()
        let start = clock.now
        let result = try body()
        return (nanoseconds(start.duration(to: clock.now)), result)
    }

    static func nanoseconds(_ duration: Duration) -> Double {
        let (seconds, attoseconds) = duration.components
        return Double(seconds) * 1e9 + Double(attoseconds) / 1e9
    }
}
