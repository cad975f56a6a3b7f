// An object whose temporary identifier a save has replaced, with its positions.
import Foundation

/// An object that was delivered under a temporary ID and now has a permanent one.
struct RenamedObject {
    let object: NSManagedObject
    let oldID: NSManagedObjectID
    let newID: NSManagedObjectID
    /// The positions before and after the batch.
    var from: ListPosition
    var to: ListPosition
}
