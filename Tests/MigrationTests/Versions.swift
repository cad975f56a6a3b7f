// Versions of a model in a folder as Xcode keeps them, with stores of each. Created by the tests.
import Foundation
import GraphSQLite
import GraphSupport
import ManagedGraph
import ManagedGraphPostgreSQL
import PostgreSQLSupport
import Testing

/// A model with several versions, the last one current, and a folder for stores.
final class Versions: Sendable {
    let folder: URL
    let bundle: URL
    let names: [String]
    /// The schema of the store; nil for a file.
    let schema: URL?
    /// Whether the stores of new versions are in a database.
    @TaskLocal static var areInDatabase = false

    /// Writes the versions.
    ///
    /// - Parameter versions: The content of `<model>` for each version.
    /// - Throws: If the files cannot be written.
    convenience init(_ versions: String...) throws { try self.init(versions) }

    /// Writes the versions.
    init(_ versions: [String]) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "migration-\(UUID().uuidString)")
        bundle = folder.appending(path: "Model.xcdatamodeld")
        schema = Self.areInDatabase ? try Self.newSchema() : nil
        names = versions.indices.map { "V\($0 + 1)" }
        for (name, entities) in zip(names, versions) {
            let version = bundle.appending(path: "\(name).xcdatamodel")
            try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
            let head = "<model type=\"com.apple.IDECoreDataModeler.DataModel\" documentVersion=\"1.0\">"
            try Data("<?xml version=\"1.0\"?>\n\(head)\(entities)</model>".utf8).write(
                to: version.appending(path: "contents")
            )
        }
        let current: [String: Any] = ["_XCCurrentVersionName": "\(names[names.count - 1]).xcdatamodel"]
        try PropertyListSerialization.data(fromPropertyList: current, format: .xml, options: 0)
            .write(to: bundle.appending(path: ".xccurrentversion"))
    }

    /// The store that a migration with a mapping model makes.
    var target: URL { folder.appending(path: "New.sqlite") }

    /// A manager of migrations from version 1 to 2.
    func manager() throws -> NSMigrationManager {
        NSMigrationManager(sourceModel: try model(1), destinationModel: try model(2))
    }

    /// Migrates the store with a mapping model, to a new store.
    ///
    /// - Parameters:
    ///   - manager: A manager of migrations from version 1 to 2.
    ///   - mapping: The mapping model.
    ///   - url: The new store; nil for `target`.
    ///   - newType: The type of the new store.
    /// - Throws: The error of the migration.
    func migrate(
        _ manager: NSMigrationManager,
        _ mapping: NSMappingModel,
        to url: URL? = nil,
        _ newType: NSPersistentStore.StoreType = .sqlite
    ) throws {
        try manager.migrateStore(from: store, type: type, mapping: mapping, to: url ?? target, type: newType)
    }

    /// Runs the inferred mapping model from version 1 to 2, to a new store.
    ///
    /// - Parameter inSQL: Whether in SQL instead of object by object.
    /// - Returns: The new store.
    /// - Throws: The error of the migration.
    func migrateByInferredMapping(inSQL: Bool) throws -> URL {
        let mapping = try NSMappingModel.inferredMappingModel(
            forSourceModel: try model(1),
            destinationModel: try model(2)
        )
        let manager = try manager()
        manager.usesStoreSpecificMigrationManager = inSQL
        try migrate(manager, mapping)
        return target
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// The model of a version, counted from 1; the current one is read from the versioned model's folder.
    func model(_ number: Int) throws -> NSManagedObjectModel {
        let isCurrent = number == names.count
        return try NSManagedObjectModel(
            readingFrom: isCurrent ? bundle : bundle.appending(path: "V\(number).xcdatamodel")
        )
    }

    /// A schema of the server that all tests share.
    static func newSchema() throws -> URL {
        let name = "m_" + UUID().uuidString.lowercased().filter { $0 != "-" }
        return try #require(URL(string: try PostgreSQLServer.shared().address("postgres", "schema=\(name)")))
    }

    var store: URL { schema ?? folder.appending(path: "Store.sqlite") }

    /// The type of the store.
    var type: NSPersistentStore.StoreType { Self.type(of: store) }

    /// Removes the model that the store contains.
    func removeOwnModel() throws {
        if let schema { return try SchemaTables.execute("UPDATE _store SET model = NULL", at: schema) }
        let connection = try StoreFile.open(at: store.path)
        defer { connection.close() }
        try StoreFile.writeModelCache(nil, connection)
    }

    /// The whole content of the store, for tests that nothing was changed.
    func content() throws -> Data {
        try schema == nil ? Data(contentsOf: store) : Data(SchemaTables.rows(of: store).joined(separator: "\n").utf8)
    }

    static func type(of url: URL) -> NSPersistentStore.StoreType { url.isFileURL ? .sqlite : .postgreSQL }

    /// Opens the store with a version, and migrates it if it has another one.
    func open(
        _ number: Int,
        at url: URL? = nil,
        migrates: Bool = true,
        infers: Bool = true,
        options: [AnyHashable: Any] = [:]
    ) throws -> NSManagedObjectContext {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try model(number))
        try coordinator.addPersistentStore(
            type: Self.type(of: url ?? store),
            at: url ?? store,
            options: options.merging([
                NSMigratePersistentStoresAutomaticallyOption: migrates, NSInferMappingModelAutomaticallyOption: infers,
            ]) { $1 }
        )
        return coordinator.makeContext()
    }

    /// Creates the store with a version and fills it.
    func fill(_ number: Int = 1, _ body: (NSManagedObjectContext) throws -> Void) throws {
        try use(number) { context in
            try body(context)
            try context.save()
        }
    }

    /// Opens the store with a version, runs `body` and closes the store.
    @discardableResult
    func use<R>(
        _ number: Int,
        at url: URL? = nil,
        options: [AnyHashable: Any] = [:],
        _ body: (NSManagedObjectContext) throws -> R
    ) throws -> R {
        let context = try open(number, at: url, options: options)
        let result = try context.performAndWait { try body(context) }
        let coordinator = try #require(context.persistentStoreCoordinator)
        for store in coordinator.persistentStores { try coordinator.remove(store) }
        return result
    }

    /// The differences between the migrated store's tables and those of a new store of the last version.
    func differencesFromNewStore() throws -> [String] {
        let fresh =
            schema == nil ? folder.appending(path: "Fresh-\(UUID().uuidString).sqlite") : try Self.newSchema()
        let context = try open(names.count, at: fresh)
        let coordinator = try #require(context.persistentStoreCoordinator)
        for store in coordinator.persistentStores { try coordinator.remove(store) }
        if schema != nil { return try SchemaTables(store).differences(from: SchemaTables(fresh)) }
        let (mine, theirs) = (try StoreTables(store), try StoreTables(fresh))
        return mine.differences(from: theirs)
    }
}

extension Versions {
    /// Expects the migrated store to have the tables of a new store of the last version.
    func expectTablesOfNewStore(_ location: SourceLocation = #_sourceLocation) throws {
        let differences = try differencesFromNewStore()
        #expect(differences == [], sourceLocation: location)
    }
}

extension NSManagedObjectContext {
    /// Inserts an object with these values.
    @discardableResult
    func add(_ entity: String, _ values: [String: Any?] = [:]) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: self)
        for (key, value) in values { object.setValue(value, forKey: key) }
        return object
    }

    /// All objects of an entity, ordered by key.
    func all(_ entity: String) throws -> [NSManagedObject] {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        return try fetch(request).sorted {
            $0.objectID.uriRepresentation().lastPathComponent.compare(
                $1.objectID.uriRepresentation().lastPathComponent,
                options: .numeric
            ) == .orderedAscending
        }
    }

    /// The values of a property for all objects, ordered by key.
    func values<V>(_ key: String, _ entity: String) throws -> [V?] {
        try all(entity).map { $0.value(forKey: key) as? V }
    }
}
