// Tests stores that are converted to another type, replaced, destroyed, or migrated to another version of the model.
import ExpectationSupport
import Foundation
import ManagedGraph
import Testing

struct MovingStores {
    /// The kinds from which and to which stores are moved.
    static let pairs: [(StoreKind, StoreKind)] = {
        var pairs: [(StoreKind, StoreKind)] = []
        // The profiles write rows in different ways; moves between these three kinds suffice to test it.
        let partners: Set<StoreKind> = [.sqlite, .postgreSQL, .distributed]
        for from in StoreKind.allCases where from != .sqliteWithoutLog {
            for to in StoreKind.allCases where to != .sqliteWithoutLog && to != .sharedMemory {
                let isDistributed = from == .distributed || to == .distributed
                if !isDistributed || partners.isSuperset(of: [from, to]) { pairs.append((from, to)) }
            }
        }
        return pairs
    }()

    @Test func anXMLStoreRefusesNamesThatItsFileDoesNotDistinguish() throws {
        let attributes = ["fooBar", "foobar"].map { NSAttributeDescription($0) }
        let models = [
            NSManagedObjectModel([NSEntityDescription("Task", attributes)]),
            NSManagedObjectModel([NSEntityDescription("Task", []), NSEntityDescription("TASK", [])]),
        ]
        for model in models {
            let xml = try StoreWorld(.xml, model: model)
            var error = #expect(throws: NSError.self) { () throws in try xml.open() }
            expectEqual(error?.code, NSPersistentStoreIncompatibleSchemaError)
            #expect(!FileManager.default.fileExists(atPath: xml.url.path))
            // A move into one is refused, too.
            let stack = try StoreWorld(.binary, model: model).open()
            let old = stack.store
            error = #expect(throws: NSError.self) { () throws in
                try stack.coordinator.migratePersistentStore(old, to: xml.url, withType: NSXMLStoreType)
            }
            expectEqual(error?.code, NSPersistentStoreIncompatibleSchemaError)
            expectEqual(stack.coordinator.persistentStores, [old])
        }
    }

    @Test(arguments: pairs) func everyKindMovesIntoEveryOther(from: StoreKind, to: StoreKind) throws {
        let (world, target) = (try StoreWorld(from), try StoreWorld(to))
        let stack = try world.open()
        try stack.fill()
        try stack.run { context in
            let team = try #require(try context.all("Team").first)
            team.setValue(
                NSOrderedSet(array: ["3", "1", "2"].map { context.make("Step", ["name": $0]) }),
                forKey: "steps"
            )
            context.make(
                "Item",
                ["name": "i", "large": Data(repeating: 1, count: 150_000), "decimal": NSDecimalNumber(1)]
            )
            try context.save()
        }
        let before = try stack.state()
        let p1 = try stack.run { context in try #require(try context.all("Person", "name == 'p1'").first) }
        let old = stack.store
        let new = try stack.coordinator.migratePersistentStore(old, to: target.url, options: nil, withType: to.type)
        expectEqual(stack.coordinator.persistentStores, [new])
        expectEqual(new.type, to.type)
        try expectEqual(stack.state(), before)
        // Registered objects continue to work with the new store.
        try stack.run { context in
            #expect(try context.all("Person", "name == 'p1'").first === p1)
            p1.setValue("q1", forKey: "name")
            let steps = try context.all("Team").first?.names("steps") ?? []
            let large = try context.all("Item").first?.value(forKey: "large") as? Data
            expectEqual(steps, ["3", "1", "2"])
            expectEqual(large?.count, 150_000)
            context.make("Person", ["name": "z"])
            try context.save()
        }
        let after = try stack.state()
        #expect(after.contains("q1") && after.contains("z"))
        guard to.has(.reopening) else { return }
        let again = try target.open()
        try expectEqual(again.state(), after)
        try again.run { context in
            context.make("Person", ["name": "zz"])
            try context.save()
        }
        #expect(try again.state().contains("zz"))
    }

    /// In memory, rows are copied as pages; the other kinds get them one by one.
    static var movesOfVersions: [(StoreKind, StoreKind)] {
        let kinds: [StoreKind] = [.inMemory, .xml, .binary, .json]
        let databases: [(StoreKind, StoreKind)] = [(.sqlite, .postgreSQL), (.postgreSQL, .sqlite), (.postgreSQL, .xml)]
        return kinds.map { (StoreKind.sqlite, $0) } + (StoreKind.allCases.contains(.postgreSQL) ? databases : [])
    }

    @Test(arguments: movesOfVersions)
    func objectsThatWereSavedSeveralTimesHaveNoConflictAfterAMove(from: StoreKind, to: StoreKind) throws {
        let (world, target) = (try StoreWorld(from), try StoreWorld(to))
        let stack = try world.open()
        try stack.fill()
        let person = try stack.run { context -> NSManagedObject in
            let person = try #require(try context.all("Person", "name == 'p1'").first)
            for age in [50, 51] {
                person.setValue(age, forKey: "age")
                try context.save()
            }
            return person
        }
        _ = try stack.coordinator.migratePersistentStore(stack.store, to: target.url, withType: to.type)
        try stack.run { context in
            person.setValue(52, forKey: "age")
            try context.save()
        }
        let other = stack.another()
        try other.performAndWait { () throws in
            try expectEqual(other.all("Person", "name == 'p1'").first?.value(forKey: "age") as? Int, 52)
        }
    }

    @Test func aMoveThatFailsLeavesTheOldStore() throws {
        let (world, target) = (try StoreWorld(.sqlite), try StoreWorld(.xml))
        let stack = try world.open()
        try stack.fill()
        let before = try stack.state()
        try Data("there".utf8).write(to: target.url)
        #expect(throws: NSError.self) { () throws in
            _ = try stack.coordinator.migratePersistentStore(
                stack.store,
                to: target.url,
                options: nil,
                withType: NSXMLStoreType
            )
        }
        try expectEqual(Data(contentsOf: target.url), Data("there".utf8))
        try expectEqual(stack.state(), before)
        expectEqual(stack.store.type, NSSQLiteStoreType)
        // A location that cannot be written to.
        let nowhere = target.url.appending(path: "below/Store.xml")
        #expect(throws: NSError.self) { () throws in
            _ = try stack.coordinator.migratePersistentStore(stack.store, to: nowhere, options: nil, type: .xml)
        }
        try expectEqual(stack.state(), before)
        expectEqual(stack.store.type, NSSQLiteStoreType)
        try stack.run { context in
            context.make("Person", ["name": "after"])
            try context.save()
        }
    }

    @Test func aMoveThatFailsLeavesTheReferencesOfTheOldStore() throws {
        let (world, target) = (try StoreWorld(.json), try StoreWorld(.xml))
        let stack = try world.open()
        try stack.fill()
        try Data("there".utf8).write(to: target.url)
        let nowhere = target.url.appending(path: "below/Store.xml")
        #expect(throws: NSError.self) { () throws in
            _ = try stack.coordinator.migratePersistentStore(stack.store, to: nowhere, options: nil, type: .xml)
        }
        func identifiers(_ stack: StoreStack) throws -> [String: NSManagedObjectID] {
            try stack.run { context in
                Dictionary(uniqueKeysWithValues: try context.all("Person").map { ($0.name, $0.objectID) })
            }
        }
        // Another coordinator numbers the objects alike.
        try expectEqual(identifiers(world.open()), identifiers(stack))
    }

    @Test(arguments: [StoreKind.xml, .binary, .json])
    func anAtomicStoreIsSavedAtItsNewLocation(kind: StoreKind) throws {
        let (world, target) = (try StoreWorld(kind), try StoreWorld(kind))
        let stack = try world.open()
        try stack.fill()
        let before = try Data(contentsOf: world.url)
        let store = stack.store
        #expect(stack.coordinator.setURL(target.url, for: store))
        #expect(stack.coordinator.persistentStore(for: target.url) === store)
        #expect(!FileManager.default.fileExists(atPath: target.url.path))
        try stack.run { context in
            context.make("Person", ["name": "z"])
            try context.save()
        }
        try expectEqual(Data(contentsOf: world.url), before)
        try expectEqual(target.open().state(), stack.state())
        // The place of another store of the coordinator.
        let other = world.folder.appending(path: "Other")
        try stack.coordinator.addPersistentStore(ofType: kind.type, configurationName: nil, at: other)
        #expect(!stack.coordinator.setURL(other, for: store))
        expectEqual(stack.coordinator.url(for: store), target.url)
    }

    @Test(arguments: StoreKind.allCases) func filesAreReplacedAndDestroyed(kind: StoreKind) throws {
        guard kind.has(.filePlaces) else { return }
        let (one, other) = (try StoreWorld(kind), try StoreWorld(kind))
        let stack = try one.open()
        try stack.fill()
        let state = try stack.state()
        try stack.coordinator.remove(stack.store)
        let coordinator = stack.coordinator
        try coordinator.replacePersistentStore(
            at: other.url,
            withPersistentStoreFrom: one.url,
            ofType: kind.type
        )
        try expectEqual(other.open().state(), state)
        if kind == .json {
            print("json leaves out metadata of closed files: the example's class does not replace them.")
            return
        }
        try NSPersistentStoreCoordinator.setMetadata(["mine": "x"], type: .init(rawValue: kind.type), at: other.url)
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            type: .init(rawValue: kind.type),
            at: other.url
        )
        #expect(metadata["mine"] as? String == "x" && metadata[NSStoreUUIDKey] != nil)
        try expectEqual(other.open().state(), state)
        try coordinator.destroyPersistentStore(at: other.url, ofType: kind.type)
        // A SQLite store is emptied in place; other files are removed.
        expectEqual(FileManager.default.fileExists(atPath: other.url.path), (kind.type == NSSQLiteStoreType))
        try Data("something else".utf8).write(to: other.url)
        #expect(throws: NSError.self) { () throws in
            try coordinator.destroyPersistentStore(at: other.url, ofType: kind.type)
        }
        #expect(throws: NSError.self) { () throws in
            try coordinator.replacePersistentStore(
                at: other.url,
                withPersistentStoreFrom: one.url,
                ofType: kind.type
            )
        }
        try expectEqual(Data(contentsOf: other.url), Data("something else".utf8))
        try coordinator.destroyPersistentStore(
            at: other.url,
            ofType: kind.type,
            options: [NSPersistentStoreForceDestroyOption: true]
        )
        #expect(!FileManager.default.fileExists(atPath: other.url.path))
    }

    // MARK: Another version of the model

    private static func contents(_ extra: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
            <entity name="Person" syncable="YES">
                <attribute name="name" optional="YES" attributeType="String"/>
                \(extra)
            </entity>
        </model>
        """
    }

    @Test(arguments: [StoreKind.xml, .binary, .sqlite]) func aFileOfAnotherVersionIsMigrated(kind: StoreKind) throws {
        let world = try StoreWorld(kind)
        let folder = world.folder.appending(path: "M.xcdatamodeld")
        let versions = [
            ("M 1", Self.contents("<attribute name=\"age\" optional=\"YES\" attributeType=\"Integer 16\"/>")),
            (
                "M 2",
                Self.contents(
                    "<attribute name=\"years\" elementID=\"age\" optional=\"YES\" attributeType=\"Integer 16\"/>"
                        + "<attribute name=\"nickname\" optional=\"YES\" attributeType=\"String\"/>"
                )
            ),
        ]
        for (name, contents) in versions {
            let version = folder.appending(path: "\(name).xcdatamodel")
            try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
            try Data(contents.utf8).write(to: version.appending(path: "contents"))
        }
        func open(_ name: String, _ options: [String: Any]) throws -> StoreStack {
            let list = try PropertyListSerialization.data(
                fromPropertyList: ["_XCCurrentVersionName": "\(name).xcdatamodel"],
                format: .xml,
                options: 0
            )
            try list.write(to: folder.appending(path: ".xccurrentversion"))
            let model = try NSManagedObjectModel(readingFrom: folder)
            return try world.open(options, model: model)
        }
        let uuid = try open("M 1", [:]).run { context -> String? in
            context.make("Person", ["name": "a", "age": 7])
            try context.save()
            return context.persistentStoreCoordinator?.persistentStores[0].identifier
        }
        let migrating: [String: Any] = [
            NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
        ]
        let error = #expect(throws: NSError.self) { () throws in _ = try open("M 2", [:]) }
        expectEqual(error?.code, NSPersistentStoreIncompatibleVersionHashError)
        for _ in 0..<2 {
            let stack = try open("M 2", migrating)
            let ages = try stack.run { context -> [Int?] in
                try context.all("Person").map { $0.value(forKey: "years") as? Int }
            }
            expectEqual(ages, [7])
            expectEqual(stack.store.identifier, uuid)
            expectEqual(stack.store.type, kind.type)
        }
        #expect(throws: NSError.self) { () throws in _ = try open("M 1", [:]) }
    }
}
