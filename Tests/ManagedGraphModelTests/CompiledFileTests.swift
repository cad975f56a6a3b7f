// Tests compiled model files as users open them.
import Foundation
import ManagedGraph
import Testing

@Suite(.enabled(if: Corpus.isPresent, "the collection of model files is not here"))
struct CompiledFileTests {
    @Test func everyCompiledModelOpens() throws {
        let paths = Corpus.paths(in: "compiled", endingIn: ".mom")
        for path in paths {
            let model = try #require(
                NSManagedObjectModel(contentsOf: Corpus.url.appendingPathComponent(path)),
                "\(path)"
            )
            #expect(!model.entities.isEmpty, "\(path)")
        }
        #expect(paths.count == 34)
    }

    /// Compares each version with the hashes that the compiler noted, and the current version with its note.
    @Test func aFolderOpensWithItsCurrentVersion() throws {
        var folders = 0
        var versions = 0
        for path in Corpus.paths(in: "compiled", endingIn: "VersionInfo.plist") {
            let file = Corpus.url.appendingPathComponent(path)
            let folder = file.deletingLastPathComponent()
            let list = try PropertyListSerialization.propertyList(from: Data(contentsOf: file), format: nil)
            let information = try #require(list as? [String: Any])
            let hashes = try #require(information["NSManagedObjectModel_VersionHashes"] as? [String: [String: Data]])
            // The compiler omits the current version if there is only one.
            let current = information["NSManagedObjectModel_CurrentVersionName"] as? String
            let name = try #require(current ?? hashes.keys.first)
            #expect(current != nil || hashes.count == 1)
            let model = try #require(NSManagedObjectModel(contentsOf: folder))
            #expect(model.entityVersionHashesByName == hashes[name], "\(path)")
            for version in try NSManagedObjectModel.versions(at: folder) {
                #expect(version.model.entityVersionHashesByName == hashes[version.name], "\(path): \(version.name)")
                versions += 1
            }
            folders += 1
        }
        print("compiled models: \(folders) folders, \(versions) versions with the compiler's hashes")
        #expect(folders == 13)
    }

    @Test func whatIsNoCompiledModelIsRefusedWithItsPath() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).momd")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        #expect(NSManagedObjectModel(contentsOf: folder) == nil)
        let file = folder.appendingPathComponent("Model.mom")
        try Data("no model".utf8).write(to: file)
        let error = #expect(throws: (any Error).self) { () throws in try NSManagedObjectModel(readingFrom: folder) }
        #expect("\(try #require(error))".contains(file.path))
    }
}
