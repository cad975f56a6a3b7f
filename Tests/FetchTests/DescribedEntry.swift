// A class that counts the calls of its description. Used by GrowthTests.
import Foundation
import ManagedGraph
import Synchronization

/// Counts how often its objects are described.
final class DescribedEntry: NSManagedObject {
    static let descriptions = Atomic<Int>(0)

    override var description: String {
        Self.descriptions.add(1, ordering: .relaxed)
        return super.description
    }
}
