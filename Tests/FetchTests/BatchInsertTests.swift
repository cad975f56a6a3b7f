// NSBatchInsertRequest: dictionaries, handlers, results, unique values, rejected requests.
import ExpectationSupport
import Foundation
import Testing

@testable import ManagedGraph
@testable import StackSupport

@Suite("Batch inserts")
struct BatchInsertTests {
    let stack: Stack
    var context: NSManagedObjectContext { stack.context }

    init() throws {
        let model = TasksModel.make()
        model.entitiesByName["Task"]?.uniquenessConstraints = [["text"]]
        stack = try Stack(model: model)
    }

    private func stored() throws -> [String] {
        let other = stack.otherContext()
        return try other.performAndWait { () throws in
            try other.tasks().map {
                "\($0.text ?? "-") \($0.priority) \($0.value(forKey: "weight") as? Double ?? 0)"
            }
        }
    }

    @discardableResult
    private func insert(_ request: NSBatchInsertRequest, _ type: NSBatchInsertRequestResultType = .count) throws -> Any?
    {
        request.resultType = type
        return try stack.execute(request, as: NSBatchInsertResult.self)?.result
    }

    @Test("Dictionaries become rows, with the model's defaults for missing values")
    func dictionaries() throws {
        let day = Date(timeIntervalSinceReferenceDate: 86_400)
        let uuid = UUID()
        let rows: [[String: Any]] = [
            ["text": "a", "priority": 3, "weight": 1.5, "dueDate": day, "identifier": uuid, "done": true],
            ["text": "b", "picture": Data([1, 2])], ["text": NSNull(), "price": Decimal(7)],
        ]
        let count = try insert(NSBatchInsertRequest(entityName: "Task", objects: rows))
        expectEqual(count as? Int, 3)
        let other = stack.otherContext()
        try other.performAndWait { () throws in
            let tasks = try other.tasks(sort: "priority")
            #expect(tasks.map(\.text) == ["b", nil, "a"] || tasks.map(\.text) == [nil, "b", "a"])
            let a = try #require(tasks.last)
            expectEqual(a.dueDate, day)
            expectEqual(a.weight, 1.5)
            expectEqual(a.value(forKey: "identifier") as? UUID, uuid)
            expectEqual(a.value(forKey: "done") as? Bool, true)
            expectEqual(tasks.first { $0.text == "b" }?.value(forKey: "picture") as? Data, Data([1, 2]))
            expectEqual(tasks.first { $0.text == nil }?.value(forKey: "price") as? Decimal, Decimal(7))
        }
        try expectEqual(
            stack.rows("SELECT min(Z_OPT), max(Z_OPT), max(Z_PK) FROM ZTASK"),
            [[1, 1, 3].map { .integer($0) }]
        )
        try expectEqual(stack.rows("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Task'"), [[.integer(3)]])
    }

    @Test("A part of a text is a text, also in an object")
    func partsOfTexts() throws {
        let words = "one two".split(separator: " ")
        try insert(NSBatchInsertRequest(entityName: "Task", objects: [["text": words[0], "priority": 1]]))
        try context.performAndWait { () throws in
            let task = context.task("")
            task.setValue(words[1], forKey: "text")
            expectEqual(task.text, "two")
            try context.save()
        }
        try expectEqual(stored().sorted(), ["one 1 0.0", "two 0 0.0"])
    }

