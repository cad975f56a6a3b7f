// Tests staged migrations: stages in order, handlers with a container, model references, errors, failures.
import ExpectationSupport
import Foundation
import GraphSQLite
import GraphSupport
import ManagedGraph
import Testing

@Suite(.inDatabasesToo) struct StagedTests {
    /// Version 1 has a full name, 2 adds first and last names, 3 removes the full name, 4 adds an attribute.
    static let texts: [String] = {
        func person(_ names: String...) -> String {
            LightweightTests.entity(
                "Person",
                names.map { "<attribute name=\"\($0)\" optional=\"YES\" attributeType=\"String\"/>" }.joined()
                    + "<attribute name=\"photo\" optional=\"YES\" attributeType=\"Binary\" "
                    + "allowsExternalBinaryDataStorage=\"YES\"/>"
            )
        }
        return [
            person("fullName"), person("fullName", "first", "last"), person("first", "last"),
            person("first", "last", "title"),
        ]
    }()

    struct Failure: Error {}

    static func versions() throws -> Versions {
        let versions = try Versions(texts)
        try versions.fill { context in
            for name in ["Ada Lovelace", "Alan Turing"] {
                context.add("Person", ["fullName": name, "photo": Data(repeating: 7, count: 200_000)])
            }
        }
        return versions
    }

    static func checksum(_ versions: Versions, _ number: Int) throws -> String {
        try versions.model(number).versionChecksum
    }

    static func reference(_ versions: Versions, _ number: Int) throws -> NSManagedObjectModelReference {
        NSManagedObjectModelReference(
            fileURL: versions.bundle.appending(path: "V\(number).xcdatamodel"),
            versionChecksum: try checksum(versions, number)
        )
    }

    /// The stage from version 2 to 3, which splits names before the full name is removed.
    static func split(_ versions: Versions) throws -> NSCustomMigrationStage {
        let stage = NSCustomMigrationStage(migratingFrom: try reference(versions, 2), to: try reference(versions, 3))
        stage.label = "split names"
        stage.willMigrateHandler = { manager, _ in
            let context = try #require(manager.container).newBackgroundContext()
            try context.performAndWait {
                for person in try context.all("Person") {
                    let names = (person.value(forKey: "fullName") as? String)?.split(separator: " ").map(String.init)
                    person.setValue(names?.first, forKey: "first")
                    person.setValue(names?.last, forKey: "last")
                }
                try context.save()
            }
        }
        return stage
    }

    static func manager(_ versions: Versions, _ stage: NSMigrationStage? = nil) throws -> NSStagedMigrationManager {
        NSStagedMigrationManager([
            NSLightweightMigrationStage([try checksum(versions, 1)]), try stage ?? split(versions),
            NSLightweightMigrationStage([try checksum(versions, 4)]),
        ])
    }

    static func options(_ manager: NSStagedMigrationManager) -> [AnyHashable: Any] {
        [NSPersistentStoreStagedMigrationManagerOptionKey: manager]
    }

