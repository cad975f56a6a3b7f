// Models of the collections, all of them with ALL_FILES=1, are opened, described, and saved unchanged byte for byte.
import CollectionSupport
import ExpectationSupport
import Foundation
import GraphModelling
import Testing

struct OpeningTests {
    @Test func everyModelIsOpenedAndSavedUnchanged() throws {
        var opened = 0
        var placed = 0
        for file in Collections.sample(.model, oneIn: 6) {
            let folder = try ModelFolder(copying: file.url.deletingLastPathComponent())
            defer { folder.remove() }
            let session: ModelSession
            do {
                session = try ModelSession(opening: folder.url)
            } catch {
                // A few published files are not XML.
                expectEqual(error.code, .unreadable, "\(file): \(error)")
                continue
            }
            opened += 1
            let before = try folder.contents()
            let picture = session.picture()
            if !picture.positions.isEmpty { placed += 1 }
            expectEqual(picture.entities.map(\.name), picture.entityNames)
            try expectEqual(session.save(), [], "\(file)")
            try expectEqual(folder.contents(), before, "\(file)")
            guard let entity = picture.entities.first else { continue }
            // A change and its opposite leave the text as it was, too.
            try session.apply(
                .set(place: ModelPlace(entity: entity.name), field: "isAbstract", value: .flag(!entity.isAbstract))
            )
            #expect(session.picture().isChanged)
            #expect(session.undo() != nil)
            try expectEqual(session.save(acceptingErrors: true), [], "\(file)")
            #expect(session.redo() != nil)
            try expectEqual(session.save(acceptingErrors: true).count, 1, "\(file)")
            session.undo()
            try expectEqual(session.save(acceptingErrors: true).count, 1, "\(file)")
            try expectEqual(folder.contents(), before, "\(file)")
        }
        #expect(opened >= Collections.least(285, fixtures: 5, oneIn: 6))
        #expect(placed >= Collections.least(240, fixtures: 0, oneIn: 6))
    }

    @Test func everyFolderOfVersionsIsOpened() throws {
        for file in Collections.files(.versionedModel) {
            let session = try? ModelSession(opening: file.url)
            guard let session else { continue }
            let picture = session.picture()
            #expect(!picture.versions.isEmpty)
            #expect(picture.readOnlyReason == nil || picture.isChanged == false)
            #expect(!session.analysis().checksum.isEmpty)
        }
    }

    @Test func aCardWithAnImpossiblePlaceHasNone() throws {
        let text = ModelFolder.sample
            .replacingOccurrences(of: "positionX=\"-63\"", with: "positionX=\"inf\"")
            .replacingOccurrences(of: "positionY=\"20\" width=\"128\"", with: "positionY=\"20\" width=\"nan\"")
            .replacingOccurrences(of: "positionX=\"360\"", with: "positionX=\"1e300\"")
        let folder = try ModelFolder(versions: ["Model": text], current: "Model")
        defer { folder.remove() }
        let session = try ModelSession(opening: folder.url)
        let picture = session.picture()
        expectEqual(picture.positions, [CardPosition(entity: "Task", x: 160, y: 20, height: 140)])
        // JSON has no other numbers.
        #expect(try !JSONEncoder().encode(picture).isEmpty)
        try session.apply(.arrange(cards: [CardPosition(entity: "List", x: 8, y: 9)]))
        try session.save()
        let expected = text.replacingOccurrences(
            of: "positionX=\"1e300\" positionY=\"-9\"",
            with: "positionX=\"8\" positionY=\"9\""
        )
        try expectEqual(folder.contents(of: "Model"), expected)
    }

    @Test func aCompiledModelIsReadOnlyAndConverted() throws {
        let url = Collections.fixtures.folder.appendingPathComponent("Garden.mom")
        let session = try ModelSession(opening: url)
        let picture = session.picture()
        expectEqual(picture.readOnlyReason?.contains("convert it"), true)
        let place = ModelPlace(entity: picture.entityNames.first)
        #expect(throws: ModelSessionError.self) {
            try session.apply(.set(place: place, field: "isAbstract", value: .flag(true)))
        }
        let folder = try ModelFolder()
        defer { folder.remove() }
        let target = folder.folder.appendingPathComponent("Garden.xcdatamodeld")
        _ = try session.convert(to: target)
        let converted = try ModelSession(opening: target).picture()
        expectNil(converted.readOnlyReason)
        expectEqual(converted.entityNames, picture.entityNames)
        expectEqual(converted.checksum, picture.checksum)
        // An existing file is not replaced.
        #expect(throws: ModelSessionError.self) { try session.convert(to: target) }
    }

    @Test func aFileThatIsNotAModelIsRefusedWithARemedy() throws {
        let url = Collections.fixtures.folder.appendingPathComponent("Garden.sqlite")
        let error = #expect(throws: ModelSessionError.self) { try ModelSession(opening: url) }
        expectEqual(error?.code, .unreadable)
        expectEqual(error?.message.contains("store"), true)
    }
}
