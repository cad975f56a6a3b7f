// Batch updates and deletions by one statement beside those that read the keys of their rows first.
import ExpectationSupport
import Foundation
import GraphSupport
import ManagedGraph
import Testing

@testable import StackSupport

@Suite("Batch requests in one statement")
struct ChosenRowsTests {
    /// Predicates over tasks; those of the first list need no keys.
    static let predicates =
        [
            "TRUEPREDICATE", "FALSEPREDICATE", "priority == 1", "priority IN {0, 2}", "text BEGINSWITH[cd] 'T1'",
            "weight > 3 AND (priority == 1 OR done == nil)", "NOT (priority == 1)", "text MATCHES 't[0-4]'",
            "ANY tags.name == 'a'", "tags.@count == 0", "SUBQUERY(tags, $t, $t.name == 'b').@count > 0",
            "location == nil", "location.tasks.@count > 4", "priority == 1 AND ANY tags.name IN {'a', 'b'}",
        ].map { ($0, true) } + ["location.name == '1'", "location.name == nil OR weight < 4"].map { ($0, false) }

    private func makeStack() throws -> Stack {
        let stack = try Stack()
        try stack.fill(places: 3, tasks: 5)
        try stack.context.run { () throws in
            for (number, name) in ["a", "b", "c"].enumerated() {
                let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: stack.context)
                tag.setValue(name, forKey: "name")
                let tagged = try stack.context.tasks().enumerated().filter { $0.offset % (number + 2) == 0 }
                tag.setValue(Set(tagged.map(\.element)) as NSSet, forKey: "tagged")
            }
            for number in 0..<8 {
                let task = stack.context.task("t\(number)", priority: Int16(number % 3))
                task.weight = Double(number)
            }
            try stack.context.save()
        }
        return stack
    }

    private func request(_ format: String, readsKeys: Bool) -> NSFetchRequest<any NSFetchRequestResult> {
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Task")
        request.predicate = NSPredicate(format: format)
        // A limit needs the keys.
        if readsKeys { request.fetchLimit = 1_000 }
        return request
    }

    private func name(of identifier: NSManagedObjectID) -> String { identifier.uriRepresentation().lastPathComponent }

    /// The rows of all tables of the model, the tables of pairs included.
    private func contents(_ stack: Stack) throws -> [String: [String]] {
        let names = try stack.rows(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT IN ('Z_METADATA', 'Z_MODELCACHE')"
        )
        return try names.reduce(into: [:]) { contents, row in
            guard case .text(let table)? = row.first else { return }
            contents[table] = try stack.rows("SELECT * FROM \"\(table)\"").map { "\($0)" }.sorted()
        }
    }

    @Test("Deletes the same rows as by keys, and nullifies the same references", arguments: predicates)
    func deletions(format: String, isOneStatement: Bool) throws {
        let stacks = try [makeStack(), makeStack()]
        let log = ActivityLog(stacks[0].coordinator)
        let deleted = try stacks.enumerated().map { place, stack in
            let deletion = NSBatchDeleteRequest(fetchRequest: request(format, readsKeys: place == 1))
            deletion.resultType = .resultTypeObjectIDs
            let result = try stack.execute(deletion, as: NSBatchDeleteResult.self)?.result
            return try #require(result as? [NSManagedObjectID]).map { name(of: $0) }.sorted()
        }
        log.cancel()
        expectEqual(deleted[0], deleted[1])
        try expectEqual(contents(stacks[0]).count, 5)
        try expectEqual(contents(stacks[0]), contents(stacks[1]))
        let reads = log.statements.filter { $0.text.hasPrefix("SELECT") && $0.text.contains("FROM ZTASK") }
        expectEqual(reads.isEmpty, isOneStatement)
    }

    @Test("Updates the same rows as by keys, once each", arguments: predicates)
    func updates(format: String, isOneStatement: Bool) throws {
        let stack = try makeStack()
        let expected = try stack.context.performAndWait { () throws in
            try stack.context.tasks(format).map { name(of: $0.objectID) }.sorted()
        }
        let versions = try stack.rows("SELECT sum(Z_OPT) FROM ZTASK")
        let update = NSBatchUpdateRequest(entityName: "Task")
        update.predicate = NSPredicate(format: format)
        // The predicates depend on these.
        update.propertiesToUpdate = ["priority": 1, "text": "t1", "weight": 0]
        update.resultType = .updatedObjectIDsResultType
        let log = ActivityLog(stack.coordinator)
        let result = try stack.execute(update, as: NSBatchUpdateResult.self)?.result
        log.cancel()
        let updated = try #require(result as? [NSManagedObjectID])
        expectEqual(updated.map { name(of: $0) }.sorted(), expected)
        try expectEqual(
            stack.rows("SELECT sum(Z_OPT) - \(updated.count) FROM ZTASK"),
            versions
        )
        let list = expected.map { $0.dropFirst() }.joined(separator: ", ")
        try expectEqual(
            stack.rows(
                "SELECT count(*) FROM ZTASK WHERE Z_PK IN (\(list)) AND ZPRIORITY = 1 AND ZTEXT = 't1' AND ZWEIGHT = 0"
            ),
            [[.integer(Int64(expected.count))]]
        )
        let reads = log.statements.filter { $0.text.hasPrefix("SELECT") && $0.text.contains("FROM ZTASK") }
        expectEqual(reads.isEmpty, isOneStatement)
    }

    @Test(
        "Rows that a trigger changes are not taken for rows of the request",
        arguments: ["ZTASK", "ztask"]
    )
    func triggers(table: String) throws {
        let stack = try makeStack()
        try stack.execute(
            "CREATE TRIGGER other AFTER UPDATE OF ZPRIORITY ON \(table) BEGIN "
                + "UPDATE ZTASK SET ZTEXT = 'other' WHERE Z_PK = 1; END"
        )
        let update = NSBatchUpdateRequest(entityName: "Task")
        update.predicate = NSPredicate(format: "weight == 7")
        update.propertiesToUpdate = ["priority": 5]
        update.resultType = .updatedObjectIDsResultType
        let result = try stack.execute(update, as: NSBatchUpdateResult.self)?.result
        expectEqual((result as? [NSManagedObjectID])?.count, 1)
        try expectEqual(stack.rows("SELECT count(*) FROM ZTASK WHERE ZTEXT = 'other'"), [[.integer(1)]])
    }

    @Test("Of an entity with subentities, rows of each are changed; of one without them, only its own")
    func subentities() throws {
        let root = NSEntityDescription("Thing")
        root.properties = [NSAttributeDescription("name")]
        let kind = NSEntityDescription("Kind")
        kind.properties = [NSAttributeDescription("size", .integer32AttributeType)]
        root.subentities = [kind]
        let stack = try Stack(model: NSManagedObjectModel([root, kind]))
        try stack.context.run { () throws in
            for number in 0..<6 {
                let name = number < 4 ? "Kind" : "Thing"
                let object = NSEntityDescription.insertNewObject(forEntityName: name, into: stack.context)
                object.setValue("\(number)", forKey: "name")
            }
            try stack.context.save()
        }
        func update(_ entity: String, includesSubentities: Bool = true) throws -> [String?] {
            let update = NSBatchUpdateRequest(entityName: entity)
            update.includesSubentities = includesSubentities
            update.propertiesToUpdate = ["name": entity]
            update.resultType = .updatedObjectIDsResultType
            let result = try stack.execute(update, as: NSBatchUpdateResult.self)?.result
            return try #require(result as? [NSManagedObjectID]).map(\.entity.name)
        }
        try expectEqual(update("Kind"), Array(repeating: "Kind", count: 4))
        try expectEqual(update("Thing", includesSubentities: false), ["Thing", "Thing"])
        try expectEqual(
            stack.rows("SELECT ZNAME, count(*) FROM ZTHING GROUP BY 1 ORDER BY 1"),
            [[.text("Kind"), .integer(4)], [.text("Thing"), .integer(2)]]
        )
        try expectEqual(Set(update("Thing")), ["Kind", "Thing"])
        let deletion = NSBatchDeleteRequest(fetchRequest: NSFetchRequest<NSManagedObject>(entityName: "Kind"))
        deletion.resultType = .resultTypeCount
        try expectEqual(stack.execute(deletion, as: NSBatchDeleteResult.self)?.result as? Int, 4)
        try expectEqual(stack.rows("SELECT count(*) FROM ZTHING"), [[.integer(2)]])
    }
}
