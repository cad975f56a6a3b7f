// Saving: the files that are written, and the conditions that refuse it.
import ExpectationSupport
import Foundation
import GraphModelling
import Testing

struct SavingTests {
    private func session(
        _ versions: [String: String] = ["Model": ModelFolder.sample],
        current: String = "Model"
    ) throws -> (ModelSession, ModelFolder) {
        let folder = try ModelFolder(versions: versions, current: current)
        return (try ModelSession(opening: folder.url), folder)
    }

    private let abstract = ModelEdit.set(place: ModelPlace(entity: "List"), field: "isAbstract", value: .flag(true))

    @Test func oneFieldChangesOneAttribute() throws {
        let (session, folder) = try session()
        defer { folder.remove() }
        try session.apply(abstract)
        // Nothing is written before the save.
        try expectEqual(folder.contents(of: "Model"), ModelFolder.sample)
        try expectEqual(session.save().count, 1)
        let expected = ModelFolder.sample.replacingOccurrences(
            of: "<entity name=\"List\" representedClassName=\"List\"",
            with: "<entity name=\"List\" representedClassName=\"List\" isAbstract=\"YES\""
        )
        try expectEqual(folder.contents(of: "Model"), expected)
        expectEqual(session.picture().isChanged, false)
    }

    @Test func aMoveChangesOnePositionOnly() throws {
        let (session, folder) = try session()
        defer { folder.remove() }
        try session.apply(.arrange(cards: [CardPosition(entity: "Task", x: 200, y: 40)]))
        try session.save()
        let expected = ModelFolder.sample.replacingOccurrences(
            of: "name=\"Task\" positionX=\"160\" positionY=\"20\"",
            with: "name=\"Task\" positionX=\"200\" positionY=\"40\""
        )
        try expectEqual(folder.contents(of: "Model"), expected)
    }

    @Test func aFileThatChangedIsNotOverwritten() throws {
        let (session, folder) = try session()
        defer { folder.remove() }
        try session.apply(abstract)
        try folder.replace("name=\"priority\"", with: "name=\"rank\"", in: "Model")
        let error = #expect(throws: ModelSessionError.self) { try session.save() }
        expectEqual(error?.code, .changedOnDisk)
        let changed = error?.difference?.entities.first { $0.name == "Task" }
        expectEqual(changed?.properties.map(\.name).sorted(), ["priority", "rank"])
        #expect(session.changesOnDisk() != nil)
        // Their change is still there, and so is ours.
        #expect(try folder.contents(of: "Model").contains("name=\"rank\""))
        #expect(session.picture().isChanged)
        // Reloading shows theirs, and undoing it shows ours again.
        try session.reload()
        expectEqual(session.picture().isChanged, false)
        #expect(session.picture().entities.contains { $0.properties.contains { $0.name == "rank" } })
        session.undo()
        expectEqual(session.picture().entities.first { $0.name == "List" }?.isAbstract, true)
        try session.save()
        #expect(try folder.contents(of: "Model").contains("name=\"priority\""))
    }

    @Test func aVersionThatCannotBeReadAnyMoreIsWrittenAfterUndo() throws {
        let versions = ["Model": ModelFolder.sample, "Model 2": ModelFolder.sample]
        let (session, folder) = try session(versions, current: "Model 2")
        defer { folder.remove() }
        try session.apply(abstract)
        try folder.replace("<model", with: "<<<<<<< ours <model", in: "Model 2")
        try session.reload()
        // A version that can be read is shown, not an empty model.
        var picture = session.picture()
        expectEqual(picture.version, "Model")
        expectEqual(picture.entityNames.count, 3)
        expectEqual(picture.versions.map { $0.error != nil }, [false, true])
        let target = folder.folder.appendingPathComponent("Copy.mom")
        _ = try session.convert(to: target)
        #expect(FileManager.default.fileExists(atPath: target.path))
        // The text of the session is back, and the file is replaced only if that is wanted.
        session.undo()
        picture = session.picture()
        expectEqual(picture.version, "Model 2")
        expectNil(picture.versions.last?.error)
        expectEqual(picture.versions.map(\.isChanged), [false, true])
        let error = #expect(throws: ModelSessionError.self) { try session.save() }
        expectEqual(error?.code, .changedOnDisk)
        try expectEqual(session.save(overwriting: true).count, 1)
        expectEqual(session.picture().isChanged, false)
        #expect(try folder.contents(of: "Model 2").contains("isAbstract=\"YES\" syncable"))
        try expectEqual(session.save(), [])
    }

    @Test func savingOverAChangeIsAChoice() throws {
        let (session, folder) = try session()
        defer { folder.remove() }
        try session.apply(abstract)
        try folder.replace("name=\"priority\"", with: "name=\"rank\"", in: "Model")
        try expectEqual(session.save(overwriting: true).count, 1)
        #expect(try folder.contents(of: "Model").contains("name=\"priority\""))
        expectNil(session.changesOnDisk())
    }

    @Test func errorsRefuseTheSaveUnlessAccepted() throws {
        let broken = ModelFolder.sample.replacingOccurrences(
            of: "destinationEntity=\"List\"",
            with: "destinationEntity=\"Lists\""
        )
        let (session, folder) = try session(["Model": broken])
        defer { folder.remove() }
        // A model that the compiler refuses is opened, with the error in its place.
        let problem = session.picture().problems.first { $0.level == "error" }
        expectEqual(problem?.place, ModelPlace(entity: "Task", property: "list"))
        try session.apply(abstract)
        let error = #expect(throws: ModelSessionError.self) { try session.save() }
        expectEqual(error?.code, .hasErrors)
        try expectEqual(folder.contents(of: "Model"), broken)
        let place = ModelPlace(entity: "Task", property: "list")
        try session.apply(.set(place: place, field: "destination", value: .text("List")))
        #expect(session.picture().problems.filter { $0.level == "error" }.isEmpty)
        try session.apply(.set(place: place, field: "inverse", value: .text("tasks")))
        try expectEqual(session.save().count, 1)
    }

