import Foundation

/// The objects of a save, for store classes of the program.
struct SavedObjects {
    let context: NSManagedObjectContext
    var inserted: [NSManagedObject]
    var updated: [NSManagedObject]
    var deleted: [NSManagedObject]
    /// Objects whose version must not have changed.
    var locked: [NSManagedObject]
}
