// One handler of a coordinator's activity. Used by ActivityCenter.
import Synchronization

/// A handler that can be cancelled while events are delivered.
final class ActivityObserver: Sendable {
    private let isCancelled = Atomic<Bool>(false)
    private let handler: @Sendable (StoreActivity) -> Void

    /// Whether saves record values.
    let recordsValues: Bool

    init(recordsValues: Bool, _ handler: @escaping @Sendable (StoreActivity) -> Void) {
        self.recordsValues = recordsValues
        self.handler = handler
    }

    func call(_ activity: StoreActivity) {
        if !isCancelled.load(ordering: .relaxed) { handler(activity) }
    }

    /// Prevents further calls; returns whether it was cancelled before.
    func cancel() -> Bool { isCancelled.exchange(true, ordering: .relaxed) }
}
