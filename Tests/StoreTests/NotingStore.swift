// An atomic store of CallOrderTests.
import Foundation
import ManagedGraph

/// An atomic store that saves nothing and records its calls.
final class NotingStore: NSAtomicStore {
    var calls: [String] = []
    override var type: String { "Noting" }
    override func load() throws { calls.append("load") }
    override func save() throws { calls.append("save \(cacheNodes().count)") }
    override func newReferenceObject(for managedObject: NSManagedObject) -> Any {
        calls.append("reference")
        return managedObject.value(forKey: "name") ?? 0
    }
    override func newCacheNode(for managedObject: NSManagedObject) -> NSAtomicStoreCacheNode {
        calls.append("new \(referenceObject(for: managedObject.objectID))")
        return super.newCacheNode(for: managedObject)
    }
    override func updateCacheNode(_ node: NSAtomicStoreCacheNode, from managedObject: NSManagedObject) {
        super.updateCacheNode(node, from: managedObject)
        calls.append("update \(node.value(forKey: "name") ?? "")")
    }
    override func willRemoveCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) {
        calls.append("remove \(cacheNodes.map { "\(referenceObject(for: $0.objectID))" })")
    }
    override func didAdd(to coordinator: NSPersistentStoreCoordinator) { calls.append("added") }
    override func willRemove(from coordinator: NSPersistentStoreCoordinator?) { calls.append("removed") }
}
