// Tests migrations with mapping models: the manager's passes, policies, expressions, cancellation, and kept files.
import ExpectationSupport
import Foundation
import ManagedGraph
import Testing

@Suite(.inDatabasesToo) struct MappingModelTests {
    private static let old =
        "<entity name=\"Person\"><attribute name=\"fullName\" optional=\"YES\" attributeType=\"String\"/>"
        + "<attribute name=\"photo\" optional=\"YES\" attributeType=\"Binary\" allowsExternalBinaryDataStorage=\"YES\"/>"
        + "<relationship name=\"friends\" optional=\"YES\" toMany=\"YES\" destinationEntity=\"Person\" "
        + "inverseName=\"friendOf\" inverseEntity=\"Person\"/><relationship name=\"friendOf\" optional=\"YES\" toMany=\"YES\" "
        + "destinationEntity=\"Person\" inverseName=\"friends\" inverseEntity=\"Person\"/></entity>"
    private static let new =
        "<entity name=\"Human\"><attribute name=\"lastName\" attributeType=\"String\"/>"
        + "<attribute name=\"photo\" optional=\"YES\" attributeType=\"Binary\" allowsExternalBinaryDataStorage=\"YES\"/>"
        + "<attribute name=\"age\" attributeType=\"Integer 16\" defaultValueString=\"0\"/>"
        + "<relationship name=\"friends\" optional=\"YES\" toMany=\"YES\" destinationEntity=\"Human\" "
        + "inverseName=\"friendOf\" inverseEntity=\"Human\"/><relationship name=\"friendOf\" optional=\"YES\" toMany=\"YES\" "
        + "destinationEntity=\"Human\" inverseName=\"friends\" inverseEntity=\"Human\"/></entity>"

    private func versions() throws -> Versions {
        let versions = try Versions(Self.old, Self.new)
        try versions.fill { context in
            let people = ["Ada Lovelace", "Alan Turing", "Kurt Gödel"].map { context.add("Person", ["fullName": $0]) }
            people[0].setValue(Set(people.dropFirst()), forKey: "friends")
            people[1].setValue(Data(repeating: 7, count: 200_000), forKey: "photo")
        }
        return versions
    }

    private func mapping(_ property: String = "fullName") throws -> NSMappingModel {
        let entity = NSEntityMapping()
        entity.name = "PersonToHuman"
        (entity.sourceEntityName, entity.destinationEntityName) = ("Person", "Human")
        entity.mappingType = .customEntityMappingType
        entity.entityMigrationPolicyClassName = "MigrationTests.NamePolicy"
        func set(_ name: String, _ format: String) -> NSPropertyMapping {
            let mapping = NSPropertyMapping()
            mapping.name = name
            mapping.valueExpression = NSExpression(format: format)
            return mapping
        }
        entity.attributeMappings = [
            set("lastName", "FUNCTION($entityPolicy, 'lastNameOf:', $source.\(property))"),
            set("photo", "$source.photo"),
        ]
        entity.relationshipMappings = [
            set(
                "friends",
                "FUNCTION($manager, 'destinationInstancesForEntityMappingNamed:sourceInstances:', "
                    + "'PersonToHuman', $source.friends)"
            )
        ]
        let model = NSMappingModel()
        model.entityMappings = [entity]
        return model
    }

    @Test func aManagerRunsPoliciesExpressionsAndRelationships() throws {
        let versions = try versions()
        let manager = try versions.manager()
        let target = versions.target
        try versions.migrate(manager, mapping())
        expectEqual(manager.migrationProgress, 1)
        expectEqual(manager.userInfo?["made"] as? Int, 3)
        let context = try versions.open(2, at: target)
        try context.performAndWait {
            try expectEqual(context.values("lastName", "Human"), ["Lovelace", "Turing", "Gödel"])
            let people = try context.all("Human")
            expectEqual((people[0].value(forKey: "friends") as? Set<NSManagedObject>)?.count, 2)
            expectEqual((people[1].value(forKey: "photo") as? Data)?.count, 200_000)
        }
        try versions.use(1) { try expectEqual($0.all("Person").count, 3) }
    }

