// The initializers of managed objects that can be called on any of their classes.
import Foundation

/// Lets `init(context:)` be called on `Self` and on any class of managed objects, which the class's own, not being
/// required, does not; and `init()`.
public protocol ManagedObjectMaking {}

extension ManagedObjectMaking where Self: NSManagedObject {
    /// Makes an object of this class's entity and inserts it into a context.
    ///
    /// - Parameter context: A context with a coordinator whose model has an entity of this class.
    public init(context: NSManagedObjectContext) {
        self = Self.init(entity: Self.entity(in: context), insertInto: context)
    }

    /// Makes an object of this class's entity that belongs to no context.
    public init() {
        self = Self.init(entity: Self.entity(), insertInto: nil)
    }
}
