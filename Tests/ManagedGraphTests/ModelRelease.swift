// A model that no store, context or object has used is released with its entities, although these form cycles. A model
// that was used stays in memory (Documentation/Architecture.md), once for all models that equal it.
import ExpectationSupport
import Foundation
import GraphSupport
import ManagedGraph
import Testing

struct ModelRelease {
    private static func make() -> NSManagedObjectModel {
        let team = NSEntityDescription("Team", [NSAttributeDescription("name")])
        let person = NSEntityDescription("Person")
        team.relate("members", toMany: true, to: person, "team")
        let worker = NSEntityDescription("Worker")
        person.subentities = [worker]
        let model = NSManagedObjectModel([team, person, worker])
        model.setEntities([team], forConfigurationName: "Teams")
        return model
    }

    /// Saves and reads an object of each entity in a new store.
    private static func use(_ model: NSManagedObjectModel, _ body: (NSManagedObjectContext) throws -> Void = { _ in })
        throws
    {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        let context = coordinator.makeContext()
        try context.performAndWait { () throws in
            let team = NSEntityDescription.insertNewObject(forEntityName: "Team", into: context)
            let worker = NSEntityDescription.insertNewObject(forEntityName: "Worker", into: context)
            worker.setValue(team, forKey: "team")
            try context.save()
            context.reset()
            try expectEqual(context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Person")), 1)
            try body(context)
        }
    }

    @Test func aModelThatWasOnlyMadeIsReleased() {
        weak var model: NSManagedObjectModel?
        weak var entity: NSEntityDescription?
        do {
            let newModel = Self.make()
            (model, entity) = (newModel, newModel.entitiesByName["Person"])
            #expect(model != nil && entity != nil)
        }
        expectNil(model)
        expectNil(entity)
    }

    @Test func aModelThatEqualsOneInUseIsReleased() throws {
        try Self.use(Self.make())
        weak var model: NSManagedObjectModel?
        weak var entity: NSEntityDescription?
        do {
            let newModel = Self.make()
            (model, entity) = (newModel, newModel.entitiesByName["Person"])
            try Self.use(newModel)
            #expect(model != nil)
        }
        expectNil(model)
        expectNil(entity)
    }

    @Test func entitiesOfEqualModelsAreEqualOnceTheyAreInUse() throws {
        try Self.use(Self.make())
        let newModel = Self.make()
        let (person, worker) = (newModel.entitiesByName["Person"], newModel.entitiesByName["Worker"])
        let (early, earlyWorker) = (try #require(person), try #require(worker))
        let names = [early: "person", earlyWorker: "worker"]
        try Self.use(newModel) { context in
            let request = NSFetchRequest<NSManagedObject>()
            request.entity = early
            let object = try #require(context.fetch(request).first)
            expectEqual(object.entity, earlyWorker)
            #expect(object.entity.isKindOf(entity: early))
            #expect(earlyWorker.isKindOf(entity: object.entity) && !early.isKindOf(entity: object.entity))
            expectEqual(names[object.entity], "worker")
            #expect(object.entity === newModel.entitiesByName["Worker"])
            expectEqual(object.entity.managedObjectModel, newModel)
            let team = try #require(object.entity.relationshipsByName["team"]?.destinationEntity)
            expectEqual(newModel.entities(forConfigurationName: "Teams"), [team])
            let earlyTeam = try #require(early.relationshipsByName["team"]?.destinationEntity)
            object.setValue(NSManagedObject(entity: earlyTeam, insertInto: context), forKey: "team")
            try context.save()
        }
    }

    @Test(arguments: ["default", "object", "userInfo", "validation", "closure", "request", "localization"])
    func modelsThatDifferInAnythingShareNothing(_ difference: String) throws {
        func make(_ isOther: Bool) throws -> NSManagedObjectModel {
            let model = Self.make()
            let team = try #require(model.entitiesByName["Team"])
            let name = try #require(team.attributesByName["name"])
            // The other test cases use equal models, too.
            team.userInfo = ["case": difference]
            switch difference {
            case "default": name.defaultValue = isOther ? "a" : "b"
            case "object":
                let mark = NSAttributeDescription("mark", .undefinedAttributeType)
                mark.isTransient = true
                mark.defaultValue = NSObject()
                team.properties += [mark]
            case "userInfo": name.userInfo = ["note": isOther ? 1 : 2]
            case "validation":
                name.setValidationPredicates(
                    [NSPredicate(format: isOther ? "length < 4" : "length < 5")],
                    withValidationWarnings: ["too long"]
                )
            case "closure":
                let limit = isOther ? 4 : 5
                name.setValidationPredicates(
                    [NSPredicate { text, _ in (text as? String ?? "").count < limit }],
                    withValidationWarnings: ["too long"]
                )
            case "request":
                let fetched = NSFetchedPropertyDescription()
                fetched.name = "others"
                let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Team")
                let selector: String = isOther ? "localizedCompare:" : "caseInsensitiveCompare:"
                request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true, selector: selector)]
                fetched.fetchRequest = request
                team.properties += [fetched]
            default: model.localizationDictionary = ["Property/name/Entity/Team": isOther ? "Name" : "Titel"]
            }
            return model
        }
        let (one, other) = (try make(false), try make(true))
        try Self.use(one)
        try Self.use(other)
        #expect(one.entitiesByName["Team"] !== other.entitiesByName["Team"])
        #expect(one.entitiesByName["Team"] != other.entitiesByName["Team"])
    }
}
