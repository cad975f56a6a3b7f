// Tests Xcode's mapping models: every one of the collections is read, with its embedded models.
import CollectionSupport
import ExpectationSupport
import Foundation
import GraphModel
import GraphModelFiles
import ManagedGraph
import Testing

struct MappingFileTests {
    /// A compiled mapping model and the source that it was compiled from.
    struct Pair: CustomTestStringConvertible {
        let compiled: CollectedFile
        let source: CollectedFile
        let entities: Int
        let properties: Int
        var testDescription: String { compiled.name }
    }

    static let pairs =
        [
            Pair(
                compiled: Collections.fixtures.file("Harbour.cdm"),
                source: Collections.fixtures.file("Harbour.xcmappingmodel"),
                entities: 6,
                properties: 33
            ),
            Pair(
                compiled: Collections.fixtures.file("Homeward.cdm"),
                source: Collections.fixtures.file("Homeward.xcmappingmodel"),
                entities: 7,
                properties: 32
            ),
        ]
        + [Collections.published].compactMap(\.self).map { collection in
            let folder = "mappings/alemar11+CoreDataPlus/Tests/Resources/SampleModel"
            return Pair(
                compiled: collection.file("\(folder)/Fixtures/V2toV3.cdm"),
                source: collection.file("\(folder)/MappingModels/V2toV3.xcmappingmodel"),
                entities: 5,
                properties: 26
            )
        }

