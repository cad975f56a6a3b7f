// Migrates between versions of the collections' models, each to the next and the oldest to the newest. A store with
// generated objects is migrated and compared object by object, or refused for a reason in Apple's rules. `make test` takes
// a part of the collections' models.
import CollectionSupport
import ExpectationSupport
import Foundation
import GraphModel
import GraphModelFiles
import GraphSupport
import ManagedGraph
import ManagedGraphPostgreSQL
import PostgreSQLSupport
import Testing

struct CorpusPairTests {
    private final class Tally {
        var (pairs, same, migrated, filled, objects, values, related) = (0, 0, 0, 0, 0, 0, 0)
        var inDatabase = 0
        var refused: [String: Int] = [:]
    }

    /// The reasons in Apple's rules for which a pair may be refused, by a part of the error message.
    private static let reasons: [String: String] = [
        "types are incompatible": "another type",
        "missing attribute values on mandatory": "required without a default",
        "shared no parent": "two hierarchies in one",
        "cannot become a to-one": "to-many to to-one",
        "which is something else than": "another destination",
        "which was another one": "another inverse",
        "the relationship is new and required": "a new required relationship",
        "the relationship was optional and is required": "a required relationship",
    ]

    @Test func successiveVersionsAreMigratedOrRefusedForAReason() throws {
        let tally = Tally()
        try eachModel { path, versions in
            for (old, new) in zip(versions, versions.dropFirst()) { try pair(path, old, new, tally) }
        }
        report("successive versions", tally)
        #expect(tally.migrated >= Collections.least(1, fixtures: 3, oneIn: 4))
        #expect(tally.filled >= tally.migrated - 1)
        // The last version of the fixtures' orchard gives an attribute another type.
        #expect(tally.refused["another type", default: 0] >= 1)
    }

    @Test func theOldestVersionIsMigratedToTheNewestOrRefusedForAReason() throws {
        let tally = Tally()
        try eachModel { path, versions in
            guard versions.count > 2, let old = versions.first, let new = versions.last else { return }
            try pair(path, old, new, tally)
        }
        report("oldest to newest", tally)
        #expect(tally.migrated >= Collections.least(1, fixtures: 1, oneIn: 4))
    }

    private func report(_ what: String, _ tally: Tally) {
        print(
            "\(what): \(tally.pairs) pairs, \(tally.same) of equal hashes, \(tally.migrated) migrated (\(tally.filled) with "
                + "\(tally.objects) objects, \(tally.values) values and \(tally.related) related objects compared; \(tally.inDatabase) in a database), "
                + "\(tally.refused.values.reduce(0, +)) refused: \(tally.refused)"
        )
    }

    private func eachModel(_ body: (String, [VersionedModel.Version]) throws -> Void) throws {
        for file in Collections.sample(.versionedModel, oneIn: 4) {
            guard let versions = try? ModelFile.readVersionedModel(at: file.url).versions, versions.count > 1 else {
                continue
            }
            try body("\(file)", versions)
        }
    }

    private func pair(
        _ path: String,
        _ old: VersionedModel.Version,
        _ new: VersionedModel.Version,
        _ tally: Tally
    ) throws {
        tally.pairs += 1
        if old.model.versionHashes() == new.model.versionHashes() {
            tally.same += 1
            return
        }
        let name = "\(path): \(old.name) to \(new.name)"
        do {
            try migrate(GeneratedGraph.plain(old.model), GeneratedGraph.plain(new.model), name, tally)
            tally.migrated += 1
        } catch let error as NSError where [134190, 134110].contains(error.code) {
            let message = error.localizedDescription
            let kinds = Self.reasons.filter { message.contains($0.key) }.map(\.value)
            #expect(!kinds.isEmpty, "\(name): \(error)")
            #expect(error.userInfo["entity"] as? String != nil, "\(name): \(error)")
            tally.refused[kinds.sorted().first ?? message, default: 0] += 1
        } catch {
            Issue.record("\(name): \(error)")
        }
    }

    /// Migrates a store with generated objects, and compares it with the original.
    private func migrate(_ old: Model, _ new: Model, _ name: String, _ tally: Tally) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pair-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (source, target) = (folder.appending(path: "Old.sqlite"), folder.appending(path: "New.sqlite"))
        let (oldModel, newModel) = (try NSManagedObjectModel(old), try NSManagedObjectModel(new))
        let before = try use(oldModel, source) { context in
            GeneratedGraph.generate(old, in: context)
            try context.save()
            context.reset()
            return try GeneratedGraph(old, in: context)
        }
        let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: oldModel, destinationModel: newModel)
        let manager = NSMigrationManager(sourceModel: oldModel, destinationModel: newModel)
        try manager.migrateStore(from: source, type: .sqlite, mapping: mapping, to: target, type: .sqlite)
        let after = try use(newModel, target) { try GeneratedGraph(new, in: $0) }
        let (differences, values, related) = before.differences(from: after, old, new)
        expectEqual(differences.prefix(5), [], "\(name)")
        tally.objects += before.count
        tally.values += values
        tally.related += related
        if before.count > 0 { tally.filled += 1 }
        let fresh = folder.appending(path: "Fresh.sqlite")
        try use(newModel, fresh) { _ in }
        let tables = try StoreTables(target).differences(from: StoreTables(fresh))
        expectEqual(tables, [], "\(name)")
        if PostgreSQLServer.isInstalled { try migrateInDatabase(old, new, name, tally) }
    }

    /// Migrates a store with such objects in a database when it is opened, and compares it with the original.
    private func migrateInDatabase(_ old: Model, _ new: Model, _ name: String, _ tally: Tally) throws {
        let (oldModel, newModel) = (try NSManagedObjectModel(old), try NSManagedObjectModel(new))
        let (store, fresh) = (try Versions.newSchema(), try Versions.newSchema())
        let before = try use(oldModel, store) { context in
            GeneratedGraph.generate(old, in: context)
            try context.save()
            context.reset()
            return try GeneratedGraph(old, in: context)
        }
        let options: [AnyHashable: Any] = [
            NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
        ]
        let after = try use(newModel, store, options) { try GeneratedGraph(new, in: $0) }
        let (differences, _, _) = before.differences(from: after, old, new)
        expectEqual(differences.prefix(5), [], "\(name), in a database")
        try use(newModel, fresh) { _ in }
        let tables = try SchemaTables(store).differences(from: SchemaTables(fresh))
        expectEqual(tables, [], "\(name), in a database")
        for url in [store, fresh] {
            try NSPersistentStoreCoordinator(managedObjectModel: newModel).destroyPersistentStore(
                at: url,
                type: .postgreSQL
            )
        }
        tally.inDatabase += 1
    }

    private func use<R>(
        _ model: NSManagedObjectModel,
        _ url: URL,
        _ options: [AnyHashable: Any] = [:],
        _ body: (NSManagedObjectContext) throws -> R
    ) throws -> R {
        try model.withStore(at: url, type: Versions.type(of: url), options: options) { context in
            // Required relationships to abstract entities and the like make some generated objects invalid.
            context.skipsValidation = true
            return try body(context)
        }
    }
}