    @Test func aManagerMigratesAgainAfterItsProgressWasCancelled() throws {
        let versions = try versions()
        let manager = try versions.manager()
        let target = versions.target
        func migrate() throws {
            let whole = Progress(totalUnitCount: 1)
            whole.becomeCurrent(withPendingUnitCount: 1)
            defer { whole.resignCurrent() }
            if manager.userInfo == nil { whole.cancel() }
            try versions.migrate(manager, mapping())
        }
        let error = #expect(throws: (any Error).self) { try migrate() } as NSError?
        expectEqual(error?.code, NSMigrationCancelledError)
        #expect(!FileManager.default.fileExists(atPath: target.path))
        manager.userInfo = ["is again": true]
        try migrate()
        let context = try versions.open(2, at: target)
        try context.performAndWait { try expectEqual(context.all("Human").count, 3) }
    }

    @Test func aManagerThatHasFailedMigratesWithoutTheObjectsOfTheFailedRun() throws {
        let versions = try Versions(Self.old, Self.new)
        try versions.fill { context in
            let people = ["Ada", "Alan", nil].map { context.add("Person", ["fullName": $0]) }
            people[1].setValue(Set([people[2]]), forKey: "friends")
        }
        let mapping = try mapping()
        mapping.entityMappings[0].attributeMappings?[0].valueExpression = NSExpression(format: "$source.fullName")
        let manager = try versions.manager()
        let target = versions.target
        func migrate() throws {
            try versions.migrate(manager, mapping)
        }
        let error = #expect(throws: NSError.self) { try migrate() }
        expectEqual(error?.userInfo["property"] as? String, "lastName")
        // The objects of the next run have other keys.
        try versions.use(1) { context in
            let people = try context.all("Person")
            context.delete(people[0])
            people[2].setValue("Kurt", forKey: "fullName")
            try context.save()
        }
        try migrate()
        let context = try versions.open(2, at: target)
        try context.performAndWait {
            let people = try context.all("Human")
            expectEqual(people.map { $0.value(forKey: "lastName") as? String }, ["Alan", "Kurt"])
            expectEqual(people[0].value(forKey: "friends") as? Set<NSManagedObject>, [people[1]])
        }
    }

    @Test func thePoliciesOfAnInferredMappingAreCalled() throws {
        let age = "<attribute name=\"age\" optional=\"YES\" attributeType=\"Integer 16\"/></entity>"
        let versions = try Versions(Self.old, Self.old.replacing("</entity>", with: age))
        try versions.fill { $0.add("Person", ["fullName": "Ada"]) }
        let (old, new) = (try versions.model(1), try versions.model(2))
        let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
        mapping.entityMappings[0].entityMigrationPolicyClassName = "MigrationTests.NamePolicy"
        let manager = NSMigrationManager(sourceModel: old, destinationModel: new)
        let target = versions.target
        try versions.migrate(manager, mapping)
        expectEqual(manager.userInfo?["made"] as? Int, 1)
        let context = try versions.open(2, at: target)
        try context.performAndWait { try expectEqual(context.values("fullName", "Person"), ["Ada"]) }
    }

    @Test func elementsOfCompositeAttributesAreMigratedObjectByObject() throws {
        let composite =
            "<composite name=\"Address\"><attribute name=\"street\" optional=\"YES\" attributeType=\"String\"/>"
            + "<attribute name=\"number\" optional=\"YES\" attributeType=\"Integer 16\"/></composite>"
        func version(_ more: String) -> String {
            "<entity name=\"Person\"><attribute name=\"address\" optional=\"YES\" attributeType=\"Composite\" "
                + "composite=\"Address\"/>\(more)</entity>\(composite)"
        }
        let versions = try Versions(
            version(""),
            version("<attribute name=\"age\" optional=\"YES\" attributeType=\"Integer 16\"/>")
        )
        try versions.fill { context in
            context.add("Person", ["address": ["street": "Main", "number": 7] as [String: Any]])
            context.add("Person")
        }
        let target = try versions.migrateByInferredMapping(inSQL: false)
        let context = try versions.open(2, at: target)
        try context.performAndWait {
            let people = try context.all("Person")
            expectEqual(people[0].value(forKeyPath: "address.street") as? String, "Main")
            expectEqual(people[0].value(forKeyPath: "address.number") as? Int, 7)
            expectNil(people[1].value(forKey: "address"))
        }
    }

