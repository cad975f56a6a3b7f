// Observing objects: Swift's Observation, and a callback before each change.
import Foundation
import Observation

/// Tracks reads of properties within `withObservationTracking` and reports changes from accessors, undo, rollback,
/// refresh and merges, for objects of contexts whose `tracksObservation` is true.
extension NSManagedObject: Observable {}

extension NSManagedObject {
    /// Publishes the changes of one object.
    public typealias ObjectWillChangePublisher = ManagedObjectPublisher

    /// Publishes before each change of the object, and for a merge once the merged values can be read.
    public final var objectWillChange: ObjectWillChangePublisher { ObjectWillChangePublisher(object: self) }
}

/// Publishes before an object changes: the subset of Combine's publishers that works without Combine.
public struct ManagedObjectPublisher {
    /// The value passed to the block: none.
    public typealias Output = Void

    let object: NSManagedObject

    /// Calls a block before each change of the object, on the context's queue; for a merge, once the values are there.
    ///
    /// - Parameter receiveValue: The block.
    /// - Returns: Ends the observation when cancelled or deallocated. It does not keep the object alive.
    public func sink(receiveValue: @escaping (Output) -> Void) -> ManagedObjectObservation {
        ManagedObjectObservation(object, ObservedObjects.add(object) { receiveValue(()) })
    }
}

extension ManagedObjectPublisher {
    /// Calls the blocks as before a change, for values computed from something other than the object's properties.
    public func send() { ObservedObjects.announce(object) }
}
