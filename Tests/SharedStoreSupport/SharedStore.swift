// A store that several processes write concurrently: the model, and opening by an address. Used by SharedStoreProgram and by
// the tests that start it.
import Foundation
import GraphSupport
import ManagedGraph
import ManagedGraphPostgreSQL

/// A store that several processes write concurrently, opened by one of them.
package final class SharedStore: Sendable {
    package let coordinator: NSPersistentStoreCoordinator

    /// Opens the store at an address, or creates it.
    ///
    /// - Parameters:
    ///   - address: A `postgresql://` address, or the path of a SQLite file.
    ///   - options: More options of the store.
    /// - Throws: If the store cannot be opened.
    package init(_ address: String, options: [AnyHashable: Any] = [:]) throws {
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model)
        let isDatabase = address.hasPrefix("postgresql:")
        guard let url = isDatabase ? URL(string: address) : URL(filePath: address) else {
            throw CocoaError(.fileReadUnsupportedScheme)
        }
        try coordinator.addPersistentStore(
            type: isDatabase ? .postgreSQL : .sqlite,
            at: url,
            options: options.merging([NSPersistentHistoryTrackingKey: true]) { $1 }
        )
    }

    /// Closes the store.
    package func close() throws {
        for store in coordinator.persistentStores { try coordinator.remove(store) }
    }

    /// The number of accounts that the writers share.
    package static let accounts = 12
    /// The names of the labels that the writers share.
    package static let labels = ["a", "b", "c", "d", "e"]

    /// Inserts the shared rows: accounts and labels, counters, and registers.
    package func fill(counters: Int = 0, registers: Int = 0) throws {
        let context = coordinator.makeContext()
        try context.performAndWait { () throws in
            context.transactionAuthor = "fill"
            for number in 0..<Self.accounts { context.make("Account", ["number": number]) }
            for name in Self.labels { context.make("Label", ["name": name]) }
            for number in 0..<counters { context.make("Counter", ["number": number]) }
            for key in 0..<registers { context.make("Register", ["key": key, "list": ""]) }
            try context.save()
        }
    }

    package static let model: NSManagedObjectModel = {
        func number(_ name: String) -> NSAttributeDescription {
            NSAttributeDescription(name, .integer64AttributeType, optional: false, default: 0)
        }
        let account = NSEntityDescription("Account", [number("number"), number("balance")])
        account.uniquenessConstraints = [["number"]]
        account.userInfo = ["SQLDistributionColumn": "number"]
        let entry = NSEntityDescription("Entry", ["writer", "sequence", "part", "parts", "mark"].map(number))
        entry.uniquenessConstraints = [["writer", "sequence", "part"]]
        entry.userInfo = ["SQLDistributionColumn": "writer"]
        let line = NSEntityDescription("Line", [number("amount")])
        let label = NSEntityDescription("Label", [NSAttributeDescription("name")])
        entry.relate("lines", toMany: true, to: line, "entry", rule: .cascadeDeleteRule)
        entry.relate("labels", toMany: true, to: label, "entries", inverseToMany: true)
        account.relate("lines", toMany: true, to: line, "account")
        let counter = NSEntityDescription("Counter", [number("number"), number("value")])
        let key = number("key")
        let register = NSEntityDescription("Register", [key, number("count"), NSAttributeDescription("list")])
        // Long runs use thousands of registers.
        register.indexes = [
            NSFetchIndexDescription(
                name: "byKey",
                elements: [NSFetchIndexElementDescription(property: key, collationType: .binary)]
            )
        ]
        let member = NSEntityDescription("Member", [number("value")])
        register.relate("members", toMany: true, to: member, "register")
        return NSManagedObjectModel([account, entry, line, label, counter, register, member])
    }()
}

extension NSManagedObject {
    /// The value of an integer attribute.
    package func number(_ key: String) -> Int { (value(forKey: key) as? NSNumber)?.intValue ?? 0 }
}

extension NSManagedObjectContext {
    /// The objects that a predicate finds.
    package func all(_ entity: String, _ format: String, _ arguments: [Any] = []) throws -> [NSManagedObject] {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = NSPredicate(format: format, argumentArray: arguments)
        return try fetch(request)
    }
}
