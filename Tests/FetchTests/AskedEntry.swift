// A class that overrides value(forKey:) for all keys, and counts the calls.
import Foundation
import ManagedGraph
import Testing

/// Evaluated only through value(forKey:).
final class AskedEntry: NSManagedObject {
    var asked = 0

    override func value(forKey key: String) -> Any? {
        asked += 1
        return super.value(forKey: key)
    }
}
