// Windows of rows: any part of any number of rows, with cells in a form that a page can show.
import CollectionSupport
import ExpectationSupport
import Foundation
import GraphBrowsing
import GraphSupport
import ManagedGraph
import Testing

struct Windows {
    @Test func entitiesHaveTheirOwnCountAndThatOfSubentities() async throws {
        let entities = try await Kennel().session.entities()
        expectEqual(entities.map(\.name), ["Dog", "Owner", "Pet", "Vet"])
        expectEqual(entities.map(\.count), [1, 3, 4, 1])
        expectEqual(entities.map(\.total), [1, 3, 5, 1])
        expectEqual(entities[1].titleProperty, "name")
        expectEqual(
            entities[2].properties.map(\.name),
            ["name", "isTame", "number", "weight", "owner", "vets", "breed"]
        )
        expectEqual(entities[2].properties.last?.subentity, "Dog")
    }

    @Test(arguments: [NSSQLiteStoreType, NSInMemoryStoreType, NSXMLStoreType, NSBinaryStoreType])
    func aWindowIsAPartOfTheSortedRows(type: String) async throws {
        let kennel = try Kennel(type: type)
        let window = try await kennel.session.window(
            RowRequest(
                entity: "Pet",
                sort: ["-name"],
                columns: ["name", "weight", "owner", "isTame"],
                offset: 1,
                limit: 3
            )
        )
        expectEqual(window.total, 5)
        expectEqual(window.texts("name"), ["Duke", "Cody", "Bella"])
        expectEqual(window.texts("weight"), ["7.25", "20.0", "3.0"])
        expectEqual(window.texts("owner"), [nil, "Bob", "Ada"])
        expectEqual(window.texts("isTame"), ["true", "false", "true"])
        expectEqual(window.rows[0].cells[2].kind, .null)
        expectEqual(window.rows[1].cells[2].object?.entity, "Owner")
    }

    @Test func aPartBeyondTheFirstThousandComesFromAListOfKeys() async throws {
        let kennel = try Kennel()
        try kennel.elsewhere { context in
            for number in 0..<3_000 { context.make("Vet", ["name": String(format: "V%05d", number)]) }
        }
        for offset in [0, 990, 1_500, 2_995, 5_000] {
            let window = try await kennel.session.window(
                RowRequest(entity: "Vet", predicate: "name BEGINSWITH \"V\"", sort: ["name"], offset: offset, limit: 10)
            )
            expectEqual(window.total, 3_000)
            let expected = (offset..<offset + 10).filter { $0 < 3_000 }.map { String(format: "V%05d", $0) }
            expectEqual(window.texts("name"), expected)
        }
    }

    @Test func rowsFollowAnotherWriter() async throws {
        let kennel = try Kennel()
        let request = RowRequest(entity: "Vet", sort: ["name"], columns: ["name"])
        let before = try await kennel.session.window(request)
        try kennel.elsewhere { $0.make("Vet", ["name": "Anna"]) }
        let after = try await kennel.session.window(request)
        #expect(before.stamp != after.stamp)
        expectEqual(after.texts("name"), ["Anna", "Dr. Fox"])
    }

    @Test func aSaveRightAfterTheCallIsAmongTheStamps() async throws {
        let kennel = try Kennel()
        let before = kennel.session.stamp
        let stamps = kennel.session.stamps(every: .milliseconds(10))
        try kennel.elsewhere { $0.make("Vet", ["name": "Anna"]) }
        for await stamp in stamps {
            #expect(stamp != before)
            break
        }
    }

    @Test func cellsShowValuesInAReadableForm() async throws {
        let kennel = try Kennel()
        let window = try await kennel.session.window(RowRequest(entity: "Owner", sort: ["name"]))
        expectEqual(window.columns.map(\.name), ["name", "born", "links", "photo", "pets"])
        expectEqual(window.texts("born"), ["2001-01-01T00:00:00.500Z", nil, nil])
        expectEqual(window.texts("pets"), ["2", "2", "0"])
        let photo = window.rows[1].cells[3]
        expectEqual(photo.kind, .binary)
        expectEqual(photo.form, "PNG")
        expectEqual(photo.mediaType, "image/png")
        expectEqual(photo.count, 7)
        let links = window.rows[2].cells[2]
        expectEqual(links.kind, .transformable)
        expectEqual(links.text, "[a, b]")
    }

