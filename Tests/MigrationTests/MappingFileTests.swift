// Tests Xcode's mapping models: every one in the corpus is read, with its embedded models.
import Foundation
import GraphModel
import GraphModelFiles
import ManagedGraph
import Testing

@Suite struct MappingFileTests {
    static let corpus = [
        "../shared/corpus", "../../../shared/corpus", "/work/shared/corpus",
    ].map { URL(filePath: $0) }.first { FileManager.default.fileExists(atPath: $0.path) }

    static func mappings() -> [URL] {
        guard let corpus, let paths = FileManager.default.enumerator(atPath: corpus.appending(path: "mappings").path)
        else {
            return []
        }
        return paths.compactMap { $0 as? String }.filter { $0.hasSuffix(".xcmappingmodel") }.sorted()
            .map { corpus.appending(path: "mappings/\($0)") }
    }

    @Test(.enabled(if: corpus != nil, "the corpus is not there"))
    func everyMappingModelIsReadWithItsModelsAndExpressions() throws {
        let files = Self.mappings()
        var (entities, properties, expressions, withModels) = (0, 0, 0, 0)
        for url in files {
            let mapping = try MappingReader.read(at: url)
            if !mapping.sourceHashes.isEmpty, !mapping.destinationHashes.isEmpty { withModels += 1 }
            let model = try #require(NSMappingModel(contentsOf: url))
            for (entity, said) in zip(model.entityMappings, mapping.entities) {
                entities += 1
                let made = (entity.attributeMappings ?? []) + (entity.relationshipMappings ?? [])
                for (property, written) in zip(made, said.attributes + said.relationships) {
                    properties += 1
                    if written.expression != nil {
                        expressions += 1
                        #expect(property.valueExpression != nil, "\(url.path) \(entity.name ?? "").\(written.name)")
                    }
                }
            }
            #expect(try MappingFile(json: mapping.json()) == mapping)
        }
        print(
            "mapping models read: \(files.count); \(entities) entities, \(properties) properties, \(expressions) expressions"
        )
        // One of the corpus was saved without models.
        #expect(withModels > 0 && withModels >= files.count - 1)
    }

