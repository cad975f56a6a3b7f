// Individual rules for the state of objects and contexts: events and fetches, primitive values, fetched properties,
// relationships of deleted objects, added and removed members, and values of faults.
import Foundation
import ManagedGraph
import Testing

/// Sets primitive values when it is inserted and saved, as many classes do.
final class StampedTask: NSManagedObject {
    override func awakeFromInsert() { setPrimitiveValue("born", forKey: "text") }
    override func willSave() {
        if !isDeleted { setPrimitiveValue(7, forKey: "priority") }
    }
}
