// Tests mapping models compiled by us: they equal their sources, and have the keys that Xcode's compiler writes.
import CollectionSupport
import ExpectationSupport
import Foundation
import GraphArchives
import ManagedGraphTools
import Testing

struct CompiledMappingTests {
    @Test func everyMappingModelIsSoundAndCompiles() throws {
        let files = Collections.sample(.mapping, oneIn: 4).map(\.url)
        for url in files {
            let mapping = try NamedMappingModel(url.path)
            #expect(mapping.findings.allSatisfy { $0.level == .warning }, "\(url.path): \(mapping.findings)")
            // One mapping model has no mappings.
            if mapping.entities.isEmpty { continue }
            let file = FileManager.default.temporaryDirectory.appending(path: "compiled-\(UUID().uuidString).cdm")
            defer { try? FileManager.default.removeItem(at: file) }
            try mapping.write(to: file, isReplacing: false)
            let compiled = try NamedMappingModel(file.path)
            for (original, copy) in zip(mapping.entities, compiled.entities) {
                expectEqual(original.name, copy.name)
                expectEqual(original.kind, copy.kind)
                expectEqual(original.policy, copy.policy)
                expectEqual(original.sourceHash, copy.sourceHash)
                expectEqual(original.destinationHash, copy.destinationHash)
                let (before, after) = (
                    original.attributes + original.relationships, copy.attributes + copy.relationships
                )
                expectEqual(before.map(\.name), after.map(\.name))
                expectEqual(before.map(\.expression), after.map(\.expression), "\(url.path) \(original.name)")
            }
            expectEqual(mapping.entities.count, compiled.entities.count)
        }
        #expect(files.count >= Collections.least(28, fixtures: 2, oneIn: 4))
    }

    @Test(arguments: MappingFileTests.pairs)
    func aCompiledMappingHasTheKeysAndClassesOfItsTwin(pair: MappingFileTests.Pair) throws {
        let ours = try NamedMappingModel(pair.source.url.path).compiled()
        let (made, wanted) = (try Self.shape(ours), try Self.shape(pair.compiled.data()))
        for name in ["NSMappingModel", "NSEntityMapping", "NSPropertyMapping", "NSFetchRequestExpression"] {
            #expect(made[name] != nil && made[name] == wanted[name], "\(name)")
        }
    }

    /// The keys of each class of objects in an archive.
    private static func shape(_ data: Data) throws -> [String: Set<String>] {
        let archive = try #require(KeyedArchive(data))
        var result: [String: Set<String>] = [:]
        for number in archive.objects.indices {
            guard let object = archive.object(.reference(number)) else { continue }
            result[object.className, default: []].formUnion(object.entries.keys)
        }
        return result
    }
}
