import ExpectationSupport
import Foundation
import GraphEngine
import GraphModel
import GraphSupport
import ManagedGraph
import Testing

@Suite("Models")
struct ModelTests {
    @Test("A round trip from schema to descriptions and back loses nothing")
    func roundTrip() throws {
        let common = PropertyCommon(
            name: "priority",
            isOptional: false,
            isTransient: false,
            isIndexed: true,
            isIndexedBySpotlight: true,
            renamingIdentifier: "rank",
            versionHashModifier: "2",
            userInfo: ["a": "b"],
            validations: [ValidationRule(predicateFormat: "SELF <= 3", errorCode: 1610)]
        )
        let schema = Model(
            entities: [
                Entity(
                    name: "Item",
                    className: ".Item",
                    codeGeneration: .classDefinition,
                    isAbstract: true,
                    properties: [
                        .attribute(Attribute(common: common, type: .integer16, defaultValue: .integer(1))),
                        .attribute(
                            Attribute(
                                common: PropertyCommon(name: "count", isReadOnly: true),
                                type: .integer64,
                                derivationExpressionFormat: "parts.@count"
                            )
                        ),
                        .attribute(
                            Attribute(
                                common: PropertyCommon(name: "place"),
                                type: .composite,
                                elements: [Attribute(common: PropertyCommon(name: "x"), type: .double)]
                            )
                        ),
                        .relationship(
                            Relationship(
                                common: PropertyCommon(name: "parts"),
                                destinationEntityName: "Part",
                                inverseName: "item",
                                minCount: 1,
                                maxCount: 0,
                                isToMany: true,
                                isOrdered: true,
                                deleteRule: .cascade
                            )
                        ),
                        .fetched(
                            FetchedProperty(
                                common: PropertyCommon(name: "others", isReadOnly: true),
                                request: FetchRequestTemplate(
                                    name: "others",
                                    entityName: "Item",
                                    predicateFormat: "priority == 3"
                                )
                            )
                        ),
                    ],
                    uniquenessConstraints: [["priority"]],
                    indexes: [
                        FetchIndex(
                            name: "byPriority",
                            elements: [FetchIndexElement(propertyName: "priority", isAscending: false)],
                            partialPredicateFormat: "priority > 1"
                        )
                    ],
                    renamingIdentifier: "Thing",
                    versionHashModifier: "x",
                    userInfo: ["k": "v"]
                ),
                Entity(
                    name: "Part",
                    superentityName: "Item",
                    properties: [
                        .relationship(
                            Relationship(
                                common: PropertyCommon(name: "item"),
                                destinationEntityName: "Item",
                                inverseName: "parts"
                            )
                        )
                    ]
                ),
            ],
            configurations: [Configuration(name: "Main", entityNames: ["Item"])],
            fetchRequestTemplates: [
                FetchRequestTemplate(
                    name: "soon",
                    entityName: "Item",
                    predicateFormat: "priority < $LIMIT",
                    sortKeys: [SortKey(key: "priority", ascending: false)],
                    fetchLimit: 5
                )
            ],
            versionIdentifiers: ["2"]
        )
        let model = try NSManagedObjectModel(schema)
        expectEqual(model.graphModel(), schema)
        expectEqual((model.copy() as? NSManagedObjectModel)?.graphModel(), schema)
    }

