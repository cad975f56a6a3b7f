// Applies the reader and the version hashes to every real model of the corpus.
import Foundation
import GraphModel
import GraphModelFiles
import Testing

@Suite(.enabled(if: Corpus.isPresent, "The corpus (../shared/corpus) is not here; nothing to read."))
struct CorpusTests {
    /// The models that are refused, with the prefix of the reason: none at present.
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

    private func certainPairs() throws -> [HashPair] {
        let data = try Data(contentsOf: Corpus.url.appendingPathComponent("hashpairs.json"))
        return try JSONDecoder().decode([HashPair].self, from: data).filter { $0.confidence == "high" }
    }

    /// The pairs whose hash differs from the model's.
    private func wrong(_ pairs: [HashPair], _ read: (URL) throws -> Model) throws -> [String] {
        var hashes: [String: [String: Data]] = [:]
        return try pairs.compactMap { pair in
            let ofFile =
                try hashes[pair.model_file]
                ?? read(Corpus.url.appendingPathComponent(pair.model_file)).versionHashes()
            hashes[pair.model_file] = ofFile
            let isEqual = ofFile[pair.entity]?.base64EncodedString() == pair.hash
            return isEqual ? nil : "\(pair.model_file): \(pair.entity)"
        }
    }

    @Test func everyCertainHashOfAModelFileComesOut() throws {
        let pairs = try certainPairs().filter { $0.model_kind == "xcdatamodel-xml" }
        let wrong = try wrong(pairs) { try ModelFile.readModel(at: $0) }
        print("version hashes: \(pairs.count - wrong.count) of \(pairs.count) pairs of model files equal")
        #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
        #expect(pairs.count >= 113)
    }

    @Test func everyCertainHashOfACompiledModelComesOut() throws {
        let pairs = try certainPairs().filter { $0.model_kind != "xcdatamodel-xml" }
        let wrong = try wrong(pairs) { try ModelFile.readModel(compiled: Data(contentsOf: $0), file: $0.path) }
        print("version hashes: \(pairs.count - wrong.count) of \(pairs.count) pairs of compiled models equal")
        #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
        #expect(pairs.count >= 165)
    }

    /// Checks the same pairs after each model was written in another form and read back.
    @Test(arguments: ["as text", "as .mom", "as a store's cache"])
    func everyCertainHashSurvivesWriting(form: String) throws {
        let pairs = try certainPairs()
        let wrong = try wrong(pairs) { url in
            let model =
                try pairs.first { url.path.hasSuffix($0.model_file) }?.model_kind == "xcdatamodel-xml"
                ? ModelFile.readModel(at: url) : ModelFile.readModel(compiled: Data(contentsOf: url), file: url.path)
            switch form {
            case "as text":
                let document = try ModelDocument(model: model, file: url.path)
                return try ModelFile.readModel(document.contents, file: url.path)
            case "as .mom": return try ModelFile.readModel(ModelFile.compiled(model), file: url.path)
            default: return try ModelFile.readModel(cache: ModelFile.cache(of: model), file: url.path)
            }
        }
        // XML has no form for a count of -1, as code may set it.
        let expected = form == "as text" ? wrong.filter { !$0.hasSuffix(": Author") } : wrong
        print("version hashes, models written \(form): \(pairs.count - wrong.count) of \(pairs.count) pairs equal")
        #expect(expected.isEmpty, "\(expected.joined(separator: "\n"))")
        #expect(pairs.count >= 278)
    }

    /// Digests and checksums from the metadata of stores, with the path of each cached model.
    private static let stores: [(cache: String, digest: String, checksum: String?)] = [
        (
            "alemar11+CoreDataPlus/Tests/Resources/SampleModel2/Fixtures/SampleModel2_V2.sqlite",
            "DIs+xLz0MVRR+GdQiDmx7wnmlHlCiw6+VI2n9V1cn7yh5eQUDlUTzt0H2YdeVaf4SGeKDJBO12pOwPgiuko3Xw==",
            "rKAqeFkeBuVpMQIEEEFvBGH45XUJ88ai7Pdmz4VqQkE="
        ),
        (
            "contentful+contentful-persistence.swift/Tests/ContentfulPersistenceTests/BundledPreseededDatabaseTests/"
                + "Test.sqlite",
            "6EfkCVlZYIxr4rqME2NcWHkOzc51ilRSccLKUVgC5sGO8UPQ3W5ap+9rZ5VH8VLoQ/AV38RsdRWyjtYiQ0/zfQ==",
            "gW5zQaDo3eKxFNsxHZ1XfyoOL+OIJRPycZs1ji8H648="
        ),
        (
            "LoopKit+LoopKit/LoopKitHostedTests/TestCoreData/Model.sqlite.v1.original",
            "JsiZ5pxZETDR/uBIDneH/yxMn0lMUZvn8v3/PhQW1d2kM5hl0AAO+DAsjh8ySII1XvFg+XdSlnByGkTkTWgI4w==", nil
        ),
        (
            "keithsharp+VacuumTest/exports/challenges.store",
            "oQXQ8BFdFn5lMPEG6v9EAqovnh23v0VSnkuuD4t7Aaa07xaLo4XidLNHrdEETtmT5XeQ7wufc7Cd21JhNs5Hgg==",
            "CYG5pdLs2FfruI/fR3v369rmXm9IIhwV8EjdF6EWZ14="
        ),
    ]

    @Test(arguments: stores.indices)
    func theDigestAndChecksumOfAStoreComeOut(index: Int) throws {
        let store = Self.stores[index]
        let url = Corpus.url.appendingPathComponent("derived/\(store.cache).modelcache.plist")
        let model = try ModelFile.readModel(compiled: Data(contentsOf: url), file: url.path)
        #expect(model.versionHashesDigest() == store.digest)
        if let checksum = store.checksum { #expect(model.versionChecksum() == checksum) }
    }
}

/// Totals for the test's log.
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
