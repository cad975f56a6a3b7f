// An atomic store of ConcurrentMoveTests.
import Foundation
import ManagedGraph

/// An atomic store that writes a file without content, and does not read it.
final class SteppingStore: NSAtomicStore {
    static let storeType = "Stepping"
    override var type: String { Self.storeType }
    override func load() throws {}
    /// The number of nodes after the step of each save.
    var savedCounts: [Int] = []

    override func save() throws {
        step("save")
        savedCounts.append(cacheNodes().count)
        if let url { try Data().write(to: url) }
    }

    override func newCacheNode(for managedObject: NSManagedObject) -> NSAtomicStoreCacheNode {
        step("node")
        return super.newCacheNode(for: managedObject)
    }
}
