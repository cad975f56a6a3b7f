// The names of entities in requests: stores have their numbers, whose order is another one.
import ExpectationSupport
import Foundation
import GraphSupport
import ManagedGraph
import Testing

@testable import StackSupport

private typealias NSExpression = ManagedGraph.NSExpression

struct EntityNameTests {
    /// Numbered Node, Zebra, Ant.
    private static func model() -> NSManagedObjectModel {
        let (node, zebra, ant) = (NSEntityDescription("Node"), NSEntityDescription("Zebra"), NSEntityDescription("Ant"))
        node.properties = [NSAttributeDescription("name")]
        node.subentities = [zebra]
        zebra.subentities = [ant]
        return NSManagedObjectModel([node, zebra, ant])
    }

    private let stack: Stack

    init() throws {
        stack = try Stack(model: Self.model())
        try stack.context.run { [stack] () throws in
            for name in ["Zebra", "Ant", "Node", "Ant"] { try Self.add(name, stack.context) }
            try stack.context.save()
        }
    }

    private static func add(_ entity: String, _ context: NSManagedObjectContext) throws {
        let count = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Node"))
        NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
            .setValue("\(entity) \(count)", forKey: "name")
    }

    private func names(_ predicate: String = "TRUEPREDICATE", ascending: Bool = true) throws -> [String] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Node")
        request.predicate = NSPredicate(format: predicate)
        request.sortDescriptors = ["entity.name", "name"].map { NSSortDescriptor(key: $0, ascending: ascending) }
        return try stack.context.fetch(request).compactMap { $0.value(forKey: "name") as? String }
    }

    @Test("Objects are sorted by the names of their entities, with unsaved ones among them")
    func order() throws {
        try stack.context.run { () throws in
            try expectEqual(names(), ["Ant 1", "Ant 3", "Node 2", "Zebra 0"])
            try expectEqual(names(ascending: false), ["Zebra 0", "Node 2", "Ant 3", "Ant 1"])
            try Self.add("Node", stack.context)
            try expectEqual(names(), ["Ant 1", "Ant 3", "Node 2", "Node 4", "Zebra 0"])
        }
    }

    @Test("The sections of a results controller by entities stay in order")
    func sections() throws {
        try stack.context.run { () throws in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Node")
            request.sortDescriptors = [NSSortDescriptor(key: "entity.name", ascending: true)]
            let controller = NSFetchedResultsController(
                fetchRequest: request,
                managedObjectContext: stack.context,
                sectionNameKeyPath: "entity.name",
                cacheName: nil
            )
            try controller.performFetch()
            expectEqual(controller.sections?.map(\.name), ["Ant", "Node", "Zebra"])
        }
    }

    @Test("Options of a comparison apply to the names of entities")
    func options() throws {
        try stack.context.run { () throws in
            try expectEqual(names("entity.name ==[c] 'ant'"), ["Ant 1", "Ant 3"])
            try expectEqual(names("entity.name !=[c] 'ANT'"), ["Node 2", "Zebra 0"])
            try expectEqual(names("entity.name IN[cd] {'ánt', 'NODE'}"), ["Ant 1", "Ant 3", "Node 2"])
            try expectEqual(names("entity.name == 'ant'"), [])
        }
    }

    @Test("Dictionaries have the names of entities, also as groups", arguments: [false, true])
    func dictionaries(_ isInMemory: Bool) throws {
        try stack.context.run { () throws in
            func column(_ name: String, _ format: String) -> NSExpressionDescription {
                let column = NSExpressionDescription()
                column.name = name
                column.expression = NSExpression(format: format)
                column.expressionResultType = name == "count" ? .integer64AttributeType : .stringAttributeType
                return column
            }
            let request = NSFetchRequest<NSDictionary>(entityName: "Node")
            request.resultType = .dictionaryResultType
            if isInMemory { request.predicate = NSPredicate { _, _ in true } }
            let entity = column("kind", "entity.name")
            request.propertiesToFetch = [entity, column("count", "count:(name)")]
            request.propertiesToGroupBy = [entity]
            let groups = try stack.context.fetch(request).map { row in
                "\(row["kind"] as? String ?? "") \((row["count"] as? NSNumber)?.intValue ?? 0)"
            }
            expectEqual(groups.sorted(), ["Ant 2", "Node 1", "Zebra 1"])
            request.propertiesToGroupBy = nil
            request.propertiesToFetch = [column("last", "max:(entity.name)"), column("first", "min:(entity.name)")]
            let extremes = try stack.context.fetch(request)
            expectEqual(extremes.map { $0["last"] as? String }, ["Zebra"])
            expectEqual(extremes.map { $0["first"] as? String }, ["Ant"])
        }
    }
}
