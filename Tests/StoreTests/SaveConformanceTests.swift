// Tests saves, metadata and refusals with every kind of store: a part of the conformance suite.
import ExpectationSupport
import Foundation
import GraphEngine
import ManagedGraph
import Testing

struct SaveConformance {
    // MARK: Conflicts

    @Test(arguments: StoreKind.allCases) func conflictsGoToTheMergePolicy(kind: StoreKind) throws {
        let stack = try StoreWorld(kind).open()
        try stack.run { (context) throws in
            context.make("Person", ["name": "a", "age": 1])
            try context.save()
        }
        func change(_ policy: NSMergePolicy, _ here: String, _ there: String) throws -> String {
            let context = stack.another()
            context.mergePolicy = policy
            return try context.performAndWait { () throws in
                let mine = try #require(try context.all("Person").first)
                _ = mine.name
                try stack.run { other in
                    other.refreshAllObjects()
                    let theirs = try #require(try other.all("Person").first)
                    theirs.setValue(there, forKey: "name")
                    theirs.setValue(((theirs.value(forKey: "age") as? Int) ?? 0) + 1, forKey: "age")
                    try other.save()
                }
                mine.setValue(here, forKey: "name")
                try context.save()
                let fresh = stack.another()
                return try fresh.performAndWait { () throws in
                    let person = try #require(try fresh.all("Person").first)
                    return "\(person.name) \(person.value(forKey: "age") as? Int ?? 0)"
                }
            }
        }
        let error = #expect(throws: NSError.self) { () throws in _ = try change(.error, "x", "b") }
        expectEqual(error?.code, NSManagedObjectMergeError)
        try expectEqual(change(.mergeByPropertyObjectTrump, "mine", "c"), "mine 3")
        try expectEqual(change(.mergeByPropertyStoreTrump, "mine 2", "d"), "d 4")
        try expectEqual(change(.rollback, "mine 3", "e"), "e 5")
        #expect(try change(.overwrite, "mine 4", "f").hasPrefix("mine 4"))
    }

    /// A way to change a to-many relationship without a change of its owner's row.
    enum MemberChange: String, CaseIterable, CustomTestStringConvertible {
        case added, removed, deleted, addedToPairs
        var testDescription: String { rawValue }
    }

    @Test(
        "Other members of a to-many relationship are another version of its owner",
        arguments: StoreKind.allCases,
        MemberChange.allCases
    )
    func changedMembersConflict(kind: StoreKind, change: MemberChange) throws {
        let stack = try StoreWorld(kind).open()
        try stack.run { (context) throws in
            context.make("Person", ["name": "p", "team": context.make("Team", ["name": "t"])])
            context.make("Tag", ["name": "tag"])
            try context.save()
        }
        let entity = change == .addedToPairs ? "Tag" : "Team"
        let context = stack.another()
        try context.performAndWait { () throws in
            let mine = try #require(try context.all(entity).first)
            _ = mine.name
            try stack.run { other in
                let person = try #require(try other.all("Person").first)
                switch change {
                case .added: other.make("Person", ["name": "q", "team": person.value(forKey: "team") as Any])
                case .removed: person.setValue(nil, forKey: "team")
                case .deleted: other.delete(person)
                case .addedToPairs: person.setValue(Set(try other.all("Tag")), forKey: "tags")
                }
                try other.save()
            }
            mine.setValue("mine", forKey: "name")
            let error = #expect(throws: NSError.self) { () throws in try context.save() }
            expectEqual(error?.code, NSManagedObjectMergeError)
        }
    }

    // MARK: Empty relationships

    @Test(arguments: StoreKind.allCases) func anEmptyRequiredToManyIsSavedAndReadAgain(kind: StoreKind) throws {
        let model = StoreModel.make()
        let team = try #require(model.entitiesByName["Team"])
        for key in ["members", "steps"] { team.relationshipsByName[key]?.isOptional = false }
        let world = try StoreWorld(kind, model: model)
        let stack = try world.open()
        try stack.run { (context) throws in
            context.make("Team", ["name": "t"])
            try context.save()
        }
        let reader = kind.has(.reopening) ? try world.open() : stack
        try reader.run { (context) throws in
            let team = try #require(try context.all("Team").first)
            expectEqual((team.value(forKey: "members") as? NSSet)?.count, 0)
            expectEqual((team.value(forKey: "steps") as? NSOrderedSet)?.count, 0)
            team.setValue("u", forKey: "name")
            try context.save()
        }
        if kind == .xml {
            let xml = try String(contentsOf: world.url, encoding: .utf8)
            #expect(xml.contains("<relationship name=\"members\" type=\"0/0\""))
        }
    }

