// A policy that splits a full name, by a method that expressions call.
import Foundation
import ManagedGraph
import Testing

/// Splits a full name; implements the method that expressions call in `value(forSelector:arguments:)`.
final class NamePolicy: NSEntityMigrationPolicy {
    override func createDestinationInstances(
        forSource sInstance: NSManagedObject,
        in mapping: NSEntityMapping,
        manager: NSMigrationManager
    ) throws {
        let calls = (manager.userInfo?["made"] as? Int) ?? 0
        manager.userInfo = ["made": calls + 1]
        try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    }

    override func value(forSelector selector: String, arguments: [Any?]) throws -> Any? {
        guard selector == "lastNameOf:" else { return try super.value(forSelector: selector, arguments: arguments) }
        return (arguments.first as? String)?.split(separator: " ").last.map(String.init)
    }
}
