// Whether an engine's work is observed. Set by the graph, read by the engine for each read and each transaction.
import Synchronization

/// A flag that any thread may read at the cost of a plain load.
package final class ObservationSwitch: Sendable {
    private let state = Atomic<Bool>(false)

    package init() {}

    package var isOn: Bool {
        @inline(__always) get { state.load(ordering: .relaxed) }
        set { state.store(newValue, ordering: .relaxed) }
    }
}
