// The reader and the version hashes over every real model there is.
import Foundation
import GraphModel
import GraphModelFiles
import Testing

@Suite(.enabled(if: Corpus.isPresent, "The corpus (../shared/corpus) is not here; nothing to read."))
struct CorpusTests {
    /// The models that are refused, with the beginning of the reason: none at present.
    private static let refused: [String: String] = [:]

    @Test func everyModelIsRead() throws {
        let files = Corpus.paths(in: "models", endingIn: ".xcdatamodel/contents")
        var counts = Counts()
        var problems: [String] = []
        for file in files {
            do {
                let model = try ModelFile.readModel(at: Corpus.url.appendingPathComponent(file))
                counts.add(model)
                if Self.refused[file] != nil {
                    problems.append("\(file) is on the list of refused models, but was read")
                }
            } catch let error as ModelFileError {
                if let reason = Self.refused[file], error.reason.hasPrefix(reason) { continue }
                problems.append(error.description)
            }
        }
        print("models: \(files.count) files, \(Self.refused.count) refused by the list; read: \(counts)")
        #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
        #expect(files.count >= 287)
    }

    @Test func everyVersionedModelIsReadWithItsCurrentVersion() throws {
        let folders = Corpus.paths(in: "models", endingIn: ".xcdatamodeld")
        var versions = 0
        for folder in folders {
            let versioned = try ModelFile.readVersionedModel(at: Corpus.url.appendingPathComponent(folder))
            versions += versioned.versions.count
            #expect(versioned.current != nil, "\(folder) has no current version")
        }
        print("versioned models: \(folders.count) with \(versions) versions")
        #expect(folders.count >= 233)
    }

    private struct HashPair: Decodable {
        var model_file: String
        var model_kind: String
        var entity: String
        var hash: String
        var confidence: String
    }

    @Test func everyCertainVersionHashComesOut() throws {
        let data = try Data(contentsOf: Corpus.url.appendingPathComponent("hashpairs.json"))
        let pairs = try JSONDecoder().decode([HashPair].self, from: data).filter { $0.confidence == "high" }
        let readable = pairs.filter { $0.model_kind == "xcdatamodel-xml" }
        var hashes: [String: [String: Data]] = [:]
        var wrong: [String] = []
        for pair in readable {
            if hashes[pair.model_file] == nil {
                let url = Corpus.url.appendingPathComponent(pair.model_file)
                hashes[pair.model_file] = try ModelFile.readModel(at: url).versionHashes()
            }
            if hashes[pair.model_file]?[pair.entity]?.base64EncodedString() != pair.hash {
                wrong.append("\(pair.model_file): \(pair.entity)")
            }
        }
        print(
            "version hashes: \(readable.count - wrong.count) of \(readable.count) pairs of XML models equal; "
                + "\(pairs.count - readable.count) pairs of compiled models left out, their format is not read"
        )
        #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
        #expect(readable.count >= 113)
    }
}

/// How much was read, for the test's log.
private struct Counts: CustomStringConvertible {
    var entities = 0
    var attributes = 0
    var relationships = 0
    var fetchedProperties = 0
    var indexes = 0
    var constraints = 0
    var rules = 0
    var templates = 0
    var configurations = 0

    mutating func add(_ model: Model) {
        entities += model.entities.count
        templates += model.fetchRequestTemplates.count
        configurations += model.configurations.count
        for entity in model.entities {
            attributes += entity.attributes.count
            relationships += entity.relationships.count
            fetchedProperties += entity.fetchedProperties.count
            indexes += entity.indexes.count + entity.compoundIndexes.count
            constraints += entity.uniquenessConstraints.count
            rules += entity.attributes.map(\.common.validations.count).reduce(0, +)
        }
    }

    var description: String {
        "\(entities) entities, \(attributes) attributes, \(relationships) relationships, "
            + "\(fetchedProperties) fetched properties, \(indexes) indexes, \(constraints) uniqueness constraints, "
            + "\(rules) validation rules, \(templates) fetch request templates, \(configurations) configurations"
    }
}
