// The objects of a save, for store classes of the program.
import Foundation
import GraphEngine
import GraphSQLite

/// The objects of a save, for custom store classes.
struct SavedObjects {
    let context: NSManagedObjectContext
    var inserted: [NSManagedObject]
    var updated: [NSManagedObject]
    var deleted: [NSManagedObject]
    /// Objects whose version must not have changed.
    var locked: [NSManagedObject]
}
