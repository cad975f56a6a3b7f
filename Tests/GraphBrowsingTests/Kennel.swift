// A kennel: the model and the rows that tests of the browser use.
import Foundation
import GraphBrowsing
import GraphSupport
import ManagedGraph

/// A store in a folder of its own, with a coordinator and a session.
final class Kennel {
    let folder: URL
    let store: URL
    let coordinator: NSPersistentStoreCoordinator
    let session: BrowsingSession

    /// Creates the store with three owners and five pets.
    init(type: String = NSSQLiteStoreType, isWritable: Bool = true) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "kennel-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        store = folder.appending(path: "Kennel.sqlite")
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
        try coordinator.addPersistentStore(
            ofType: type,
            configurationName: nil,
            at: type == NSInMemoryStoreType ? nil : store,
            options: nil
        )
        let context = coordinator.makeContext()
        try context.performAndWait { () throws in
            let ada = context.make("Owner", ["name": "Ada", "born": Date(timeIntervalSinceReferenceDate: 0.5)])
            let bob = context.make("Owner", ["name": "Bob", "photo": Data([0x89, 0x50, 0x4E, 0x47, 1, 2, 3])])
            context.make("Owner", ["name": "Cleo", "links": ["a", "b"] as NSArray])
            let pets: [(String, NSManagedObject?, Double)] = [
                ("Ace", ada, 12.5), ("Bella", ada, 3), ("Cody", bob, 20), ("Duke", nil, 7.25),
            ]
            for (name, owner, weight) in pets {
                let pet = context.make("Pet", ["name": name, "weight": weight, "isTame": weight < 10])
                pet.setValue(owner, forKey: "owner")
            }
            let dog = context.make("Dog", ["name": "Echo", "weight": 30.0, "breed": "Collie"])
            dog.setValue(bob, forKey: "owner")
            let vet = context.make("Vet", ["name": "Dr. Fox"])
            vet.setValue(dog, forKey: "favourite")
            try context.save()
        }
        session = BrowsingSession(coordinator, isWritable: isWritable)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// The name of the object of an entity with a name.
    func id(_ entity: String, _ name: String) async throws -> String {
        let window = try await session.window(
            RowRequest(entity: entity, predicate: "name == \"\(name)\"", columns: ["name"])
        )
        guard let row = window.rows.first else { throw Missing(name: name) }
        return row.id
    }

    struct Missing: Error {
        let name: String
    }

    /// Changes objects as another writer does.
    func elsewhere(_ change: (NSManagedObjectContext) throws -> Void) throws {
        let context = coordinator.makeContext()
        try context.performAndWait { () throws in
            try change(context)
            try context.save()
        }
    }

    static func model() -> NSManagedObjectModel {
        let owner = NSEntityDescription(
            "Owner",
            [
                NSAttributeDescription("name", optional: false), NSAttributeDescription("born", .dateAttributeType),
                NSAttributeDescription("photo", .binaryDataAttributeType),
                NSAttributeDescription("links", .transformableAttributeType),
            ]
        )
        owner.uniquenessConstraints = [["name"]]
        let pet = NSEntityDescription(
            "Pet",
            [
                NSAttributeDescription("name", optional: false),
                NSAttributeDescription("weight", .doubleAttributeType),
                NSAttributeDescription("isTame", .booleanAttributeType),
                NSAttributeDescription("number", .integer16AttributeType),
            ]
        )
        let dog = NSEntityDescription("Dog", [NSAttributeDescription("breed")])
        pet.subentities = [dog]
        owner.relate("pets", toMany: true, to: pet, "owner", rule: .cascadeDeleteRule)
        let vet = NSEntityDescription("Vet", [NSAttributeDescription("name")])
        vet.properties.append(NSRelationshipDescription("favourite", to: pet))
        vet.relate("patients", toMany: true, to: pet, "vets", inverseToMany: true, rule: .denyDeleteRule)
        return NSManagedObjectModel([owner, pet, dog, vet])
    }
}

extension RowWindow {
    /// The texts of a column.
    func texts(_ column: String) -> [String?] {
        guard let place = columns.firstIndex(where: { $0.name == column }) else { return [] }
        return rows.map {
            $0.cells[place].text ?? $0.cells[place].object?.title ?? $0.cells[place].count.map { "\($0)" }
        }
    }
}
