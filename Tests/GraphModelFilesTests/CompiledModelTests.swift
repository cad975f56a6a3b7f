// Compares compiled models and models cached in stores with the models that they were compiled from.
import Foundation
import GraphArchives
import GraphModel
import GraphPredicates
import Testing

@testable import GraphModelFiles

@Suite(.enabled(if: Corpus.isPresent, "The corpus (../shared/corpus) is not here; nothing to read."))
struct CompiledModelTests {

    /// Models whose sources have indexed attributes or compound indexes, which a newer framework converted.
    private static let upgraded = ["@44c19f56/Tests/SampleModel/SampleModel.momd/SampleModel2.mom", "LoopKit+LoopKit"]

    /// The compiled and cached models, by path.
    private static func compiled() throws -> [(path: String, model: Model)] {
        let paths =
            Corpus.paths(in: "compiled", endingIn: ".mom") + Corpus.paths(in: "derived", endingIn: ".modelcache.plist")
        return try paths.map { path in
            let data = try Data(contentsOf: Corpus.url.appendingPathComponent(path))
            return (path, try ModelFile.readModel(compiled: data, file: path))
        }
    }

    @Test func everyCompiledModelIsRead() throws {
        let models = try Self.compiled().map(\.model)
        #expect(models.count >= 67)
        let entities = models.flatMap(\.entities)
        #expect(entities.count >= 201)
        #expect(entities.flatMap(\.relationships).count >= 165)
        #expect(entities.flatMap(\.attributes).filter { !$0.common.validations.isEmpty }.count >= 3)
        #expect(models.flatMap(\.fetchRequestTemplates).count >= 12)
        #expect(entities.flatMap(\.indexes).count >= 30)
    }

    /// Sorts a model and removes the parts that compiling loses or that do not affect the digest.
    private func comparable(_ model: Model) throws -> Model {
        var model = model
        model.versionIdentifiers = []
        model.entities.sort { $0.name < $1.name }
        model.configurations.sort { $0.name < $1.name }
        for index in model.configurations.indices { model.configurations[index].entityNames.sort() }
        model.fetchRequestTemplates = try model.fetchRequestTemplates.map(comparable).sorted { $0.name < $1.name }
        for index in model.entities.indices {
            model.entities[index].codeGeneration = .manual
            model.entities[index].className = nil
            model.entities[index].properties = try model.entities[index].properties.map(comparable)
                .sorted { $0.name < $1.name }
        }
        return model
    }

    private func comparable(_ request: FetchRequestTemplate) throws -> FetchRequestTemplate {
        var request = request
        request.predicateFormat = try request.predicateFormat.map { try NSPredicate(validating: $0).printedFormat }
        return request
    }

    private func comparable(_ property: Property) throws -> Property {
        var property = property
        property.common.isStoredInExternalRecord = false
        switch property {
        case .attribute(var attribute):
            attribute.usesScalarValue = false
            attribute.compositeName = nil
            attribute.elements = try attribute.elements.compactMap { element in
                if case .attribute(let element) = try comparable(.attribute(element)) { element } else { nil }
            }
            if let format = attribute.derivationExpressionFormat {
                attribute.derivationExpressionFormat = Derivation(format).map { "\($0)" }
            }
            return .attribute(attribute)
        case .fetched(var fetched):
            fetched.request = try comparable(fetched.request)
            fetched.request.name = ""
            return .fetched(fetched)
        case .relationship: return property
        }
    }

    @Test func aCompiledModelEqualsItsSource() throws {
        // A model's history has several sources with the same digest, but other classes or requests.
        var sources: [String: [Model]] = [:]
        for path in Corpus.paths(in: "models", endingIn: ".xcdatamodel/contents") {
            let model = try ModelFile.readModel(at: Corpus.url.appendingPathComponent(path))
            sources[model.versionHashesDigest(), default: []].append(try comparable(model))
        }
        var pairs = 0
        var different: [String] = []
        for (path, model) in try Self.compiled() {
            guard let candidates = sources[model.versionHashesDigest()] else { continue }
            pairs += 1
            let model = try comparable(model)
            if !candidates.contains(model), !Self.upgraded.contains(where: path.contains) {
                different.append(path + difference(model, candidates[0]))
            }
        }
        print("compiled models: \(pairs - different.count) of \(pairs) equal one of their sources, two but for indexes")
        #expect(different.isEmpty, "\(different.joined(separator: "\n"))")
        #expect(pairs >= 60)
    }

