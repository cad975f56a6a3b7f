// Compares compiled models and models cached in stores with the models that they were compiled from.
import CollectionSupport
import ExpectationSupport
import Foundation
import GraphArchives
import GraphModel
import GraphPredicates
import Testing

@testable import GraphModelFiles

struct CompiledModelTests {
    /// Models whose sources have indexed attributes or compound indexes, which a newer framework converted.
    private static let upgraded = ["@44c19f56/Tests/SampleModel/SampleModel.momd/SampleModel2.mom", "LoopKit+LoopKit"]

    /// The compiled and cached models, by path.
    private static func compiled() throws -> [(path: String, model: Model)] {
        try CompiledArchive.all().map { ($0.path, try $0.model()) }
    }

    @Test func everyCompiledModelIsRead() throws {
        let models = try Self.compiled().map(\.model)
        #expect(models.count >= Collections.least(67, fixtures: 14))
        let entities = models.flatMap(\.entities)
        #expect(entities.count >= Collections.least(201, fixtures: 50))
        #expect(entities.flatMap(\.relationships).count >= Collections.least(165, fixtures: 50))
        let validated = entities.flatMap(\.attributes).filter { !$0.common.validations.isEmpty }
        #expect(validated.count >= Collections.least(3, fixtures: 6))
        #expect(models.flatMap(\.fetchRequestTemplates).count >= Collections.least(12, fixtures: 4))
        #expect(entities.flatMap(\.indexes).count >= Collections.least(30, fixtures: 7))
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
            // An entity's own name as its former one says nothing.
            if model.entities[index].renamingIdentifier == model.entities[index].name {
                model.entities[index].renamingIdentifier = nil
            }
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
        for file in Collections.files(.model) {
            let model = try ModelFile.readModel(at: file.url)
            sources[Model.digest(of: model.versionHashes()), default: []].append(try comparable(model))
        }
        var pairs = 0
        var different: [String] = []
        for (path, model) in try Self.compiled() {
            guard let candidates = sources[Model.digest(of: model.versionHashes())] else { continue }
            pairs += 1
            let model = try comparable(model)
            if !candidates.contains(model), !Self.upgraded.contains(where: path.contains) {
                different.append(path + difference(model, candidates[0]))
            }
        }
        print("compiled models: \(pairs - different.count) of \(pairs) equal one of their sources, two but for indexes")
        #expect(different.isEmpty, "\(different.joined(separator: "\n"))")
        #expect(pairs >= Collections.least(60, fixtures: 14))
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

    /// Compares our archive of a source with the collected one.
    @Test func ourArchivesHaveTheStructureOfCollectedOnes() throws {
        var sources: [String: [Model]] = [:]
        for file in Collections.files(.model) {
            let model = try ModelFile.readModel(at: file.url)
            sources[Model.digest(of: model.versionHashes()), default: []].append(model)
        }
        var tally = DifferenceTally()
        for collected in try CompiledArchive.all() where !Self.upgraded.contains(where: collected.path.contains) {
            let (path, model) = (collected.path, try collected.model())
            let apple = try #require(KeyedArchive(collected.data))
            var best: [String]?
            for source in sources[Model.digest(of: model.versionHashes()), default: []] {
                let data = try CompiledModelWriter.write(source, form: collected.form)
                let differences = ArchiveComparison(try #require(KeyedArchive(data)), apple).differences
                if differences.count < best?.count ?? .max { best = differences }
            }
            guard let best else { continue }
            tally.add(best, of: path) { difference in
                Self.reasons.first { $0.parts.allSatisfy(difference.contains) }?.reason
            }
        }
        print("archives: \(tally.equal) of \(tally.compared) have Apple's structure; the others: \(tally.reasons)")
        #expect(tally.unexplained.isEmpty, "\(tally.unexplained.joined(separator: "\n"))")
        #expect(tally.compared >= Collections.least(58, fixtures: 14))
        #expect(tally.equal >= Collections.least(22, fixtures: 12))
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

    /// Writes collected models as a store's cache and reads it back.
    @Test func aWrittenCacheReadsBackEqual() throws {
        var models: [(path: String, model: Model)] = try Self.compiled()
        for file in Collections.sample(.model, oneIn: 6) {
            models.append((file.path, try ModelFile.readModel(at: file.url)))
        }
        var different: [String] = []
        for (path, model) in models {
            let read = try ModelFile.readModel(cache: ModelFile.cache(of: model), file: path)
            expectEqual(read.versionHashes(), model.versionHashes(), "\(path)")
            expectEqual(read.entities.map(\.className), model.entities.sorted { $0.name < $1.name }.map(\.className))
            let (one, other) = (try comparable(read), try comparable(model))
            if one != other { different.append(path + difference(one, other)) }
        }
        print("caches written and read back: \(models.count - different.count) of \(models.count)")
        #expect(different.isEmpty, "\(different.joined(separator: "\n"))")
        #expect(models.count >= Collections.least(67, fixtures: 24) + Collections.least(287, fixtures: 0, oneIn: 6))
    }

    /// Compiles models to `.mom` and reads it back.
    @Test func aWrittenCompiledModelReadsBackEqual() throws {
        var models: [(path: String, model: Model)] = try Self.compiled()
        for file in Collections.sample(.model, oneIn: 6) + Collections.files(.oldModel) {
            models.append((file.path, try ModelFile.readModel(at: file.url)))
        }
        var different: [String] = []
        for (path, model) in models {
            let data = try ModelFile.compiled(model)
            let archive = try #require(KeyedArchive(data))
            // Apple's unarchiver requires that every reference leads to an object and every class to its superclasses.
            #expect(archive.isSound, "\(path)")
            let read = try ModelFile.readModel(data, file: path)
            expectEqual(read.versionHashes(), model.versionHashes(), "\(path)")
            let (one, other) = (try comparable(read), try comparable(model))
            if one != other { different.append(path + difference(one, other)) }
        }
        print("compiled and read back equal: \(models.count - different.count) of \(models.count)")
        #expect(different.isEmpty, "\(different.joined(separator: "\n"))")
        #expect(models.count >= Collections.least(96, fixtures: 25) + Collections.least(287, fixtures: 0, oneIn: 6))
    }

    /// The hashes and checksums that Xcode's compiler wrote beside its models.
    @Test func versionInformationHasTheHashesOfItsModels() throws {
        var (hashes, checksums) = (0, 0)
        var different: [String] = []
        for path in Collections.files(.versionList) {
            let file = path.url
            let list = try PropertyListSerialization.propertyList(from: path.data(), format: nil)
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
        #expect(hashes >= Collections.least(60, fixtures: 20))
        #expect(checksums >= Collections.least(0, fixtures: 6))
    }
}
