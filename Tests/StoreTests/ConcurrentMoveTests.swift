// Tests moves, removals and other changes of whole stores while other threads use them.
import ExpectationSupport
import Foundation
import GraphSupport
import ManagedGraph
import Synchronization
import Testing

struct ConcurrentMoves {
    init() {
        NSPersistentStoreCoordinator.registerStoreClass(SteppingStore.self, forStoreType: SteppingStore.storeType)
        NSPersistentStoreCoordinator.registerStoreClass(SteppingService.self, forStoreType: SteppingService.storeType)
    }

    @Test func aSaveThatWaitsForAnotherOneLetsItPassBeforeAMove() throws {
        let world = try StoreWorld(.sqlite)
        let stack = try world.open()
        let coordinator = stack.coordinator
        let (began, other) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let outcomes = Mutex<[Bool]>([])
        let handler = StepHandler { step in
            guard step == "save" else { return }
            began.signal()
            let isInTime = other.wait(timeout: .now() + 20) == .success
            outcomes.withLock { $0.append(isInTime) }
        }
        let stepping = try coordinator.addPersistentStore(
            ofType: SteppingStore.storeType,
            configurationName: nil,
            at: world.folder.appending(path: "Stepping"),
            options: [StepHandler.key: handler]
        )
        let (first, second) = (stack.another(), stack.another())
        first.performAndWait { first.assign(first.make("Tag", ["name": "first"]), to: stepping) }
        let work = DispatchGroup()
        work.enter()
        Thread.detachNewThread {
            do { try first.performAndWait { () throws in try first.save() } } catch { Issue.record(error) }
            work.leave()
        }
        expectEqual(began.wait(timeout: .now() + 20), .success)
        let place = world.folder.appending(path: "Moved.sqlite")
        work.enter()
        Thread.detachNewThread {
            do {
                let old = coordinator.persistentStores[0]
                _ = try coordinator.migratePersistentStore(old, to: place, type: .sqlite)
            } catch {
                Issue.record(error)
            }
            work.leave()
        }
        // The move waits for the first save by now.
        usleep(200_000)
        try second.performAndWait { () throws in
            second.make("Tag", ["name": "second"])
            try second.save()
        }
        other.signal()
        work.wait()
        expectEqual(outcomes.withLock { $0 }, [true])
        expectEqual(coordinator.persistentStores.compactMap(\.url?.lastPathComponent), ["Moved.sqlite", "Stepping"])
        let reader = stack.another()
        try reader.performAndWait { () throws in try expectEqual(reader.names("Tag"), ["first", "second"]) }
    }

    @Test(arguments: [("Stepping", ["node", "save"]), ("SteppingService", ["identifiers", "save"])])
    func readersSeeTheOldStoreUntilTheNewOneIsFull(type: String, steps: [String]) throws {
        let world = try StoreWorld(.sqlite)
        let stack = try world.open()
        try stack.fill()
        let coordinator = stack.coordinator
        let seen = Mutex<[String: Set<[String]>]>([:])
        let handler = StepHandler { [weak coordinator] step in
            guard let reader = coordinator?.makeContext() else { return }
            reader.performAndWait {
                do {
                    let names = try reader.names("Team")
                    seen.withLock { _ = $0[step, default: []].insert(names) }
                } catch {
                    Issue.record(error)
                }
            }
        }
        let new = try coordinator.migratePersistentStore(
            stack.store,
            to: world.folder.appending(path: "New"),
            options: [StepHandler.key: handler],
            withType: type
        )
        expectEqual(coordinator.persistentStores, [new])
        let seenNames = seen.withLock { $0 }
        for step in steps { expectEqual(seenNames[step], [["blue", "red"]]) }
    }

