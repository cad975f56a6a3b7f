// Tests mapping models with large stores: batches, several models in turn, other store types, rules of the new model,
// the order of hooks, mappings with unknown names.
import ExpectationSupport
import Foundation
import GraphSupport
import ManagedGraph
import Testing

struct LargeMappingTests {
    private static func relation(_ name: String, _ to: String, _ inverse: String, many: Bool) -> String {
        RelationshipMigrationTests.relation(name, to, inverse, many: many)
    }

    private static let old =
        LightweightTests.entity("Note", LightweightTests.title + relation("folder", "Folder", "notes", many: false))
        + LightweightTests.entity("Folder", LightweightTests.title + relation("notes", "Note", "folder", many: true))
    private static let new =
        LightweightTests.entity(
            "Memo",
            LightweightTests.title.replacing("optional=\"YES\"", with: "")
                + relation("folder", "Folder", "memos", many: false)
        ) + LightweightTests.entity("Folder", LightweightTests.title + relation("memos", "Memo", "folder", many: true))

    private func versions(_ count: Int, title: String? = "note") throws -> Versions {
        let versions = try Versions(Self.old, Self.new)
        try versions.fill { context in
            let folders = (0..<3).map { context.add("Folder", ["title": "folder \($0)"]) }
            for number in 0..<count {
                context.add("Note", ["title": title.map { "\($0) \(number)" }, "folder": folders[number % 3]])
            }
        }
        return versions
    }

    private func property(_ name: String, _ format: String) -> NSPropertyMapping {
        let mapping = NSPropertyMapping()
        mapping.name = name
        mapping.valueExpression = NSExpression(format: format)
        return mapping
    }

    private func notes() -> NSEntityMapping {
        let notes = NSEntityMapping()
        notes.name = "notes"
        (notes.sourceEntityName, notes.destinationEntityName) = ("Note", "Memo")
        notes.mappingType = .transformEntityMappingType
        notes.attributeMappings = [property("title", "$source.title")]
        notes.relationshipMappings = [
            property(
                "folder",
                "FUNCTION($manager, 'destinationInstancesForEntityMappingNamed:sourceInstances:', 'folders', "
                    + "$source.folder)"
            )
        ]
        return notes
    }

    private func folders() -> NSEntityMapping {
        let folders = NSEntityMapping()
        folders.name = "folders"
        (folders.sourceEntityName, folders.destinationEntityName) = ("Folder", "Folder")
        folders.mappingType = .copyEntityMappingType
        return folders
    }

    private func model(_ mappings: NSEntityMapping...) -> NSMappingModel {
        let model = NSMappingModel()
        model.entityMappings = mappings
        return model
    }

    private func run(
        _ manager: NSMigrationManager,
        _ versions: Versions,
        _ mapping: NSMappingModel,
        _ from: NSPersistentStore.StoreType = .sqlite,
        _ to: NSPersistentStore.StoreType = .sqlite
    ) throws {
        try manager.migrateStore(
            from: from == .sqlite ? versions.store : versions.folder.appending(path: "Old.store"),
            type: from,
            mapping: mapping,
            to: target(versions),
            type: to
        )
    }

    private func target(_ versions: Versions) -> URL { versions.folder.appending(path: "New.store") }

