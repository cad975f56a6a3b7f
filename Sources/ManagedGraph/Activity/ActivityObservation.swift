// The public handle of an observation. Made by NSPersistentStoreCoordinator.observeActivity.

/// An observation of a coordinator's activity, which ends when it is cancelled or released.
///
/// Made by ``NSPersistentStoreCoordinator/observeActivity(recordsValues:_:)``.
public final class ActivityObservation: Sendable {
    private let center: ActivityCenter
    private let observer: ActivityObserver

    init(_ observer: ActivityObserver, in center: ActivityCenter) {
        self.center = center
        self.observer = observer
        center.add(observer)
    }

    deinit { cancel() }

    /// Ends the observation.
    ///
    /// May be called on any thread, several times, and by the handler itself. No call of the handler begins afterwards;
    /// one that is running on another thread is not awaited.
    public func cancel() {
        if !observer.cancel() { center.remove(observer) }
    }
}
