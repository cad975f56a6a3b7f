// Tests indexes and expressions created in code.
import ExpectationSupport
import Foundation
import GraphSupport
import ManagedGraph
import Testing

@Suite("Indexes and expressions in code")
struct IndexTests {
    @Test("An index and its elements refer to each other, and its entity to both")
    func parts() throws {
        let (name, rank) = (NSAttributeDescription("name"), NSAttributeDescription("rank", .integer16AttributeType))
        let down = NSFetchIndexElementDescription(property: rank, collationType: .binary)
        down.isAscending = false
        let index = NSFetchIndexDescription(
            name: "byNameAndRank",
            elements: [NSFetchIndexElementDescription(property: name, collationType: .binary), down]
        )
        index.partialIndexPredicate = NSPredicate(format: "rank > 3")
        let entity = NSEntityDescription("Player", [name, rank])
        entity.indexes = [index]
        #expect(index.entity === entity)
        #expect(index.elements.map(\.propertyName) == ["name", "rank"] && index.elements[1].property === rank)
        #expect(index.elements.allSatisfy { $0.indexDescription === index && $0.collationType == .binary })
        let copy = try #require(index.copy() as? NSFetchIndexDescription)
        expectNil(copy.entity)
        expectEqual(copy.name, index.name)
        expectEqual(copy.elements.map(\.isAscending), [true, false])
        expectEqual(copy.partialIndexPredicate, index.partialIndexPredicate)
        expectEqual(NSFetchIndexElementType.rTree.rawValue, 1)
    }

    @Test("An index of a property that the entity lacks is a defect that names both")
    func defects() throws {
        let element = NSFetchIndexElementDescription(property: NSAttributeDescription("age"), collationType: .binary)
        let entity = NSEntityDescription("Player", [NSAttributeDescription("name")])
        entity.indexes = [NSFetchIndexDescription(name: "byAge", elements: [element])]
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel([entity]))
        let error = #expect(throws: NSError.self) {
            try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        }
        let message = error?.localizedDescription ?? ""
        #expect(message.contains("Player.age") && message.contains("byAge"), "\(message)")
    }

    @Test("An expression has one result type under two names")
    func expressions() throws {
        let sum = NSExpressionDescription()
        sum.name = "sum"
        sum.expression = NSExpression(forFunction: "sum:", arguments: [NSExpression(forKeyPath: "rank")])
        sum.expressionResultType = .integer64AttributeType
        expectEqual(sum.resultType, .integer64)
        sum.resultType = .double
        expectEqual(sum.expressionResultType, .doubleAttributeType)
        let copy = try #require(sum.copy() as? NSExpressionDescription)
        expectEqual(copy.name, "sum")
        expectEqual(copy.expression, sum.expression)
        expectEqual(copy.resultType, .double)
    }

    @Test("Every attribute type has a name in both enumerations")
    func types() {
        let pairs: [(NSAttributeType, NSAttributeDescription.AttributeType)] = [
            (.undefinedAttributeType, .undefined), (.integer16AttributeType, .integer16),
            (.integer32AttributeType, .integer32), (.integer64AttributeType, .integer64),
            (.decimalAttributeType, .decimal), (.doubleAttributeType, .double), (.floatAttributeType, .float),
            (.stringAttributeType, .string), (.booleanAttributeType, .boolean), (.dateAttributeType, .date),
            (.binaryDataAttributeType, .binaryData), (.UUIDAttributeType, .uuid), (.URIAttributeType, .uri),
            (.transformableAttributeType, .transformable), (.objectIDAttributeType, .objectID),
            (.compositeAttributeType, .composite),
        ]
        for (old, new) in pairs { expectEqual(old.rawValue, new.rawValue) }
        expectEqual(Set(pairs.map(\.0.rawValue)).count, pairs.count)
    }

    @Test("Rules of a property are kept with their warnings")
    func rules() {
        let name = NSAttributeDescription("name")
        name.setValidationPredicates([NSPredicate(format: "length > 2")], withValidationWarnings: ["too short"])
        expectEqual(name.validationPredicates, [NSPredicate(format: "length > 2")])
        expectEqual(name.validationWarnings as? [String], ["too short"])
        name.setValidationPredicates(nil, withValidationWarnings: nil)
        #expect(name.validationPredicates.isEmpty && name.validationWarnings.isEmpty)
    }

    @Test("An entity is found by its name in a context's model")
    func entityOfAContext() throws {
        let model = NSManagedObjectModel([NSEntityDescription("Player", [NSAttributeDescription("name")])])
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        expectEqual(NSEntityDescription.entity(forEntityName: "Player", in: context)?.name, "Player")
        expectNil(NSEntityDescription.entity(forEntityName: "Gamer", in: context))
    }
}
