// Xcode's mapping models: every one of the corpus is read, with the models inside of it.
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
        // One of the corpus's was saved without models.
        #expect(withModels > 0 && withModels >= files.count - 1)
    }

    /// The models inside of mapping models, against the same versions' files of the corpus.
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