    @Test("A template returns requests with its variables bound, and stays unchanged")
    func templates() throws {
        let model = Made.people()
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Place")
        request.predicate = NSPredicate(format: "name BEGINSWITH $PREFIX")
        model.setFetchRequestTemplate(request, forName: "byPrefix")
        let bound = try #require(
            model.fetchRequestFromTemplate(withName: "byPrefix", substitutionVariables: ["PREFIX": "A"])
        )
        expectEqual(bound.predicate?.evaluate(with: ["name": "Aachen"]), true)
        expectEqual(bound.predicate?.evaluate(with: ["name": "Bonn"]), false)
        expectEqual(bound.entityName, "Place")
        #expect(model.fetchRequestTemplate(forName: "byPrefix") === request)
        expectEqual(model.fetchRequestTemplatesByName.keys.sorted(), ["byPrefix"])
        expectNil(model.fetchRequestFromTemplate(withName: "none", substitutionVariables: [:]))
        model.setFetchRequestTemplate(nil, forName: "byPrefix")
        expectNil(model.fetchRequestTemplate(forName: "byPrefix"))
    }

    @Test("Configurations name some of the entities; nil stands for all")
    func configurations() throws {
        let model = Made.people()
        let place = try #require(model.entitiesByName["Place"])
        #expect(model.configurations.isEmpty)
        model.setEntities([place], forConfigurationName: "Places")
        expectEqual(model.configurations, ["Places"])
        expectEqual(model.entities(forConfigurationName: "Places")?.map(\.name), ["Place"])
        expectEqual(model.entities(forConfigurationName: nil)?.count, 3)
        expectNil(model.entities(forConfigurationName: "Nowhere"))
    }

    @Test("Models of different entities merge, contradictory ones do not")
    func merging() throws {
        let first = NSManagedObjectModel([NSEntityDescription("A", [NSAttributeDescription("x")])])
        let second = NSManagedObjectModel([NSEntityDescription("B")])
        let merged = try #require(NSManagedObjectModel(byMerging: [first, second, first]))
        expectEqual(merged.entities.compactMap(\.name), ["A", "B"])
        let conflicting = NSManagedObjectModel([NSEntityDescription("A", [NSAttributeDescription("y")])])
        expectNil(NSManagedObjectModel(byMerging: [first, conflicting]))
    }

    @Test("The main bundle's models are those that the program registers, in all their versions")
    func mergingRegistered() throws {
        @Sendable func contents(_ attribute: String) -> String {
            """
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
            <entity name="Registered"><attribute name="\(attribute)" attributeType="String"/></entity>
            </model>
            """
        }
        ManagedObjectRegistry.register(module: "MergingTests") {
            ModuleRegistration(
                models: [
                    ModuleRegistration.Model(
                        name: "Merging",
                        versions: [.init(name: "1") { contents("old") }, .init(name: "2") { contents("new") }],
                        currentVersion: "2"
                    )
                ],
                classes: []
            )
        }
        let merged = try #require(NSManagedObjectModel.mergedModel(from: nil))
        expectEqual(merged.entitiesByName["Registered"]?.attributesByName.keys.sorted(), ["new"])
        final class OfThisProgram {}
        let ofClass = try #require(NSManagedObjectModel.mergedModel(from: [Bundle(for: OfThisProgram.self)]))
        #expect(ofClass.entitiesByName["Registered"] != nil)
        let old = NSManagedObjectModel([
            NSEntityDescription("Registered", [NSAttributeDescription("old", optional: false)])
        ])
        let metadata: [String: Any] = ["NSStoreModelVersionHashes": old.entityVersionHashesByName]
        let compatible = try #require(NSManagedObjectModel.mergedModel(from: nil, forStoreMetadata: metadata))
        expectEqual(compatible.entitiesByName["Registered"]?.attributesByName.keys.sorted(), ["old"])
    }

    @Test("Models are equal by their content")
    func equality() throws {
        let model = NSManagedObjectModel([
            NSEntityDescription("Item", [NSAttributeDescription("text", optional: false)])
        ])
        let copy = try #require(model.copy() as? NSManagedObjectModel)
        expectEqual(model, copy)
        expectEqual(model.hash, copy.hash)
        copy.entitiesByName["Item"]?.attributesByName["text"]?.isOptional = true
        #expect(model != copy)
    }

    @Test("The class of \"the current module\" is qualified with its module")
    func classNames() {
        let entity = NSEntityDescription()
        entity.managedObjectClassName = ".ClassOfNoModule"
        expectEqual(entity.managedObjectClassName, "ClassOfNoModule")
        ManagedObjectRegistry.register(module: "Naming") {
            ModuleRegistration(models: [], classes: [.init(name: "NamedInModule", type: NamedInModule.self)])
        }
        entity.managedObjectClassName = ".NamedInModule"
        expectEqual(entity.managedObjectClassName, NSStringFromClass(NamedInModule.self))
    }

    @Test("A lookup waits for the descriptions of modules that another thread is making")
    func lookupWhileDescriptionsAreMade() {
        let begun = DispatchSemaphore(value: 0)
        ManagedObjectRegistry.register(module: "NamingSlowly") {
            begun.signal()
            Thread.sleep(forTimeInterval: 0.2)
            return ModuleRegistration(models: [], classes: [.init(name: "NamedSlowly", type: NamedSlowly.self)])
        }
        @Sendable func className() -> String? {
            let entity = NSEntityDescription()
            entity.managedObjectClassName = ".NamedSlowly"
            return entity.managedObjectClassName
        }
        Thread.detachNewThread { _ = className() }
        begun.wait()
        expectEqual(className(), NSStringFromClass(NamedSlowly.self))
    }

    @Test("Of several versions of an entity, the one with the store's hash is used")
    func mergingForAStore() throws {
        let old = NSManagedObjectModel([NSEntityDescription("A", [NSAttributeDescription("x")])])
        let new = NSManagedObjectModel([NSEntityDescription("A", [NSAttributeDescription("y")])])
        let metadata: [String: Any] = ["NSStoreModelVersionHashes": old.entityVersionHashesByName]
        let merged = try #require(NSManagedObjectModel(byMerging: [new, old], forStoreMetadata: metadata))
        expectEqual(merged.entityVersionHashesByName, old.entityVersionHashesByName)
        expectNil(NSManagedObjectModel(byMerging: [new], forStoreMetadata: metadata))
    }

    @Test("A store's metadata fits its model, and the reason names the differences")
    func compatibility() throws {
        let model = Made.people()
        let metadata: [String: Any] = ["NSStoreModelVersionHashes": model.entityVersionHashesByName]
        #expect(model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
        let incompatible = NSManagedObjectModel([NSEntityDescription("Place"), NSEntityDescription("Pet")])
        #expect(!incompatible.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
        let reason = incompatible.incompatibility(withStoreMetadata: metadata, configuration: nil)
        expectEqual(
            reason,
            "Employee is in the store but not in the model; Person is in the store but not in the model; "
                + "Pet is in the model but not in the store; Place has changed."
        )
        #expect(!model.isConfiguration(withName: nil, compatibleWithStoreMetadata: [:]))
        #expect(!model.isConfiguration(withName: "Nowhere", compatibleWithStoreMetadata: metadata))
    }

    @Test("Subentities of an entity belong to its model without being listed")
    func unlistedSubentities() {
        let child = NSEntityDescription("Child")
        let parent = NSEntityDescription("Parent")
        parent.subentities = [child]
        let model = NSManagedObjectModel([parent])
        expectEqual(model.entities.compactMap(\.name), ["Parent", "Child"])
        #expect(child.managedObjectModel === model)
    }

    @Test("A missing file gives no model, and the throwing initializer reports why")
    func missingFile() {
        let url = URL(filePath: "/nowhere/Tasks.xcdatamodeld")
        expectNil(NSManagedObjectModel(contentsOf: url))
        #expect {
            try NSManagedObjectModel(readingFrom: url)
        } throws: {
            "\($0)".contains("/nowhere/Tasks.xcdatamodeld")
        }
    }

    @Test(
        "A model with an invalid stored fetch request loads, and fetching with the request fails"
    )
    func brokenRequests() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).xcdatamodel")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: url) }
        let xml = """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" sourceLanguage="Swift">
                <entity name="Book"><attribute name="title" optional="YES" attributeType="String"/></entity>
                <fetchRequest name="byTitle" entity="Book" predicateString="titel == $TITLE"/>
            </model>
            """
        try Data(xml.utf8).write(to: url.appending(path: "contents"))
        let model = try NSManagedObjectModel(readingFrom: url)
        #expect(NSManagedObjectModel(contentsOf: url) != nil)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        _ = try coordinator.addPersistentStore(type: .inMemory, at: URL(filePath: "/dev/null"))
        let context = coordinator.makeContext()
        let request = model.fetchRequestFromTemplate(withName: "byTitle", substitutionVariables: ["TITLE": "x"])
        let fetchRequest = NSFetchRequest<NSManagedObject>(entityName: "Book")
        fetchRequest.predicate = try #require(request?.predicate)
        #expect {
            try context.performAndWait { _ = try context.fetch(fetchRequest) }
        } throws: {
            "\($0)".contains("titel") && "\($0)".contains("\"title\"")
        }
    }

    @Test("A model may use another one while it is put into use")
    func usesOfOtherModels() throws {
        let model = AskingModel()
        model.entities = [NSEntityDescription("Asked", [NSAttributeDescription("name")])]
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        _ = try coordinator.addPersistentStore(type: .inMemory, at: URL(filePath: "/dev/null"))
        let context = coordinator.makeContext()
        try context.performAndWait { () throws in
            context.make("Asked", ["name": "a"])
            try context.save()
        }
    }
}

/// A model whose checksum, which its first use reads, is computed with the help of another model.
private final class AskingModel: NSManagedObjectModel, @unchecked Sendable {
    override var versionChecksum: String {
        let helper = NSManagedObjectModel([NSEntityDescription("Helper", [NSAttributeDescription("name")])])
        _ = NSPersistentStoreCoordinator(managedObjectModel: helper)
        return super.versionChecksum
    }
}
