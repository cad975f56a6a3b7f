// A class that overrides the value of one key. Used by SlotEvaluationTests.
import Foundation
import ManagedGraph
import Testing

/// Overrides one key of the model.
final class LoudEntry: NSManagedObject {
    override func value(forKey key: String) -> Any? {
        key == "text" ? (super.value(forKey: key) as? String)?.uppercased() : super.value(forKey: key)
    }
}
