// Applies the reader and the version hashes to every model of the collections.
import CollectionSupport
import ExpectationSupport
import Foundation
import GraphModel
import GraphModelFiles
import Testing

struct CorpusTests {
    /// The models that are refused, with the prefix of the reason: none at present.
    private static let refused: [String: String] = [:]

    @Test func everyModelIsRead() throws {
        let files = Collections.files(.model)
        var counts = ModelCounts()
        var problems: [String] = []
        for file in files {
            do {
                let model = try ModelFile.readModel(at: file.url)
                counts.add(model)
                if Self.refused[file.path] != nil {
                    problems.append("\(file) is on the list of refused models, but was read")
                }
            } catch let error as ModelFileError {
                if let reason = Self.refused[file.path], error.reason.hasPrefix(reason) { continue }
                problems.append(error.description)
            }
        }
        print("models: \(files.count) files, \(Self.refused.count) refused by the list; read: \(counts)")
        #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
        #expect(files.count >= Collections.least(287, fixtures: 10))
        #expect(counts.entities >= Collections.least(678, fixtures: 30))
    }

    @Test func everyVersionedModelIsReadWithItsCurrentVersion() throws {
        let folders = Collections.files(.versionedModel)
        var versions = 0
        for folder in folders {
            let versioned = try ModelFile.readVersionedModel(at: folder.url)
            versions += versioned.versions.count
            #expect(versioned.current != nil, "\(folder) has no current version")
        }
        print("versioned models: \(folders.count) with \(versions) versions")
        #expect(folders.count >= Collections.least(233, fixtures: 3))
        #expect(versions >= Collections.least(233, fixtures: 7))
    }

    private struct HashPair: Decodable {
        var model_file: String
        var model_kind: String
        var entity: String
        var hash: String
        var confidence: String
    }

    /// A hash that the compiler, or the script of the fixtures, wrote for an entity of a file.
    private struct CertainHash {
        let file: CollectedFile
        let isSource: Bool
        let entity: String
        let hash: String

        func model() throws -> Model {
            isSource
                ? try ModelFile.readModel(at: file.url)
                : try ModelFile.readModel(compiled: file.data(), file: file.path)
        }
    }

    private func certainHashes() throws -> [CertainHash] {
        try [Collections.fixtures, Collections.published].compactMap(\.self).flatMap { collection in
            try JSONDecoder().decode([HashPair].self, from: collection.file("hashpairs.json").data())
                .filter { $0.confidence == "high" }
                .map {
                    CertainHash(
                        file: collection.file($0.model_file),
                        isSource: $0.model_kind.hasPrefix("xcdatamodel"),
                        entity: $0.entity,
                        hash: $0.hash
                    )
                }
        }
    }

    /// The entities whose hash differs from the given one.
    private func wrong(
        _ hashes: [CertainHash],
        _ change: (Model, String) throws -> Model = { model, _ in model }
    ) throws -> [String] {
        var hashesByFile: [CollectedFile: [String: Data]] = [:]
        return try hashes.compactMap { item in
            let ofFile = try hashesByFile[item.file] ?? change(item.model(), item.file.path).versionHashes()
            hashesByFile[item.file] = ofFile
            let isEqual = ofFile[item.entity]?.base64EncodedString() == item.hash
            return isEqual ? nil : "\(item.file): \(item.entity)"
        }
    }

    @Test func everyCertainHashOfAModelFileComesOut() throws {
        let hashes = try certainHashes().filter(\.isSource)
        let wrong = try wrong(hashes)
        print("version hashes: \(hashes.count - wrong.count) of \(hashes.count) of model files equal")
        #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
        #expect(hashes.count >= Collections.least(113, fixtures: 40))
    }

    @Test func everyCertainHashOfACompiledModelComesOut() throws {
        let hashes = try certainHashes().filter { !$0.isSource }
        let wrong = try wrong(hashes)
        print("version hashes: \(hashes.count - wrong.count) of \(hashes.count) of compiled models equal")
        #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
        #expect(hashes.count >= Collections.least(165, fixtures: 25))
    }

    /// Checks the same hashes after each model was written in another form and read back.
    @Test(arguments: ["as text", "as .mom", "as a store's cache"])
    func everyCertainHashSurvivesWriting(form: String) throws {
        let hashes = try certainHashes()
        let wrong = try wrong(hashes) { model, path in
            switch form {
            case "as text":
                return try ModelFile.readModel(ModelDocument(model: model, file: path).contents, file: path)
            case "as .mom": return try ModelFile.readModel(ModelFile.compiled(model), file: path)
            default: return try ModelFile.readModel(cache: ModelFile.cache(of: model), file: path)
            }
        }
        // XML has no form for a count of -1, as code may set it in a published model.
        let expected = form == "as text" ? wrong.filter { !$0.hasSuffix(": Author") } : wrong
        print("version hashes, models written \(form): \(hashes.count - wrong.count) of \(hashes.count) equal")
        #expect(expected.isEmpty, "\(expected.joined(separator: "\n"))")
        #expect(hashes.count >= Collections.least(278, fixtures: 65))
    }

    /// The digest and the checksum of a model.
    struct Digest: Decodable, CustomTestStringConvertible {
        var model_file: String
        var digest: String
        var checksum: String?
        var collection: FileCollection?
        var testDescription: String { model_file }

        private enum CodingKeys: String, CodingKey { case model_file, digest, checksum }
    }

    /// Digests by the script of the fixtures.
    private static func ofFixtures() -> [Digest] {
        let digests = try? JSONDecoder()
            .decode([Digest].self, from: Collections.fixtures.file("digests.json").data())
        return (digests ?? []).map {
            var digest = $0
            digest.collection = Collections.fixtures
            return digest
        }
    }

    /// Digests and checksums from the metadata of published stores, with the path of each cached model.
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

    private static func ofStores() -> [Digest] {
        [Collections.published].compactMap(\.self).flatMap { collection in
            stores.map {
                Digest(
                    model_file: "derived/\($0.cache).modelcache.plist",
                    digest: $0.digest,
                    checksum: $0.checksum,
                    collection: collection
                )
            }
        }
    }

    @Test(arguments: ofFixtures() + ofStores()) func theDigestAndChecksumOfAModelComeOut(digest: Digest) throws {
        let file = try #require(digest.collection).file(digest.model_file)
        let isSource = file.path.hasSuffix("/contents") || file.path.hasSuffix("/elements")
        let model =
            isSource
            ? try ModelFile.readModel(at: file.url) : try ModelFile.readModel(compiled: file.data(), file: file.path)
        expectEqual(Model.digest(of: model.versionHashes()), digest.digest)
        if let checksum = digest.checksum { expectEqual(model.versionChecksum(), checksum) }
    }

    @Test func theDigestsOfTheFixturesAreThere() {
        #expect(Self.ofFixtures().count >= 15)
    }
}
