// The data recorded about a statement for the connection's observer. It exists only while there is an observer, so that
// unobserved statements pay nothing for it.
import GraphSQL

/// Data recorded about one statement.
final class StatementObservation {
    private var startedAt: ContinuousClock.Instant?
    private var bindings: [SQLValue] = []
    private var values: [[SQLValue]] = []

    /// Whether a run is being timed.
    var isRunning: Bool { startedAt != nil }

    func bound(_ index: Int, _ value: SQLValue) {
        while bindings.count < index { bindings.append(.null) }
        bindings[index - 1] = value
    }

    func clearBindings() { bindings = [] }

    /// Starts timing a run.
    func start() {
        if startedAt == nil { startedAt = ContinuousClock.now }
    }

    /// Keeps a row if fewer than `most` rows are kept.
    func keep(_ row: @autoclosure () -> [SQLValue], most: Int) {
        if isRunning, values.count < most { values.append(row()) }
    }

    /// The number of rows that can still be kept.
    func room(_ most: Int) -> Int { isRunning ? max(0, most - values.count) : 0 }

    /// Ends a run and returns its event; nil if no run was started.
    func end(_ sql: String, rows: Int) -> StatementEvent? {
        guard let start = startedAt else { return nil }
        defer {
            startedAt = nil
            values = []
        }
        return StatementEvent(
            text: sql,
            bindings: bindings,
            rows: rows,
            duration: ContinuousClock.now - start,
            began: start,
            values: values
        )
    }
}
