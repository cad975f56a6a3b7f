// Runs the examples of Documentation/Migration.md, which are in DocumentedExamples.swift.
import ExpectationSupport
import Foundation
import ManagedGraph
import ManagedGraphTesting
import Testing

struct DocumentedExampleTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()

    @Test func eachExampleOfThePageStandsHere() throws {
        let page = try String(
            contentsOf: Self.folder.appending(path: "../../Documentation/Migration.md").standardizedFileURL,
            encoding: .utf8
        )
        func lines(_ text: some StringProtocol) -> [String] {
            text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        }
        let source = try lines(
            String(contentsOf: Self.folder.appending(path: "DocumentedExamples.swift"), encoding: .utf8)
        ).joined(separator: "\n")
        let blocks = page.components(separatedBy: "```swift\n").dropFirst().compactMap {
            $0.components(separatedBy: "```").first
        }
        #expect(blocks.count >= 5)
        for block in blocks { #expect(source.contains(lines(block).joined(separator: "\n")), "\(block)") }
    }

    @Test func theExamplesWork() throws {
        let versions = try StagedTests.versions()
        let documented = DocumentedExamples(versions)
        let checksums = try (1...4).map { try versions.model($0).versionChecksum }
        let description = NSPersistentStoreDescription(url: versions.store)
        documented.staged(description, versions.bundle, checksums[0], checksums[1], checksums[2], checksums[3])
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try versions.model(4))
        documented.progress(coordinator, description)
        expectEqual(coordinator.persistentStores.count, 1)
        try documented.deferred(description, coordinator)
        for store in coordinator.persistentStores { try coordinator.remove(store) }
        try documented.lightweight(versions.store, versions.model(4))
        try versions.use(4) { try expectEqual($0.values("last", "Person"), ["Lovelace", "Turing"]) }
        try documented.fixtures(versions.bundle, versions.folder.appending(path: "Fixtures"))
        let (old, new) = (try versions.model(4), try versions.model(3))
        let step = try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
        let target = versions.folder.appending(path: "Target.sqlite")
        try documented.mapping(old, new, versions.store, target, [step])
        #expect(FileManager.default.fileExists(atPath: target.path))
    }
}
