// The steps of migrating the objects of one entity mapping. Beside `NSEntityMigrationPolicy`.
import Foundation
import GraphModel
import GraphPredicates
import GraphSQLite

/// Managed objects in whatever an expression gives.
enum MigrationObjects {
    static func list(_ value: Any?) -> [NSManagedObject] {
        if let object = value as? NSManagedObject { return [object] }
        return (EvaluatedValue(value).elements ?? []).compactMap { $0.anyValue as? NSManagedObject }
    }
}