    @Test func anObjectWithoutItsFirstTitleIsRecognizedByAnotherText() async throws {
        let model = NSManagedObjectModel([
            NSEntityDescription(
                "Shelf",
                [
                    NSAttributeDescription("summary"), NSAttributeDescription("place"),
                    NSAttributeDescription("width", .floatAttributeType),
                ]
            )
        ])
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        let context = coordinator.makeContext()
        try context.performAndWait { () throws in
            context.make("Shelf", ["place": "Cellar", "width": Float(0.2)])
            try context.save()
        }
        let session = BrowsingSession(coordinator)
        let shelf = try #require(try await session.window(RowRequest(entity: "Shelf", columns: ["width"])).rows.first)
        expectEqual(shelf.cells[0].text, "0.2")
        #expect(try await session.object(shelf.id).link.title == "Cellar")
        #expect(try await session.entities().first?.titleProperty == "summary")
    }

    @Test func aColumnMayLeadThroughToOneRelationships() async throws {
        let session = try Kennel().session
        let window = try await session.window(
            RowRequest(entity: "Pet", sort: ["owner.name", "name"], columns: ["name", "owner.name"])
        )
        expectEqual(window.texts("owner.name"), [nil, "Ada", "Ada", "Bob", "Bob"])
        await #expect(throws: (any Error).self) {
            try await session.window(RowRequest(entity: "Owner", columns: ["pets.name"]))
        }
    }

    @Test func aRelationshipIsASeparateWindow() async throws {
        let kennel = try Kennel()
        let bob = try await kennel.id("Owner", "Bob")
        let owner = RowRequest.Owner(id: bob, relationship: "pets")
        let all = try await kennel.session.window(
            RowRequest(entity: "Pet", sort: ["name"], columns: ["name"], owner: owner)
        )
        expectEqual(all.texts("name"), ["Cody", "Echo"])
        let some = try await kennel.session.window(
            RowRequest(entity: "Pet", predicate: "weight > 25", columns: ["name"], owner: owner)
        )
        expectEqual(some.texts("name"), ["Echo"])
        let vet = try await kennel.id("Vet", "Dr. Fox")
        let favourite = try await kennel.session.window(
            RowRequest(entity: "Pet", columns: ["name"], owner: .init(id: vet, relationship: "favourite"))
        )
        expectEqual(favourite.texts("name"), ["Echo"])
    }

    @Test func anObjectIsShownAsAWholeWithTheObjectsThatReferToIt() async throws {
        let kennel = try Kennel()
        let details = try await kennel.session.object(kennel.id("Dog", "Echo"))
        expectEqual(details.link.entity, "Dog")
        expectEqual(details.fields.first { $0.property.name == "breed" }?.cell.text, "Collie")
        expectEqual(details.fields.first { $0.property.name == "owner" }?.cell.object?.title, "Bob")
        expectEqual(details.referrers.map { "\($0.entity).\($0.relationship) \($0.count)" }, ["Vet.favourite 1"])
        let vets = try await kennel.session.window(
            RowRequest(
                entity: "Vet",
                sort: ["name"],
                columns: ["name"],
                owner: .init(id: details.link.id, relationship: "Vet.favourite")
            )
        )
        expectEqual(vets.texts("name"), ["Dr. Fox"])
    }

    @Test func bytesOfABinaryAttributeAreReturnedWithTheirForm() async throws {
        let kennel = try Kennel()
        let photo = try await kennel.session.binary("photo", of: kennel.id("Owner", "Bob"))
        expectEqual(photo?.data.count, 7)
        expectEqual(photo?.mediaType, "image/png")
        let missing = try await kennel.session.binary("photo", of: kennel.id("Owner", "Ada"))
        expectNil(missing)
        // Bytes that unsaved edits have removed are not shown; those of other staged objects are.
        let staged = StagedEdits(kennel.session)
        let bob = try await kennel.id("Owner", "Bob")
        _ = try await staged.apply([StagedEdit(.set, object: bob, property: "name", text: "Robert")])
        let kept = try await kennel.session.binary("photo", of: bob, staged: staged)
        expectEqual(kept?.data.count, 7)
        _ = try await staged.apply([StagedEdit(.set, object: bob, property: "photo", text: nil)])
        let removed = try await kennel.session.binary("photo", of: bob, staged: staged)
        expectNil(removed)
    }

    @Test func theRowOfAnObjectIsFoundInAView() async throws {
        let kennel = try Kennel()
        let request = RowRequest(entity: "Pet", sort: ["name"])
        #expect(try await kennel.session.place(of: kennel.id("Pet", "Cody"), in: request) == 2)
        #expect(try await kennel.session.place(of: kennel.id("Owner", "Bob"), in: RowRequest(entity: "Vet")) == nil)
    }

    @Test func noRowsComeWithAPredicateThatWouldFit() async throws {
        let session = try Kennel().session
        let soft = try await session.window(RowRequest(entity: "Pet", predicate: "name == \"bell\""))
        expectEqual(soft.total, 0)
        expectEqual(soft.suggestion, "name CONTAINS[cd] \"bell\"")
        let any = try await session.window(RowRequest(entity: "Pet", predicate: "weight > 1000"))
        expectEqual(any.suggestion, "name == \"Ace\"")
    }

    @Test func everyFixtureStoreCanBeBrowsed() async throws {
        var count = 0
        for file in Collections.fixtures.files(.sqliteStore) {
            // A store without its model, or one that an application still writes, cannot be opened from a copy alone.
            let copy = try file.copy()
            defer { try? FileManager.default.removeItem(at: copy.deletingLastPathComponent()) }
            guard let session = try? BrowsingSession(store: copy) else { continue }
            count += 1
            for entity in try await session.entities() where entity.total ?? 0 > 0 {
                let window = try await session.window(RowRequest(entity: entity.name))
                expectEqual(window.total, entity.total)
                for row in window.rows {
                    let details = try await session.object(row.id)
                    expectEqual(details.link.id, row.id)
                }
            }
        }
        #expect(count > 0)
    }

    @Test func aFileIsReadFromASnapshotAndNothingIsWrittenBesideIt() async throws {
        let kennel = try Kennel()
        let request = RowRequest(entity: "Vet", sort: ["name"], columns: ["name"])
        func files() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: kennel.folder.path).sorted()
        }
        let before = try files()
        let session = try BrowsingSession(store: kennel.store)
        #expect(!session.isWritable)
        expectEqual(session.modelSource, "cache")
        let first = try await session.window(request)
        expectEqual(first.texts("name"), ["Dr. Fox"])
        #expect(!session.isOutdated)
        try kennel.elsewhere { $0.make("Vet", ["name": "Anna"]) }
        #expect(session.isOutdated)
        #expect(try await session.window(request).texts("name") == ["Dr. Fox"])
        let again = try session.reopened()
        #expect(again.stamp != session.stamp)
        #expect(try await again.window(request).texts("name") == ["Anna", "Dr. Fox"])
        try expectEqual(files(), before)
    }

    @Test(arguments: ["Ledger.xml", "Ledger.binary"])
    func storesOfOtherTypesAreBrowsedAndEdited(name: String) async throws {
        let fixtures = Collections.fixtures
        let copy = try fixtures.file(name).copy()
        defer { try? FileManager.default.removeItem(at: copy.deletingLastPathComponent()) }
        let session = try BrowsingSession(
            store: copy,
            model: fixtures.file("Ledger.xcdatamodel").url,
            isWritable: true
        )
        let request = RowRequest(entity: "Account", sort: ["-name"], columns: ["name", "entries"])
        let window = try await session.window(request)
        expectEqual(window.texts("name"), ["Cash", "Bank <&> \"Co\""])
        expectEqual(window.texts("entries"), ["3", "0"])
        let staged = StagedEdits(session)
        _ = try await staged.apply([StagedEdit(.set, object: window.rows[0].id, property: "name", text: "Till")])
        #expect(try await staged.save().isSaved)
        let again = try BrowsingSession(store: copy, model: fixtures.file("Ledger.xcdatamodel").url)
        #expect(try await again.window(request).texts("name") == ["Till", "Bank <&> \"Co\""])
    }
}
