// Tests stores of a program's own classes as applications use them: without a location, with requests of any type.
import ExpectationSupport
import Foundation
import GraphSupport
import ManagedGraph
import Testing

struct ServiceStores {
    private func open(_ type: String) throws -> (StoreStack, ServiceStore) {
        NSPersistentStoreCoordinator.registerStoreClass(ServiceStore.self, forStoreType: type)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: StoreModel.make())
        let store = try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: nil)
        return (StoreStack(coordinator), try #require(store as? ServiceStore))
    }

    @Test func aStoreOfAnOwnClassNeedsNoLocation() throws {
        let (stack, store) = try open("ServiceWithoutPlace")
        expectNil(store.url)
        expectNil(store.locationAtStart)
        expectEqual(store.identifier, ServiceStore.identifier)
        // A second one is not the same store.
        _ = try stack.coordinator.addPersistentStore(ofType: "ServiceWithoutPlace", configurationName: nil, at: nil)
        expectEqual(stack.coordinator.persistentStores.count, 2)
        for type in [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType] {
            let error = #expect(throws: NSError.self) { () throws in
                try stack.coordinator.addPersistentStore(ofType: type, configurationName: nil, at: nil)
            }
            expectEqual(error?.code, NSPersistentStoreOpenError)
        }
    }

    @Test func aStoreHasTheTypeThatItWasAddedAs() throws {
        let (stack, store) = try open("ServiceByName")
        expectEqual(store.type, "ServiceByName")
        expectEqual(stack.coordinator.metadata(for: store)[NSStoreTypeKey] as? String, "ServiceByName")
    }

    @Test func requestsOfEveryTypeReachTheStoreWithTheirEntity() throws {
        let (stack, store) = try open("ServiceOfRequests")
        try stack.run { context in
            let objects = NSFetchRequest<NSManagedObject>(entityName: "Team")
            objects.fetchLimit = 3
            try expectEqual(context.fetch(objects).map { $0.value(forKey: "name") as? String }, ["only Team"])
            // The caller's request has the entity from now on, and is as it was otherwise.
            expectEqual(objects.entity?.name, "Team")
            expectEqual(objects.fetchLimit, 3)
            let anything = NSFetchRequest<any NSFetchRequestResult>(entityName: "Tag")
            try expectEqual(context.fetch(anything).count, 1)
            let identifiers = NSFetchRequest<NSManagedObjectID>(entityName: "Room")
            identifiers.resultType = .managedObjectIDResultType
            try expectEqual(context.fetch(identifiers).map(\.entity.name), ["Room"])
            try expectEqual(context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Step")), 1)
            let described = NSFetchRequest<NSManagedObject>()
            described.entity = context.persistentStoreCoordinator?.managedObjectModel.entitiesByName["Team"]
            try expectEqual(context.fetch(described).count, 1)
        }
        expectEqual(store.fetches, ["Team 3", "Tag 0", "Room 0", "Step 0", "Team 0"])
    }

    @Test func onlySavesWithLockedObjectsHaveThem() throws {
        let (stack, store) = try open("ServiceOfSaves")
        try stack.run { context in
            let a = context.make("Tag", ["name": "a"])
            try context.save()
            context.make("Tag", ["name": "b"])
            context.detectConflicts(for: a)
            try context.save()
            expectEqual(store.locked, [nil, [a]])
        }
    }

    @Test func requestsAreCastWithAllThatTheySay() throws {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
        #expect(castFetchRequest(request, to: NSFetchRequest<NSManagedObject>.self) === request)
        request.predicate = NSPredicate(format: "name == 'a'")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: false)]
        (request.fetchLimit, request.fetchOffset, request.fetchBatchSize) = (1, 2, 3)
        request.resultType = .managedObjectIDResultType
        (request.includesSubentities, request.includesPendingChanges) = (false, false)
        request.propertiesToFetch = ["name"]
        request.relationshipKeyPathsForPrefetching = ["team"]
        let cast = try #require(castFetchRequest(request, to: NSFetchRequest<NSManagedObjectID>.self))
        expectEqual(cast.entityName, "Person")
        expectEqual(cast.predicate, request.predicate)
        expectEqual(cast.sortDescriptors, request.sortDescriptors)
        expectEqual([cast.fetchLimit, cast.fetchOffset, cast.fetchBatchSize], [1, 2, 3])
        expectEqual(cast.resultType, .managedObjectIDResultType)
        expectEqual([cast.includesSubentities, cast.includesPendingChanges], [false, false])
        expectEqual(cast.propertiesToFetch as? [String], ["name"])
        expectEqual(cast.relationshipKeyPathsForPrefetching, ["team"])
        let stored: NSPersistentStoreRequest = request
        #expect(castFetchRequest(stored, to: NSFetchRequest<any NSFetchRequestResult>.self) != nil)
        let save = NSSaveChangesRequest(inserted: nil, updated: nil, deleted: nil, locked: nil)
        expectNil(castFetchRequest(save, to: NSFetchRequest<NSManagedObject>.self))
        expectNil(castFetchRequest(nil, to: NSFetchRequest<NSManagedObject>.self))
    }
}