    @Test func aNewVersionIsWrittenAndMadeCurrent() throws {
        let (session, folder) = try session()
        defer { folder.remove() }
        try session.addVersion()
        var picture = session.picture()
        expectEqual(picture.version, "Model 2")
        expectEqual(picture.versions.first { $0.isCurrent }?.name, "Model 2")
        expectEqual(picture.versions.map(\.isNew), [false, true])
        try session.apply(.rename(place: ModelPlace(entity: "Task", property: "priority"), name: "rank"))
        try expectEqual(session.save().count, 2)
        try expectEqual(folder.contents(of: "Model"), ModelFolder.sample)
        #expect(try folder.contents(of: "Model 2").contains("name=\"rank\""))
        let again = try ModelSession(opening: folder.url)
        picture = again.picture()
        expectEqual(picture.version, "Model 2")
        expectEqual(picture.versions.map(\.name), ["Model", "Model 2"])
        let comparison = try again.compare(from: "Model", to: "Model 2")
        expectEqual(comparison.entities.map(\.name), ["Task"])
        try again.setCurrent(version: "Model")
        try expectEqual(again.save().count, 1)
        try expectEqual(ModelSession(opening: folder.url).picture().version, "Model")
    }

    @Test func editsOfAVersionThatIsNotShownAreRefused() throws {
        let versions = ["Model": ModelFolder.sample, "Model 2": ModelFolder.sample]
        let (session, folder) = try session(versions, current: "Model 2")
        defer { folder.remove() }
        // Another window chooses the older version.
        try session.show(version: "Model")
        let error = #expect(throws: ModelSessionError.self) {
            try session.apply([abstract], title: nil, version: "Model 2")
        }
        expectEqual(error?.code, .otherVersion)
        expectEqual(session.picture().isChanged, false)
        try session.apply([abstract], title: nil, version: "Model")
        expectEqual(session.picture().versions.map(\.isChanged), [true, false])
    }

    @Test func aRemovedFileIsWrittenAgainOnlyIfWanted() throws {
        let (session, folder) = try session()
        defer { folder.remove() }
        try session.apply(abstract)
        let file = folder.url.appendingPathComponent("Model.xcdatamodel/contents")
        try FileManager.default.removeItem(at: file)
        let error = #expect(throws: ModelSessionError.self) { try session.save() }
        expectEqual(error?.code, .changedOnDisk)
        expectNil(error?.difference)
        #expect(!FileManager.default.fileExists(atPath: file.path))
        try expectEqual(session.save(overwriting: true), [file.path])
        #expect(try folder.contents(of: "Model").contains("isAbstract=\"YES\" syncable"))
    }

    @Test func aSaveThatFailsHalfwayIsContinued() throws {
        let (session, folder) = try session()
        defer { folder.remove() }
        try session.apply(abstract)
        try session.addVersion()
        // A file is in the way of the new version's folder.
        let obstacle = folder.url.appendingPathComponent("Model 2.xcdatamodel")
        try Data().write(to: obstacle)
        let error = #expect(throws: ModelSessionError.self) { try session.save() }
        expectEqual(error?.code, .notWritten)
        expectEqual(session.picture().versions.map(\.isChanged), [false, true])
        #expect(try folder.contents(of: "Model") != ModelFolder.sample)
        try FileManager.default.removeItem(at: obstacle)
        try expectEqual(session.save().count, 2)
        try expectEqual(ModelSession(opening: folder.url).picture().version, "Model 2")
    }

    @Test func undoingANewVersionLeavesTheOldOne() throws {
        let (session, folder) = try session()
        defer { folder.remove() }
        try session.addVersion(named: "Next")
        expectEqual(session.undo(), "Add the version Next")
        let picture = session.picture()
        expectEqual(picture.version, "Model")
        expectEqual(picture.versions.count, 1)
        try expectEqual(session.save(), [])
        #expect(throws: ModelSessionError.self) { try session.addVersion(named: "../Next") }
        #expect(throws: ModelSessionError.self) { try session.addVersion(named: "Model") }
    }

    @Test func aModelOfOneVersionCannotHoldMore() throws {
        let folder = try ModelFolder(named: "One.xcdatamodel")
        defer { folder.remove() }
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        try Data(ModelFolder.sample.utf8).write(to: folder.url.appendingPathComponent("contents"))
        let session = try ModelSession(opening: folder.url)
        let error = #expect(throws: ModelSessionError.self) { try session.addVersion() }
        expectEqual(error?.remedy.contains("Convert"), true)
    }

    @Test func aBrokenVersionKeepsTheOthersEditable() throws {
        let (session, folder) = try session(["Model": ModelFolder.sample, "Model 2": "<model"])
        defer { folder.remove() }
        let picture = session.picture()
        expectEqual(picture.versions.map { $0.error != nil }, [false, true])
        #expect(throws: ModelSessionError.self) { try session.show(version: "Model 2") }
        try session.apply(abstract)
        try expectEqual(session.save().count, 1)
        try expectEqual(folder.contents(of: "Model 2"), "<model")
    }
}
