// Tests the framework's calls to a store's class: their order and arguments.
import ExpectationSupport
import Foundation
import ManagedGraph
import Testing

struct CallOrder {
    private func open<Store>(_ type: String, _ storeClass: Store.Type) throws -> (StoreStack, Store) {
        NSPersistentStoreCoordinator.registerStoreClass(storeClass as? AnyClass, forStoreType: type)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: StoreModel.make())
        let place = FileManager.default.temporaryDirectory.appending(path: "mg-\(UUID().uuidString)")
        let store = try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: place)
        return (StoreStack(coordinator), try #require(store as? Store))
    }

    @Test func anAtomicStoreIsCalledInOrder() throws {
        let (stack, store) = try open("Noting", NotingStore.self)
        try stack.run { context in
            let a = context.make("Person", ["name": "a"])
            try context.save()
            a.setValue("b", forKey: "name")
            try context.save()
            context.delete(a)
            try context.save()
        }
        try stack.coordinator.remove(store)
        expectEqual(
            store.calls,
            [
                "load", "added", "reference", "new a", "update a", "save 1", "update b", "save 1", "remove [\"a\"]",
                "save 0",
                "removed",
            ]
        )
    }

    @Test func anIncrementalStoreGetsTheRequests() throws {
        let (stack, store) = try open("Requests", RequestStore.self)
        expectEqual(store.identifier, "6EA1A6BB-BF2A-4FBF-8AD5-2C0504CFBBE6")
        let uri = try stack.run { context -> URL in
            let a = context.make("Tag", ["name": "a"])
            try context.save()
            a.setValue("b", forKey: "name")
            try context.save()
            context.detectConflicts(for: a)
            context.make("Tag", ["name": "c"])
            try context.save()
            context.refresh(a, mergeChanges: false)
            _ = a.names("people")
            return a.objectID.uriRepresentation()
        }
        expectEqual(uri.absoluteString, "x-coredata://6EA1A6BB-BF2A-4FBF-8AD5-2C0504CFBBE6/Tag/p7")
        stack.coordinator.setMetadata(["x": 1], for: store)
        try stack.run { context in try context.save() }
        expectEqual(
            store.requests,
            [
                "identifiers 1", "save 1 0 0 nil", "save 0 1 0 nil", "identifiers 1", "save 1 0 0 1", "values",
                "people",
                "save nil nil nil nil",
            ]
        )
        let error = #expect(throws: NSError.self) { () throws in
            _ = try stack.run { context in try context.names("Team") }
        }
        expectEqual(store.requests.last, "fetch Team")
        expectEqual(error?.code, NSPersistentStoreOperationError)
    }

    @Test func anErrorOfAnIncrementalStoreKeepsItsType() throws {
        let (stack, store) = try open("Requests", RequestStore.self)
        try stack.run { (context) throws in
            context.make("Tag", ["name": "a"])
            store.refusal = .offline
            #expect(throws: RequestStore.Refusal.offline) { () throws in try context.save() }
            #expect(throws: RequestStore.Refusal.offline) { () throws in _ = try context.names("Team") }
            #expect(context.hasChanges)
        }
    }

    @Test func optionsHaveApplesTexts() {
        let texts = [
            NSXMLStoreType: "XML", NSBinaryStoreType: "Binary", NSInMemoryStoreType: "InMemory",
            NSValidateXMLStoreOption: "NSValidateXMLStoreOption",
            NSPersistentStoreForceDestroyOption: "NSPersistentStoreForceDestroyOption",
            NSPersistentStoreConnectionPoolMaxSizeKey: "NSPersistentStoreConnectionPoolMaxSize",
            NSPersistentStoreFileProtectionKey: "NSPersistentStoreFileProtectionKey",
            NSBinaryStoreSecureDecodingClasses: "NSBinaryStoreSecureDecodingClasses",
            NSBinaryStoreInsecureDecodingCompatibilityOption: "NSBinaryStoreInsecureDecodingCompatibilityOption",
            NSPersistentStoreOSCompatibility: "NSPersistentStoreOSCompatibility",
        ]
        for (text, expected) in texts { expectEqual(text, expected) }
        expectEqual(NSPersistentStore.StoreType.xml.rawValue, NSXMLStoreType)
        expectEqual(NSPersistentStore.StoreType.binary.rawValue, NSBinaryStoreType)
    }
}
