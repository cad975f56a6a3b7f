// Finds the managed objects in the value of an expression of a mapping model.
import Foundation
import GraphPredicates

/// The managed objects in the value of an expression.
enum MigrationObjects {
    static func list(_ value: Any?) -> [NSManagedObject] {
        guard let value else { return [] }
        if let objects = (value as? any ManagedCollection)?.managedObjects { return objects }
        if let object = value as? NSManagedObject { return [object] }
        if let set = value as? NSSet { return set.compactMap { $0 as? NSManagedObject } }
        return (EvaluatedValue(value).elements ?? []).compactMap { $0.anyValue as? NSManagedObject }
    }
}