    @Test func textsHaveTheEscapesOfXMLStores() throws {
        let filter = #"size \u3e00 3 \u2600\u2600 name MATCHES "a\\\\.b""#
        let xml = #"""
            <?xml version="1.0"?><database><object type="XDDEVMAPPINGMODEL" id="z1"/>
            <object type="XDDEVENTITYMAPPING" id="z2"><attribute name="sourcename" type="string">Item</attribute>
            <attribute name="sourcefilterpredicatestring" type="string">\#(filter)</attribute></object></database>
            """#
        let mapping = try MappingReader.read(Data(xml.utf8), file: "xcmapping.xml")
        expectEqual(mapping.entities.first?.sourcePredicate, #"size > 3 && name MATCHES "a\\.b""#)
    }

    @Test func everyMappingModelIsReadWithItsModelsAndExpressions() throws {
        let files = Collections.files(.mapping).map(\.url)
        var (entities, properties, expressions, withModels) = (0, 0, 0, 0)
        for url in files {
            let mapping = try MappingReader.read(at: url)
            if !mapping.sourceHashes.isEmpty, !mapping.destinationHashes.isEmpty { withModels += 1 }
            let model = try #require(NSMappingModel(contentsOf: url))
            for (entity, said) in zip(model.entityMappings, mapping.entities) {
                entities += 1
                let mappings = (entity.attributeMappings ?? []) + (entity.relationshipMappings ?? [])
                for (property, written) in zip(mappings, said.attributes + said.relationships) {
                    properties += 1
                    if written.expression != nil {
                        expressions += 1
                        #expect(property.valueExpression != nil, "\(url.path) \(entity.name ?? "").\(written.name)")
                    }
                }
            }
            try expectEqual(MappingFile(json: mapping.json()), mapping)
        }
        print(
            "mapping models read: \(files.count); \(entities) entities, \(properties) properties, \(expressions) expressions"
        )
        // One of the published mapping models was saved without models.
        #expect(withModels >= files.count - Collections.least(1, fixtures: 0))
        #expect(files.count >= Collections.least(28, fixtures: 2))
        #expect(expressions >= Collections.least(20, fixtures: 8))
    }

    /// Compares a compiled mapping model with our reading of its source.
    @Test(arguments: pairs) func aCompiledMappingModelIsEqualToItsSource(pair: Pair) throws {
        let isApples = !pair.compiled.collection.isFixtures
        let compiled = try #require(NSMappingModel(contentsOf: pair.compiled.url))
        let source = try #require(NSMappingModel(contentsOf: pair.source.url))
        let (one, other) = (compiled.entityMappingsByName, source.entityMappingsByName)
        expectEqual(one.keys.sorted(), other.keys.sorted())
        expectEqual(one.count, pair.entities)
        func text(_ mappings: [NSPropertyMapping]?) -> [String] {
            (mappings ?? []).map { "\($0.name ?? ""): \($0.valueExpression.map { "\($0)" } ?? "none")" }.sorted()
        }
        var properties = 0
        for (name, mapping) in one {
            let twin = try #require(other[name])
            // Apple's compiler marks one mapping as a copy although its entity has changed.
            let isCopy = isApples && mapping.mappingType == .copyEntityMappingType && name == "PersonToPerson"
            #expect(mapping.mappingType == twin.mappingType || isCopy, "\(name)")
            expectEqual(mapping.sourceEntityName, twin.sourceEntityName)
            expectEqual(mapping.destinationEntityName, twin.destinationEntityName)
            expectEqual(mapping.sourceEntityVersionHash, twin.sourceEntityVersionHash, "\(name)")
            expectEqual(mapping.destinationEntityVersionHash, twin.destinationEntityVersionHash, "\(name)")
            // The compiler's class name has no module.
            let policy = mapping.entityMigrationPolicyClassName?.split(separator: ".").last
            expectEqual(policy, twin.entityMigrationPolicyClassName?.split(separator: ".").last, "\(name)")
            expectEqual(mapping.sourceExpression?.description, twin.sourceExpression?.description, "\(name)")
            expectEqual(text(mapping.attributeMappings), text(twin.attributeMappings), "\(name)")
            // Apple's two files come from different commits: in one, a relationship is named after the mapping.
            let (relationships, others) = (text(mapping.relationshipMappings), text(twin.relationshipMappings))
            #expect(
                zip(relationships, others).allSatisfy { $0 == $1 || isApples && $0.hasPrefix("owner: ") },
                "\(name)"
            )
            expectEqual(relationships.count, others.count)
            properties += (mapping.attributeMappings?.count ?? 0) + (mapping.relationshipMappings?.count ?? 0)
        }
        expectEqual(properties, pair.properties)
    }

    @Test(arguments: pairs) func aDamagedCompiledMappingModelIsRefused(pair: Pair) throws {
        let bytes = [UInt8](try pair.compiled.data())
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
                expectNil(NSMappingModel(contentsOf: url))
            }
        }
        #expect(refused >= 20)
    }

    /// All kinds of entity mappings, with and without policies.
    @Test func everyKindOfMappingIsFound() throws {
        var kinds: [NSEntityMappingType: Int] = [:]
        var (policies, hashes, without) = (0, 0, 0)
        for url in Collections.files(.mapping).map(\.url) {
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
                expectEqual((mapping.sourceExpression == nil), (mapping.sourceEntityName == nil), "\(url.path)")
            }
        }
        print("entity mappings: \(kinds), \(policies) with policies; \(hashes) hashes, \(without) entities without")
        expectEqual(kinds[.customEntityMappingType, default: 0], policies)
        for (kind, count) in [
            (NSEntityMappingType.addEntityMappingType, 2), (.removeEntityMappingType, 1), (.copyEntityMappingType, 1),
            (.transformEntityMappingType, 8), (.customEntityMappingType, 1),
        ] {
            #expect(kinds[kind, default: 0] >= count)
        }
    }

    /// Compares the models inside mapping models with the same versions' files.
    @Test func modelsInsideHaveTheHashesOfTheirFiles() throws {
        var (same, other) = (0, [String]())
        for file in Collections.files(.mapping) {
            let mapping = try MappingReader.read(at: file.url)
            let models = file.neighbours(.model).filter { !$0.path.contains("@") }
            for (path, hashes) in [
                (mapping.sourcePath, mapping.sourceHashes), (mapping.destinationPath, mapping.destinationHashes),
            ] {
                let tail = path.split(separator: "/").suffix(2).joined(separator: "/")
                guard let neighbour = models.first(where: { $0.path.hasSuffix("\(tail)/contents") }),
                    let model = try? ModelFile.readModel(at: neighbour.url)
                else { continue }
                let expected = model.versionHashes()
                if expected == hashes { same += 1 } else { other.append("\(path)") }
            }
        }
        print("models inside of mapping models: \(same) as their files, \(other.count) changed since: \(other)")
        #expect(same >= other.count + Collections.least(1, fixtures: 4))
    }
}
