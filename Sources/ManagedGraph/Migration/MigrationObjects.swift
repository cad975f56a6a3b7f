// Finds the managed objects in the value of an expression of a mapping model.
import Foundation
import GraphPredicates

/// The managed objects in the value of an expression.
enum MigrationObjects {
    static func list(_ value: Any?) -> [NSManagedObject] {
        if let object = value as? NSManagedObject { return [object] }
        return (EvaluatedValue(value).elements ?? []).compactMap { $0.anyValue as? NSManagedObject }
    }
}
