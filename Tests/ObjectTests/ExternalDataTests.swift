// Binary values in external files: which values have one, the content of the row, and when files are created and
// deleted.
import ExpectationSupport
import Foundation
import GraphSQL
import GraphSQLite
import GraphSupport
import Testing

@testable import ManagedGraph
@testable import StackSupport

struct ExternalData {
    let things: Things

    init() throws { things = try Things() }

    private static let limit = 100 * 1024

    private func large(_ byte: UInt8) -> Data { Data(repeating: byte, count: 200_000) }

    @Test func largeValuesHaveFilesAndSmallOnesHaveNot() throws {
        let large = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        try things.make(["picture": large])
        for picture in try things.values("picture") { expectEqual(picture as? Data, large) }
        let name = try #require(things.files.first)
        expectEqual(things.files.count, 1)
        try expectEqual(
            things.stack.rows("SELECT ZPICTURE FROM ZTHING"),
            [[.blob(Data([2]) + Data(name.utf8) + Data([0]))]]
        )
        let small = Data([9, 8, 7])
        try things.stack.context.run { () throws in
            let objects = try things.stack.context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Thing"))
            objects.first?.setValue(small, forKey: "picture")
            try things.stack.context.save()
        }
        #expect(things.files.isEmpty)
        try expectEqual(things.stack.rows("SELECT ZPICTURE FROM ZTHING"), [[.blob(Data([1, 9, 8, 7]))]])
        for picture in try things.values("picture") { expectEqual(picture as? Data, small) }
    }

    @Test func largeTransformablesHaveFilesToo() throws {
        let album = ["pages": String(repeating: "page ", count: 50_000)]
        try things.make(["album": album])
        expectEqual(things.files.count, 1)
        for value in try things.values("album") { expectEqual(value as? [String: String], album) }
    }

