// Tests models cached in stores: the collections' stores open with them alone, ours contain them, damaged ones are errors.
import CollectionSupport
import ExpectationSupport
import Foundation
import GraphModel
import GraphModelFiles
import GraphSQLite
import GraphSupport
import ManagedGraph
import Testing

struct CachedModelTests {
    // MARK: Stores of the collections

    /// Stores of frameworks before 2014.
    private static let old =
        ["HarbourAntique.sqlite"]
        + (Collections.published == nil ? [] : ["Model1.sqlite", "Recipes.sqlite", "SurfJournalModel.sqlite"])
        + (Collections.publishedLater == nil ? [] : ["ArtsyPartner_1.3.sqlite"])

    @Test func everyStoreOpensWithTheModelInsideOfIt() throws {
        var (opened, rows) = (0, 0)
        var without: [String] = []
        for path in Collections.files(.sqliteStore) {
            try path.withCopy { copy in
                let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: copy)
                let hashes = try #require(metadata["NSStoreModelVersionHashes"] as? [String: Data])
                let model: NSManagedObjectModel
                do {
                    model = try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: copy)
                } catch let error as NSError {
                    expectEqual(error.code, 134080, "\(path)")
                    #expect(error.localizedDescription.contains("contains no model"), "\(path): \(error)")
                    without.append(path.name)
                    return
                }
                expectEqual(model.entityVersionHashesByName, hashes, "\(path)")
                rows += try countObjects(copy, model, path.path)
                opened += 1
            }
        }
        print("stores opened with their own model: \(opened), \(rows) objects; without one: \(without)")
        #expect(opened >= Collections.least(33, fixtures: 7))
        #expect(rows >= Collections.least(28_000, fixtures: 53))
        expectEqual(without.sorted(), Self.old.sorted())
    }

    /// Opens a store and compares the number of objects per entity with the rows in its table.
    private func countObjects(_ url: URL, _ model: NSManagedObjectModel, _ path: String) throws -> Int {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(type: .sqlite, at: url)
        defer { try? coordinator.remove(store) }
        let context = coordinator.makeContext()
        let connection = try Connection(path: url.path, mode: .readOnly)
        defer { connection.close() }
        var total = 0
        for entity in model.entities where entity.superentity == nil {
            let name = try #require(entity.name)
            let objectCount = try context.performAndWait {
                try context.fetch(NSFetchRequest<NSManagedObject>(entityName: name)).count
            }
            let table = "Z\(name.uppercased())"
            let rows = try connection.rows("SELECT count(*) FROM \(table)")
            expectEqual(rows.first?.first, .integer(Int64(objectCount)), "\(path): \(name)")
            total += objectCount
        }
        return total
    }

    // MARK: Our stores

    private static let xml = """
        <?xml version="1.0"?><model type="com.apple.IDECoreDataModeler.DataModel" userDefinedModelVersionIdentifier="7">
        <entity name="Place" representedClassName="Place"><attribute name="name" attributeType="String" maxValueString="20"/>
        <attribute name="rank" attributeType="Integer 16" defaultValueString="3" usesScalarValueType="YES"/>
        <attribute name="data" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
        <relationship name="visits" optional="YES" toMany="YES" ordered="YES" deletionRule="Cascade"
        destinationEntity="Visit" inverseName="place" inverseEntity="Place"/>
        <fetchIndex name="byRank"><fetchIndexElement property="rank" type="Binary" order="descending"/></fetchIndex>
        </entity><entity name="Visit" versionHashModifier="2"><attribute name="at" optional="YES" attributeType="Date"/>
        <relationship name="place" maxCount="1" deletionRule="Nullify" destinationEntity="Place" inverseName="visits"
        inverseEntity="Visit"/></entity><fetchRequest name="near" entity="Place" predicateString="rank &lt; $RANK"/></model>
        """

    private func withStore<R>(_ body: (URL, NSManagedObjectModel) throws -> R) throws -> R {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let model = try NSManagedObjectModel(ModelFile.readModel(contents: Data(Self.xml.utf8), file: "text"))
        let url = folder.appendingPathComponent("Places.sqlite")
        try model.withStore(at: url) { context in
            context.make("Place", ["name": "here"])
            try context.save()
        }
        return try body(url, model)
    }

    @Test func aNewStoreHoldsItsModelAndOpensWithIt() throws {
        try withStore { url, model in
            let cached = try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: url)
            expectEqual(cached.entityVersionHashesByName, model.entityVersionHashesByName)
            expectEqual(cached.versionIdentifiers, ["7"])
            #expect(cached.fetchRequestTemplate(forName: "near") != nil)
            let rank = try #require(cached.entitiesByName["Place"]?.attributesByName["rank"])
            expectEqual((rank.defaultValue as? NSNumber)?.intValue, 3)
            expectEqual(cached.entitiesByName["Place"]?.attributesByName["data"]?.allowsExternalBinaryDataStorage, true)
            expectEqual(cached.entitiesByName["Place"]?.relationshipsByName["visits"]?.deleteRule, .cascadeDeleteRule)
            try cached.withStore(at: url) { context in
                let places = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Place"))
                expectEqual(places.map { $0.value(forKey: "name") as? String }, ["here"])
                let visit = NSEntityDescription.insertNewObject(forEntityName: "Visit", into: context)
                visit.setValue(places.first, forKey: "place")
                try context.save()
            }
        }
    }

    @Test func aStoreThatComesOutOfMemoryHoldsItsModel() throws {
        try withStore { url, model in
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            let memory = try coordinator.addPersistentStore(type: .inMemory, at: URL(fileURLWithPath: "/dev/null"))
            let target = url.deletingLastPathComponent().appendingPathComponent("Copy.sqlite")
            let moved = try coordinator.migratePersistentStore(memory, to: target, withType: NSSQLiteStoreType)
            try coordinator.remove(moved)
            let cached = try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: target)
            expectEqual(cached.entityVersionHashesByName, model.entityVersionHashesByName)
        }
    }

    @Test func theFileIsLeftAsItIsWhileItsModelIsRead() throws {
        try withStore { url, _ in
            let contents = {
                try FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path).sorted()
                    .map { try Data(contentsOf: url.deletingLastPathComponent().appendingPathComponent($0)) }
            }
            let before = try contents()
            _ = try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: url)
            try expectEqual(contents(), before)
        }
    }

    // MARK: Damage

    private func replaceCache(_ url: URL, with data: Data?) throws {
        let connection = try StoreFile.open(at: url.path)
        defer { connection.close() }
        try StoreFile.writeModelCache(data, connection)
    }

    @Test func aStoreWithADamagedModelOpensWithTheGivenOne() throws {
        try withStore { url, model in
            for data in [Data(), Data([7]), Data(repeating: 0xff, count: 300), Data("no model".utf8)] {
                try replaceCache(url, with: data)
                let error = #expect(throws: NSError.self) { () throws in
                    try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: url)
                }
                expectEqual(error?.code, 134080)
                try model.withStore(at: url) { context in
                    try expectEqual(context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Place")), 1)
                }
            }
        }
    }

    /// A valid model, but of another store.
    @Test func anotherStoresModelIsRefused() throws {
        try withStore { url, model in
            var otherModel = model.graphModel()
            otherModel.entities.removeLast()
            otherModel.entities[0].properties.removeAll { $0.name == "visits" }
            try replaceCache(url, with: ModelFile.cache(of: otherModel))
            let error = #expect(throws: NSError.self) { () throws in
                try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: url)
            }
            expectEqual(error?.localizedDescription.contains("differs from the one that its metadata describe"), true)
        }
    }
}
