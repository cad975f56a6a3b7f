// Stores of configurations that omit entities related to the listed ones, by inheritance or by relationship.
import ExpectationSupport
import Foundation
import GraphSQLite
import GraphSupport
import ManagedGraph
import Testing

struct ConfigurationTests {
    /// Books with a subentity and pages; reviews, kept in another store, have a relationship to books.
    private static func model(_ configurations: [String: [String]], withStars: Bool = false) -> NSManagedObjectModel {
        let names = ["Writing", "Book", "Novel", "Page", "Review"]
        let entities = Dictionary(
            uniqueKeysWithValues: names.map { name in
                let entity = NSEntityDescription(name)
                return (name, entity)
            }
        )
        func entity(_ name: String) -> NSEntityDescription { entities[name] ?? NSEntityDescription() }
        entity("Writing").properties = [NSAttributeDescription("title")]
        entity("Writing").subentities = [entity("Book")]
        let pages = NSRelationshipDescription("pages", to: entity("Page"), toMany: true)
        let book = NSRelationshipDescription("book", to: entity("Book"), toMany: false)
        pages.pair(with: book)
        let reviews = NSRelationshipDescription("reviews", to: entity("Review"), toMany: true)
        let subject = NSRelationshipDescription("subject", to: entity("Book"), toMany: false)
        reviews.pair(with: subject)
        entity("Book").properties = [pages, reviews]
        entity("Book").subentities = [entity("Novel")]
        entity("Novel").properties = [NSAttributeDescription("genre")]
        entity("Page").properties = [NSAttributeDescription("number", .integer32AttributeType), book]
        entity("Review").properties = [NSAttributeDescription("text"), subject]
        if withStars { entity("Review").properties.append(NSAttributeDescription("stars", .integer16AttributeType)) }
        let model = NSManagedObjectModel()
        model.entities = names.map(entity)
        for (name, members) in configurations {
            model.setEntities(members.map(entity), forConfigurationName: name)
        }
        return model
    }

    private final class Library {
        let folder = FileManager.default.temporaryDirectory.appending(path: "configuration-\(UUID().uuidString)")

        init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
        deinit { try? FileManager.default.removeItem(at: folder) }

        /// A context over stores of some configurations; nil stands for the whole model.
        func context(
            _ model: NSManagedObjectModel,
            _ stores: [(file: String, configuration: String?)],
            migrates: Bool = false
        ) throws -> NSManagedObjectContext {
            let options: [String: Bool] = [
                NSMigratePersistentStoresAutomaticallyOption: migrates,
                NSInferMappingModelAutomaticallyOption: migrates,
            ]
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            for (file, configuration) in stores {
                try coordinator.addPersistentStore(
                    ofType: NSSQLiteStoreType,
                    configurationName: configuration,
                    at: folder.appending(path: file),
                    options: options
                )
            }
            return coordinator.makeContext()
        }
    }

    private func insert(_ entity: String, _ values: [String: Any], in context: NSManagedObjectContext)
        -> NSManagedObject
    {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
        for (key, value) in values { object.setValue(value, forKey: key) }
        return object
    }

    private func titles(_ entity: String, in context: NSManagedObjectContext) throws -> [String] {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        return try context.fetch(request).compactMap { $0.value(forKey: "title") as? String }.sorted()
    }

    @Test("Default, the editor's name of the configuration with all entities, stands for them unless the model has it")
    func defaultConfiguration() throws {
        let library = try Library()
        let context = try library.context(Self.model(["Texts": ["Review"]]), [("all.sqlite", "Default")])
        try context.performAndWait {
            for name in ["Novel", "Review"] {
                _ = NSEntityDescription.insertNewObject(forEntityName: name, into: context)
            }
            try context.save()
        }
        let reopened = try library.context(Self.model(["Texts": ["Review"]]), [("all.sqlite", nil)])
        try reopened.performAndWait {
            try expectEqual(reopened.count(for: NSFetchRequest<NSManagedObject>(entityName: "Novel")), 1)
        }
        let own = Self.model(["Default": ["Review"]])
        expectEqual(own.entities(forConfigurationName: "Default")?.map(\.name), ["Review"])
        expectNil(own.entities(forConfigurationName: "default"))
        expectEqual(own.entities(forConfigurationName: nil)?.count, 5)
    }

