// The handlers of a coordinator's activity. Owned by the coordinator; its contexts and stores read the switch.
import GraphEngine
import Synchronization

/// The observers of one coordinator.
final class ActivityCenter: Sendable {
    /// On while there is an observer.
    let observation = ObservationSwitch()
    private let observers = Mutex<[ActivityObserver]>([])

    /// Whether events are recorded now.
    var isObserved: Bool {
        @inline(__always) get { observation.isOn }
    }

    /// Whether an observer records the values of saves.
    var recordsValues: Bool { observers.withLock { $0.contains(where: \.recordsValues) } }

    func add(_ observer: ActivityObserver) {
        observers.withLock {
            $0.append(observer)
            observation.isOn = true
        }
    }

    func remove(_ observer: ActivityObserver) {
        observers.withLock { observers in
            observers.removeAll { $0 === observer }
            observation.isOn = !observers.isEmpty
        }
    }

    /// Calls the handlers, outside the lock; `make` is called only if there are any.
    func deliver(_ make: () -> StoreActivity) {
        let observers = observers.withLock { $0 }
        if observers.isEmpty { return }
        let activity = make()
        for observer in observers { observer.call(activity) }
    }
}
