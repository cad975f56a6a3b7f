// A policy that records the order of its hooks.
import ExpectationSupport
import Foundation
import ManagedGraph
import Testing

/// Records the hooks that the manager calls.
final class HookPolicy: NSEntityMigrationPolicy {
    private func note(_ name: String, _ manager: NSMigrationManager) {
        var hooks = manager.userInfo?["hooks"] as? [String] ?? []
        if hooks.last != name { hooks.append(name) }
        manager.userInfo = ["hooks": hooks]
    }

    override func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws { note("begin", manager) }

    override func createDestinationInstances(
        forSource sInstance: NSManagedObject,
        in mapping: NSEntityMapping,
        manager: NSMigrationManager
    ) throws {
        note("create", manager)
        try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    }

    override func endInstanceCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
        note("created", manager)
    }

    override func createRelationships(
        forDestination dInstance: NSManagedObject,
        in mapping: NSEntityMapping,
        manager: NSMigrationManager
    ) throws {
        note("relate", manager)
        expectEqual(manager.sourceInstances(forEntityMappingName: "notes", destinationInstances: [dInstance]).count, 1)
        try super.createRelationships(forDestination: dInstance, in: mapping, manager: manager)
    }

    override func endRelationshipCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
        note("related", manager)
    }

    override func performCustomValidation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
        note("validate", manager)
    }

    override func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws { note("end", manager) }
}
