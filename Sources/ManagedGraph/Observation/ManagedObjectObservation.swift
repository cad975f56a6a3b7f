// A callback before each change of an object, which ends with this value.
import Foundation
import Observation

/// One observation of an object.
public final class ManagedObjectObservation {
    private weak var object: NSManagedObject?
    private let callback: Int

    init(_ object: NSManagedObject, _ callback: Int) {
        self.object = object
        self.callback = callback
    }

    deinit { cancel() }

    /// Keeps the observation alive as long as it is in a set.
    ///
    /// - Parameter set: The set.
    public func store(in set: inout Set<ManagedObjectObservation>) { set.insert(self) }

    /// Ends the observation, on any thread.
    public func cancel() {
        if let object { ObservedObjects.remove(object, callback: callback) }
        object = nil
    }
}

extension ManagedObjectObservation: Hashable {
    /// Whether two observations are identical.
    public static func == (lhs: ManagedObjectObservation, rhs: ManagedObjectObservation) -> Bool { lhs === rhs }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
