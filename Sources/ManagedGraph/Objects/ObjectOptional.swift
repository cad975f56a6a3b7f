// The type of the object in an optional. Used by KeyPathNames.

/// An optional that holds a managed object.
protocol ObjectOptional {
    static var objectType: NSManagedObject.Type? { get }
}

extension Optional: ObjectOptional {
    static var objectType: NSManagedObject.Type? { Wrapped.self as? NSManagedObject.Type }
}