    /// An observer acts between the check of the store and its removal, as another thread may.
    @Test func aStoreThatIsMovedWhileAnotherThreadRemovesItStaysInTheCoordinator() throws {
        let world = try StoreWorld(.sqlite)
        let stack = try world.open()
        try stack.fill()
        let (coordinator, old) = (stack.coordinator, stack.store)
        let place = world.folder.appending(path: "Moved.sqlite")
        let isMoving = Mutex(false)
        let observer = NotificationCenter.default.addObserver(
            forName: .NSPersistentStoreCoordinatorWillRemoveStore,
            object: old,
            queue: nil
        ) { [weak coordinator] _ in
            let isFirst = isMoving.withLock { isMoving in
                defer { isMoving = true }
                return !isMoving
            }
            guard isFirst, let coordinator else { return }
            do {
                let store = coordinator.persistentStores[0]
                _ = try coordinator.migratePersistentStore(store, to: place, type: .sqlite)
            } catch {
                Issue.record(error)
            }
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        var error = #expect(throws: NSError.self) { () throws in try coordinator.remove(old) }
        expectEqual(error?.code, NSCoreDataError)
        expectEqual(coordinator.persistentStores.map(\.url), [place])
        error = #expect(throws: NSError.self) { () throws in
            let another = world.folder.appending(path: "Another.sqlite")
            _ = try coordinator.migratePersistentStore(old, to: another, type: .sqlite)
        }
        expectEqual(error?.code, NSCoreDataError)
        let reader = stack.another()
        try reader.performAndWait { () throws in try expectEqual(reader.names("Team"), ["blue", "red"]) }
    }

    @Test func anObserverOfAMoveMayWaitForAStoreThatAnotherThreadAdds() throws {
        let world = try StoreWorld(.sqlite)
        let stack = try world.open()
        let (coordinator, old) = (stack.coordinator, stack.store)
        let isAdded = Mutex(false)
        let observer = NotificationCenter.default.addObserver(
            forName: .NSPersistentStoreCoordinatorWillRemoveStore,
            object: old,
            queue: nil
        ) { [weak coordinator] _ in
            guard let coordinator else { return }
            let added = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                do {
                    try coordinator.addPersistentStore(type: .inMemory, at: URL(filePath: "/dev/null"))
                } catch {
                    Issue.record(error)
                }
                added.signal()
            }
            let isInTime = added.wait(timeout: .now() + 20) == .success
            isAdded.withLock { $0 = isInTime }
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        let place = world.folder.appending(path: "Moved.sqlite")
        _ = try coordinator.migratePersistentStore(old, to: place, type: .sqlite)
        #expect(isAdded.withLock { $0 })
    }