    private func difference(_ one: Model, _ other: Model) -> String {
        var result = ""
        for (entity, second) in zip(one.entities, other.entities) where entity != second {
            result += "\n  \(entity.name)"
            for (property, other) in zip(entity.properties, second.properties) where property != other {
                result += "\n    \(property)\n    \(other)"
            }
            var (entity, second) = (entity, second)
            (entity.properties, second.properties) = ([], [])
            if entity != second { result += "\n  \(entity)\n  \(second)" }
        }
        if one.configurations != other.configurations { result += "\n  \(one.configurations) \(other.configurations)" }
        if one.fetchRequestTemplates != other.fetchRequestTemplates {
            result += "\n  \(one.fetchRequestTemplates) \n  \(other.fetchRequestTemplates)"
        }
        return result
    }

    /// Compares our archive of a source with Apple's.
    @Test func ourArchivesHaveTheStructureOfApples() throws {
        var sources: [String: [Model]] = [:]
        for path in Corpus.paths(in: "models", endingIn: ".xcdatamodel/contents") {
            let model = try ModelFile.readModel(at: Corpus.url.appendingPathComponent(path))
            sources[model.versionHashesDigest(), default: []].append(model)
        }
        var equal = 0
        var pairs = 0
        var unexplained: [String] = []
        var counts: [String: Int] = [:]
        for (path, model) in try Self.compiled() where !Self.upgraded.contains(where: path.contains) {
            let apple = try #require(KeyedArchive(Data(contentsOf: Corpus.url.appendingPathComponent(path))))
            var best: [String]?
            for source in sources[model.versionHashesDigest(), default: []] {
                let data = try CompiledModelWriter.write(source, form: path.hasSuffix(".mom") ? .file : .cache)
                let differences = ArchiveComparison(try #require(KeyedArchive(data)), apple).differences
                if differences.count < best?.count ?? .max { best = differences }
            }
            guard let best else { continue }
            pairs += 1
            if best.isEmpty { equal += 1 }
            for difference in best {
                let reason = Self.reasons.first { $0.parts.allSatisfy(difference.contains) }?.reason
                if let reason {
                    counts[reason, default: 0] += 1
                } else {
                    unexplained.append("\(path)\n  \(difference)")
                }
            }
        }
        print("archives: \(equal) of \(pairs) have Apple's structure; differences of the others: \(counts)")
        #expect(unexplained.isEmpty, "\(unexplained.joined(separator: "\n"))")
        #expect(pairs >= 58)
        #expect(equal >= 22)
    }

    /// Differences between Apple's archives and ours for sources with the same hashes, with their reasons.
    private static let reasons: [(parts: [String], reason: String)] = [
        ([".CDMCompiler"], "the compiler's version"),
        (["NSAllocationType: only in the first"], "older compilers"),
        (["NSVersionIdentifiers["], "the source is of another commit"),
        (["NSClassNameForEntity"], "the source is of another commit, or the cache was written by a migration"),
        (["NSCompoundIndexes: only in the second"], "the cache was written by a migration"),
        (["NSFetchIndexDescriptions: only in the second"], "the cache was written by a migration"),
        (["NSIndexElements: NSArray and NSMutableArray"], "the cache was written by a migration"),
        (["NSCompoundIndexes: NSMutableArray and NSArray"], "frameworks before fetch indexes"),
        (["NSRenamingIdentifier", "NS.string"], "the cache was made of an optimized model"),
        (["NSDerivationExpression.NSArguments: NSMutableArray and NSArray"], "the compiler has rewritten a key path"),
        (["NSSubentities: ", "and text(\"$null\")"], "the cache was made of an optimized model"),
        (["NSVersionIdentifiers: NSSet and NSMutableSet"], "the cache was made of an optimized model"),
        (["NSDefaultValue: boolean(false) and integer(0)"], "the cache was made of an optimized model"),
    ]

    /// Writes every model of the corpus as a store's cache and reads it back.
    @Test func aWrittenCacheReadsBackEqual() throws {
        var models: [(path: String, model: Model)] = try Self.compiled()
        for path in Corpus.paths(in: "models", endingIn: ".xcdatamodel/contents") {
            models.append((path, try ModelFile.readModel(at: Corpus.url.appendingPathComponent(path))))
        }
        var different: [String] = []
        for (path, model) in models {
            let read = try ModelFile.readModel(cache: ModelFile.cache(of: model), file: path)
            #expect(read.versionHashes() == model.versionHashes(), "\(path)")
            #expect(read.entities.map(\.className) == model.entities.sorted { $0.name < $1.name }.map(\.className))
            let (one, other) = (try comparable(read), try comparable(model))
            if one != other { different.append(path + difference(one, other)) }
        }
        print("caches written and read back: \(models.count - different.count) of \(models.count)")
        #expect(different.isEmpty, "\(different.joined(separator: "\n"))")
        #expect(models.count >= 354)
    }

    /// Compiles every model to `.mom` and reads it back.
    @Test func aWrittenCompiledModelReadsBackEqual() throws {
        var models: [(path: String, model: Model)] = try Self.compiled()
        let paths = Corpus.paths(in: "models", endingIn: ".xcdatamodel/contents")
        for path in paths + Corpus.paths(in: "legacy", endingIn: "/elements") {
            models.append((path, try ModelFile.readModel(at: Corpus.url.appendingPathComponent(path))))
        }
        var different: [String] = []
        for (path, model) in models {
            let data = try ModelFile.compiled(model)
            let archive = try #require(KeyedArchive(data))
            // Apple's unarchiver requires that every reference leads to an object and every class to its superclasses.
            #expect(archive.isSound, "\(path)")
            let read = try ModelFile.readModel(data, file: path)
            #expect(read.versionHashes() == model.versionHashes(), "\(path)")
            let (one, other) = (try comparable(read), try comparable(model))
            if one != other { different.append(path + difference(one, other)) }
        }
        print("compiled and read back equal: \(models.count - different.count) of \(models.count)")
        #expect(different.isEmpty, "\(different.joined(separator: "\n"))")
        #expect(models.count >= 383)
    }

    /// The hashes and checksums that Xcode's compiler wrote beside its models.
    @Test func versionInformationHasTheHashesOfItsModels() throws {
        var (hashes, checksums) = (0, 0)
        var different: [String] = []
        for path in Corpus.paths(in: "compiled", endingIn: "/VersionInfo.plist") {
            let file = Corpus.url.appendingPathComponent(path)
            let list = try PropertyListSerialization.propertyList(from: Data(contentsOf: file), format: nil)
            let entries = try #require(list as? [String: Any])
            let all = entries[VersionInfoKey.hashes] as? [String: [String: Data]] ?? [:]
            let texts = entries[VersionInfoKey.checksums] as? [String: String] ?? [:]
            for (version, wanted) in all {
                let mom = file.deletingLastPathComponent().appendingPathComponent("\(version).mom")
                guard FileManager.default.fileExists(atPath: mom.path) else { continue }
                let model = try ModelFile.readModel(at: mom)
                hashes += wanted.count
                if model.versionHashes() != wanted { different.append("\(path): \(version)") }
                guard let text = texts[version] else { continue }
                checksums += 1
                if model.versionChecksum() != text { different.append("\(path): checksum of \(version)") }
            }
        }
        print("VersionInfo.plist: \(hashes) hashes and \(checksums) checksums equal but for \(different)")
        #expect(different.isEmpty)
        #expect(hashes >= 60)
    }
}
