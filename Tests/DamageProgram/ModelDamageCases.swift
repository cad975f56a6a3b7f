// The cases of damaged model files: the file, its damage, and the outcome of using it. A case is determined by its number.
import CollectionSupport
import CorpusSupport
import Foundation
import GraphModel
import GraphModelFiles
import GraphSupport
import ManagedGraph
import TestSupport

/// Damaged copies of the collections' model files: XML, archives of Xcode 3, compiled models and those of stores.
final class ModelDamageCases: DamageCases {
    private struct Original {
        let name: String
        let file: Data
        let hashes: [String: Data]
    }

    /// The outcome of a case.
    private enum Outcome: String {
        /// An error that names the file.
        case refused
        /// A model with the original's hashes was read.
        case same
        /// Another model was read.
        case other
        /// A model was read whose predicates or expressions cannot be compiled.
        case notCompiled
    }

    private let folder: URL
    private let originals: [Original]

    init(folder: URL) throws {
        self.folder = folder
        let kinds: [FileKind] = [.model, .oldModel, .compiledModel, .cachedModel]
        originals = try kinds.flatMap(Collections.files).compactMap { file in
            let data = try file.data()
            guard let model = try? ModelFile.readModel(data, file: file.name) else { return nil }
            return Original(name: file.path, file: data, hashes: model.versionHashes())
        }
    }

    func run(_ number: Int) throws -> String {
        var random = SeededNumbers(run: UInt64(number), of: 2)
        let original = random.pick(originals)
        let other = random.pick(originals).file
        let damaged =
            switch number % 3 {
            case 0: random.damaged(original.file, with: other)
            case 1: withAnotherByte(original.file, &random)
            default: withAnotherValue(original.file, other, &random)
            }
        // The file of the last case stays, to be looked at.
        try damaged.write(to: folder.appending(path: "damaged-model"))
        let outcome = try use(damaged, original)
        return "\(outcome.rawValue) \(original.name)"
    }

    private func withAnotherByte(_ file: Data, _ random: inout SeededNumbers) -> Data {
        var damaged = [UInt8](file)
        damaged[random.below(damaged.count)] = UInt8(random.below(256))
        return Data(damaged)
    }

    /// Replaces the value of an XML attribute with one from another file, which is well formed, or with a number.
    private func withAnotherValue(_ file: Data, _ other: Data, _ random: inout SeededNumbers) -> Data {
        guard let place = value(in: file, &random) else { return withAnotherByte(file, &random) }
        var damaged = file
        let numbers = ["-1", "0", "65536", "9223372036854775808", "1e999", "", "YES"]
        let replacement = value(in: other, &random).map { other[$0] } ?? Data()
        damaged.replaceSubrange(place, with: random.chance(30) ? Data(random.pick(numbers).utf8) : replacement)
        return damaged
    }

    /// The range of one attribute's value; nil for an archive.
    private func value(in file: Data, _ random: inout SeededNumbers) -> Range<Int>? {
        let quotes = file.indices.filter { file[$0] == UInt8(ascii: "\"") }
        guard file.starts(with: Data("<?xml".utf8)), quotes.count > 1 else { return nil }
        let first = 2 * random.below(quotes.count / 2)
        return quotes[first] + 1..<quotes[first + 1]
    }

    /// Reads a model, opens a store with it, and writes and reads it again.
    private func use(_ data: Data, _ original: Original) throws -> Outcome {
        let model: Model
        do {
            model = try ModelFile.readModel(data, file: original.name)
        } catch let error as ModelFileError where error.description.contains(original.name) {
            return .refused
        }
        let hashes = model.versionHashes()
        guard let compiled = try? ModelFile.compiled(model) else { return .notCompiled }
        let again = try ModelFile.readModel(compiled: compiled, file: "again").versionHashes()
        // Damaged derivations have several printed forms.
        let plain = model.entities.filter { $0.attributes.allSatisfy { $0.derivationExpressionFormat == nil } }
        if let changed = plain.first(where: { again[$0.name] != hashes[$0.name] }) {
            let reason = "The entity \(changed.name) has another version hash once it was compiled."
            throw CocoaError(.fileReadCorruptFile, userInfo: [NSDebugDescriptionErrorKey: reason])
        }
        // The framework may refuse the model, and the save of an object.
        if let usable = try? NSManagedObjectModel(model.withoutClasses) { try? usable.saveAnObjectOfEachEntity() }
        return hashes == original.hashes ? .same : .other
    }
}
