// Tests model arguments of command lines: every form is found, with its versions; others are refused with a reason.
import ExpectationSupport
import Foundation
import GraphModel
import GraphModelFiles
import ManagedGraph
import ManagedGraphTools
import Testing

struct NamedModelTests {
    private static func folder() throws -> URL {
        let url = FileManager.default.temporaryDirectory.appending(path: "named-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        return url
    }

    private static func text(_ entity: String) -> Data {
        Data("<?xml version=\"1.0\"?><model><entity name=\"\(entity)\"/></model>".utf8)
    }

    private static func write(_ data: Data, to url: URL) throws {
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: url)
    }

    private func reason(_ path: String, version: String? = nil) -> String {
        do {
            _ = try NamedModel.read(path, version: version)
            return ""
        } catch let error as ModelFileError {
            return error.reason
        } catch {
            return "\(error)"
        }
    }

    @Test func versionsAreFoundByName() throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let bundle = folder.appending(path: "App.xcdatamodeld")
        for (version, entity) in [("App", "A"), ("App 2", "B"), ("App 10", "C")] {
            try Self.write(Self.text(entity), to: bundle.appending(path: "\(version).xcdatamodel/contents"))
        }
        let list = try PropertyListSerialization.data(
            fromPropertyList: ["_XCCurrentVersionName": "App 2.xcdatamodel"],
            format: .xml,
            options: 0
        )
        try Self.write(list, to: bundle.appending(path: ".xccurrentversion"))
        let current = try NamedModel.read(bundle.path)
        expectEqual(current.name, "App 2")
        expectEqual(current.model.entities.map(\.name), ["B"])
        expectEqual(current.versions, ["App", "App 2", "App 10"])
        expectEqual(current.form, .contents)
        try expectEqual(
            NamedModel.read(bundle.path + "/", version: "App 10.xcdatamodel").model.entities.map(\.name),
            ["C"]
        )
        try expectEqual(NamedModel.readAll(bundle.path).map(\.name), ["App", "App 2", "App 10"])
        expectEqual(
            reason(bundle.path, version: "App 3"),
            "there is no version App 3. Choose one of App, App 2, App 10."
        )
        let namedModel = try NamedModel.read(bundle.appending(path: "App.xcdatamodel/contents").path)
        expectEqual(namedModel.name, "App")
        // A broken version does not prevent reading another.
        try Self.write(Data("<model>".utf8), to: bundle.appending(path: "App.xcdatamodel/contents"))
        try expectEqual(NamedModel.read(bundle.path).name, "App 2")
        #expect(throws: ModelFileError.self) { try NamedModel.readAll(bundle.path) }
    }

    @Test func compiledModelsAreRecognizedByTheirContent() throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let model = Model(entities: [Entity(name: "A")])
        let file = folder.appending(path: "without extension")
        try Self.write(try ModelFile.compiled(model), to: file)
        let namedModel = try NamedModel.read(file.path)
        expectEqual(namedModel.form, .compiled)
        expectEqual(namedModel.model, model)
        let optimized = folder.appending(path: "M.momd/M.omo")
        try Self.write(Data("momv2$".utf8), to: optimized)
        #expect(reason(optimized.path).contains("optimized copy"))
        #expect(reason(folder.appending(path: "M.momd").path).contains("only optimized copies"))
    }

    @Test func aStoreGivesItsOwnModel() async throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let model = try NSManagedObjectModel(Model(entities: [Entity(name: "A")]))
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let url = folder.appending(path: "S.sqlite")
        _ = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url)
        let namedModel = try NamedModel.read(url.path)
        expectEqual(namedModel.form, .store)
        expectEqual(namedModel.model.versionHashes(), model.entityVersionHashesByName)
        #expect(reason(url.path, version: "x").hasPrefix("a store contains one model"))
    }

    /// Apple's initializer accepts every form, and returns the same model.
    @Test func aModelIsLoadedFromEveryForm() throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let attribute = Attribute(common: PropertyCommon(name: "a", isOptional: false), type: .integer32)
        let model = Model(entities: [Entity(name: "E", properties: [.attribute(attribute)])])
        for name in ["M.xcdatamodel", "M.xcdatamodeld", "M.mom", "M.momd"] {
            let url = folder.appending(path: name)
            let losses = try ModelOutput(url).write([.init(name: "M", model: model)], current: "M")
            #expect(losses.isEmpty)
            let loaded = try #require(NSManagedObjectModel(contentsOf: url), "\(name)")
            expectEqual(loaded.entityVersionHashesByName, model.versionHashes(), "\(name)")
            expectEqual(loaded.versionChecksum, model.versionChecksum())
            #expect(throws: ModelFileError.self) { try ModelOutput(url) }
        }
        let contents = folder.appending(path: "M.xcdatamodel/contents")
        expectEqual(NSManagedObjectModel(contentsOf: contents)?.entities.count, 1)
        expectNil(NSManagedObjectModel(contentsOf: folder.appending(path: "none.momd")))
    }

    /// A file with a character that XML cannot represent could not be read.
    @Test func aModelWithACharacterThatXMLLacksIsNotWritten() throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let attribute = Attribute(common: PropertyCommon(name: "a"), type: .integer32)
        var model = Model(entities: [Entity(name: "E", properties: [.attribute(attribute)])])
        model.entities[0].userInfo = ["key": "\u{0B}"]
        let url = folder.appending(path: "M.xcdatamodel")
        let error = #expect(throws: ModelFileError.self) {
            try ModelOutput(url).write([.init(name: "M", model: model)], current: "M")
        }
        expectEqual(error?.entity, "E")
        expectEqual(error?.reason.contains("U+000B"), true)
        #expect(!FileManager.default.fileExists(atPath: url.path))
    }

    /// Replaces a folder atomically, and a text file with the edited document.
    @Test func aReplacedFolderOrFileIsReplacedWhole() throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appending(path: "M.xcdatamodeld")
        func model(_ name: String) -> Model { Model(entities: [Entity(name: name)]) }
        _ = try ModelOutput(url).write(
            [.init(name: "M", model: model("A")), .init(name: "M 2", model: model("B"))],
            current: "M 2"
        )
        _ = try ModelOutput(url, isReplacing: true).write([.init(name: "M", model: model("C"))], current: "M")
        try expectEqual(FileManager.default.contentsOfDirectory(atPath: folder.path), ["M.xcdatamodeld"])
        try expectEqual(NamedModel.readAll(url.path).map { $0.model.entities.map(\.name) }, [["C"]])
        let contents = url.appending(path: "M.xcdatamodel/contents")
        var document = try ModelDocument(at: contents)
        try document.update(to: model("D"))
        try ModelOutput.save(document, to: contents)
        try expectEqual(NamedModel.read(url.path).model.entities.map(\.name), ["D"])
        // A location that cannot be written to stays unchanged.
        let blocked = folder.appending(path: "file")
        try Self.write(Data("x".utf8), to: blocked)
        #expect(throws: ModelFileError.self) {
            _ = try ModelOutput(blocked.appending(path: "M.momd")).write(
                [.init(name: "M", model: model("A"))],
                current: "M"
            )
        }
        try expectEqual(Data(contentsOf: blocked), Data("x".utf8))
    }

    @Test func aSpotlightNameIsKept() throws {
        let model = Model(
            entities: [
                Entity(
                    name: "E",
                    properties: [.attribute(Attribute(common: PropertyCommon(name: "title"), type: .string))],
                    spotlightNameFormat: "title"
                )
            ]
        )
        let managedModel = try NSManagedObjectModel(model)
        let entity = try #require(managedModel.entitiesByName["E"])
        expectEqual(entity.coreSpotlightDisplayNameExpression?.description, "title")
        expectEqual(managedModel.schema, model)
        try expectEqual(ModelFile.readModel(ModelFile.compiled(model), file: ""), model)
    }

    @Test func aFileThatIsNotAModelIsRefusedWithAReason() throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(reason("").contains("no file"))
        #expect(reason(folder.appending(path: "nothing").path).hasPrefix("the file does not exist"))
        #expect(reason(folder.path).contains("no file named contents"))
        let file = folder.appending(path: "empty.mom")
        try Self.write(Data(), to: file)
        #expect(reason(file.path).hasPrefix("the file is empty"))
        try Self.write(Data("hello".utf8), to: file)
        #expect(reason(file.path).hasPrefix("this is not XML"))
    }
}
