// A class that counts the callbacks of saves. Used by Costs.
import Foundation
import ManagedGraph
import Synchronization

/// Counts the callbacks of a save; a separate class, so that no other test increments the count.
final class CountedItem: NSManagedObject {
    static let calls = Atomic<Int>(0)

    override func willSave() { Self.calls.add(1, ordering: .relaxed) }
    override func didSave() { Self.calls.add(1, ordering: .relaxed) }
    override func validateForUpdate() throws {
        Self.calls.add(1, ordering: .relaxed)
        try super.validateForUpdate()
    }
}