    /// Compares a mapping model compiled by Xcode with our reading of its source.
    @Test(.enabled(if: corpus != nil, "the corpus is not there"))
    func aCompiledMappingModelSaysWhatItsSourceSays() throws {
        let folder = try #require(Self.corpus).appending(
            path: "mappings/alemar11+CoreDataPlus/Tests/Resources/SampleModel"
        )
        let compiled = try #require(NSMappingModel(contentsOf: folder.appending(path: "Fixtures/V2toV3.cdm")))
        let source = try #require(
            NSMappingModel(contentsOf: folder.appending(path: "MappingModels/V2toV3.xcmappingmodel"))
        )
        let (one, other) = (compiled.entityMappingsByName, source.entityMappingsByName)
        #expect(one.keys.sorted() == other.keys.sorted())
        #expect(one.count == 5)
        func text(_ mappings: [NSPropertyMapping]?) -> [String] {
            (mappings ?? []).map { "\($0.name ?? ""): \($0.valueExpression.map { "\($0)" } ?? "none")" }.sorted()
        }
        var properties = 0
        for (name, mapping) in one {
            let twin = try #require(other[name])
            // The compiler marks one mapping as a copy although its entity has changed.
            let isCopy = mapping.mappingType == .copyEntityMappingType && name == "PersonToPerson"
            #expect(mapping.mappingType == twin.mappingType || isCopy, "\(name)")
            #expect(mapping.sourceEntityName == twin.sourceEntityName)
            #expect(mapping.destinationEntityName == twin.destinationEntityName)
            #expect(mapping.sourceEntityVersionHash == twin.sourceEntityVersionHash, "\(name)")
            #expect(mapping.destinationEntityVersionHash == twin.destinationEntityVersionHash, "\(name)")
            // The compiler's class name has no module.
            let policy = mapping.entityMigrationPolicyClassName?.split(separator: ".").last
            #expect(policy == twin.entityMigrationPolicyClassName?.split(separator: ".").last, "\(name)")
            #expect(mapping.sourceExpression?.description == twin.sourceExpression?.description, "\(name)")
            #expect(text(mapping.attributeMappings) == text(twin.attributeMappings), "\(name)")
            // The two are from different commits: one relationship is named after the mapping in one of them.
            let (relationships, others) = (text(mapping.relationshipMappings), text(twin.relationshipMappings))
            #expect(zip(relationships, others).allSatisfy { $0 == $1 || $0.hasPrefix("owner: ") }, "\(name)")
            #expect(relationships.count == others.count)
            properties += (mapping.attributeMappings?.count ?? 0) + (mapping.relationshipMappings?.count ?? 0)
        }
        #expect(properties == 26)
        print(
            "compiled mapping models: 1 of 1 says what its source says; \(one.count) entities, \(properties) properties"
        )
    }

    @Test(.enabled(if: corpus != nil, "the corpus is not there"))
    func aDamagedCompiledMappingModelIsRefused() throws {
        let folder = try #require(Self.corpus).appending(
            path: "mappings/alemar11+CoreDataPlus/Tests/Resources/SampleModel"
        )
        let bytes = [UInt8](try Data(contentsOf: folder.appending(path: "Fixtures/V2toV3.cdm")))
        let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).cdm")
        defer { try? FileManager.default.removeItem(at: url) }
        var refused = 0
        for step in 0..<60 {
            var damaged = bytes
            if step < 20 {
                damaged = Array(bytes.prefix(step * bytes.count / 20))
            } else {
                for number in 0..<4 { damaged[(step * 7919 + number * 101) % bytes.count] ^= UInt8(1 << (step % 8)) }
            }
            try Data(damaged).write(to: url)
            do {
                // A readable archive of a mapping becomes a mapping model with its readable parts.
                _ = try MappingReader.read(at: url)
                #expect(NSMappingModel(contentsOf: url) != nil)
            } catch let error as ModelFileError {
                refused += 1
                #expect(!error.reason.isEmpty)
                #expect(NSMappingModel(contentsOf: url) == nil)
            }
        }
        #expect(refused >= 20)
    }

    /// All kinds of entity mappings, with and without policies.
    @Test(.enabled(if: corpus != nil, "the corpus is not there"))
    func everyKindOfMappingIsFound() throws {
        var kinds: [NSEntityMappingType: Int] = [:]
        var (policies, hashes, without) = (0, 0, 0)
        for url in Self.mappings() {
            let model = try #require(NSMappingModel(contentsOf: url))
            for mapping in model.entityMappings {
                kinds[mapping.mappingType, default: 0] += 1
                if mapping.entityMigrationPolicyClassName != nil { policies += 1 }
                let pairs = [
                    (mapping.sourceEntityName, mapping.sourceEntityVersionHash),
                    (mapping.destinationEntityName, mapping.destinationEntityVersionHash),
                ]
                for (name, hash) in pairs where name != nil {
                    if hash?.count == 32 { hashes += 1 } else { without += 1 }
                }
                #expect((mapping.sourceExpression == nil) == (mapping.sourceEntityName == nil), "\(url.path)")
            }
        }
        print("entity mappings: \(kinds), \(policies) with policies; \(hashes) hashes, \(without) entities without")
        #expect(kinds[.customEntityMappingType, default: 0] == policies)
        for kind in [NSEntityMappingType.addEntityMappingType, .copyEntityMappingType, .transformEntityMappingType] {
            #expect(kinds[kind, default: 0] > 0)
        }
    }

    /// Compares the models inside mapping models with the same versions' files in the corpus.
    @Test(.enabled(if: corpus != nil, "the corpus is not there"))
    func modelsInsideHaveTheHashesOfTheirFiles() throws {
        let corpus = try #require(Self.corpus)
        var (same, other) = (0, [String]())
        for url in Self.mappings() {
            let mapping = try MappingReader.read(at: url)
            let parts = url.path.replacing(corpus.appending(path: "mappings/").path, with: "").split(separator: "/")
            let repository = corpus.appending(path: "models/\(parts.first ?? "")")
            for (path, hashes) in [
                (mapping.sourcePath, mapping.sourceHashes), (mapping.destinationPath, mapping.destinationHashes),
            ] {
                let tail = path.split(separator: "/").suffix(2).joined(separator: "/")
                let found =
                    (FileManager.default.enumerator(atPath: repository.path)?.compactMap { $0 as? String } ?? [])
                    .first { $0.hasSuffix(tail) && !$0.contains("@") }
                guard let found, let model = try? ModelFile.readModel(at: repository.appending(path: found)) else {
                    continue
                }
                let expected = model.versionHashes()
                if expected == hashes { same += 1 } else { other.append("\(path)") }
            }
        }
        print("models inside of mapping models: \(same) as their files, \(other.count) changed since: \(other)")
        #expect(same > other.count)
    }
}
