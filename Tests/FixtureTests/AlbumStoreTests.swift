// Tests a SQLite store with large values in files of their own and a persistent history.
import ExpectationSupport
import Foundation
import GraphSQL
import GraphSQLite
import GraphSupport
import ManagedGraph
import ManagedGraphTools
import Testing

struct AlbumStoreTests {
    private static let objects = [
        "Album 1: name \"Sea\", photos [Photo 2, Photo 4, Photo 1]",
        "Album 2: name \"Best\", photos [Photo 1]",
        "Photo 1: albums {Album 1, Album 2}, image <iXNtYWxs>, taken @773064000.0, title \"Pier\"",
        "Photo 2: albums {Album 1}, image 2048 bytes, title \"Storm\"",
        "Photo 4: albums {Album 1}, title \"Plain\"",
    ]
    private static let image = "5C0FFEE0-0000-4000-8000-00000000CAFE"

    private func data(beside url: URL) throws -> [String] {
        let folder = url.deletingLastPathComponent().appending(path: ".Album_SUPPORT/_EXTERNAL_DATA")
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    private func history(_ context: NSManagedObjectContext) throws -> [NSPersistentHistoryTransaction] {
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
        request.resultType = .transactionsAndChanges
        let result = try context.execute(request) as? NSPersistentHistoryResult
        return try #require(result?.result as? [NSPersistentHistoryTransaction])
    }

    @Test func everyObjectIsReadWithValuesInFilesOfTheirOwn() throws {
        try Fixture.withCopy(of: "Album.sqlite") { url throws in
            try Fixture.model("Album.xcdatamodel").withStore(at: url) { context throws in
                try expectEqual(ObjectText.objects(in: context), Self.objects)
                let image = try context.object("Photo", 2).value(forKey: "image") as? Data
                expectEqual(image.map { [UInt8]($0) }, (0..<2048).map { UInt8($0 * $0 % 251) })
            }
            expectEqual(StoreChecker().check(url).problems, [])
            try expectEqual(data(beside: url), [Self.image])
        }
    }

    @Test func largeValuesAreWrittenIntoFilesAndRemovedWithTheirObjects() throws {
        try Fixture.withCopy(of: "Album.sqlite") { url throws in
            let model = try Fixture.model("Album.xcdatamodel")
            let large = Data(repeating: 7, count: 200_000)
            try model.withStore(at: url) { context throws in
                try context.object("Photo", 4).setValue(large, forKey: "image")
                try context.object("Photo", 1).setValue(Data([1, 2]), forKey: "image")
                context.delete(try context.object("Photo", 2))
                try context.save()
            }
            let files = try data(beside: url)
            expectEqual(files.count, 1)
            #expect(files != [Self.image])
            let cells = "SELECT hex(ZIMAGE) FROM ZPHOTO ORDER BY Z_PK"
            let name = files.first.map { $0.utf8.map { String(format: "%02X", $0) }.joined() } ?? ""
            try expectEqual(Fixture.rows(cells, in: url), [[.text("010102")], [.text("02\(name)00")]])
            try model.withStore(at: url) { context throws in
                let photo = try context.object("Photo", 4)
                expectEqual(photo.value(forKey: "image") as? Data, large)
                let album = try context.object("Album", 1)
                #expect(ObjectText.line(album).hasSuffix("photos [Photo 4, Photo 1]"))
            }
        }
    }

    @Test func theHistoryNamesItsTransactionsAndChanges() throws {
        try Fixture.withCopy(of: "Album.sqlite") { url throws in
            let options = [NSPersistentHistoryTrackingKey: true]
            try Fixture.model("Album.xcdatamodel").withStore(at: url, options: options) { context throws in
                let transactions = try history(context)
                expectEqual(transactions.map(\.transactionNumber), [1, 2, 3])
                expectEqual(transactions.map(\.author), [nil, "import", "user"])
                expectEqual(transactions.map(\.contextName), [nil, "background", nil])
                #expect(transactions.allSatisfy { $0.bundleID == "org.example.harbour" && $0.processID == "harbour" })
                expectEqual(
                    transactions.map(\.timestamp.timeIntervalSinceReferenceDate),
                    [773_136_000, 773_227_800, 773_280_000]
                )
                expectEqual(transactions[0].changes?.map(\.changeType), Array(repeating: .insert, count: 6))
                let updates = try #require(transactions[1].changes)
                expectEqual(updates.map(\.changeType), [.update, .update])
                expectEqual(
                    updates.map { Set($0.updatedProperties?.map(\.name) ?? []) },
                    [["taken", "title"], ["photos"]]
                )
                expectEqual(updates.map { $0.changedObjectID.uriRepresentation().path }, ["/Photo/p1", "/Album/p1"])
                let deletion = try #require(transactions[2].changes?.first)
                expectEqual(deletion.changeType, .delete)
                expectEqual(deletion.changedObjectID.uriRepresentation().path, "/Photo/p3")
                expectEqual(deletion.tombstone?["title"] as? String, "Blurred")
            }
        }
    }

    @Test func aSaveContinuesTheHistory() throws {
        try Fixture.withCopy(of: "Album.sqlite") { url throws in
            let options = [NSPersistentHistoryTrackingKey: true]
            try Fixture.model("Album.xcdatamodel").withStore(at: url, options: options) { context throws in
                context.transactionAuthor = "user"
                try context.object("Photo", 4).setValue("Plane", forKey: "title")
                context.delete(try context.object("Photo", 1))
                try context.save()
                let transactions = try history(context)
                expectEqual(transactions.map(\.transactionNumber), [1, 2, 3, 4])
                expectEqual(transactions.last?.author, "user")
                let changes = try #require(transactions.last?.changes)
                let deletion = try #require(changes.first { $0.changeType == .delete })
                expectEqual(deletion.tombstone?["title"] as? String, "Pier")
                let update = try #require(changes.first { $0.changedObjectID.uriRepresentation().path == "/Photo/p4" })
                expectEqual(update.updatedProperties?.map(\.name).contains("title"), true)
            }
            // The author's name is in the table of texts already.
            try expectEqual(
                Fixture.rows("SELECT count(*) FROM ATRANSACTIONSTRING WHERE ZNAME = 'user'", in: url),
                [
                    [.integer(1)]
                ]
            )
        }
    }
}
