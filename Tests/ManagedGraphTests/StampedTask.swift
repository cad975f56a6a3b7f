// A class that sets primitive values in its callbacks. Used by StateRules.
import Foundation
import ManagedGraph

/// Sets primitive values when it is inserted and saved, as many classes do.
final class StampedTask: NSManagedObject {
    override func awakeFromInsert() { setPrimitiveValue("born", forKey: "text") }
    override func willSave() {
        if !isDeleted { setPrimitiveValue(7, forKey: "priority") }
    }
}