    @Test func aSaveInProgressWritesAllObjectsOfAStoreThatAnotherThreadRemoves() throws {
        let world = try StoreWorld(.inMemory)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: world.model)
        let removal = DispatchGroup()
        let handler = StepHandler { [weak coordinator] step in
            guard step == "save", let coordinator else { return }
            removal.enter()
            Thread.detachNewThread {
                do { try coordinator.remove(coordinator.persistentStores[0]) } catch { Issue.record(error) }
                removal.leave()
            }
            // The removal waits for the save by now.
            usleep(300_000)
        }
        let added = try coordinator.addPersistentStore(
            ofType: SteppingStore.storeType,
            configurationName: nil,
            at: world.folder.appending(path: "Stepping"),
            options: [StepHandler.key: handler]
        )
        let store = try #require(added as? SteppingStore)
        let context = coordinator.makeContext()
        try context.performAndWait { () throws in
            for name in ["a", "b"] { context.make("Tag", ["name": name]) }
            try context.save()
        }
        removal.wait()
        expectEqual(store.savedCounts, [2])
        expectEqual(coordinator.persistentStores, [])
    }

    @Test func aStoreThatIsDestroyedDuringASaveLeavesNoFile() throws {
        let world = try StoreWorld(.inMemory)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: world.model)
        let place = world.folder.appending(path: "Stepping")
        let saves = Mutex(0)
        let destruction = DispatchGroup()
        let handler = StepHandler { [weak coordinator] step in
            guard step == "save", let coordinator else { return }
            let number = saves.withLock { saves in
                saves += 1
                return saves
            }
            // The first save makes the file.
            guard number == 2 else { return }
            destruction.enter()
            Thread.detachNewThread {
                do {
                    try coordinator.destroyPersistentStore(at: place, ofType: SteppingStore.storeType)
                } catch {
                    Issue.record(error)
                }
                destruction.leave()
            }
            // The destruction waits for the save by now.
            usleep(300_000)
        }
        try coordinator.addPersistentStore(
            ofType: SteppingStore.storeType,
            configurationName: nil,
            at: place,
            options: [StepHandler.key: handler]
        )
        let context = coordinator.makeContext()
        try context.performAndWait { () throws in
            for name in ["a", "b"] {
                context.make("Tag", ["name": name])
                try context.save()
            }
        }
        destruction.wait()
        expectEqual(coordinator.persistentStores, [])
        #expect(!FileManager.default.fileExists(atPath: place.path))
    }

    static var movedKinds: [StoreKind] {
        [.sqlite, .inMemory, .xml] + StoreKind.allCases.filter { $0 == .postgreSQL }
    }

    /// The first store of the fetch acts while the second one is found and not read yet, as another thread may.
    @Test(arguments: movedKinds) func aFetchReadsAStoreThatIsMovedMeanwhile(kind: StoreKind)
        throws
    {
        let world = try StoreWorld(kind)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: world.model)
        let place = world.folder.appending(path: "Moved.sqlite")
        let isMoving = Mutex(false)
        let handler = StepHandler { [weak coordinator] step in
            guard step == "fetch", let coordinator else { return }
            let isFirst = isMoving.withLock { isMoving in
                defer { isMoving = true }
                return !isMoving
            }
            guard isFirst else { return }
            do {
                let old = coordinator.persistentStores[1]
                _ = try coordinator.migratePersistentStore(old, to: place, type: .sqlite)
            } catch {
                Issue.record(error)
            }
        }
        try coordinator.addPersistentStore(
            ofType: SteppingService.storeType,
            configurationName: nil,
            at: world.folder.appending(path: "service"),
            options: [StepHandler.key: handler]
        )
        let old = try coordinator.addPersistentStore(
            ofType: kind.type,
            configurationName: nil,
            at: world.url,
            options: kind.options
        )
        let writer = coordinator.makeContext()
        try writer.performAndWait { () throws in
            writer.assign(writer.make("Team", ["name": "red"]), to: old)
            try writer.save()
        }
        let reader = coordinator.makeContext()
        // The second fetch finds the new store, in which the first one has not read.
        for _ in 0..<2 {
            try reader.performAndWait { () throws in try expectEqual(reader.names("Team"), ["red"]) }
        }
        expectEqual(coordinator.persistentStores[1].url, place)
    }

    @Test(arguments: [StoreKind.xml, .binary]) func savesAreKeptWhileTheMetadataOfTheFileAreSet(kind: StoreKind) throws
    {
        let world = try StoreWorld(kind)
        _ = try world.open()
        let isDone = Mutex(false)
        let setting = DispatchGroup()
        let (place, type) = (world.url, kind.type)
        setting.enter()
        Thread.detachNewThread {
            var number = 0
            while !isDone.withLock({ $0 }) {
                do {
                    try NSPersistentStoreCoordinator.setMetadata(
                        ["number": number],
                        forPersistentStoreOfType: type,
                        at: place
                    )
                } catch {
                    Issue.record(error)
                }
                number += 1
                // Saves between two of these succeed.
                usleep(20_000)
            }
            setting.leave()
        }
        var saved: [String] = []
        for number in 0..<100 {
            let stack = try world.open()
            let name = "n\(number)"
            do {
                try stack.run { context in
                    context.make("Tag", ["name": name])
                    try context.save()
                }
                saved.append(name)
            } catch let error as NSError where error.code == NSPersistentStoreSaveError {
                // The metadata were set since the store was opened.
            }
        }
        isDone.withLock { $0 = true }
        setting.wait()
        try expectEqual(world.open().run { context in try context.names("Tag") }, saved.sorted())
    }

    @Test(arguments: ["Stepping", "SteppingService"])
    func metadataThatAreSetDuringASaveAreWrittenByTheNextOne(type: String) throws {
        let world = try StoreWorld(.inMemory)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: world.model)
        let saves = Mutex(0)
        let handler = StepHandler { [weak coordinator] step in
            guard step == "save", let coordinator else { return }
            let number = saves.withLock { saves in
                saves += 1
                return saves
            }
            guard number == 1 else { return }
            coordinator.setMetadata(["note": "x"], for: coordinator.persistentStores[0])
        }
        try coordinator.addPersistentStore(
            ofType: type,
            configurationName: nil,
            at: world.folder.appending(path: "Stepping"),
            options: [StepHandler.key: handler]
        )
        let context = coordinator.makeContext()
        try context.performAndWait { () throws in
            context.make("Tag", ["name": "a"])
            for expected in [1, 2, 2] {
                try context.save()
                expectEqual(saves.withLock { $0 }, expected)
            }
        }
    }
}
