// Tests models whose inverses do not point back, as in shipped apps: they are used in the declared direction.
import CollectionSupport
import ExpectationSupport
import Foundation
import GraphModelFiles
import GraphSupport
import ManagedGraph
import Testing

struct OneSidedInverseTests {
    private func model(_ body: String) throws -> NSManagedObjectModel {
        try NSManagedObjectModel(
            ModelFile.readModel(contents: Data("<model>\(body)</model>".utf8), file: "Test.xcdatamodel/contents")
        )
    }

    private func withStore(_ model: NSManagedObjectModel, _ body: (NSManagedObjectContext) throws -> Void) throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "one-sided-\(UUID().uuidString).sqlite")
        defer { for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: url.path + suffix) } }
        try model.withStore(at: url, body)
    }

    private func insert(_ name: String, _ context: NSManagedObjectContext) -> NSManagedObject {
        NSEntityDescription.insertNewObject(forEntityName: name, into: context)
    }

    @Test func aToManyWhoseInverseNamesNoneKeepsItsMembersInMemoryAndInTheStore() throws {
        let model = try model(
            """
            <entity name="Album"><relationship name="songs" optional="YES" toMany="YES" destinationEntity="Song"
                inverseName="album"/></entity>
            <entity name="Song"><relationship name="album" optional="YES" maxCount="1" destinationEntity="Album"/></entity>
            """
        )
        try withStore(model) { context in
            let (album, one, other) = (insert("Album", context), insert("Song", context), insert("Song", context))
            album.mutableSetValue(forKey: "songs").add(one)
            album.mutableSetValue(forKey: "songs").add(other)
            expectEqual((album.value(forKey: "songs") as? Set<NSManagedObject>)?.count, 2)
            #expect(one.value(forKey: "album") as? NSManagedObject === album)
            album.mutableSetValue(forKey: "songs").remove(other)
            expectEqual((album.value(forKey: "songs") as? Set<NSManagedObject>), [one])
            expectNil(other.value(forKey: "album"))
            try context.save()
            context.reset()
            let albums = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Album"))
            let songs = try #require(albums.first?.value(forKey: "songs") as? Set<NSManagedObject>)
            expectEqual(songs.count, 1)
            #expect(songs.first?.value(forKey: "album") as? NSManagedObject === albums.first)
        }
    }

    @Test func aToOneWhoseInverseNamesAnotherIsSavedAndReadBack() throws {
        let model = try model(
            """
            <entity name="Image">
                <relationship name="artist" optional="YES" maxCount="1" destinationEntity="Artist" inverseName="thumbnail"/>
                <relationship name="thumbnail" optional="YES" maxCount="1" destinationEntity="Artist"
                    inverseName="thumbnail"/>
            </entity>
            <entity name="Artist"><relationship name="thumbnail" optional="YES" maxCount="1" destinationEntity="Image"
                inverseName="thumbnail"/></entity>
            """
        )
        try withStore(model) { context in
            let (image, artist) = (insert("Image", context), insert("Artist", context))
            image.setValue(artist, forKey: "artist")
            try context.save()
            context.reset()
            let images = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Image"))
            expectEqual((images.first?.value(forKey: "artist") as? NSManagedObject)?.entity.name, "Artist")
        }
    }

    @Test func inversesThatLeadElsewhereOrShareNoRowsAreNone() throws {
        let model = try model(
            """
            <entity name="A"><relationship name="r" optional="YES" toMany="YES" destinationEntity="B" inverseName="back"/>
                <relationship name="s" optional="YES" toMany="YES" destinationEntity="B" inverseName="t"/>
                <relationship name="u" optional="YES" toMany="YES" destinationEntity="B" inverseName="t"/></entity>
            <entity name="B"><relationship name="back" optional="YES" maxCount="1" destinationEntity="C" inverseName="r"/>
                <relationship name="t" optional="YES" toMany="YES" destinationEntity="A" inverseName="s"/></entity>
            <entity name="C"><relationship name="r" optional="YES" toMany="YES" destinationEntity="B" inverseName="back"/>
            </entity>
            """
        )
        try withStore(model) { context in
            let (a, b, c) = (insert("A", context), insert("B", context), insert("C", context))
            for key in ["r", "s", "u"] { a.mutableSetValue(forKey: key).add(b) }
            expectNil(b.value(forKey: "back"))
            b.setValue(c, forKey: "back")
            try context.save()
            context.reset()
            let object = try #require(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "A")).first)
            for key in ["r", "s", "u"] {
                expectEqual((object.value(forKey: key) as? Set<NSManagedObject>)?.count, 1, "\(key)")
            }
            let target = try #require(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "B")).first)
            expectEqual((target.value(forKey: "t") as? Set<NSManagedObject>), [object])
            expectEqual((target.value(forKey: "back") as? NSManagedObject)?.entity.name, "C")
        }
    }

    @Test func aFetchedPropertyWithoutARequestIsEmpty() throws {
        let model = try model("<entity name=\"A\"><fetchedProperty name=\"f\"/></entity>")
        expectNil((model.entities.first?.propertiesByName["f"] as? NSFetchedPropertyDescription)?.fetchRequest)
        try withStore(model) { context in
            let object = insert("A", context)
            try context.save()
            expectEqual((object.value(forKey: "f") as? [NSManagedObject])?.isEmpty, true)
        }
    }

    /// A store, and the versions of its model.
    struct Pair: CustomTestStringConvertible {
        let store: CollectedFile
        let model: CollectedFile
        var testDescription: String { store.name }
    }

    static let pairs =
        [
            Pair(
                store: Collections.fixtures.file("Gallery.sqlite"),
                model: Collections.fixtures.file("Gallery.xcdatamodeld")
            )
        ]
        + [Collections.publishedLater].compactMap(\.self).map { collection in
            let stores = "stores/artsy+energy-legacy/ArtsyFolio Tests/Migrations"
            return Pair(
                store: collection.file("\(stores)/ArtsyPartner_1.3.sqlite"),
                model: collection.file("models/artsy+energy-legacy/Resources/CoreData/ArtsyPartner.xcdatamodeld")
            )
        }

    @Test(arguments: pairs) func aStoreWithSuchAModelHasTheHashesThatItsVersionHas(pair: Pair) throws {
        let copy = try pair.store.copy()
        defer { try? FileManager.default.removeItem(at: copy.deletingLastPathComponent()) }
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: copy)
        let hashes = try #require(metadata[NSStoreModelVersionHashesKey] as? [String: Data])
        var file = try ModelFile.readVersionedModel(at: pair.model.url).versions
        let fitting = try #require(file.firstIndex { $0.model.versionHashes() == hashes })
        #expect(file[fitting].findings.contains { $0.kind == .inverseDoesNotPointBack })
        for index in file[fitting].model.entities.indices { file[fitting].model.entities[index].className = nil }
        let model = try NSManagedObjectModel(file[fitting].model)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        _ = try coordinator.addPersistentStore(type: .sqlite, at: copy)
        let context = coordinator.makeContext()
        try context.performAndWait {
            var objects = 0
            for entity in model.entities where !entity.isAbstract {
                let name = try #require(entity.name)
                for object in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: name)) {
                    for key in entity.relationshipsByName.keys { _ = object.value(forKey: key) }
                    objects += 1
                }
            }
            #expect(objects > 0)
        }
    }
}
