// A fault in an event. Part of `StoreActivity`.
import Foundation

extension StoreActivity {
    /// A fault that has received its values from a store.
    ///
    /// Faults whose rows are already in memory, such as those of an ordinary fetch, are counted in
    /// ``NSManagedObjectContext/statistics-swift.property`` only.
    public struct FiredFault: Sendable {
        /// The identifier of the object.
        public let objectID: NSManagedObjectID
        /// The context of the object.
        public let context: Context?

        /// The name of the object's entity.
        public var entity: String { objectID.layout.name }
    }
}
