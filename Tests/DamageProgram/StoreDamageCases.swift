// The cases of damaged stores: the store, its damage, and the outcome of using it. A case is determined by its number.
import CollectionSupport
import CorpusSupport
import Foundation
import GraphSQL
import GraphSQLite
import ManagedGraph
import ManagedGraphTools
import TestSupport

/// Damaged copies of the collections' stores.
final class StoreDamageCases: DamageCases {
    /// An undamaged store with the fingerprint of its objects.
    struct Original {
        let name: String
        let file: Data
        let log: Data
        let model: NSManagedObjectModel
        let print: StorePrint
        /// The ranges of the metadata and the cached model in the file.
        let blobs: [Range<Int>]
    }

    /// The outcome of a case.
    enum Outcome: String {
        /// The store could not be opened, or a fetch failed.
        case refused
        /// All was read, and the checker reported problems.
        case reported
        /// The original content was read.
        case same
        /// Other values were read, and no problem was reported.
        case otherValues
        /// Other rows or relationships were read, and no problem was reported.
        case otherRows
    }

    private let folder: URL
    private var small: [Original] = []
    private var large: [Original] = []

    init(folder: URL) throws {
        self.folder = folder
        for store in Collections.files(.sqliteStore) {
            let url = try store.copy()
            defer { try? FileManager.default.removeItem(at: url.deletingLastPathComponent()) }
            // A store without a fitting model would be refused for that reason alone.
            guard let storeModel = try StoreModel(of: store, at: url), storeModel.source != .anotherVersion else {
                continue
            }
            let original = Original(
                name: store.path,
                file: try Data(contentsOf: url),
                log: (try? Data(contentsOf: URL(filePath: url.path + "-wal"))) ?? Data(),
                model: storeModel.model,
                print: try StorePrint(url, storeModel.model),
                blobs: try Self.blobs(url)
            )
            if original.file.count + original.log.count > 200_000 {
                large.append(original)
            } else {
                small.append(original)
            }
        }
    }

    /// The ranges of large values in the store's system tables, if they are found in the file.
    private static func blobs(_ url: URL) throws -> [Range<Int>] {
        let file = try Data(contentsOf: url)
        let connection = try Connection(path: url.path, mode: .readOnly)
        defer { connection.close() }
        var ranges: [Range<Int>] = []
        for text in ["SELECT Z_PLIST FROM Z_METADATA", "SELECT Z_CONTENT FROM Z_MODELCACHE"] {
            guard case .blob(let blob)?? = (try? connection.rows(text))?.first?.first,
                let place = file.firstRange(of: blob.prefix(200))
            else { continue }
            ranges.append(place.lowerBound..<min(place.lowerBound + blob.count, file.count))
        }
        return ranges
    }

    /// Runs a case.
    func run(_ number: Int) throws -> String {
        var random = SeededNumbers(run: UInt64(number), of: 0)
        let isLarge = number % 40 == 39 && !large.isEmpty
        let original = (isLarge ? large : small)[random.below(isLarge ? large.count : small.count)]
        let place = folder.appending(path: "case-\(number)")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: place) }
        let url = place.appending(path: "Store.sqlite")
        var damage = Damage(original: original, random: random)
        let kind = try damage.apply(number, to: url)
        let outcome = use(url, original)
        return "\(outcome.rawValue) \(kind) \(original.name.split(separator: "/").last ?? "")"
    }

    private func use(_ url: URL, _ original: Original) -> Outcome {
        let report = StoreChecker().check(url, with: original.model)
        var damagedPrint: StorePrint?
        do {
            damagedPrint = try StorePrint(url, original.model)
        } catch {
            damagedPrint = nil
        }
        save(url, original.model)
        guard let damagedPrint else { return .refused }
        if !report.isOK { return .reported }
        if damagedPrint == original.print { return .same }
        return damagedPrint.rows == original.print.rows ? .otherValues : .otherRows
    }

    /// Saves once; the save may fail.
    private func save(_ url: URL, _ model: NSManagedObjectModel) {
        do {
            try StorePrint.use(url, model) { context in
                for entity in model.entities where !entity.isAbstract {
                    let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
                    request.fetchLimit = 1
                    let object = try context.fetch(request).first
                    for attribute in entity.attributesByName.values
                    where attribute.attributeType == .stringAttributeType {
                        object?.setValue("changed", forKey: attribute.name)
                    }
                    _ = NSEntityDescription.insertNewObject(forEntityName: entity.name ?? "", into: context)
                }
                try context.save()
            }
        } catch {
            return
        }
    }
}