    @Test func deletedObjectsTakeTheirFilesAlongAndFailedSavesLeaveNone() throws {
        try things.make(["picture": Data(repeating: 1, count: 200_000)])
        try things.stack.context.run { () throws in
            let thing = try #require(
                try things.stack.context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Thing")).first
            )
            let secondThing = NSManagedObject(entity: thing.entity, insertInto: things.stack.context)
            secondThing.setValue(Data(repeating: 2, count: 200_000), forKey: "picture")
            secondThing.setValue(5, forKey: "backwards")
            #expect(throws: NSError.self) { try things.stack.context.save() }
            expectEqual(things.files.count, 1)
            secondThing.setValue(nil, forKey: "backwards")
            try things.stack.context.save()
            expectEqual(things.files.count, 2)
            things.stack.context.delete(thing)
            try things.stack.context.save()
            expectEqual(things.files.count, 1)
            expectEqual((secondThing.value(forKey: "picture") as? Data)?.count, 200_000)
        }
    }

    @Test(arguments: [0, 1, limit - 1, limit, limit + 1])
    func aValueHasAFileAboveTheLimitOnly(count: Int) throws {
        let value = Data((0..<count).map { UInt8(truncatingIfNeeded: $0) })
        try things.make(["picture": value])
        expectEqual(things.files.count, (count > Self.limit ? 1 : 0))
        let first = try things.stack.rows("SELECT substr(ZPICTURE, 1, 1) FROM ZTHING")
        expectEqual(first, [[.blob(Data([count > Self.limit ? 2 : 1]))]])
        for picture in try things.values("picture") { expectEqual(picture as? Data, value) }
    }

    @Test func thereIsNoMarkerIfTheModelAllowsNoFile() throws {
        try things.make(["data": Data([2, 1])])
        try expectEqual(things.stack.rows("SELECT ZDATA FROM ZTHING"), [[.blob(Data([2, 1]))]])
    }

    // The value was written before the attribute allowed external files.
    @Test func valuesWithoutMarkerAreReadAsTheyAre() throws {
        try things.make(["picture": Data([5])])
        try things.stack.execute("UPDATE ZTHING SET ZPICTURE = x'ffd8ff'")
        let other = things.stack.otherContext()
        try other.run { () throws in
            try expectEqual(things.first(other).value(forKey: "picture") as? Data, Data([0xff, 0xd8, 0xff]))
        }
    }

    @Test func aReplacedValueLosesItsFileAndAnUnchangedOneKeepsIt() throws {
        try things.make(["picture": large(1), "text": "one"])
        let before = things.files
        let context = things.stack.context
        try context.run { () throws in
            let thing = try things.first(context)
            thing.setValue("two", forKey: "text")
            try context.save()
            expectEqual(things.files, before)
            thing.setValue(large(2), forKey: "picture")
            try context.save()
            expectEqual(things.files.count, 1)
            #expect(things.files != before)
            thing.setValue(nil, forKey: "picture")
            try context.save()
            #expect(things.files.isEmpty)
        }
    }

    @Test func rollbackAndConflictsLeaveTheFilesAsTheyWere() throws {
        try things.make(["picture": large(1)])
        let before = things.files
        let (context, other) = (things.stack.context, things.stack.otherContext())
        try other.run { () throws in
            let stale = try things.first(other)
            _ = stale.value(forKey: "text")
            try context.run { () throws in
                try things.first(context).setValue("newer", forKey: "text")
                try context.save()
            }
            stale.setValue(large(2), forKey: "picture")
            #expect(throws: NSError.self) { try other.save() }
            expectEqual(things.files, before)
            other.rollback()
            other.refreshAllObjects()
            try expectEqual(things.first(other).value(forKey: "picture") as? Data, large(1))
        }
    }

    // A context with an outdated row reads the current value instead of nil.
    @Test func aReaderOfAnOlderRowGetsTheNewValueIfTheOldFileIsGone() throws {
        for (value, expected) in [(large(2), large(2)), (Data([7]), Data([7])), (nil, nil)] as [(Data?, Data?)] {
            let things = try Things()
            try things.make(["picture": large(1)])
            let (context, other) = (things.stack.context, things.stack.otherContext())
            try other.run { () throws in
                let thing = try things.first(other)
                _ = thing.value(forKey: "text")
                try context.run { () throws in
                    try things.first(context).setValue(value, forKey: "picture")
                    try context.save()
                }
                expectEqual(thing.value(forKey: "picture") as? Data, expected)
            }
        }
    }

    @Test func storesInMemoryHaveNoFiles() throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Things.model)
        try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        let context = coordinator.makeContext()
        try context.run { () throws in
            let thing = try things.new([:], in: context)
            thing.setValue(large(1), forKey: "picture")
            try context.save()
            context.refresh(thing, mergeChanges: false)
            expectEqual(thing.value(forKey: "picture") as? Data, large(1))
        }
    }

    @Test func predicatesCompareWithTheContentOfTheFile() throws {
        try things.make(["picture": large(1)])
        try things.make(["picture": Data([1])])
        try things.make(["picture": nil])
        let other = things.stack.otherContext()
        try other.run { () throws in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
            request.predicate = NSPredicate(format: "picture == nil")
            try expectEqual(other.count(for: request), 1)
            for value in [large(1), Data([1])] {
                request.predicate = NSPredicate(format: "picture == %@", argumentArray: [value])
                try expectEqual(other.fetch(request).map { $0.value(forKey: "picture") as? Data }, [value])
            }
        }
    }

    @Test func filesThatAKilledProcessHasLeftAreRemovedWhenTheStoreIsOpenedForWriting() throws {
        try things.make(["picture": large(1)])
        let folder = things.stack.folder.appending(path: ".Tasks_SUPPORT/_EXTERNAL_DATA")
        let (kept, left) = (things.files, UUID().uuidString)
        for name in [left, "notes.txt"] { try Data([1]).write(to: folder.appending(path: name)) }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Things.model)
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType,
            configurationName: nil,
            at: things.stack.url,
            options: [NSReadOnlyPersistentStoreOption: true]
        )
        #expect(things.files.contains(left))
        _ = try Things(url: things.stack.url)
        // Files that do not belong to the store are left alone.
        expectEqual(Set(things.files), Set(kept + ["notes.txt"]))
    }

    @Test("A store that is opened with another version of its model keeps the files of all values")
    func filesOfAnotherVersion() throws {
        try things.make(["picture": large(1)])
        let entity = NSEntityDescription("Thing")
        let album = NSAttributeDescription("album", .binaryDataAttributeType)
        album.allowsExternalBinaryDataStorage = true
        entity.properties = [album]
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel([entity]))
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType,
            configurationName: nil,
            at: things.stack.url,
            options: [NSIgnorePersistentStoreVersioningOption: true]
        )
        try coordinator.remove(store)
        for picture in try things.values("picture") { expectEqual(picture as? Data, large(1)) }
    }

    // Apple's layout names the folder without the extension of the store.
    @Test func storesOfOneBaseNameKeepEachOthersFiles() throws {
        try things.make(["picture": large(1)])
        let other = things.stack.folder.appending(path: "Tasks.store")
        do {
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Things.model)
            let store = try coordinator.addPersistentStore(type: .sqlite, at: other)
            let context = coordinator.makeContext()
            try context.run { () throws in
                _ = try things.new(["picture": large(2)], in: context)
                try context.save()
            }
            try coordinator.remove(store)
        }
        expectEqual(things.files.count, 2)
        // Opening one for writing leaves the file of the other.
        for picture in try things.values("picture") { expectEqual(picture as? Data, large(1)) }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Things.model)
        let store = try coordinator.addPersistentStore(type: .sqlite, at: other)
        let context = coordinator.makeContext()
        try context.run { () throws in
            try expectEqual(things.first(context).value(forKey: "picture") as? Data, large(2))
        }
        try coordinator.remove(store)
        try coordinator.destroyPersistentStore(at: other, type: .sqlite)
        for picture in try things.values("picture") { expectEqual(picture as? Data, large(1)) }
    }

    @Test("A pipe with the base name of a store does not hold up its removal", .timeLimit(.minutes(1)))
    func pipeBesideTheStore() throws {
        try things.make(["picture": large(1)])
        let pipe = things.stack.folder.appending(path: "Tasks.pipe")
        try #require(mkfifo(pipe.path, 0o600) == 0)
        let coordinator = things.stack.coordinator
        try coordinator.remove(try #require(coordinator.persistentStores.first))
        try coordinator.destroyPersistentStore(at: things.stack.url, type: .sqlite)
        #expect(things.files.isEmpty)
    }

    // During another process's save, a file may exist before its row.
    @Test func filesOfASaveInProgressAreNotTakenForLeftovers() throws {
        try things.make(["picture": large(1)])
        let folder = things.stack.folder.appending(path: ".Tasks_SUPPORT/_EXTERNAL_DATA")
        let saving = try Connection(path: things.stack.url.path)
        try saving.begin(.immediate)
        let name = UUID().uuidString
        try Data([1]).write(to: folder.appending(path: name))
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Things.model)
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType,
            configurationName: nil,
            at: things.stack.url,
            options: [NSPersistentStoreTimeoutOption: 0.1]
        )
        #expect(things.files.contains(name))
        try saving.rollback()
    }

    @Test func anAttributeWithASpaceInItsNameMayHaveFiles() throws {
        let page = NSAttributeDescription("front page", .binaryDataAttributeType)
        page.allowsExternalBinaryDataStorage = true
        let model = NSManagedObjectModel([NSEntityDescription("Issue", [page])])
        let stack = try Stack(model: model)
        try stack.context.run { () throws in
            let issue = NSEntityDescription.insertNewObject(forEntityName: "Issue", into: stack.context)
            issue.setValue(large(1), forKey: "front page")
            try stack.context.save()
        }
        // Opening a store looks for files without rows.
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(type: .sqlite, at: stack.url)
        let context = coordinator.makeContext()
        try context.run { () throws in
            let issue = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Issue")).first
            expectEqual(issue?.value(forKey: "front page") as? Data, large(1))
        }
    }

    @Test func aPinnedContextReadsTheFileOfItsGeneration() throws {
        try things.make(["picture": large(1)])
        let context = things.stack.context
        let pinned = things.stack.otherContext()
        try pinned.performAndWait { () throws in
            try pinned.setQueryGenerationFrom(.current)
            try context.run { () throws in
                try things.first(context).setValue(large(2), forKey: "picture")
                try context.save()
            }
            try expectEqual(things.first(pinned).value(forKey: "picture") as? Data, large(1))
            expectEqual(things.files.count, 2)
            try pinned.setQueryGenerationFrom(nil)
        }
        try context.run { () throws in
            try things.first(context).setValue("x", forKey: "text")
            try context.save()
        }
        expectEqual(things.files.count, 1)
    }

    @Test("A copy has the large values of all its rows if a save takes place meanwhile")
    func copyDuringASave() throws {
        try things.make(["picture": large(1)])
        let url = things.stack.folder.appending(path: "Copy.sqlite")
        // The closure is called when the large values are copied, before the rows are.
        try SQLiteStore.copyFile(from: things.stack.url, to: url) { try things.make(["picture": large(2)]) }
        let copy = try Stack(model: Things.model, url: url)
        let pictures = try copy.context.performAndWait { () throws in
            try copy.context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Thing")).map {
                $0.value(forKey: "picture") as? Data
            }
        }
        expectEqual(pictures, [large(1)])
    }

    @Test func aCopyInMemoryLeavesTheFilesOfTheOriginalAlone() throws {
        try things.make(["picture": large(1)])
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Things.model)
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType,
            configurationName: nil,
            at: things.stack.url
        )
        _ = try coordinator.migratePersistentStore(
            store,
            to: things.stack.folder.appending(path: "copy"),
            options: nil,
            type: .inMemory
        )
        let context = coordinator.makeContext()
        try context.run { () throws in
            let thing = try things.first(context)
            expectEqual(thing.value(forKey: "picture") as? Data, large(1))
            try things.new([:], in: context).setValue(large(3), forKey: "picture")
            context.delete(thing)
            try context.save()
            try expectEqual(things.first(context).value(forKey: "picture") as? Data, large(3))
        }
        expectEqual(things.files.count, 1)
    }

    @Test func aCopyInMemoryKeepsItsLargeValuesWhenTheOriginalIsGone() throws {
        try things.make(["picture": large(1)])
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Things.model)
        let original = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType,
            configurationName: nil,
            at: things.stack.url
        )
        let copy = try coordinator.migratePersistentStore(
            original,
            to: things.stack.folder.appending(path: "copy"),
            options: nil,
            type: .inMemory
        )
        ExternalFiles.removeFolder(of: things.stack.url)
        #expect(things.files.isEmpty)
        let context = coordinator.makeContext()
        try context.run { () throws in
            try expectEqual(things.first(context).value(forKey: "picture") as? Data, large(1))
        }
        // A file that the copy is moved to later has them, too.
        let url = things.stack.folder.appending(path: "moved.sqlite")
        _ = try coordinator.migratePersistentStore(copy, to: url, options: nil, type: .sqlite)
        let reader = coordinator.makeContext()
        try reader.run { () throws in
            try expectEqual(things.first(reader).value(forKey: "picture") as? Data, large(1))
        }
    }
}
