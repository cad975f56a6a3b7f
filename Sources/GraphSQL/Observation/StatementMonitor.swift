// Observes the statements of a store while it is open. Made by the store's host; each connection of the store has it.
import GraphEngine

/// Receives the statements of a store's connections while its switch is on.
///
/// A statement is recorded on the thread that has run it, while the connection is locked. `deliver` is called on that
/// thread after the lock is released, so that the host can run a program's code then.
package final class StatementMonitor: Sendable {
    private let observation: ObservationSwitch
    private let recorder: @Sendable (StatementEvent) -> Void
    private let delivery: @Sendable () -> Void

    /// The monitor of connections that this thread opens: those of a migration, or of a new file.
    @TaskLocal package static var ofNewConnections: StatementMonitor?

    /// Creates a monitor.
    ///
    /// - Parameters:
    ///   - observation: Turns the monitor on and off, at any time.
    ///   - record: Called after each run of a statement.
    ///   - deliver: Called once the locks that were held meanwhile are released.
    package init(
        _ observation: ObservationSwitch,
        record: @escaping @Sendable (StatementEvent) -> Void,
        deliver: @escaping @Sendable () -> Void
    ) {
        self.observation = observation
        recorder = record
        delivery = deliver
    }

    /// Whether statements are recorded now.
    package var isOn: Bool { observation.isOn }

    package func record(_ event: StatementEvent) { recorder(event) }

    package func deliver() { delivery() }

    /// Makes this the monitor of the connections that `body` opens on this thread.
    package func monitoringNewConnections<R>(_ body: () throws -> R) rethrows -> R {
        try Self.$ofNewConnections.withValue(self, operation: body)
    }
}
