// Tests compiled model files as users open them.
import CollectionSupport
import ExpectationSupport
import Foundation
import ManagedGraph
import Testing

struct CompiledFileTests {
    @Test func everyCompiledModelOpens() throws {
        let files = Collections.files(.compiledModel)
        for file in files {
            let model = try #require(NSManagedObjectModel(contentsOf: file.url), "\(file)")
            #expect(!model.entities.isEmpty, "\(file)")
        }
        #expect(files.count >= Collections.least(34, fixtures: 7))
    }

    /// Compares each version with the hashes that the compiler noted, and the current version with its note.
    @Test func aFolderOpensWithItsCurrentVersion() throws {
        var folders = 0
        var versions = 0
        for path in Collections.files(.versionList) {
            let folder = path.url.deletingLastPathComponent()
            let list = try PropertyListSerialization.propertyList(from: path.data(), format: nil)
            let information = try #require(list as? [String: Any])
            let hashes = try #require(information["NSManagedObjectModel_VersionHashes"] as? [String: [String: Data]])
            // The compiler omits the current version if there is only one.
            let current = information["NSManagedObjectModel_CurrentVersionName"] as? String
            let name = try #require(current ?? hashes.keys.first)
            #expect(current != nil || hashes.count == 1)
            let model = try #require(NSManagedObjectModel(contentsOf: folder))
            expectEqual(model.entityVersionHashesByName, hashes[name], "\(path)")
            for version in try NSManagedObjectModel.versions(at: folder) {
                expectEqual(version.model.entityVersionHashesByName, hashes[version.name], "\(path): \(version.name)")
                versions += 1
            }
            folders += 1
        }
        print("compiled models: \(folders) folders, \(versions) versions with the compiler's hashes")
        #expect(folders >= Collections.least(13, fixtures: 2))
        #expect(versions >= Collections.least(29, fixtures: 6))
    }

    @Test func aFileThatIsNotACompiledModelIsRefusedWithItsPath() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).momd")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        expectNil(NSManagedObjectModel(contentsOf: folder))
        let file = folder.appendingPathComponent("Model.mom")
        try Data("no model".utf8).write(to: file)
        let error = #expect(throws: (any Error).self) { () throws in try NSManagedObjectModel(readingFrom: folder) }
        #expect(String(describing: try #require(error)).contains(file.path))
    }
}
