// Watching objects: Swift's Observation, and a callback before each change.
import Foundation
import Observation

/// Reads of properties inside of `withObservationTracking` are tracked, and changes by anyone reported: by accessors,
/// undo, rollback, refresh and merges. For objects of contexts whose `tracksObservation` is true.
extension NSManagedObject: Observable {}

extension NSManagedObject {
    /// What tells of changes of one object.
    public typealias ObjectWillChangePublisher = ManagedObjectPublisher

    /// Tells before each change of the object.
    public final var objectWillChange: ObjectWillChangePublisher { ObjectWillChangePublisher(object: self) }
}

/// Tells before an object changes: the part of Combine's publishers that there is without Combine.
public struct ManagedObjectPublisher {
    /// What the block is given: nothing.
    public typealias Output = Void

    let object: NSManagedObject

    /// Calls a block before each change of the object, on the context's queue.
    ///
    /// - Parameter receiveValue: The block.
    /// - Returns: Ends the watching when it is cancelled or goes out of use. It does not keep the object alive.
    public func sink(receiveValue: @escaping (Output) -> Void) -> ManagedObjectObservation {
        ManagedObjectObservation(object, ObservedObjects.add(object) { receiveValue(()) })
    }
}

extension ManagedObjectPublisher {
    /// Calls the blocks, as before a change: for what is computed from something else than the object's properties.
    public func send() { ObservedObjects.announce(object) }
}

/// One watching of an object.
public final class ManagedObjectObservation {
    private weak var object: NSManagedObject?
    private let callback: Int

    init(_ object: NSManagedObject, _ callback: Int) {
        self.object = object
        self.callback = callback
    }

    deinit { cancel() }

    /// Keeps the watching up for as long as a set does.
    ///
    /// - Parameter set: The set.
    public func store(in set: inout Set<ManagedObjectObservation>) { set.insert(self) }

    /// Ends the watching.
    public func cancel() {
        if let object { ObservedObjects.remove(object, callback: callback) }
        object = nil
    }
}

extension ManagedObjectObservation: Hashable {
    /// Whether two are one and the same.
    public static func == (one: ManagedObjectObservation, other: ManagedObjectObservation) -> Bool { one === other }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
