// Values that a file format needs of each entity, computed once for all its objects. Used by the stores that are one file.
import Foundation

/// A value for each entity, made when it is first needed.
struct PerEntity<Value> {
    private var values: [ObjectIdentifier: Value] = [:]
    private let make: (ObjectLayout) -> Value

    init(_ make: @escaping (ObjectLayout) -> Value) { self.make = make }

    /// The value for an entity.
    ///
    /// O(1) beside the time of making it once.
    subscript(layout: ObjectLayout) -> Value {
        mutating get {
            if let value = values[ObjectIdentifier(layout)] { return value }
            let value = make(layout)
            values[ObjectIdentifier(layout)] = value
            return value
        }
    }
}
