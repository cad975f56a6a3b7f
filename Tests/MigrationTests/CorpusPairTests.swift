// Each pair of successive versions of the corpus's models: a store of the older one with generated objects is migrated and
// verified, or refused for a reason that Apple's rules give.
import Foundation
import GraphModel
import GraphModelFiles
import ManagedGraph
import Testing

@Suite struct CorpusPairTests {
    @Test(.enabled(if: MappingFileTests.corpus != nil, "the corpus is not there"))
    func successiveVersionsAreMigratedOrRefusedForAReason() throws {
        let corpus = try #require(MappingFileTests.corpus)
        let paths =
            FileManager.default.enumerator(atPath: corpus.appending(path: "models").path)?
            .compactMap { $0 as? String }.filter { $0.hasSuffix(".xcdatamodeld") }.sorted() ?? []
        var (pairs, migrated, same, filled, objects) = (0, 0, 0, 0, 0)
        var refused: [String: Int] = [:]
        for path in paths {
            let url = corpus.appending(path: "models/\(path)")
            guard let versions = try? ModelFile.readVersionedModel(at: url).versions, versions.count > 1 else {
                continue
            }
            for (old, new) in zip(versions, versions.dropFirst()) {
                pairs += 1
                if old.model.versionHashes() == new.model.versionHashes() {
                    same += 1
                    continue
                }
                do {
                    let count = try migrate(plain(old.model), plain(new.model))
                    migrated += 1
                    objects += count
                    if count > 0 { filled += 1 }
                } catch let error as NSError where error.code == NSInferredMappingModelError {
                    let reason = (error.userInfo["reason"] as? String ?? "").prefix(60)
                    refused[String(reason), default: 0] += 1
                } catch let error as NSError where error.localizedDescription.contains("is new and required") {
                    refused["new required relationship", default: 0] += 1
                } catch {
                    Issue.record("\(path): \(old.name) to \(new.name): \(error)")
                }
            }
        }
        print(
            "successive versions: \(pairs) pairs, \(same) of equal hashes, \(migrated) migrated (\(filled) with \(objects) objects), "
                + "\(refused.values.reduce(0, +)) refused: \(refused)"
        )
        #expect(migrated > 0)
    }

    /// The model without classes and rules, which make no other version but would refuse generated values.
    private func plain(_ model: Model) -> Model {
        var model = model
        model.fetchRequestTemplates = []
        model.configurations = []
        for index in model.entities.indices {
            model.entities[index].className = nil
            for number in model.entities[index].properties.indices {
                guard case .attribute(var attribute) = model.entities[index].properties[number] else { continue }
                attribute.common.validations = []
                model.entities[index].properties[number] = .attribute(attribute)
            }
        }
        return model
    }

    /// Migrates a store with generated objects; returns how many there were.
    private func migrate(_ old: Model, _ new: Model) throws -> Int {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pair-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (source, target) = (folder.appending(path: "Old.sqlite"), folder.appending(path: "New.sqlite"))
        let (oldModel, newModel) = (try NSManagedObjectModel(old), try NSManagedObjectModel(new))
        let counts = try use(oldModel, source) { context in
            generate(old, in: context)
            do {
                try context.save()
            } catch {
                // A rule that generated objects do not keep: the store stays empty.
                context.rollback()
            }
            return try self.counts(old, context)
        }
        let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: oldModel, destinationModel: newModel)
        let manager = NSMigrationManager(sourceModel: oldModel, destinationModel: newModel)
        try manager.migrateStore(from: source, type: .sqlite, mapping: mapping, to: target, type: .sqlite)
        let after = try use(newModel, target) { try self.counts(new, $0) }
        for entity in mapping.entityMappings {
            guard let from = entity.sourceEntityName, let to = entity.destinationEntityName else { continue }
            #expect(counts[from] == after[to], "\(from) to \(to)")
        }
        let fresh = folder.appending(path: "Fresh.sqlite")
        try use(newModel, fresh) { _ in }
        let differences = try StoreTables(target).differences(from: StoreTables(fresh))
        #expect(differences == [])
        return counts.values.reduce(0, +)
    }

    private func use<R>(_ model: NSManagedObjectModel, _ url: URL, _ body: (NSManagedObjectContext) throws -> R) throws
        -> R
    {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(type: .sqlite, at: url)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        let result = try context.performAndWait { try body(context) }
        try coordinator.remove(store)
        return result
    }

    private func counts(_ model: Model, _ context: NSManagedObjectContext) throws -> [String: Int] {
        var result: [String: Int] = [:]
        for entity in model.entities where !entity.isAbstract {
            let request = NSFetchRequest<NSManagedObject>(entityName: entity.name)
            request.includesSubentities = false
            result[entity.name] = try context.count(for: request)
        }
        return result
    }

    /// Three objects of each entity, every attribute set, relationships set among them.
    private func generate(_ model: Model, in context: NSManagedObjectContext) {
        var made: [(entity: Entity, objects: [NSManagedObject])] = []
        for entity in model.entities where !entity.isAbstract {
            let objects = (1...3).map { number in
                let object = NSEntityDescription.insertNewObject(forEntityName: entity.name, into: context)
                for case .attribute(let attribute) in model.allProperties(ofEntityNamed: entity.name)
                where attribute.derivationExpressionFormat == nil {
                    if let value = value(attribute.type, number) { object.setValue(value, forKey: attribute.name) }
                }
                return object
            }
            made.append((entity, objects))
        }
        for (entity, objects) in made {
            for case .relationship(let relationship) in model.allProperties(ofEntityNamed: entity.name) {
                let target = made.first { item in
                    var name: String? = item.entity.name
                    while let current = name, current != relationship.destinationEntityName {
                        name = model.entity(named: current)?.superentityName
                    }
                    return name != nil
                }
                guard let target else { continue }
                for (object, other) in zip(objects, target.objects) {
                    if !relationship.isToMany {
                        object.setValue(other, forKey: relationship.name)
                    } else if relationship.isOrdered {
                        object.setValue(NSOrderedSet(object: other), forKey: relationship.name)
                    } else {
                        object.setValue(Set([other]), forKey: relationship.name)
                    }
                }
            }
        }
    }

    private func value(_ type: GraphModel.AttributeType, _ number: Int) -> Any? {
        switch type {
        case .integer16, .integer32, .integer64: number
        case .double, .float: Double(number) + 0.5
        case .decimal: Decimal(number)
        case .boolean: number % 2 == 0
        case .string: "text \(number)"
        case .date: Date(timeIntervalSinceReferenceDate: Double(number) * 1000)
        case .binary: Data([UInt8(number), 1, 2])
        case .uuid: UUID()
        case .uri: URL(string: "https://example.org/\(number)")
        case .undefined, .transformable, .objectID, .composite: nil
        }
    }
}
