// The event passed to a connection's observer: one finished run of a statement. For SQL logging and for tests that
// count.

/// One run of a statement.
package struct StatementEvent: Sendable {
    package var text: String
    package var bindings: [SQLValue]
    package var rows: Int
    package var duration: Duration
    package var began: ContinuousClock.Instant
    /// The first rows, if the connection's observer requests them.
    package var values: [[SQLValue]] = []

    package init(
        text: String,
        bindings: [SQLValue],
        rows: Int,
        duration: Duration,
        began: ContinuousClock.Instant,
        values: [[SQLValue]] = []
    ) {
        self.text = text
        self.bindings = bindings
        self.rows = rows
        self.duration = duration
        self.began = began
        self.values = values
    }
}