    // MARK: The store itself

    @Test(arguments: StoreKind.allCases) func metadataAreKept(kind: StoreKind) throws {
        let world = try StoreWorld(kind)
        let stack = try world.open()
        try stack.run { (context) throws in
            context.make("Person", ["name": "a"])
            try context.save()
        }
        expectEqual(stack.coordinator.metadata(for: stack.store)[NSStoreTypeKey] as? String, kind.type)
        #expect(stack.coordinator.metadata(for: stack.store)[NSStoreModelVersionHashesKey] is [String: Data])
        var metadata = stack.coordinator.metadata(for: stack.store)
        metadata["com.example.list"] = ["a", 1, Data([1])] as [Any]
        stack.coordinator.setMetadata(metadata, for: stack.store)
        // Without any changed object.
        try stack.run { (context) throws in try context.save() }
        guard kind.has(.reopening) else { return }
        let again = try world.open()
        let storedMetadata = again.coordinator.metadata(for: again.store)
        expectEqual((storedMetadata["com.example.list"] as? [Any])?.count, 3)
        expectEqual(storedMetadata[NSStoreUUIDKey] as? String, stack.store.identifier)
        guard kind.has(.filePlaces) else { return }
        let fileMetadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: kind.type, at: world.url)
        expectEqual(fileMetadata[NSStoreUUIDKey] as? String, stack.store.identifier)
        expectEqual((fileMetadata["com.example.list"] as? [Any])?.first as? String, "a")
        #expect(world.model.isConfiguration(withName: nil, compatibleWithStoreMetadata: fileMetadata))
    }

    @Test(arguments: StoreKind.allCases) func metadataThatAreReplacedKeepTheEntriesOfTheModel(kind: StoreKind) throws {
        let world = try StoreWorld(kind)
        let stack = try world.open()
        stack.coordinator.setMetadata(["mine": "x"], for: stack.store)
        let metadata = stack.coordinator.metadata(for: stack.store)
        expectEqual(metadata["mine"] as? String, "x")
        expectEqual(metadata[NSStoreTypeKey] as? String, kind.type)
        expectEqual(metadata[NSStoreUUIDKey] as? String, stack.store.identifier)
        // The property of the store itself replaces all entries.
        if [.xml, .binary].contains(kind) { stack.store.metadata = ["mine": "x"] }
        try stack.run { (context) throws in try context.save() }
        guard kind.has(.filePlaces) else { return }
        let fileMetadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: kind.type, at: world.url)
        expectEqual(fileMetadata["mine"] as? String, "x")
        #expect(world.model.isConfiguration(withName: nil, compatibleWithStoreMetadata: fileMetadata))
    }

    @Test(arguments: [StoreKind.sqlite, .xml, .binary])
    func textsAndMetadataKeepEveryCharacterWhenMetadataOfTheClosedFileAreSet(kind: StoreKind) throws {
        let world = try StoreWorld(kind)
        // A mark after a sign, and the line feed after a carriage return, form one character with it.
        let text = "a\r\nb & c <\u{338} &\u{301} >\u{301} ]]>"
        let stack = try world.open()
        stack.coordinator.setMetadata(["mine": text], for: stack.store)
        try stack.run { context in
            context.make("Tag", ["name": text])
            try context.save()
        }
        let type = NSPersistentStore.StoreType(rawValue: kind.type)
        var metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: type, at: world.url)
        expectEqual((metadata["mine"] as? String).map { Array($0.utf8) }, Array(text.utf8))
        metadata["more"] = 1
        try NSPersistentStoreCoordinator.setMetadata(metadata, type: type, at: world.url)
        let again = try world.open()
        let stored = again.coordinator.metadata(for: again.store)["mine"] as? String
        expectEqual(stored.map { Array($0.utf8) }, Array(text.utf8))
        let name = try again.run { context in try context.all("Tag").first?.value(forKey: "name") as? String }
        expectEqual(name.map { Array($0.utf8) }, Array(text.utf8))
    }

    @Test func metadataThatXMLCannotContainFailTheSave() throws {
        let world = try StoreWorld(.xml)
        let stack = try world.open()
        let before = try Data(contentsOf: world.url)
        var nested: Any = "x"
        for _ in 0..<70 { nested = [nested] }
        for value in ["\u{1}", nested] as [Any] {
            stack.coordinator.setMetadata(["mine": value], for: stack.store)
            try stack.run { context in
                let error = #expect(throws: NSError.self) { () throws in try context.save() }
                expectEqual(error?.code, NSPersistentStoreSaveError)
            }
            try expectEqual(Data(contentsOf: world.url), before)
        }
    }

    @Test(arguments: StoreKind.allCases) func aReadOnlyStoreRefusesToBeWritten(kind: StoreKind) throws {
        guard kind.has(.readOnly) else { return }
        let world = try StoreWorld(kind)
        #expect(throws: NSError.self) { () throws in try world.open([NSReadOnlyPersistentStoreOption: true]) }
        try world.open().run { (context) throws in
            context.make("Person", ["name": "a"])
            try context.save()
        }
        let before = try Data(contentsOf: world.url)
        let stack = try world.open([NSReadOnlyPersistentStoreOption: true])
        #expect(stack.store.isReadOnly)
        try stack.run { (context) throws in
            let a = try #require(try context.all("Person").first)
            a.setValue("b", forKey: "name")
            #expect(throws: NSError.self) { () throws in try context.save() }
            context.rollback()
            context.make("Person", ["name": "c"])
            #expect(throws: NSError.self) { () throws in try context.save() }
        }
        try expectEqual(Data(contentsOf: world.url), before)
    }

    @Test(arguments: StoreKind.allCases) func anotherVersionOfTheModelIsRefused(kind: StoreKind) throws {
        guard kind.has(.reopening) else { return }
        let world = try StoreWorld(kind)
        let stack = try world.open()
        try stack.run { (context) throws in
            context.make("Person", ["name": "a"])
            try context.save()
        }
        let error = #expect(throws: NSError.self) { () throws in
            try world.open(model: StoreModel.make(version: 2))
        }
        expectEqual(error?.code, NSPersistentStoreIncompatibleVersionHashError)
    }

    @Test(arguments: StoreKind.allCases) func aFailedSaveChangesNothing(kind: StoreKind) throws {
        let world = try StoreWorld(kind)
        let stack = try world.open()
        try stack.run { (context) throws in
            let team = context.make("Team", ["name": "T"])
            let a = context.make("Person", ["name": "a", "team": team])
            let b = context.make("Person", ["name": "b", "team": team])
            try context.save()
            a.setValue("a2", forKey: "name")
            context.delete(b)
            let c = context.make("Person", ["name": "c", "team": team])
            stack.store.failNextCommit()
            #expect(throws: NSError.self) { () throws in try context.save() }
            #expect(c.objectID.isTemporaryID && context.hasChanges)
            try expectEqual(stack.state(), "a b, T: a b")
            try context.save()
            try expectEqual(context.names("Person"), ["a2", "c"])
        }
        guard kind.has(.reopening) else { return }
        let again = try world.open()
        try again.run { (context) throws in try expectEqual(again.state(), "a2 c, T: a2 c") }
    }

    @Test(arguments: StoreKind.allCases) func batchRequestsAreRefusedByStoresWithoutTables(kind: StoreKind) throws {
        let stack = try StoreWorld(kind).open()
        try stack.fill()
        try stack.run { (context) throws in
            let request = NSBatchUpdateRequest(entityName: "Person")
            request.propertiesToUpdate = ["age": 5]
            let remove = NSBatchDeleteRequest(
                fetchRequest: NSFetchRequest<any NSFetchRequestResult>(entityName: "Person")
            )
            let insert = NSBatchInsertRequest(entityName: "Person", objects: [["name": "x"]])
            guard !kind.has(.batches) else {
                _ = try context.execute(request)
                return
            }
            for request in [request, remove, insert] as [NSPersistentStoreRequest] {
                let error = #expect(throws: NSError.self) { () throws in try context.execute(request) }
                expectEqual(error?.code, NSPersistentStoreUnsupportedRequestTypeError)
            }
        }
    }

    @Test(arguments: StoreKind.allCases) func constraintsHoldIfTheKindOfStoreHasThem(kind: StoreKind) throws {
        let stack = try StoreWorld(kind, model: StoreModel.make(isConstrained: true)).open()
        try stack.run { (context) throws in
            context.make("Person", ["name": "a"])
            try context.save()
            context.make("Person", ["name": "a"])
            guard kind.has(.constraints) else { return try context.save() }
            let error = #expect(throws: NSError.self) { () throws in try context.save() }
            expectEqual(error?.code, NSManagedObjectConstraintMergeError)
            context.rollback()
        }
    }
}