    @Test("Keys are never reused, and each row gets the reported key")
    func keys() throws {
        func add(_ prefix: String) throws -> [NSManagedObjectID] {
            let rows = (0..<100).map { ["text": "\(prefix)\($0)"] }
            return try #require(
                try insert(NSBatchInsertRequest(entityName: "Task", objects: rows), .objectIDs) as? [NSManagedObjectID]
            )
        }
        func texts(_ identifiers: [NSManagedObjectID]) throws -> [String?] {
            let other = stack.otherContext()
            return try other.performAndWait { () throws in
                try identifiers.map { try other.existingObject(with: $0).value(forKey: "text") as? String }
            }
        }
        let first = try add("a")
        // The table's greatest key is then lower than the last allocated one.
        _ = try context.performAndWait { () throws in
            try context.execute(NSBatchDeleteRequest(objectIDs: Array(first[90...])))
        }
        let second = try add("b")
        let third = try add("c")
        try expectEqual(texts(Array(first[..<90])), (0..<90).map { "a\($0)" })
        try expectEqual(texts(second), (0..<100).map { "b\($0)" })
        try expectEqual(texts(third), (0..<100).map { "c\($0)" })
        try expectEqual(
            stack.rows("SELECT min(Z_PK), max(Z_PK) FROM ZTASK WHERE ZTEXT LIKE 'b%'"),
            [
                [.integer(101), .integer(200)]
            ]
        )
        try expectEqual(stack.rows("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Task'"), [[.integer(300)]])
    }

    @Test("A dictionary handler fills empty dictionaries until it returns true")
    func dictionaryHandler() throws {
        var number = 0
        let request = NSBatchInsertRequest(entityName: "Task") { (dictionary: NSMutableDictionary) in
            expectEqual(dictionary.count, 0)
            guard number < 1_000 else { return true }
            dictionary["text"] = "t\(number)"
            dictionary["priority"] = number % 5
            number += 1
            return false
        }
        let identifiers = try #require(try insert(request, .objectIDs) as? [NSManagedObjectID])
        expectEqual(Set(identifiers).count, 1_000)
        let other = stack.otherContext()
        try other.performAndWait { () throws in
            try expectEqual(other.count(for: NSFetchRequest<TestTask>(entityName: "Task")), 1_000)
            let last = try other.existingObject(with: identifiers[999]) as? TestTask
            expectEqual(last?.text, "t999")
            expectEqual(last?.priority, 4)
        }
    }

    @Test("A handler's dictionary returns the values it was given, of their attributes' types and of others")
    func givenValues() throws {
        let day = Date(timeIntervalSinceReferenceDate: 86_400)
        let uuid = UUID()
        let page = URL(string: "https://example.com")
        var isDone = false
        let request = NSBatchInsertRequest(entityName: "Task") { (dictionary: NSMutableDictionary) in
            if isDone { return true }
            isDone = true
            let values: [String: Any] = [
                "text": "t", "priority": 5, "weight": 2.5, "done": true, "dueDate": day, "identifier": uuid,
                "page": page as Any, "price": Decimal(7) / 4, "picture": Data([1, 2]),
            ]
            for (key, value) in values { dictionary[key] = value }
            expectEqual(dictionary.count, values.count)
            expectEqual(dictionary["text"] as? String, "t")
            expectEqual((dictionary["priority"] as? NSNumber)?.intValue, 5)
            expectEqual((dictionary["weight"] as? NSNumber)?.doubleValue, 2.5)
            expectEqual((dictionary["done"] as? NSNumber)?.boolValue, true)
            expectEqual(dictionary["dueDate"] as? Date, day)
            expectEqual(dictionary["identifier"] as? UUID, uuid)
            expectEqual((dictionary["price"] as? NSNumber)?.doubleValue, 1.75)
            // From a value of the type to one of another, and back.
            dictionary["priority"] = UInt8(7)
            expectEqual((dictionary["priority"] as? NSNumber)?.intValue, 7)
            dictionary["weight"] = NSNumber(value: 3)
            dictionary["weight"] = 3.5
            expectEqual((dictionary["weight"] as? NSNumber)?.doubleValue, 3.5)
            dictionary["text"] = "u"
            dictionary["done"] = nil
            expectEqual(dictionary.count, values.count - 1)
            expectEqual(Set(dictionary.allKeys.compactMap { $0 as? String }), Set(values.keys).subtracting(["done"]))
            return false
        }
        try insert(request)
        try expectEqual(stored(), ["u 7 3.5"])
        try expectEqual(stack.rows("SELECT count(*) FROM ZTASK WHERE ZDONE IS NULL AND ZPRICE = 1.75"), [[.integer(1)]])
    }

    @Test("A handler can read, change and remove values in its dictionary")
    func handlersDictionary() throws {
        var number = 0
        let request = NSBatchInsertRequest(entityName: "Task") { (dictionary: NSMutableDictionary) in
            guard number < 4 else { return true }
            defer { number += 1 }
            switch number {
            case 0:
                dictionary.addEntries(from: ["priority": 3, "text": "a"])
                expectEqual(dictionary["priority"] as? Int, 3)
                expectEqual(dictionary["priority"] as? Double, 3)
                #expect(dictionary["text"] as? String == "a" && dictionary["weight"] == nil)
                expectEqual(dictionary.count, 2)
                expectEqual(Set(dictionary.allKeys.compactMap { $0 as? String }).count, 2)
            case 1:
                // Another order of keys, a replaced value and a removed one.
                dictionary["text"] = "b"
                dictionary["text"] = "c"
                dictionary["priority"] = NSNumber(value: 4)
                dictionary["weight"] = 2.5
                dictionary.removeObject(forKey: "weight")
                #expect(dictionary.count == 2 && dictionary["weight"] == nil && dictionary["text"] as? String == "c")
            case 2:
                dictionary.setDictionary(["text": "d", "stranger": 1])
                expectEqual(dictionary["stranger"] as? Int, 1)
                expectEqual(dictionary.count, 2)
                dictionary["stranger"] = nil
                expectEqual(dictionary as NSDictionary, NSDictionary(dictionary: ["text": "d"]))
            default:
                dictionary["text"] = NSNull()
            }
            return false
        }
        _ = try insert(request, .count)
        try expectEqual(
            stack.rows("SELECT ZTEXT, ZPRIORITY FROM ZTASK ORDER BY Z_PK"),
            [
                [.text("a"), .integer(3)], [.text("c"), .integer(4)],
                [.text("d"), .integer(0)], [.null, .integer(0)],
            ]
        )
    }

    @Test("An unknown key from a handler is an error that suggests the nearest name")
    func handlersStranger() throws {
        let request = NSBatchInsertRequest(entityName: "Task") { (dictionary: NSMutableDictionary) in
            dictionary["tekst"] = "a"
            return false
        }
        let error = #expect(throws: NSError.self) { try insert(request, .count) }
        #expect(String(describing: error as Any).contains("Did you mean text?"))
    }

    @Test("A managed object handler sets values of objects without a context")
    func managedObjectHandler() throws {
        let place = try context.run { () throws in
            let place = TestLocation(context: context)
            place.name = "home"
            try context.save()
            return place.objectID
        }
        var names = ["x", "y"]
        let request = NSBatchInsertRequest(entityName: "Task") { (object: NSManagedObject) in
            guard let task = object as? TestTask, let name = names.popLast() else { return true }
            expectNil(task.managedObjectContext)
            task.text = name
            task.weight = 2
            return false
        }
        try expectEqual(insert(request, .statusOnly) as? Bool, true)
        try expectEqual(stored(), ["x 0 2.0", "y 0 2.0"])
        try insert(NSBatchInsertRequest(entityName: "Task", objects: [["text": "z", "location": place]]))
        let other = stack.otherContext()
        try other.performAndWait { () throws in
            try expectEqual(other.tasks("location.name == 'home'").map(\.text), ["z"])
        }
    }

    @Test("A row that violates a uniqueness constraint fails the whole insert with 133021 under the error policy")
    func errorPolicy() throws {
        try insert(NSBatchInsertRequest(entityName: "Task", objects: [["text": "a"]]))
        let error = #expect(throws: NSError.self) {
            try insert(NSBatchInsertRequest(entityName: "Task", objects: [["text": "b"], ["text": "a"]]))
        }
        expectEqual(error?.code, NSManagedObjectConstraintMergeError)
        try expectEqual(stored(), ["a 0 0.0"])
    }

    @Test(
        "The other merge policies resolve it",
        arguments: [
            (NSMergePolicy.mergeByPropertyObjectTrump, ["a 5 1.5", "b 2 0.0"], 2),
            (.overwrite, ["a 5 0.0", "b 2 0.0"], 2), (.mergeByPropertyStoreTrump, ["a 1 1.5", "b 2 0.0"], 1),
            (.rollback, ["a 1 1.5", "b 2 0.0"], 1),
        ] as [(NSMergePolicy, [String], Int)]
    )
    func policies(policy: NSMergePolicy, expected: [String], count: Int) throws {
        try insert(NSBatchInsertRequest(entityName: "Task", objects: [["text": "a", "priority": 1, "weight": 1.5]]))
        context.performAndWait { context.mergePolicy = policy }
        let rows: [[String: Any]] = [["text": "a", "priority": 5], ["text": "b", "priority": 2]]
        let insertedCount = try insert(NSBatchInsertRequest(entityName: "Task", objects: rows))
        expectEqual(insertedCount as? Int, count)
        try expectEqual(stored(), expected)
    }

    @Test("A row that a later one of the same request changes is counted once")
    func laterRow() throws {
        context.performAndWait { context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump }
        let rows: [[String: Any]] = [["text": "a"], ["text": "b"], ["text": "a", "priority": 5]]
        try expectEqual(insert(NSBatchInsertRequest(entityName: "Task", objects: rows)) as? Int, 2)
        let request = NSBatchInsertRequest(entityName: "Task", objects: [["text": "c"], ["text": "c", "priority": 1]])
        try expectEqual((try insert(request, .objectIDs) as? [NSManagedObjectID])?.count, 1)
        try expectEqual(stored(), ["a 5 0.0", "b 0 0.0", "c 1 0.0"])
    }

    @Test(
        "Rejects unknown names, wrong types, to-many relationships, abstract and unknown entities; inserts nothing"
    )
    func refusals() throws {
        for (row, words) in [
            (["txt": "a"], "Did you mean text"), (["text": 1], "cannot hold 1, a value of type Int"),
            (["priority": 70_000], "priority is too large: 70000"),
            (["tags": [1]], "tags cannot be written"),
        ] as [([String: Any], String)] {
            let error = #expect(throws: NSError.self) {
                try insert(NSBatchInsertRequest(entityName: "Task", objects: [["text": "fine"], row]))
            }
            let message = error?.localizedDescription ?? ""
            #expect(message.contains(words) || message.lowercased().contains(words), "\(message)")
        }
        let error = #expect(throws: NSError.self) {
            try insert(NSBatchInsertRequest(entityName: "Tasks", objects: []))
        }
        expectEqual(error?.localizedDescription.contains("Did you mean Task?"), true)
        #expect(try stored().isEmpty)
    }

    @Test("Contexts and results controllers merge the rows if the request says so")
    func merging() throws {
        let listening = stack.otherContext()
        listening.automaticallyMergesChangesFromParent = true
        let request = NSFetchRequest<TestTask>(entityName: "Task")
        request.sortDescriptors = [NSSortDescriptor(key: "text", ascending: true)]
        let controllers = try [context, listening].map { context in
            let controller = NSFetchedResultsController(
                fetchRequest: request,
                managedObjectContext: context,
                sectionNameKeyPath: nil,
                cacheName: nil
            )
            try context.performAndWait { () throws in
                controller.delegate = Delegate.shared
                try controller.performFetch()
            }
            return controller
        }
        let insertion = NSBatchInsertRequest(entityName: "Task", objects: [["text": "a"], ["text": "b"]])
        insertion.mergesIntoContexts = true
        try insert(insertion)
        context.performAndWait { context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump }
        let second = NSBatchInsertRequest(entityName: "Task", objects: [["text": "a", "priority": 3], ["text": "c"]])
        second.mergesIntoContexts = true
        try insert(second)
        for controller in controllers {
            controller.managedObjectContext.performAndWait {
                expectEqual(
                    controller.fetchedObjects?.map { "\($0.text ?? "") \($0.priority)" },
                    ["a 3", "b 0", "c 0"]
                )
            }
        }
    }

    private final class Delegate: NSObject, NSFetchedResultsControllerDelegate, @unchecked Sendable {
        static let shared = Delegate()
        func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {}
    }
}
