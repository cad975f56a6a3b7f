// Tests custom stores: the framework's calls and the handling of errors. Several stores of one coordinator.
import ExpectationSupport
import Foundation
import ManagedGraph
import Testing

struct OwnStores {
    @Test func theExamplesOfTheDocumentationAreTheseFiles() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardizedFileURL
        let page = try String(contentsOf: root.appending(path: "Documentation/Stores.md"), encoding: .utf8)
        for name in ["JSONStore", "DictionaryStore"] {
            let file = root.appending(path: "Tests/StoreTests/Examples/\(name).swift")
            let source = try String(contentsOf: file, encoding: .utf8)
            #expect(page.contains("```swift\n\(source)```"), "\(name) differs; run Documentation/stores-examples.sh")
        }
    }

    @Test func nodesAndReferencesAreFound() throws {
        let world = try StoreWorld(.json)
        let stack = try world.open()
        try stack.fill()
        let store = try #require(stack.store as? JSONStore)
        let p1 = try stack.run { context in try #require(try context.all("Person", "name == 'p1'").first) }
        let reference = try #require(store.referenceObject(for: p1.objectID) as? String)
        #expect(UUID(uuidString: reference) != nil)
        let entity = try #require(world.model.entitiesByName["Person"])
        expectEqual(store.objectID(for: entity, withReferenceObject: reference), p1.objectID)
        expectEqual(p1.objectID.uriRepresentation().lastPathComponent, "p\(reference)")
        let node = try #require(store.cacheNode(for: p1.objectID))
        expectEqual(node.value(forKey: "name") as? String, "p1")
        expectEqual(node.objectID, p1.objectID)
        expectEqual((node.value(forKey: "team") as? NSAtomicStoreCacheNode)?.value(forKey: "name") as? String, "blue")
        expectEqual(store.cacheNodes().count, 12)
        #expect(store.cacheNodes().contains(node))
        expectEqual(node.propertyCache?["age"] as? Int, 1)
        let other = NSAtomicStoreCacheNode(objectID: p1.objectID)
        other.setValuesForKeys(["name": "n", "age": 2])
        other.setValuesForKeys(["age": NSNull()])
        expectEqual(other.propertyCache, ["name": "n"])
        let values = other.dictionaryWithValues(forKeys: ["name", "age"])
        expectEqual(values.count, 2)
        expectEqual(values["name"] as? String, "n")
        #expect(values["age"] is NSNull)
    }

    @Test(arguments: [StoreKind.json, .xml, .binary]) func aSaveThatFailsChangesNoNode(kind: StoreKind) throws {
        let world = try StoreWorld(kind)
        let stack = try world.open()
        try stack.fill()
        let store = try #require(stack.store as? NSAtomicStore)
        // A folder in place of the file cannot be overwritten.
        let aside = world.folder.appending(path: "aside")
        try FileManager.default.moveItem(at: world.url, to: aside)
        try FileManager.default.createDirectory(
            at: world.url.appending(path: "in the way"),
            withIntermediateDirectories: true
        )
        let (p1, p2) = try stack.run { context -> (NSManagedObjectID, NSManagedObjectID) in
            let people = try context.all("Person")
            people[1].setValue("x", forKey: "name")
            context.delete(people[2])
            context.make("Person", ["name": "new"])
            #expect(throws: NSError.self) { () throws in try context.save() }
            #expect(context.hasChanges)
            return (people[1].objectID, people[2].objectID)
        }
        expectEqual(store.cacheNode(for: p1)?.value(forKey: "name") as? String, "p1")
        #expect(store.cacheNode(for: p2) != nil)
        expectEqual(store.cacheNodes().count, 12)
        #expect(try stack.state().hasPrefix("p0 p1 p2 p3"))
        try FileManager.default.removeItem(at: world.url)
        try FileManager.default.moveItem(at: aside, to: world.url)
        try stack.run { context in try context.save() }
        #expect(try world.open().state().hasPrefix("new p0 p3"))
    }

    @Test(arguments: [StoreKind.xml, .binary]) func ofSavesToOneFileAtTheSameTimeOneSucceeds(kind: StoreKind) throws {
        let world = try StoreWorld(kind)
        try world.open().fill()
        for _ in 0..<5 {
            let stacks = try (0..<4).map { _ in try world.open() }
            let contexts = stacks.map(\.context)
            for context in contexts {
                context.performAndWait { _ = context.make("Person", ["name": "new"]) }
            }
            DispatchQueue.concurrentPerform(iterations: contexts.count) { number in
                let context = contexts[number]
                context.performAndWait {
                    do { try context.save() } catch { expectEqual((error as NSError).code, NSPersistentStoreSaveError) }
                }
            }
            let savedContexts = contexts.filter { context in context.performAndWait { !context.hasChanges } }
            expectEqual(savedContexts.count, 1)
        }
        try expectEqual(world.open().run { context in try context.all("Person").count }, 15)
    }

    @Test func aFileThatLeavesNoNumberForNewObjectsIsRefused() throws {
        let world = try StoreWorld(.xml)
        try world.open().fill()
        let xml = try String(contentsOf: world.url, encoding: .utf8)
        for number in [Int64.max, Int64.max - 1] {
            let changed = xml.replacingOccurrences(
                of: "<nextObjectID>\\d+<",
                with: "<nextObjectID>\(number)<",
                options: .regularExpression
            )
            #expect(changed != xml)
            try Data(changed.utf8).write(to: world.url)
            let error = #expect(throws: NSError.self) { () throws in try world.open() }
            expectEqual(error?.code, NSPersistentStoreOpenError)
        }
    }

    @Test(arguments: [StoreKind.xml, .binary]) func nodesOfFilesHaveTheValuesAsTheyWereRead(kind: StoreKind) throws {
        let world = try StoreWorld(kind)
        let photo = Data((0..<3000).map { UInt8(truncatingIfNeeded: $0) })
        try world.open().run { context in
            context.make("Item", ["name": "i", "data": photo, "long": 7, "flag": true])
            try context.save()
        }
        let stack = try world.open()
        let store = try #require(stack.store as? NSAtomicStore)
        let node = try #require(store.cacheNodes().first)
        expectEqual(node.value(forKey: "data") as? Data, photo)
        expectEqual(node.value(forKey: "long") as? Int, 7)
        let copy = try #require(node.propertyCache)
        expectEqual(copy["name"] as? String, "i")
        expectEqual(copy["flag"] as? Bool, true)
        copy["name"] = "changed"
        expectEqual(node.value(forKey: "name") as? String, "i")
        node.propertyCache = ["name": "set"]
        expectEqual(node.value(forKey: "name") as? String, "set")
        expectNil(node.value(forKey: "data"))
    }

    @Test func anIncrementalStoreIsNotifiedOfObjectsInUse() throws {
        let stack = try StoreWorld(.dictionary).open()
        try stack.fill()
        let store = try #require(stack.store as? DictionaryStore)
        let other = stack.another()
        var identifier: NSManagedObjectID?
        try other.performAndWait { () throws in
            let p1 = try #require(try other.all("Person", "name == 'p1'").first)
            identifier = p1.objectID
        }
        let objectID = try #require(identifier)
        #expect(store.registered.contains(objectID))
        other.performAndWait { other.reset() }
        other.performAndWait {}
        #expect(store.unregistered.contains(objectID))
        #expect(store.referenceObject(for: objectID) as? String != nil)
        let entity = objectID.entity
        expectEqual(store.newObjectID(for: entity, referenceObject: store.referenceObject(for: objectID)), objectID)
    }

    @Test func anIncrementalStoreIsNotifiedOfObjectsOfContextsOlderThanIt() throws {
        let world = try StoreWorld(.dictionary)
        try world.open().fill()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: world.model)
        let parent = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        parent.persistentStoreCoordinator = coordinator
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = parent
        let added = try coordinator.addPersistentStore(
            ofType: DictionaryStore.storeType,
            configurationName: nil,
            at: world.url,
            options: world.kind.options
        )
        let store = try #require(added as? DictionaryStore)
        let objectID = try child.performAndWait { () throws in try #require(try child.all("Person").first).objectID }
        #expect(store.registered.filter { $0 == objectID }.count >= 1)
        child.performAndWait { child.reset() }
        parent.performAndWait { parent.reset() }
        #expect(store.unregistered.contains(objectID))
    }

    @Test func nodesOfAnIncrementalStoreHaveVersions() throws {
        let stack = try StoreWorld(.dictionary).open()
        try stack.fill()
        let identifier = try stack.run { context in try #require(try context.all("Person").first).objectID }
        let node = NSIncrementalStoreNode(objectID: identifier, withValues: ["name": "a"], version: 3)
        let name = try #require(identifier.entity.attributesByName["name"])
        expectEqual(node.objectID, identifier)
        expectEqual(node.version, 3)
        expectEqual(node.value(for: name) as? String, "a")
        node.update(withValues: [:], version: 4)
        expectEqual(node.version, 4)
        expectNil(node.value(for: name))
    }

    @Test func aSaveRequestListsTheSavedObjects() throws {
        let request = NSSaveChangesRequest(inserted: [], updated: nil, deleted: nil, locked: nil)
        expectEqual(request.requestType, .saveRequestType)
        expectEqual(request.insertedObjects, [])
        expectNil(request.updatedObjects)
        expectNil(request.deletedObjects)
        expectNil(request.lockedObjects)
        #expect(UUID(uuidString: "\(NSIncrementalStore.identifierForNewStore(at: URL(filePath: "/x")))") != nil)
    }

    /// A store that implements nothing.
    private final class EmptyAtomicStore: NSAtomicStore {
        override var type: String { "Empty" }
    }
    private final class EmptyIncrementalStore: NSIncrementalStore {
        override var type: String { "EmptyIncremental" }
    }

    /// A store that saves nothing, and whose references are the names of its objects.
    private final class NamedAtomicStore: NSAtomicStore {
        override var type: String { "Named" }
        override func load() throws {}
        override func save() throws {}
        override func newReferenceObject(for managedObject: NSManagedObject) -> Any {
            managedObject.value(forKey: "name") ?? ""
        }
    }

    @Test func anObjectWithTheReferenceOfAnotherIsRefused() throws {
        NSPersistentStoreCoordinator.registerStoreClass(NamedAtomicStore.self, forStoreType: "Named")
        defer { NSPersistentStoreCoordinator.registerStoreClass(nil, forStoreType: "Named") }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: StoreModel.make())
        let url = FileManager.default.temporaryDirectory.appending(path: "mg-named-\(UUID().uuidString)")
        let added = try coordinator.addPersistentStore(ofType: "Named", configurationName: nil, at: url)
        let store = try #require(added as? NamedAtomicStore)
        let stack = StoreStack(coordinator)
        try stack.run { context in
            let first = context.make("Tag", ["name": "a"])
            try context.save()
            let second = context.make("Tag", ["name": "a"])
            let error = #expect(throws: NSError.self) { () throws in try context.save() }
            expectEqual(error?.code, NSPersistentStoreSaveError)
            expectEqual(store.cacheNodes().count, 1)
            #expect(context.registeredObject(for: first.objectID) === first)
            second.setValue("b", forKey: "name")
            try context.save()
            expectEqual(store.cacheNodes().count, 2)
        }
        // Two contexts receive the same identifier before either saves.
        let other = stack.another()
        try other.performAndWait { () throws in
            let tag = other.make("Tag", ["name": "c"])
            try other.obtainPermanentIDs(for: [tag])
        }
        try stack.run { context in
            context.make("Tag", ["name": "c"])
            try context.save()
        }
        other.performAndWait {
            let error = #expect(throws: NSError.self) { () throws in try other.save() }
            expectEqual(error?.code, NSPersistentStoreSaveError)
        }
        expectEqual(store.cacheNodes().count, 3)
    }

    @Test(arguments: [StoreKind.json, .xml, .binary])
    func nodesOfObjectsThatAreDeletedTogetherAreReleased(kind: StoreKind) throws {
        let stack = try StoreWorld(kind).open()
        let store = try #require(stack.store as? NSAtomicStore)
        weak var node: NSAtomicStoreCacheNode?
        try stack.run { context in
            let team = context.make("Team", ["name": "t"])
            team.setValue(NSOrderedSet(array: [context.make("Step", ["name": "s"])]), forKey: "steps")
            try context.save()
            node = store.cacheNode(for: team.objectID)
            #expect(node != nil)
            context.delete(team)
            try context.save()
        }
        #expect(store.cacheNodes().isEmpty)
        expectNil(node)
    }

    private final class LoadedNode: @unchecked Sendable {
        weak var node: NSAtomicStoreCacheNode?
    }

    /// A store that fails after it has made a node that references itself.
    private final class FailingAtomicStore: NSAtomicStore {
        static let loaded = LoadedNode()
        override var type: String { "Failing" }
        override func load() throws {
            guard let entity = persistentStoreCoordinator?.managedObjectModel.entitiesByName["Person"] else { return }
            let node = NSAtomicStoreCacheNode(objectID: objectID(for: entity, withReferenceObject: 1))
            node.setValue(NSSet(object: node), forKey: "friends")
            addCacheNodes([node])
            Self.loaded.node = node
            throw CocoaError(.fileReadCorruptFile)
        }
    }

    @Test func nodesOfAStoreThatCannotBeOpenedAreReleased() throws {
        NSPersistentStoreCoordinator.registerStoreClass(FailingAtomicStore.self, forStoreType: "Failing")
        defer { NSPersistentStoreCoordinator.registerStoreClass(nil, forStoreType: "Failing") }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: StoreModel.make())
        let url = FileManager.default.temporaryDirectory.appending(path: "mg-failing-\(UUID().uuidString)")
        #expect(throws: (any Error).self) {
            try coordinator.addPersistentStore(ofType: "Failing", configurationName: nil, at: url)
        }
        expectNil(FailingAtomicStore.loaded.node)
    }

    @Test func filesOfAClassThatReadsNoMetadataOfClosedFilesAreDestroyed() throws {
        NSPersistentStoreCoordinator.registerStoreClass(NamedAtomicStore.self, forStoreType: "Named files")
        defer { NSPersistentStoreCoordinator.registerStoreClass(nil, forStoreType: "Named files") }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: StoreModel.make())
        let url = FileManager.default.temporaryDirectory.appending(path: "mg-named-\(UUID().uuidString)")
        try Data("x".utf8).write(to: url)
        try coordinator.addPersistentStore(ofType: "Named files", configurationName: nil, at: url)
        try coordinator.destroyPersistentStore(at: url, ofType: "Named files")
        #expect(coordinator.persistentStores.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: url.path))
    }

    @Test func aClassThatImplementsNothingGetsAnError() throws {
        NSPersistentStoreCoordinator.registerStoreClass(EmptyAtomicStore.self, type: .init(rawValue: "Empty"))
        NSPersistentStoreCoordinator.registerStoreClass(EmptyIncrementalStore.self, forStoreType: "EmptyIncremental")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: StoreModel.make())
        let url = FileManager.default.temporaryDirectory.appending(path: "mg-none")
        for (type, method) in [("Empty", "load()"), ("EmptyIncremental", "loadMetadata()")] {
            #expect(NSPersistentStoreCoordinator.registeredStoreTypes[type] != nil)
            let error = #expect(throws: NSError.self) { () throws in
                try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url)
            }
            expectEqual(error?.localizedDescription.contains(method), true)
            NSPersistentStoreCoordinator.registerStoreClass(nil, forStoreType: type)
        }
        #expect(throws: NSError.self) { () throws in
            _ = try NSPersistentStore.metadataForPersistentStore(with: url)
        }
        #expect(throws: NSError.self) { () throws in
            try NSPersistentStore.setMetadata([:], forPersistentStoreAt: url)
        }
        expectEqual(
            ObjectIdentifier(NSPersistentStore.migrationManagerClass()),
            ObjectIdentifier(NSMigrationManager.self)
        )
        #expect(coordinator.persistentStores.isEmpty)
    }

    @Test func versionNumbersAreThoseOfApplesHeaders() {
        #expect(NSCoreDataVersionNumber > NSCoreDataVersionNumber_iPhoneOS_9_3)
        expectEqual(NSCoreDataVersionNumber10_4, 46)
        expectEqual(NSCoreDataVersionNumber10_11_3, 641.3)
        expectEqual(NSCoreDataVersionNumber_iPhoneOS_3_0, 241)
        expectEqual(NSCoreDataVersionNumber10_9_3, 481.3)
    }

    // MARK: Several stores

    private func split() throws -> (NSManagedObjectModel, StoreStack, StoreWorld) {
        let model = StoreModel.make()
        let names = model.entitiesByName
        model.setEntities(["Item"].compactMap { names[$0] }, forConfigurationName: "Items")
        model.setEntities(names.filter { $0.key != "Item" }.map(\.value), forConfigurationName: "Others")
        let world = try StoreWorld(.xml, model: model)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            ofType: NSXMLStoreType,
            configurationName: "Items",
            at: world.folder.appending(path: "Items.xml")
        )
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType,
            configurationName: "Others",
            at: world.folder.appending(path: "Others.sqlite")
        )
        return (model, StoreStack(coordinator, in: world), world)
    }

    @Test func configurationsDecideWhichStoreAnObjectGoesTo() throws {
        let (_, stack, world) = try split()
        try stack.run { context in
            let item = context.make("Item", ["name": "i"])
            let person = context.make("Person", ["name": "p"])
            try context.save()
            expectEqual(item.objectID.persistentStore?.type, NSXMLStoreType)
            expectEqual(person.objectID.persistentStore?.type, NSSQLiteStoreType)
        }
        let xml = try String(contentsOf: world.folder.appending(path: "Items.xml"), encoding: .utf8)
        #expect(xml.contains("type=\"ITEM\"") && !xml.contains("PERSON"))
    }

    @Test(arguments: ["Items", "Others"])
    func metadataOfAStoreWithoutChangedObjectsAreSavedToo(_ configuration: String) throws {
        let (_, stack, _) = try split()
        let found = stack.coordinator.persistentStores.first { $0.configurationName == configuration }
        let store = try #require(found)
        stack.coordinator.setMetadata(["mine": "x"], for: store)
        try stack.run { context in
            // An object of the other store.
            context.make(configuration == "Items" ? "Person" : "Item", ["name": "a"])
            try context.save()
        }
        let url = try #require(store.url)
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: store.type, at: url)
        expectEqual(metadata["mine"] as? String, "x")
    }

    @Test func severalStoresOfDifferentKindsAnswerTogether() throws {
        let world = try StoreWorld(.xml)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: world.model)
        let kinds: [StoreKind] = [.xml, .binary, .sqlite, .json, .dictionary, .inMemory]
        let stores = try kinds.map { kind in
            try coordinator.addPersistentStore(
                ofType: kind.type,
                configurationName: nil,
                at: kind.url(in: world.folder)
            )
        }
        let stack = StoreStack(coordinator, in: world)
        try stack.run { context in
            for (number, store) in stores.enumerated() {
                let person = context.make("Person", ["name": "\(stores.count - number)", "age": number])
                context.assign(person, to: store)
            }
            // Without an assignment, the first store is used.
            context.make("Person", ["name": "0"])
            try context.save()
            try expectEqual(
                context.all("Person").map { $0.objectID.persistentStore?.type },
                [stores[0].type]
                    + kinds.map(\.type).reversed()
            )
        }
        let other = stack.another()
        try other.performAndWait { () throws in
            try expectEqual(other.names("Person", "name > '1'"), ["2", "3", "4", "5", "6"])
            let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
            request.affectedStores = [stores[1], stores[4]]
            request.sortDescriptors = [NSSortDescriptor(key: "age", ascending: true)]
            try expectEqual(other.fetch(request).map(\.name), ["5", "2"])
            request.affectedStores = nil
            request.fetchOffset = 2
            request.fetchLimit = 3
            try expectEqual(other.count(for: request), 3)
            // A relationship cannot lead from one store into another.
            let team = other.make("Team", ["name": "T"])
            other.assign(team, to: stores[2])
            let person = try #require(try other.all("Person", "name == '6'").first)
            person.setValue(team, forKey: "team")
            let error = #expect(throws: NSError.self) { () throws in try other.save() }
            expectEqual(error?.code, NSManagedObjectExternalRelationshipError)
        }
    }

    @Test(arguments: [StoreKind.sqlite, .xml]) func aStoreIsNotAddedAgainByWayOfALink(kind: StoreKind) throws {
        let world = try StoreWorld(kind)
        let stack = try world.open()
        let link = world.folder.appending(path: "Link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: world.url)
        let error = #expect(throws: NSError.self) { () throws in
            try stack.coordinator.addPersistentStore(ofType: kind.type, configurationName: nil, at: link)
        }
        expectEqual(error?.code, NSPersistentStoreOpenError)
        expectEqual(stack.coordinator.persistentStores.count, 1)
    }

    @Test func storesInMemoryAreSharedByName() throws {
        let world = try StoreWorld(.sharedMemory)
        let (one, other) = (try world.open(), try world.open())
        try one.fill()
        try expectEqual(other.state(), one.state())
        try other.run { context in
            context.make("Person", ["name": "x"])
            try context.save()
        }
        #expect(try one.state().contains("x"))
        // Another name is another store.
        let third = try StoreWorld(.sharedMemory).open()
        try expectEqual(third.state(), ", ")
        #expect(!FileManager.default.fileExists(atPath: world.url.path))
    }

    @Test func aStoreThatIsReadOnlyLeavesNewObjectsToOthers() throws {
        let world = try StoreWorld(.binary)
        try world.open().fill()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: world.model)
        let fixed = try coordinator.addPersistentStore(
            type: .binary,
            at: world.url,
            options: [NSReadOnlyPersistentStoreOption: true]
        )
        let open = try coordinator.addPersistentStore(type: .xml, at: world.folder.appending(path: "More.xml"))
        let stack = StoreStack(coordinator, in: world)
        try stack.run { context in
            let person = context.make("Person", ["name": "new"])
            try context.save()
            #expect(person.objectID.persistentStore === open && fixed.isReadOnly)
        }
    }
}