    private func failure(_ versions: Versions, _ manager: NSStagedMigrationManager, to number: Int = 4) throws
        -> NSError
    {
        let error = #expect(throws: (any Error).self) { () throws in
            _ = try versions.open(number, options: Self.options(manager))
        }
        expectNil(manager.container)
        let files = try FileManager.default.contentsOfDirectory(atPath: versions.folder.path)
        #expect(!files.contains { $0.hasSuffix(".migration") })
        return try #require(error) as NSError
    }

    /// The store's version.
    private func version(_ versions: Versions) throws -> Int? {
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            type: versions.type,
            at: versions.store
        )
        let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data]
        return try (1...versions.names.count).first { try versions.model($0).entityVersionHashesByName == hashes }
    }

    @Test func stagesLeadFromTheFirstVersionToTheLastAndHandlersSeeTheirVersions() throws {
        let versions = try Self.versions()
        let stage = try Self.split(versions)
        var events: [String] = []
        let will = stage.willMigrateHandler
        stage.willMigrateHandler = { manager, stage in
            let names = manager.container?.managedObjectModel.entitiesByName["Person"]?.attributesByName.keys.sorted()
            events.append("will \(names ?? [])")
            try will?(manager, stage)
        }
        stage.didMigrateHandler = { manager, stage in
            let context = try #require(manager.container).viewContext
            try expectEqual(context.all("Person").count, 2)
            for person in try context.all("Person") {
                person.setValue((person.value(forKey: "last") as? String)?.uppercased(), forKey: "last")
            }
            try context.save()
            events.append("did \(stage.label ?? "")")
        }
        let manager = try Self.manager(versions, stage)
        let identifier = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            type: versions.type,
            at: versions.store
        )
        try versions.use(4, options: Self.options(manager)) { context in
            try expectEqual(context.values("first", "Person"), ["Ada", "Alan"])
            try expectEqual(context.values("last", "Person"), ["LOVELACE", "TURING"])
            let photos: [Data?] = try context.values("photo", "Person")
            expectEqual(photos.map { $0?.count }, [200_000, 200_000])
            let store = context.persistentStoreCoordinator?.persistentStores.first
            expectEqual(store?.identifier, identifier[NSStoreUUIDKey] as? String)
        }
        expectEqual(events, ["will [\"first\", \"fullName\", \"last\", \"photo\"]", "did split names"])
        expectNil(manager.container)
        try versions.expectTablesOfNewStore()
        // The store is up to date, so no handler runs again.
        try versions.use(4, options: Self.options(manager)) { try expectEqual($0.all("Person").count, 2) }
        expectEqual(events.count, 2)
    }

    @Test func theLabelOfAStageIsEmptyUnlessItIsSet() {
        let stage = NSLightweightMigrationStage(["a"])
        let label: String = stage.label
        expectEqual(label, "")
        stage.label = "first"
        expectEqual(stage.label, "first")
        stage.label = nil
        expectEqual(stage.label, "")
    }

    @Test(arguments: [2, 3])
    func aStoreOfALaterVersionBeginsWithItsOwnStage(_ start: Int) throws {
        let versions = try Self.versions()
        try versions.use(start) { context in
            guard start == 3 else { return }
            for person in try context.all("Person") { person.setValue("own", forKey: "first") }
            try context.save()
        }
        try versions.use(4, options: Self.options(Self.manager(versions))) { context in
            try expectEqual(context.values("first", "Person"), (start == 3 ? ["own", "own"] : ["Ada", "Alan"]))
        }
    }

    @Test(arguments: [true, false])
    func aFailingHandlerLeavesTheLastFinishedStageWhole(before: Bool) throws {
        let versions = try Self.versions()
        let stage = try Self.split(versions)
        let will = stage.willMigrateHandler
        var fails = true
        if before {
            stage.willMigrateHandler = { manager, stage in
                // The migration discards the handler's saved changes.
                try will?(manager, stage)
                if fails { throw Failure() }
            }
        } else {
            stage.didMigrateHandler = { _, _ in if fails { throw Failure() } }
        }
        let manager = try Self.manager(versions, stage)
        let error = try failure(versions, manager)
        expectEqual(error.code, NSMigrationError)
        expectEqual((error.userInfo[NSUnderlyingErrorKey] as? NSError)?.domain.hasSuffix("Failure"), true)
        #expect(error.localizedDescription.contains("split names"))
        try expectEqual(version(versions), 2)
        try versions.use(2) { context in
            try expectEqual(context.values("first", "Person"), [String?.none, nil])
            try expectEqual(context.values("fullName", "Person"), ["Ada Lovelace", "Alan Turing"])
        }
        fails = false
        try versions.use(4, options: Self.options(manager)) {
            try expectEqual($0.values("first", "Person"), ["Ada", "Alan"])
        }
    }

    @Test func aLightweightStageGoesThroughVersionsThatOnlyWorkOneAfterTheOther() throws {
        let number = "<attribute name=\"x\" optional=\"YES\" attributeType=\"Integer 32\"/>"
        let string = number.replacing("Integer 32", with: "String")
        let title = LightweightTests.title
        let versions = try Versions([number, "", string].map { LightweightTests.entity("Note", title + $0) })
        try versions.fill { $0.add("Note", ["title": "a", "x": 3]) }
        let checksums = try (1...3).map { try Self.checksum(versions, $0) }
        let manager = NSStagedMigrationManager([NSLightweightMigrationStage(checksums)])
        #expect(throws: (any Error).self) { () throws in _ = try versions.open(3) }
        try versions.use(3, options: Self.options(manager)) { context in
            try expectEqual(context.values("title", "Note"), ["a"])
            try expectEqual(context.values("x", "Note"), [String?.none])
        }
    }

    @Test func aStoreOfAConfigurationPassesVersionsThatLeaveItUnchanged() throws {
        let people = "<configuration name=\"People\"><memberEntity name=\"Person\"/></configuration>"
        let title = LightweightTests.title
        let number = "<attribute name=\"x\" optional=\"YES\" attributeType=\"Integer 32\"/>"
        let versions = try Versions(
            [("", ""), ("", number), (number, number)].map {
                LightweightTests.entity("Person", title + $0.0) + LightweightTests.entity("Note", title + $0.1) + people
            }
        )
        func use(_ version: Int, _ options: [AnyHashable: Any], _ body: (NSManagedObjectContext) throws -> Void) throws
        {
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try versions.model(version))
            let store = try coordinator.addPersistentStore(
                ofType: versions.type.rawValue,
                configurationName: "People",
                at: versions.store,
                options: options
            )
            let context = coordinator.makeContext()
            try context.performAndWait { try body(context) }
            try coordinator.remove(store)
        }
        try use(1, [:]) { context in
            context.add("Person", ["title": "Ada"])
            try context.save()
        }
        let checksums = try (1...3).map { try Self.checksum(versions, $0) }
        let manager = NSStagedMigrationManager([NSLightweightMigrationStage(checksums)])
        try use(3, Self.options(manager)) { context in
            try expectEqual(context.values("title", "Person"), ["Ada"])
            try expectEqual(context.values("x", "Person"), [Int?.none])
        }
    }

    @Test func aVersionWhoseModelIsGoneIsSkippedWithinALightweightStage() throws {
        let versions = try Self.versions()
        let checksums = try (1...4).map { try Self.checksum(versions, $0) }
        try FileManager.default.removeItem(at: versions.bundle.appending(path: "V2.xcdatamodel"))
        let manager = NSStagedMigrationManager([NSLightweightMigrationStage(checksums)])
        try versions.use(4, options: Self.options(manager)) { try expectEqual($0.all("Person").count, 2) }
    }

    // MARK: Refusals

    @Test func aStoreOfALaterVersionIsNotMigratedBackwards() throws {
        let versions = try Self.versions()
        try versions.use(3) { _ in }
        let checksums = try [1, 2, 3].map { try Self.checksum(versions, $0) }
        let manager = NSStagedMigrationManager([NSLightweightMigrationStage(checksums)])
        try expectEqual(failure(versions, manager, to: 2).code, 134506)
        // Stages in the wrong order give the same error.
        let turned = NSStagedMigrationManager([
            NSLightweightMigrationStage([checksums[2], try Self.checksum(versions, 4)]), try Self.split(versions),
        ])
        try expectEqual(failure(versions, turned).code, 134506)
    }

    @Test func versionsThatNoStageHasAreNamedWith134504() throws {
        let versions = try Self.versions()
        let last = NSStagedMigrationManager([
            NSLightweightMigrationStage([try Self.checksum(versions, 3), try Self.checksum(versions, 4)])
        ])
        let error = try failure(versions, last)
        expectEqual(error.code, NSManagedObjectModelReferenceNotFoundError)
        try expectEqual((error.userInfo["reason"] as? String)?.contains(Self.checksum(versions, 1)), true)
        let first = NSStagedMigrationManager([NSLightweightMigrationStage([try Self.checksum(versions, 1)])])
        try expectEqual(failure(versions, first).code, 134504)
        try expectEqual(version(versions), 1)
    }

    @Test func stagesThatDoNotMeetAreRefusedBeforeAnythingIsDone() throws {
        let versions = try Self.versions()
        let stages = try [(1, 2), (3, 4)].map {
            NSCustomMigrationStage(
                migratingFrom: try Self.reference(versions, $0.0),
                to: try Self.reference(versions, $0.1)
            )
        }
        try expectEqual(failure(versions, NSStagedMigrationManager(stages)).code, NSMigrationMissingMappingModelError)
        try expectEqual(version(versions), 1)
    }

    @Test func aReferenceThatLeadsNowhereIsNamedWith134504() throws {
        let versions = try Self.versions()
        let lost = NSManagedObjectModelReference(name: "Nowhere", in: nil, versionChecksum: "abc")
        let stage = NSCustomMigrationStage(migratingFrom: try Self.reference(versions, 1), to: lost)
        let manager = NSStagedMigrationManager([
            stage, NSLightweightMigrationStage([try Self.checksum(versions, 4)]),
        ])
        let error = try failure(versions, manager)
        let causes = [error, error.userInfo[NSUnderlyingErrorKey] as? NSError]
        #expect(causes.contains { $0?.code == 134504 && $0?.localizedDescription.contains("Nowhere") == true })
        try expectEqual(version(versions), 1)
    }

    @Test func hashesOfAnotherKindAreNotCompared() throws {
        let versions = try Self.versions()
        // The API does not let users change the framework's own metadata, so the test writes the file.
        if versions.schema != nil { return }
        let connection = try StoreFile.open(at: versions.store.path)
        var metadata = try StoreFile.readMetadata(connection)
        metadata.values["NSStoreModelVersionHashesVersion"] = 2
        try StoreFile.writeMetadata(metadata, connection)
        connection.close()
        try expectEqual(failure(versions, Self.manager(versions)).code, NSStagedMigrationFrameworkVersionMismatchError)
    }

    // MARK: References

    @Test func aWholeFilePassesAStageWhoseFirstModelOnlyTheStageHas() throws {
        let (versions, program) = (try Versions(Self.texts), try Versions(Self.texts[1]))
        let url = versions.folder.appending(path: "Store.xml")
        func use(
            _ model: NSManagedObjectModel,
            _ options: [AnyHashable: Any],
            _ body: (NSManagedObjectContext) throws -> Void
        ) throws {
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            let store = try coordinator.addPersistentStore(type: .xml, at: url, options: options)
            let context = coordinator.makeContext()
            try context.performAndWait { try body(context) }
            try coordinator.remove(store)
        }
        try use(versions.model(1), [:]) { context in
            context.add("Person", ["fullName": "Ada Lovelace"])
            try context.save()
        }
        let stage = NSCustomMigrationStage(
            migratingFrom: try Self.reference(versions, 1),
            to: try Self.reference(versions, 2)
        )
        stage.didMigrateHandler = { manager, _ in
            let context = try #require(manager.container).newBackgroundContext()
            try context.performAndWait {
                for person in try context.all("Person") { person.setValue("Ada", forKey: "first") }
                try context.save()
            }
        }
        let didMigrate = stage.didMigrateHandler
        stage.didMigrateHandler = { manager, stage in
            try didMigrate?(manager, stage)
            try NSPersistentStoreCoordinator.setMetadata(
                ["key": "new"],
                forPersistentStoreOfType: NSXMLStoreType,
                at: url
            )
        }
        // Another program has changed the file meanwhile.
        let error =
            #expect(throws: (any Error).self) {
                try use(program.model(1), Self.options(NSStagedMigrationManager([stage]))) { _ in }
            } as NSError?
        expectEqual(error?.code, NSMigrationError)
        try use(versions.model(1), [:]) { context in
            try expectEqual(context.values("fullName", "Person"), ["Ada Lovelace"])
            expectEqual(context.persistentStoreCoordinator?.persistentStores[0].metadata?["key"] as? String, "new")
        }
        stage.didMigrateHandler = didMigrate
        try use(program.model(1), Self.options(NSStagedMigrationManager([stage]))) { context in
            try expectEqual(context.values("first", "Person"), ["Ada"])
        }
    }

    @Test func aSaveDuringTheMigrationOfAWholeFileIsMigratedToo() throws {
        let (versions, program) = (try Versions(Self.texts), try Versions(Self.texts[1]))
        let url = versions.folder.appending(path: "Store.xml")
        func add(_ name: String) throws {
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try versions.model(1))
            let store = try coordinator.addPersistentStore(type: .xml, at: url)
            let context = coordinator.makeContext()
            try context.performAndWait { () throws in
                context.add("Person", ["fullName": name])
                try context.save()
            }
            try coordinator.remove(store)
        }
        try add("Ada Lovelace")
        let stage = NSCustomMigrationStage(
            migratingFrom: try Self.reference(versions, 1),
            to: try Self.reference(versions, 2)
        )
        var isFirst = true
        stage.didMigrateHandler = { manager, _ in
            if isFirst { try add("Grace Hopper") }
            isFirst = false
            let context = try #require(manager.container).newBackgroundContext()
            try context.performAndWait {
                for person in try context.all("Person") { person.setValue("first", forKey: "first") }
                try context.save()
            }
        }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try program.model(1))
        try coordinator.addPersistentStore(
            type: .xml,
            at: url,
            options: Self.options(NSStagedMigrationManager([stage]))
        )
        let context = coordinator.makeContext()
        try context.performAndWait { () throws in
            try expectEqual(context.values("first", "Person"), ["first", "first"])
        }
    }

    @Test func aReferenceFindsItsModelEveryWay() throws {
        let versions = try Self.versions()
        let model = try versions.model(2)
        let checksum = model.versionChecksum
        let atHand = NSManagedObjectModelReference(model: model, versionChecksum: checksum)
        #expect(atHand.resolvedModel === model)
        // In a file of several versions, the checksum selects one.
        let file = NSManagedObjectModelReference(fileURL: versions.bundle, versionChecksum: checksum)
        expectEqual(file.resolvedModel.entityVersionHashesByName, model.entityVersionHashesByName)
        let bundle = try #require(Bundle(path: versions.folder.path))
        let named = NSManagedObjectModelReference(name: "V2", in: bundle, versionChecksum: checksum)
        expectEqual(named.resolvedModel.versionChecksum, checksum)
        let whole = NSManagedObjectModelReference(name: "Model", in: bundle, versionChecksum: checksum)
        expectEqual(whole.resolvedModel.versionChecksum, checksum)
        let hashes = NSManagedObjectModelReference(
            entityVersionHashes: model.entityVersionHashesByName,
            in: bundle,
            versionChecksum: checksum
        )
        expectEqual(hashes.resolvedModel.versionChecksum, checksum)
        let checksums = try NSManagedObjectModel.__checksumsForVersionedModel(at: versions.bundle)
        expectEqual(checksums["V2"], checksum)
        expectEqual(checksums.count, 4)
    }
}
