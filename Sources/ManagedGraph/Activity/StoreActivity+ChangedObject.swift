// An object of a save in an event. Part of `StoreActivity`.
import Foundation

extension StoreActivity {
    /// An object that a save has inserted, updated or deleted.
    public struct ChangedObject: Sendable {
        /// The identifier of the object after the save.
        public let objectID: NSManagedObjectID
        /// The names of the changed properties, in the order of the model.
        public let properties: [String]
        /// The values of the changed properties; empty unless the observation records values.
        public let changes: [PropertyChange]

        /// The name of the object's entity.
        public var entity: String { objectID.layout.name }
    }
}