    private func check(_ versions: Versions, _ count: Int, _ type: NSPersistentStore.StoreType = .sqlite) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try versions.model(2))
        let store = try coordinator.addPersistentStore(type: type, at: target(versions))
        let context = coordinator.makeContext()
        try context.performAndWait {
            let memos = try context.all("Memo")
            expectEqual(memos.count, count)
            for memo in memos {
                let title = try #require(memo.value(forKey: "title") as? String)
                let number = try #require(Int(title.dropFirst(5)))
                let folder = memo.value(forKey: "folder") as? NSManagedObject
                expectEqual(folder?.value(forKey: "title") as? String, "folder \(number % 3)")
            }
            try expectEqual(context.all("Folder").count, 3)
        }
        try coordinator.remove(store)
        let files = try FileManager.default.contentsOfDirectory(atPath: versions.folder.path)
        #expect(!files.contains { $0.hasSuffix(".migration") })
    }

    @Test func memoryHoldsAPortionOfTheObjects() throws {
        var most = 0
        var steps: [Float] = []
        let versions = try versions(1_000)
        let manager = ObservedManager(sourceModel: try versions.model(1), destinationModel: try versions.model(2))
        manager.onAssociation = { manager in
            let counts = [manager.sourceContext, manager.destinationContext].map(\.registeredObjects.count)
            most = max(most, counts[0], counts[1])
            steps.append(manager.migrationProgress)
        }
        (manager.portionSize, manager.heldCount) = (50, 50)
        try run(manager, versions, model(notes(), folders()))
        try check(versions, 1_000)
        #expect(most < 400)
        expectEqual(manager.migrationProgress, 1)
        expectEqual(steps, steps.sorted())
        #expect(Set(steps).count > 10)
    }

    @Test func severalMappingModelsAreRunInTurnOverOneStore() throws {
        let versions = try versions(20)
        let manager = try versions.manager()
        try run(manager, versions, model(folders()))
        try run(manager, versions, model(notes()))
        try check(versions, 20)
    }

    @Test func aLaterRunThatFailsKeepsTheResultOfTheEarlierOne() throws {
        let versions = try versions(5)
        let manager = try versions.manager()
        try run(manager, versions, model(folders()))
        let broken = notes()
        broken.attributeMappings = [property("title", "5")]
        #expect(throws: (any Error).self) { try run(manager, versions, model(broken)) }
        // After the reset, the associations of the existing folders are lost.
        manager.reset()
        try run(manager, versions, model(notes()))
        let context = try versions.open(2, at: target(versions))
        try context.performAndWait {
            try expectEqual(context.all("Folder").count, 3)
            try expectEqual(context.all("Memo").count, 5)
            try #expect(context.all("Memo").allSatisfy { $0.value(forKey: "folder") == nil })
        }
    }

    @Test(arguments: [NSPersistentStore.StoreType.xml, .binary, .sqlite], [NSPersistentStore.StoreType.xml, .binary])
    func otherKindsOfStoresAreMigratedToo(_ first: NSPersistentStore.StoreType, _ second: NSPersistentStore.StoreType)
        throws
    {
        for (from, to) in [(first, second), (second, first)] {
            let versions = try versions(7)
            if from != .sqlite {
                let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try versions.model(1))
                let store = try coordinator.addPersistentStore(type: .sqlite, at: versions.store)
                let moved = try coordinator.migratePersistentStore(
                    store,
                    to: versions.folder.appending(path: "Old.store"),
                    type: from
                )
                try coordinator.remove(moved)
            }
            try run(versions.manager(), versions, model(notes(), folders()), from, to)
            try check(versions, 7, to)
        }
    }

    @Test func theNewModelsRulesNameEntityAndProperty() throws {
        let versions = try versions(3, title: nil)
        let error = try #require(
            #expect(throws: (any Error).self) { try run(versions.manager(), versions, model(notes(), folders())) }
                as NSError?
        )
        expectEqual(error.code, NSValidationMissingMandatoryPropertyError)
        expectEqual(error.userInfo["entity"] as? String, "Memo")
        expectEqual(error.userInfo["property"] as? String, "title")
        #expect(!FileManager.default.fileExists(atPath: target(versions).path))
    }

    @Test func theHooksOfAPolicyAreCalledInTheirOrder() throws {
        let versions = try versions(3)
        let manager = try versions.manager()
        let mapping = notes()
        mapping.entityMigrationPolicyClassName = "MigrationTests.HookPolicy"
        try run(manager, versions, model(mapping, folders()))
        let hooks = ["begin", "create", "created", "relate", "related", "validate", "end"]
        expectEqual(manager.userInfo?["hooks"] as? [String], hooks)
        try check(versions, 3)
    }

    @Test func missingPartsOfTheModelsAreNamed() throws {
        let versions = try versions(1)
        func failure(_ change: (NSEntityMapping) -> Void) throws -> NSError {
            let mapping = notes()
            change(mapping)
            return try #require(
                #expect(throws: (any Error).self) { try run(versions.manager(), versions, model(mapping, folders())) }
                    as NSError?
            )
        }
        let errors = [
            try failure { $0.sourceEntityName = "Nothing" }, try failure { $0.destinationEntityName = "Nothing" },
            try failure { $0.relationshipMappings?[0].name = "nothing" },
            try failure { $0.attributeMappings?[0].name = "nothing" },
            // `$source.folder` is a source object, to which a destination object cannot refer.
            try failure { $0.relationshipMappings = [self.property("folder", "$source.folder")] },
        ]
        for error in errors {
            expectEqual(error.code, NSEntityMigrationPolicyError)
            #expect(error.userInfo["entity"] != nil)
        }
        expectEqual(errors[2].userInfo["property"] as? String, "nothing")
    }
}
