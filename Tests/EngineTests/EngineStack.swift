// A coordinator with one store, of SQLite or of dictionaries, and helpers for the tests of the graph.
import Foundation
import GraphPostgreSQL
import GraphSupport
import ManagedGraphPostgreSQL
import PostgreSQLSupport
import Testing

@testable import ManagedGraph

/// A coordinator with one empty store, and a context.
final class EngineStack {
    let coordinator: NSPersistentStoreCoordinator
    let context: NSManagedObjectContext
    private let folder: URL
    private let isDistributed: Bool

    init(_ type: StoreType, model: NSManagedObjectModel = EngineModel.make()) throws {
        isDistributed = type == .distributed
        NSPersistentStoreCoordinator.registerStoreClass(DictionaryStore.self, forStoreType: "Dictionary")
        folder = FileManager.default.temporaryDirectory.appending(path: "EngineStack-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        if type == .distributed { model.distribute() }
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        context = coordinator.makeContext()
        try add(type)
    }

    /// Adds an empty store.
    @discardableResult
    func add(_ type: StoreType) throws -> NSPersistentStore {
        try coordinator.addPersistentStore(
            ofType: type.registeredType,
            configurationName: nil,
            at: try place(type),
            options: type == .distributed ? [NSPostgreSQLProfileOption: PostgreSQLProfile.distributed] : nil
        )
    }

    private func place(_ type: StoreType) throws -> URL {
        if type == .distributed {
            let address = try DistributedServer.shared().address(schema: DistributedServer.newSchema())
            return try #require(URL(string: address))
        }
        guard type == .postgreSQL else { return folder.appending(path: UUID().uuidString) }
        let server = try PostgreSQLServer.shared()
        return try #require(URL(string: server.address("postgres", "schema=\(try server.makeSchema())")))
    }

    deinit {
        do {
            for store in coordinator.persistentStores { try coordinator.remove(store) }
            try FileManager.default.removeItem(at: folder)
            if isDistributed { DistributedLint.checkServer() }
        } catch {
            Issue.record(error)
        }
    }

    /// The engine of the store, which must be one of PostgreSQL.
    var postgreSQLEngine: PostgreSQLEngine {
        get throws {
            try #require((coordinator.persistentStores.first as? any EngineStore)?.engine as? PostgreSQLEngine)
        }
    }

    /// Runs `body` in the first context.
    @discardableResult
    func run<R>(_ body: (NSManagedObjectContext) throws -> R) throws -> R {
        try context.performAndWait { () throws in try body(context) }
    }

    /// Runs `body` in a new context.
    @discardableResult
    func elsewhere<R>(_ body: (NSManagedObjectContext) throws -> R) throws -> R {
        let other = coordinator.makeContext()
        return try other.performAndWait { () throws in try body(other) }
    }

    /// A stack with the objects of `fill`.
    static func filled(_ type: StoreType) throws -> EngineStack {
        let stack = try EngineStack(type)
        try stack.fill()
        return stack
    }

    /// Inserts six owners of ages 0 to 5, each with an animal, a dog or a puppy, and up to three tags.
    func fill() throws {
        try run { context in
            let tags = ["x", "y", "z"].map { context.make("Tag", ["name": $0]) }
            for number in 0..<6 {
                let owner = context.make("Owner", ["name": "o\(number)", "age": number])
                owner.setValue(NSSet(array: Array(tags.prefix(number % 4))), forKey: "tags")
                context.make("Animal", ["name": "a\(number)", "owner": owner])
                let entity = number.isMultiple(of: 2) ? "Dog" : "Puppy"
                context.make(entity, ["name": "d\(number)", "tricks": number, "owner": owner])
            }
            try context.save()
        }
    }
}

extension NSManagedObjectContext {
    func request(_ entity: String, _ format: String = "TRUEPREDICATE", sort: [String] = ["name"])
        -> NSFetchRequest<NSManagedObject>
    {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = NSPredicate(format: format)
        request.sortDescriptors = sort.map { key in
            NSSortDescriptor(key: key.replacingOccurrences(of: "-", with: ""), ascending: !key.hasPrefix("-"))
        }
        return request
    }

    /// The names of the fetched objects, in the order of the fetch; a key with a minus sorts in descending order.
    func names(_ entity: String, _ format: String = "TRUEPREDICATE", sort: [String] = ["name"]) throws -> [String] {
        try fetch(request(entity, format, sort: sort)).map(\.name)
    }

    func one(_ entity: String, _ name: String) throws -> NSManagedObject {
        try #require(try fetch(request(entity, "name == '\(name)'")).first)
    }
}

extension NSManagedObject {
    var name: String { value(forKey: "name") as? String ?? "?" }
}
