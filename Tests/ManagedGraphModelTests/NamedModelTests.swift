// Whatever a command line calls a model is found, with its versions; what is none is refused with a reason.
import Foundation
import GraphModel
import GraphModelFiles
import Testing

@testable import ManagedGraph

@Suite struct NamedModelTests {
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
        #expect(current.name == "App 2")
        #expect(current.model.entities.map(\.name) == ["B"])
        #expect(current.versions == ["App", "App 2", "App 10"])
        #expect(current.form == .contents)
        #expect(
            try NamedModel.read(bundle.path + "/", version: "App 10.xcdatamodel").model.entities.map(\.name) == ["C"]
        )
        #expect(try NamedModel.readAll(bundle.path).map(\.name) == ["App", "App 2", "App 10"])
        #expect(reason(bundle.path, version: "App 3") == "there is no version App 3. Choose one of App, App 2, App 10.")
        let one = try NamedModel.read(bundle.appending(path: "App.xcdatamodel/contents").path)
        #expect(one.name == "App")
        // A broken version does not stand in the way of another.
        try Self.write(Data("<model>".utf8), to: bundle.appending(path: "App.xcdatamodel/contents"))
        #expect(try NamedModel.read(bundle.path).name == "App 2")
        #expect(throws: ModelFileError.self) { try NamedModel.readAll(bundle.path) }
    }

    @Test func compiledModelsAreKnownByWhatTheyHold() throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let model = Model(entities: [Entity(name: "A")])
        let file = folder.appending(path: "without extension")
        try Self.write(try ModelFile.compiled(model), to: file)
        let found = try NamedModel.read(file.path)
        #expect(found.form == .compiled)
        #expect(found.model == model)
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
        let found = try NamedModel.read(url.path)
        #expect(found.form == .store)
        #expect(found.model.versionHashes() == model.entityVersionHashesByName)
        #expect(reason(url.path, version: "x").hasPrefix("a store holds one model"))
    }

    @Test func whatIsNoModelIsRefusedWithAReason() throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(reason("").contains("no file"))
        #expect(reason(folder.appending(path: "nothing").path).hasPrefix("there is no such file"))
        #expect(reason(folder.path).contains("no file named contents"))
        let file = folder.appending(path: "empty.mom")
        try Self.write(Data(), to: file)
        #expect(reason(file.path).hasPrefix("the file is empty"))
        try Self.write(Data("hello".utf8), to: file)
        #expect(reason(file.path).hasPrefix("this is not XML"))
    }
}