    @Test func aConfigurationWithoutASubentityHoldsItsObjectsToo() throws {
        let library = try Library()
        let configurations = ["Part": ["Writing", "Book", "Page", "Review"]]
        let first = try library.context(Self.model(configurations), [("a.sqlite", "Part")])
        try first.performAndWait { () throws in
            _ = insert("Book", ["title": "b"], in: first)
            _ = insert("Novel", ["title": "n", "genre": "crime"], in: first)
            try first.save()
        }
        let again = try library.context(Self.model(configurations), [("a.sqlite", "Part")])
        try again.performAndWait { () throws in try expectEqual(titles("Book", in: again), ["b", "n"]) }
    }

    @Test func aStoreOfTheWholeModelOpensWithAConfigurationThatLacksOnlyASubentity() throws {
        let library = try Library()
        let configurations = ["Part": ["Writing", "Book", "Page", "Review"]]
        let whole = try library.context(Self.model(configurations), [("a.sqlite", nil)])
        try whole.performAndWait { () throws in
            _ = insert("Novel", ["title": "n"], in: whole)
            try whole.save()
        }
        let part = try library.context(Self.model(configurations), [("a.sqlite", "Part")])
        try part.performAndWait { () throws in try expectEqual(titles("Novel", in: part), ["n"]) }
    }

    /// A store of the whole model with a novel and a review of it.
    private func makeWholeStore(_ library: Library) throws {
        let whole = try library.context(Self.model(Self.split), [("a.sqlite", nil)])
        try whole.performAndWait { () throws in
            let novel = insert("Novel", ["title": "n"], in: whole)
            _ = insert("Review", ["text": "good", "subject": novel], in: whole)
            try whole.save()
        }
    }

