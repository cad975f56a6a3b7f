// The latest reports of experiments, in memory. Owned by ScreenResponder.
import Synchronization

final class ExperimentReports: Sendable {
    /// The number of reports kept.
    private static let limit = 50

    private struct State {
        var number = 0
        var reports: [Int: (name: String, lines: [Experiment.Line])] = [:]
    }

    private let state = Mutex(State())

    /// Keeps a report and returns its number.
    func keep(_ name: String, _ lines: [Experiment.Line]) -> Int {
        state.withLock { state in
            state.number += 1
            state.reports[state.number] = (name, lines)
            state.reports[state.number - Self.limit] = nil
            return state.number
        }
    }

    func report(_ number: Int) -> (name: String, lines: [Experiment.Line])? { state.withLock { $0.reports[number] } }
}