    @Test(arguments: [false, true])
    func aPolicyMayDeleteObjectsThatItHasMade(isWholeFile: Bool) throws {
        let versions = try Versions(Self.old, Self.new)
        try versions.fill { context in
            let people = ["Ada", "Alan", "Ada"].map { context.add("Person", ["fullName": $0]) }
            people[1].setValue(Set([people[0], people[2]]), forKey: "friends")
        }
        let mapping = try mapping()
        mapping.entityMappings[0].entityMigrationPolicyClassName = "MigrationTests.DuplicatePolicy"
        mapping.entityMappings[0].attributeMappings?[0].valueExpression = NSExpression(format: "$source.fullName")
        let manager = try versions.manager()
        let target = versions.folder.appending(path: "New.store")
        let type: NSPersistentStore.StoreType = isWholeFile ? .xml : .sqlite
        try versions.migrate(manager, mapping, to: target, type)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try versions.model(2))
        try coordinator.addPersistentStore(type: type, at: target)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            let people = try context.all("Human")
            expectEqual(people.compactMap { $0.value(forKey: "lastName") as? String }.sorted(), ["Ada", "Alan"])
            let friends = people.map { ($0.value(forKey: "friends") as? Set<NSManagedObject>)?.count }
            expectEqual(friends.compactMap(\.self).sorted(), [0, 1])
        }
    }

    @Test func aFailureNamesTheEntityAndThePropertyAndLeavesNoNewStore() throws {
        let versions = try versions()
        let manager = try versions.manager()
        let target = versions.target
        let broken = try mapping()
        broken.entityMappings[0].attributeMappings?[0].valueExpression = NSExpression(forConstantValue: 5)
        let error =
            #expect(throws: (any Error).self) {
                try versions.migrate(manager, broken)
            } as NSError?
        expectEqual(error?.code, NSEntityMigrationPolicyError)
        expectEqual(error?.userInfo["entity"] as? String, "Human")
        expectEqual(error?.userInfo["property"] as? String, "lastName")
        #expect(!FileManager.default.fileExists(atPath: target.path))
    }

    @Test func aCancelledMigrationThrowsTheErrorItWasCancelledWith() throws {
        let versions = try versions()
        let manager = ObservedManager(sourceModel: try versions.model(1), destinationModel: try versions.model(2))
        manager.onAssociation = { $0.cancelMigrationWithError(CocoaError(.userCancelled)) }
        let target = versions.target
        #expect(throws: CocoaError.self) {
            try versions.migrate(manager, mapping())
        }
        #expect(!FileManager.default.fileExists(atPath: target.path))
    }

    @Test func aWholeFileThatAnotherProgramChangesMeanwhileIsNotOverwritten() throws {
        let versions = try versions()
        let target = versions.folder.appending(path: "New.xml")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try versions.model(2))
        try coordinator.remove(try coordinator.addPersistentStore(type: .xml, at: target))
        let manager = ObservedManager(sourceModel: try versions.model(1), destinationModel: try versions.model(2))
        manager.onAssociation = { _ in
            do {
                try NSPersistentStoreCoordinator.setMetadata(
                    ["key": "new"],
                    forPersistentStoreOfType: NSXMLStoreType,
                    at: target
                )
            } catch {
                Issue.record(error)
            }
        }
        let error =
            #expect(throws: (any Error).self) {
                try versions.migrate(manager, mapping(), to: target, .xml)
            } as NSError?
        expectEqual(error?.code, NSMigrationError)
        let store = try coordinator.addPersistentStore(type: .xml, at: target)
        expectEqual(store.metadata?["key"] as? String, "new")
    }

    @Test(arguments: [true, false])
    func aMigrationThatWasCancelledBeforeItBeganEndsAtItsStart(isInferred: Bool) throws {
        let versions = try versions()
        let (old, new) = (try versions.model(1), try versions.model(isInferred ? 1 : 2))
        let manager = NSMigrationManager(sourceModel: old, destinationModel: new)
        let target = versions.target
        let mapping =
            try isInferred
            ? NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new) : mapping()
        func migrate() throws {
            try versions.migrate(manager, mapping)
        }
        manager.cancelMigrationWithError(NSError(domain: "test", code: 7))
        let error = #expect(throws: NSError.self) { try migrate() }
        #expect(error?.domain == "test" && error?.code == 7 && manager.userInfo?["made"] == nil)
        #expect(!FileManager.default.fileExists(atPath: target.path))
        // The cancellation applied only to that run.
        try migrate()
        #expect(FileManager.default.fileExists(atPath: target.path))
    }

    @Test func aManagersOwnMethodsAnswerExpressions() throws {
        final class Naming: NSMigrationManager {
            override func value(forSelector selector: String, arguments: [Any?]) throws -> Any? {
                guard selector == "initialsOf:" else {
                    return try super.value(forSelector: selector, arguments: arguments)
                }
                let words = (arguments.first as? String)?.split(separator: " ") ?? []
                return words.compactMap(\.first).map(String.init).joined()
            }
        }
        let versions = try versions()
        let manager = Naming(sourceModel: try versions.model(1), destinationModel: try versions.model(2))
        let mapping = try mapping()
        let target = versions.target
        func migrate(_ selector: String) throws {
            mapping.entityMappings[0].attributeMappings?[0].valueExpression =
                NSExpression(format: "FUNCTION($manager, '\(selector)', $source.fullName)")
            try versions.migrate(manager, mapping)
        }
        let error = #expect(throws: NSError.self) { try migrate("nameOf:") }
        expectEqual(error?.code, NSEntityMigrationPolicyError)
        expectEqual(error?.localizedDescription.contains("nameOf:"), true, "\(String(describing: error))")
        try migrate("initialsOf:")
        let context = try versions.open(2, at: target)
        try context.performAndWait { try expectEqual(context.values("lastName", "Human"), ["AL", "AT", "KG"]) }
    }

    @Test(arguments: [true, false])
    func anInferredMappingModelGivesTheSameInSQLAndObjectByObject(inSQL: Bool) throws {
        let versions = try Versions(
            Self.old,
            Self.old.replacing("name=\"fullName\"", with: "name=\"called\" elementID=\"fullName\"")
        )
        try versions.fill { context in
            let people = ["a", "b"].map { context.add("Person", ["fullName": $0]) }
            people[0].setValue(Set([people[1]]), forKey: "friends")
        }
        let target = try versions.migrateByInferredMapping(inSQL: inSQL)
        let context = try versions.open(2, at: target)
        try context.performAndWait {
            let people = try context.all("Person")
            expectEqual(people.compactMap { $0.value(forKey: "called") as? String }.sorted(), ["a", "b"])
            let friends = people.compactMap { ($0.value(forKey: "friends") as? Set<NSManagedObject>)?.count }
            expectEqual(friends.reduce(0, +), 1)
        }
    }

    @Test("An inferred mapping lists the kept, added and removed properties")
    func inferredUserInfo() throws {
        let versions = try Versions(
            Self.old,
            Self.old.replacing("name=\"fullName\"", with: "name=\"called\" elementID=\"fullName\"")
        )
        let mapping = try NSMappingModel.inferredMappingModel(
            forSourceModel: try versions.model(1),
            destinationModel: try versions.model(2)
        )
        let again = try NSMappingModel.inferredMappingModel(
            forSourceModel: try versions.model(1),
            destinationModel: try versions.model(2)
        )
        expectEqual(mapping, again)
        expectEqual(mapping.hash, again.hash)
        #expect(mapping != NSMappingModel())
        let person = try #require(mapping.entityMappings.first { $0.destinationEntityName == "Person" })
        let mapped = try #require(person.userInfo?["mappedProperties"] as? Set<String>)
        #expect(mapped.isSuperset(of: ["called", "friends"]) && !mapped.contains("fullName"))
        expectEqual(person.userInfo?["addedProperties"] as? Set<String>, [])
        expectEqual(person.userInfo?["removedProperties"] as? Set<String>, [])
    }
}