    @Test(arguments: [false, true])
    func aStoreOfTheWholeModelKeepsTheObjectsThatItsNewConfigurationOmits(migrates: Bool) throws {
        let library = try Library()
        try makeWholeStore(library)
        let model = Self.model(Self.split, withStars: migrates)
        let part = try library.context(model, [("a.sqlite", "Books")], migrates: true)
        try part.performAndWait { () throws in
            try expectEqual(titles("Novel", in: part), ["n"])
            try expectEqual(part.count(for: NSFetchRequest<NSManagedObject>(entityName: "Review")), 0)
            _ = insert("Novel", ["title": "o"], in: part)
            try part.save()
        }
        let url = library.folder.appending(path: "a.sqlite")
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)
        for configuration in [nil, "Books", "Reviews"] {
            #expect(model.isConfiguration(withName: configuration, compatibleWithStoreMetadata: metadata))
        }
        let whole = try library.context(model, [("a.sqlite", nil)])
        try whole.performAndWait { () throws in
            let review = try #require(try whole.fetch(NSFetchRequest<NSManagedObject>(entityName: "Review")).first)
            expectEqual((review.value(forKey: "subject") as? NSManagedObject)?.value(forKey: "title") as? String, "n")
            try expectEqual(titles("Novel", in: whole), ["n", "o"])
        }
    }

    @Test func aManagerMigratesAStoreOfAConfiguration() throws {
        let library = try Library()
        let models = [false, true].map { Self.model(Self.split, withStars: $0) }
        let context = try library.context(models[0], [("a.sqlite", "Reviews")])
        try context.performAndWait { () throws in
            _ = insert("Review", ["text": "good"], in: context)
            try context.save()
        }
        let mapping = try NSMappingModel.inferredMappingModel(
            forSourceModel: models[0],
            destinationModel: models[1]
        )
        try NSMigrationManager(sourceModel: models[0], destinationModel: models[1]).migrateStore(
            from: library.folder.appending(path: "a.sqlite"),
            type: .sqlite,
            mapping: mapping,
            to: library.folder.appending(path: "b.sqlite"),
            type: .sqlite
        )
        let migrated = try library.context(models[1], [("b.sqlite", "Reviews")])
        try migrated.performAndWait { () throws in
            let review = try #require(try migrated.fetch(NSFetchRequest<NSManagedObject>(entityName: "Review")).first)
            expectEqual(review.value(forKey: "text") as? String, "good")
        }
    }

    @Test func aConfigurationOfASubentityAloneHasItsSuperentitysProperties() throws {
        let library = try Library()
        let configurations = ["Novels": ["Novel"], "Rest": ["Writing", "Page", "Review"]]
        let stores: [(String, String?)] = [("a.sqlite", "Novels"), ("b.sqlite", "Rest")]
        let first = try library.context(Self.model(configurations), stores)
        try first.performAndWait { () throws in
            let novel = insert("Novel", ["title": "n", "genre": "crime"], in: first)
            let writing = insert("Writing", ["title": "w"], in: first)
            try first.save()
            let places = [novel, writing].map { $0.objectID.persistentStore?.configurationName }
            expectEqual(places, ["Novels", "Rest"])
        }
        let again = try library.context(Self.model(configurations), stores)
        try again.performAndWait { () throws in try expectEqual(titles("Writing", in: again), ["n", "w"]) }
    }

    @Test func aBatchInsertTakesTheStoreThatASaveTakes() throws {
        let library = try Library()
        let configurations = ["Novels": ["Novel"], "Rest": ["Writing", "Page", "Review"]]
        let context = try library.context(
            Self.model(configurations),
            [("b.sqlite", "Rest"), ("a.sqlite", "Novels")]
        )
        try context.performAndWait { () throws in
            let request = NSBatchInsertRequest(entityName: "Novel", objects: [["title": "n"]])
            request.resultType = .objectIDs
            let result = try context.execute(request) as? NSBatchInsertResult
            let identifiers = try #require(result?.result as? [NSManagedObjectID])
            expectEqual(identifiers.map { $0.persistentStore?.configurationName }, ["Novels"])
            try expectEqual(titles("Novel", in: context), ["n"])
        }
    }

    private static let split = ["Books": ["Writing", "Book", "Novel", "Page"], "Reviews": ["Review"]]
    private static let files: [(String, String?)] = [("a.sqlite", "Books"), ("b.sqlite", "Reviews")]

    @Test func aStoreOpensWithARelationshipOutOfItsConfigurationWhichStaysEmpty() throws {
        let library = try Library()
        let context = try library.context(Self.model(Self.split), Self.files)
        try context.performAndWait { () throws in
            let book = insert("Book", ["title": "b"], in: context)
            _ = insert("Page", ["number": 1, "book": book], in: context)
            _ = insert("Review", ["text": "good"], in: context)
            try context.save()
        }
        let again = try library.context(Self.model(Self.split), Self.files)
        try again.performAndWait { () throws in
            let review = try #require(try again.fetch(NSFetchRequest<NSManagedObject>(entityName: "Review")).first)
            expectNil(review.value(forKey: "subject"))
            expectEqual(review.value(forKey: "text") as? String, "good")
            let book = try #require(try again.fetch(NSFetchRequest<NSManagedObject>(entityName: "Book")).first)
            expectEqual((book.value(forKey: "reviews") as? NSSet)?.count, 0)
            expectEqual((book.value(forKey: "pages") as? NSSet)?.count, 1)
            again.delete(book)
            try again.save()
        }
    }

    @Test(arguments: [false, true])
    func aRelationshipIntoAnotherStoreIsRefusedAtTheSave(fromTheToManySide: Bool) throws {
        let library = try Library()
        let context = try library.context(Self.model(Self.split), Self.files)
        try context.performAndWait { () throws in
            let book = insert("Book", ["title": "b"], in: context)
            let review = insert("Review", ["text": "good"], in: context)
            if fromTheToManySide {
                book.setValue(NSSet(object: review), forKey: "reviews")
            } else {
                review.setValue(book, forKey: "subject")
            }
            let error = #expect(throws: NSError.self) { try context.save() }
            expectEqual(error?.code, NSManagedObjectExternalRelationshipError)
            expectEqual(error?.localizedDescription.contains("another store"), true)
        }
    }

    @Test func aFileWithoutAColumnForSuchARelationshipOpens() throws {
        let library = try Library()
        let context = try library.context(Self.model(Self.split), Self.files)
        try context.performAndWait { () throws in
            _ = insert("Review", ["text": "good"], in: context)
            try context.save()
        }
        for store in context.persistentStoreCoordinator?.persistentStores ?? [] {
            try context.persistentStoreCoordinator?.remove(store)
        }
        let file = try Connection(path: library.folder.appending(path: "b.sqlite").path)
        try file.execute("DROP INDEX IF EXISTS ZREVIEW_ZSUBJECT_INDEX; ALTER TABLE ZREVIEW DROP COLUMN ZSUBJECT")
        file.close()
        let again = try library.context(Self.model(Self.split), Self.files)
        try again.performAndWait { () throws in
            let review = try #require(try again.fetch(NSFetchRequest<NSManagedObject>(entityName: "Review")).first)
            expectNil(review.value(forKey: "subject"))
            expectEqual(review.value(forKey: "text") as? String, "good")
            review.setValue("better", forKey: "text")
            _ = insert("Review", ["text": "new"], in: again)
            try again.save()
            let request = NSFetchRequest<NSManagedObject>(entityName: "Review")
            try expectEqual(again.count(for: request), 2)
        }
    }
}
