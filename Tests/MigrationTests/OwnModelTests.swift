// Tests migrations of stores whose version the program lacks: the store's cached model is used.
import ExpectationSupport
import Foundation
import GraphModelFiles
import GraphSQLite
import ManagedGraph
import Testing

struct OwnModelTests {
    private static let before = LightweightTests.entity("Note", LightweightTests.title)
    private static let after = LightweightTests.entity(
        "Note",
        LightweightTests.title + "<attribute name=\"rank\" optional=\"YES\" attributeType=\"Integer 16\"/>"
    )

    private func versions() throws -> Versions {
        let versions = try Versions(Self.before, Self.after)
        try versions.fill { $0.add("Note", ["title": "kept"]) }
        return versions
    }

    private func cachedHashes(_ url: URL) throws -> [String: Data] {
        try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: url).entityVersionHashesByName
    }

    @Test func aVersionThatIsGoneIsTakenFromTheStore() throws {
        let versions = try versions()
        try FileManager.default.removeItem(at: versions.bundle.appending(path: "V1.xcdatamodel"))
        try versions.use(2) { context in
            let notes = try context.all("Note")
            expectEqual(notes.map { $0.value(forKey: "title") as? String }, ["kept"])
        }
    }

    /// An in-place migration by Apple's framework leaves a renamed entity's former name in Z_PRIMARYKEY.
    @Test func aStoreThatStillCallsAnEntityByItsFormerNameIsMigrated() throws {
        let versions = try versions()
        let connection = try StoreFile.open(at: versions.store.path)
        try connection.execute("UPDATE Z_PRIMARYKEY SET Z_NAME = 'Formerly' WHERE Z_NAME = 'Note'")
        connection.close()
        try versions.use(2) { context in
            let notes = try context.all("Note")
            expectEqual(notes.map { $0.value(forKey: "title") as? String }, ["kept"])
        }
        try versions.expectTablesOfNewStore()
    }

    @Test func aMigratedStoreHoldsTheNewModel() throws {
        let versions = try versions()
        try expectEqual(cachedHashes(versions.store), versions.model(1).entityVersionHashesByName)
        try versions.use(2) { _ in }
        try expectEqual(cachedHashes(versions.store), versions.model(2).entityVersionHashesByName)
    }

    @Test func aStoreWithADamagedModelIsMigratedByTheProgramsVersions() throws {
        let versions = try versions()
        let connection = try StoreFile.open(at: versions.store.path)
        try StoreFile.writeModelCache(Data([1, 2, 3]), connection)
        connection.close()
        #expect(throws: (any Error).self) { () throws in try cachedHashes(versions.store) }
        try versions.use(2) { context in try expectEqual(context.all("Note").count, 1) }
        try expectEqual(cachedHashes(versions.store), versions.model(2).entityVersionHashesByName)
    }
}
