// What is noted of a statement for the observer of its connection. A statement has one only while somebody observes, so that
// nothing of this costs where nobody does.
import GraphSQL

/// Notes on one statement.
final class StatementObservation {
    private var startedAt: ContinuousClock.Instant?
    private var bindings: [SQLValue] = []
    private var values: [[SQLValue]] = []

    /// Whether a run is timed.
    var isRunning: Bool { startedAt != nil }

    func bound(_ index: Int, _ value: SQLValue) {
        while bindings.count < index { bindings.append(.null) }
        bindings[index - 1] = value
    }

    func clearBindings() { bindings = [] }

    /// Begins the time of a run.
    func start() {
        if startedAt == nil { startedAt = ContinuousClock.now }
    }

    /// Keeps a row where fewer than so many are kept.
    func keep(_ row: @autoclosure () -> [SQLValue], most: Int) {
        if isRunning, values.count < most { values.append(row()) }
    }

    /// How many rows more are kept.
    func room(_ most: Int) -> Int { isRunning ? max(0, most - values.count) : 0 }

    /// The end of a run, as an observer sees it; nil where none began.
    func end(_ text: String, rows: Int) -> StatementEvent? {
        guard let start = startedAt else { return nil }
        defer {
            startedAt = nil
            values = []
        }
        return StatementEvent(
            text: text,
            bindings: bindings,
            rows: rows,
            duration: ContinuousClock.now - start,
            values: values
        )
    }
}
