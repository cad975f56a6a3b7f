// The rows that fetches read and the results they return: unsaved changes with limits, predicates evaluated partly by
// tables, partial faults, dictionaries.
import ExpectationSupport
import Foundation
import GraphSupport
import ManagedGraph
import Testing

@testable import StackSupport

struct FetchAnswers {
    private let stack: Stack

    init() throws {
        stack = try Stack()
        try stack.context.run { () throws in
            let home = TestLocation(context: stack.context)
            home.name = "home"
            for number in 0..<100 {
                let task = stack.context.task(String(format: "t%03d", number), priority: Int16(number % 5))
                task.weight = Double(number)
                if number % 2 == 0 { task.location = home }
            }
            try stack.context.save()
        }
    }

    private func request(_ limit: Int = 0, offset: Int = 0) -> NSFetchRequest<TestTask> {
        let request = NSFetchRequest<TestTask>(entityName: "Task")
        request.sortDescriptors = [NSSortDescriptor(key: "text", ascending: true)]
        request.fetchLimit = limit
        request.fetchOffset = offset
        return request
    }

    private func rowsRead<R>(_ body: () throws -> R) rethrows -> (R, Int) {
        let before = stack.coordinator.statistics
        let result = try body()
        return (result, (stack.coordinator.statistics - before).rowsRead)
    }

    // MARK: Identifiers

    // "id results skip object creation"
    @Test func identifiersAreFetchedWithoutObjects() throws {
        let context = stack.otherContext()
        try context.run { () throws in
            let request = NSFetchRequest<NSManagedObjectID>(entityName: "Task")
            request.resultType = .managedObjectIDResultType
            request.sortDescriptors = [NSSortDescriptor(key: "text", ascending: false)]
            request.fetchLimit = 3
            let identifiers = try context.fetch(request)
            #expect(context.registeredObjects.isEmpty)
            let texts = identifiers.map { context.object(with: $0).value(forKey: "text") as? String }
            expectEqual(texts, ["t099", "t098", "t097"])
            // Unsaved changes are included, with temporary identifiers.
            let new = context.task("t0985")
            try expectEqual(context.fetch(request), [identifiers[0], new.objectID, identifiers[1]])
        }
    }

    // MARK: Unsaved changes

    @Test func limitsAreReadAsLimitsBesideUnsavedChanges() throws {
        let context = stack.otherContext()
        try context.run { () throws in
            _ = context.task("t0005")
            let first = try #require(try context.tasks("text == 't001'").first)
            context.delete(first)
            let ((found, count)) = try rowsRead { try context.fetch(request(3, offset: 1)) }
            expectEqual(found.map(\.text), ["t0005", "t002", "t003"])
            #expect(count <= 6)
        }
    }

    @Test func countsReadNoRowsBesideUnsavedChanges() throws {
        let context = stack.otherContext()
        try context.run { () throws in
            let tasks = try context.tasks("priority == 1")
            context.delete(tasks[0])
            tasks[1].priority = 3
            tasks[2].text = "x"
            _ = context.task("new", priority: 1)
            let counted = NSFetchRequest<TestTask>(entityName: "Task")
            counted.predicate = NSPredicate(format: "priority == 1")
            let (count, rows) = try rowsRead { try context.count(for: counted) }
            expectEqual(count, 19)
            try expectEqual(context.fetch(counted).count, 19)
            expectEqual(rows, 1)
            counted.fetchOffset = 15
            try expectEqual(context.count(for: counted), 4)
            counted.fetchLimit = 2
            try expectEqual(context.count(for: counted), 2)
            counted.includesPendingChanges = false
            counted.fetchLimit = 0
            counted.fetchOffset = 0
            try expectEqual(context.count(for: counted), 20)
        }
    }

    // MARK: Predicates in memory

    @Test func rowsThatTablesCanRuleOutAreNotRead() throws {
        let context = stack.otherContext()
        try context.run { () throws in
            let mixed = request(2)
            mixed.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [
                NSPredicate(format: "priority == 2"),
                NSPredicate { object, _ in ((object as? TestTask)?.weight ?? 0) > 50 },
            ])
            let (found, rows) = try rowsRead { try context.fetch(mixed) }
            expectEqual(found.map(\.text), ["t052", "t057"])
            expectEqual(rows, 20)
            try expectEqual(context.count(for: mixed), 2)
            mixed.fetchLimit = 0
            try expectEqual(context.count(for: mixed), 10)
        }
    }

    // MARK: Partial faults

    // "partial faults with object results"
    @Test func aPartialFaultHasTheFetchedValuesAndFiresForTheOthers() throws {
        let context = stack.otherContext()
        try context.run { () throws in
            let partial = request(2)
            partial.propertiesToFetch = ["text", "location"]
            let tasks = try context.fetch(partial)
            let fired = context.statistics.faultsFired
            #expect(tasks.allSatisfy { $0.isFault })
            expectEqual(tasks.map(\.text), ["t000", "t001"])
            #expect(tasks[0].location?.objectID != nil && tasks[1].location == nil)
            #expect(tasks[0].isFault && tasks[1].isFault && context.statistics.faultsFired == fired)
            expectEqual(tasks[1].weight, 1)
            #expect(!tasks[1].isFault && tasks[0].isFault && context.statistics.faultsFired == fired + 1)
            expectEqual(tasks[1].text, "t001")
            // A change also fires the fault, and is saved on top of the row.
            tasks[0].text = "changed"
            #expect(!tasks[0].isFault && tasks[0].weight == 0 && tasks[0].changedValues().count == 1)
            try context.save()
        }
        try expectEqual(stack.rows("SELECT ZTEXT, ZWEIGHT FROM ZTASK WHERE Z_PK = 1"), [[.text("changed"), .real(0)]])
    }

    @Test func aPartialFaultThatFiresReadsTheRowAsItIsNow() throws {
        let context = stack.otherContext()
        try context.run { () throws in
            let partial = request(1)
            partial.propertiesToFetch = ["text"]
            let task = try #require(try context.fetch(partial).first)
            try stack.context.run { () throws in
                let same = try #require(try stack.context.tasks("text == 't000'").first)
                same.text = "t0"
                same.weight = 7
                try stack.context.save()
            }
            expectEqual(task.text, "t000")
            expectEqual(task.weight, 7)
            expectEqual(task.text, "t0")
            context.refresh(task, mergeChanges: false)
            // A full fetch completes a partial fault.
            let other = stack.otherContext()
            try other.run { () throws in
                let fault = try #require(try other.fetch(partial).first)
                #expect(try other.fetch(request(1)).first === fault)
                expectEqual(fault.weight, 7)
            }
        }
    }

    @Test func aChildReadsTheWholeRowOfItsParentsPartialFault() throws {
        let partial = request(1)
        partial.propertiesToFetch = ["text"]
        let parent = stack.otherContext()
        let child = parent.makeChild()
        let parentTasks = try parent.performAndWait { () throws in try parent.fetch(partial) }
        try stack.execute("UPDATE ZTASK SET ZTEXT = 't00', ZWEIGHT = 9 WHERE ZTEXT = 't000'")
        try child.run { () throws in
            let task = try #require(try child.fetch(partial).first)
            expectEqual(task.text, "t00")
            expectEqual(task.weight, 9)
        }
        parent.performAndWait { expectEqual(parentTasks.first?.text, "t00") }
    }

    @Test func objectsInMemoryAreRefreshedWithBatchesToo() async throws {
        let (context, other) = (stack.otherContext(), stack.otherContext())
        func change(to weight: Double) throws {
            try other.performAndWait { () throws in
                try other.tasks("text == 't000'").first?.weight = weight
                try other.save()
            }
        }
        let batches = request()
        batches.fetchBatchSize = 10
        let tasks = try context.performAndWait { () throws in try context.fetch(batches) }
        context.performAndWait { expectEqual(tasks.first?.weight, 0) }
        try change(to: 200)
        context.performAndWait { expectEqual(tasks.first?.weight, 0) }
        batches.shouldRefreshRefetchedObjects = true
        try context.performAndWait { () throws in
            try expectEqual(context.fetch(batches).first?.weight, 200)
            expectEqual(tasks.first?.weight, 200)
        }
        try change(to: 300)
        try context.performAndWait { () throws in
            _ = try context.fetchLazily(batches).first
            expectEqual(tasks.first?.weight, 300)
        }
        try change(to: 400)
        for try await _ in context.results(of: batches, { $0.objectID }) {}
        context.performAndWait { expectEqual(tasks.first?.weight, 400) }
    }

    // MARK: Dictionaries

    private func dictionaries(_ format: String?, isInMemory: Bool) throws -> [[String: Any]] {
        let context = stack.otherContext()
        return try context.performAndWait { () throws in
            let rows = NSFetchRequest<NSDictionary>(entityName: "Task")
            rows.resultType = .dictionaryResultType
            let sum = NSExpressionDescription()
            sum.name = "total"
            sum.expression = NSExpression(forFunction: "sum:", arguments: [NSExpression(forKeyPath: "weight")])
            sum.expressionResultType = .doubleAttributeType
            rows.propertiesToFetch = ["priority", "location.name", sum]
            rows.propertiesToGroupBy = ["priority", "location.name"]
            rows.sortDescriptors = [NSSortDescriptor(key: "priority", ascending: false)]
            rows.havingPredicate = NSPredicate(format: "sum:(weight) > 480")
            var parts = [NSPredicate(format: format ?? "TRUEPREDICATE")]
            if isInMemory { parts.append(NSPredicate { _, _ in true }) }
            rows.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: parts)
            return try context.fetch(rows).map { $0 as? [String: Any] ?? [:] }
        }
    }

    @Test("With an entity, names of properties are replaced by their descriptions; key paths stay names")
    func namesOfProperties() throws {
        let entity = try #require(stack.coordinator.managedObjectModel.entitiesByName["Task"])
        let request = NSFetchRequest<NSDictionary>()
        request.entity = entity
        request.propertiesToFetch = ["priority", "location.name"]
        request.propertiesToGroupBy = ["priority", "location.name"]
        for properties in [request.propertiesToFetch, request.propertiesToGroupBy] {
            #expect(properties?.first as? NSAttributeDescription === entity.attributesByName["priority"])
            expectEqual(properties?.last as? String, "location.name")
        }
        request.resultType = .dictionaryResultType
        let context = stack.otherContext()
        let rows = try context.performAndWait { try context.fetch(request) }
        #expect(rows.first?["priority"] is NSNumber)
        let named = NSFetchRequest<NSDictionary>(entityName: "Task")
        named.propertiesToFetch = ["priority"]
        expectEqual(named.propertiesToFetch as? [String], ["priority"])
    }

    @Test("A request made with a name has the entity once a context has used it, and another one in another model")
    func entityOfName() throws {
        let context = stack.otherContext()
        for count in [false, true] {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Task")
            expectNil(request.entity)
            let entity = try context.performAndWait {
                if count { _ = try context.count(for: request) } else { _ = try context.fetch(request) }
                return try #require(NSEntityDescription.entity(forEntityName: "Task", in: context))
            }
            #expect(request.entity === entity)
            #expect((request.copy() as? NSFetchRequest<NSManagedObject>)?.entity === entity)
            let otherStack = try Stack()
            let other = otherStack.otherContext()
            let otherEntity = try other.performAndWait {
                _ = try other.fetch(request)
                return try #require(NSEntityDescription.entity(forEntityName: "Task", in: other))
            }
            #expect(request.entity === otherEntity)
            request.entity = entity
            _ = try other.performAndWait { try other.fetch(request) }
            #expect(request.entity === entity)
            request.entity = nil
            expectNil(request.entity)
        }
        let controller = NSFetchedResultsController(
            fetchRequest: NSFetchRequest<NSManagedObject>(entityName: "Task"),
            managedObjectContext: context,
            sectionNameKeyPath: nil,
            cacheName: nil
        )
        controller.fetchRequest.sortDescriptors = [NSSortDescriptor(key: "priority", ascending: true)]
        try context.performAndWait { try controller.performFetch() }
        expectEqual(controller.fetchRequest.entity?.name, "Task")
        let listed = NSFetchRequest<NSManagedObject>(entityName: "Task")
        _ = try context.performAndWait { try context.fetchLazily(listed) }
        expectEqual(listed.entity?.name, "Task")
    }

    @Test(arguments: [nil, "weight < 95", "location == nil", "text == 'none'"])
    func groupsInMemoryAreThoseOfTheTables(format: String?) throws {
        let (stored, computed) = (
            try dictionaries(format, isInMemory: false), try dictionaries(format, isInMemory: true)
        )
        expectEqual(
            Set(stored.map { NSDictionary(dictionary: $0) }),
            Set(computed.map { NSDictionary(dictionary: $0) })
        )
        expectEqual(stored.map { $0["priority"] as? Int }, computed.map { $0["priority"] as? Int })
        expectEqual(stored.isEmpty, (format == "text == 'none'"))
    }

    /// Dictionaries of tasks, the same from tables and in memory, as text.
    private func computedRows(
        _ columns: KeyValuePairs<String, String>,
        by group: String?,
        having: String? = nil
    ) throws -> [String] {
        let context = stack.otherContext()
        return try context.performAndWait { () throws -> [String] in
            let request = NSFetchRequest<NSDictionary>(entityName: "Task")
            request.resultType = .dictionaryResultType
            let first = group ?? "text"
            let descriptions = columns.map { name, format -> Any in
                let description = NSExpressionDescription()
                description.name = name
                description.expression = ManagedGraph.NSExpression(format: format)
                return description
            }
            request.propertiesToFetch = [first] + descriptions
            request.propertiesToGroupBy = group.map { [$0 as Any] }
            request.havingPredicate = having.map { NSPredicate(format: $0) }
            request.sortDescriptors = [NSSortDescriptor(key: first, ascending: false)]
            let names = [first] + columns.map { $0.key }
            func found() throws -> [String] {
                try context.fetch(request).map { row in
                    let values = names.map { name -> String in
                        if let number = row[name] as? NSNumber { return "\(number.intValue)" }
                        return row[name] as? String ?? "-"
                    }
                    return values.joined(separator: " ")
                }
            }
            let stored = try found()
            request.predicate = NSPredicate { _, _ in true }
            try expectEqual(found(), stored)
            return stored
        }
    }

    @Test func functionsOfRelatedObjectsAreOfEachRowOrOfAWholeGroup() throws {
        let context = stack.context
        try context.run { () throws in
            for task in try context.tasks() where task.priority > 1 { context.delete(task) }
            for task in try context.tasks("weight > 6") { context.delete(task) }
            for (text, count) in [("t000", 2), ("t001", 1), ("t005", 3)] {
                let tags = (0..<count).map { _ in
                    NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
                }
                try context.tasks("text == %@", text).first?.setValue(NSSet(array: tags), forKey: "tags")
            }
            try context.save()
        }
        try expectEqual(computedRows(["n": "count:(tags)"], by: nil), ["t006 0", "t005 3", "t001 1", "t000 2"])
        try expectEqual(computedRows(["n": "max:({priority, 1})"], by: nil), ["t006 1", "t005 1", "t001 1", "t000 1"])
        try expectEqual(computedRows(["n": "count:(tags)", "m": "tags.@count"], by: "priority"), ["1 1 1", "0 5 5"])
        try expectEqual(computedRows(["n": "count:(tags)"], by: "priority", having: "count:(tags) > 1"), ["0 5"])
        let error = #expect(throws: NSError.self) { try computedRows(["n": "average:(tags.name)"], by: "priority") }
        expectEqual(error?.code, 134060)
    }

    @Test func equivalentTextsAreGroupsOfTheirOwn() throws {
        let context = stack.context
        try context.run { () throws in
            for task in try context.tasks("weight > 3") { context.delete(task) }
            for (task, text) in zip(try context.tasks("weight < 4"), ["\u{E9}", "e\u{301}", "f", "f"]) {
                task.text = text
            }
            try context.save()
        }
        try expectEqual(computedRows(["n": "count:(weight)"], by: "text").map { $0.suffix(1) }, ["1", "2", "1"])
    }

    @Test func missingValuesCountInMemoryAsInTables() throws {
        let context = stack.context
        try context.run { () throws in
            for task in try context.tasks("priority > 1") { context.delete(task) }
            for task in try context.tasks("priority == 1 AND weight < 51") { task.dueDate = Date() }
            try context.save()
        }
        let values: KeyValuePairs = ["n": "count:(dueDate)", "m": "average:(price)", "s": "sum:(weight * 2)"]
        try expectEqual(computedRows(values, by: "priority"), ["1 10 - 1940", "0 0 - 1900"])
    }

    @Test func dictionariesInMemoryAreSortedByTheNamesOfExpressions() throws {
        let context = stack.otherContext()
        try context.run { () throws in
            let rows = NSFetchRequest<NSDictionary>(entityName: "Task")
            rows.resultType = .dictionaryResultType
            let total = NSExpressionDescription()
            total.name = "total"
            total.expression = NSExpression(forFunction: "sum:", arguments: [NSExpression(forKeyPath: "weight")])
            total.expressionResultType = .doubleAttributeType
            rows.propertiesToFetch = ["priority", total]
            rows.propertiesToGroupBy = ["priority"]
            rows.sortDescriptors = [NSSortDescriptor(key: "total", ascending: false)]
            rows.fetchLimit = 3
            rows.fetchOffset = 1
            let stored = try context.fetch(rows).map { $0["priority"] as? Int }
            rows.predicate = NSPredicate { _, _ in true }
            expectEqual(stored.count, 3)
            try expectEqual(context.fetch(rows).map { $0["priority"] as? Int }, stored)
        }
    }

    @Test func dictionariesOfSeveralStoresAreSortedAndCutTogether() throws {
        let second = stack.folder.appending(path: "Second.sqlite")
        let store = try stack.coordinator.addPersistentStore(type: .sqlite, at: second)
        let context = stack.otherContext()
        try context.run { () throws in
            for text in ["t0005", "t0015"] { context.assign(context.task(text, priority: 6), to: store) }
            try context.save()
            let rows = NSFetchRequest<NSDictionary>(entityName: "Task")
            rows.resultType = .dictionaryResultType
            rows.propertiesToFetch = ["text"]
            rows.sortDescriptors = [NSSortDescriptor(key: "text", ascending: true)]
            rows.fetchOffset = 1
            rows.fetchLimit = 3
            try expectEqual(context.fetch(rows).map { $0["text"] as? String }, ["t0005", "t001", "t0015"])
            rows.affectedStores = [store]
            rows.fetchOffset = 0
            try expectEqual(context.fetch(rows).map { $0["text"] as? String }, ["t0005", "t0015"])
            rows.affectedStores = nil
            rows.fetchLimit = 0
            rows.propertiesToFetch = ["priority"]
            rows.sortDescriptors = [NSSortDescriptor(key: "priority", ascending: false)]
            rows.returnsDistinctResults = true
            try expectEqual(context.fetch(rows).map { $0["priority"] as? Int }, [6, 4, 3, 2, 1, 0])
            try expectEqual(context.count(for: request()), 102)
            try expectEqual(context.fetch(request(3, offset: 1)).map(\.text), ["t0005", "t001", "t0015"])
        }
    }

    @Test func rowsOfValuesThatCannotBeComparedAreAllReturned() throws {
        ValueTransformer.setValueTransformer(SignTransformer(), forName: NSValueTransformerName("Sign"))
        let entity = NSEntityDescription("Post")
        let sign = NSAttributeDescription("sign", .transformableAttributeType)
        sign.valueTransformerName = "Sign"
        entity.properties = [sign]
        let stack = try Stack(model: NSManagedObjectModel([entity]))
        try stack.context.run { () throws in
            for text in ["a", "b", "a"] {
                NSManagedObject(entity: entity, insertInto: stack.context).setValue(Sign(text: text), forKey: "sign")
            }
            try stack.context.save()
            let rows = NSFetchRequest<NSDictionary>(entityName: "Post")
            rows.resultType = .dictionaryResultType
            rows.propertiesToFetch = ["sign"]
            rows.returnsDistinctResults = true
            // Tables cannot evaluate a block, so the dictionaries are computed in memory.
            rows.predicate = NSPredicate { _, _ in true }
            try expectEqual(
                stack.context.fetch(rows).compactMap { ($0["sign"] as? Sign)?.text }.sorted(),
                ["a", "a", "b"]
            )
        }
    }

    // "other selected values must be literals, aggregates or grouped columns"
    @Test func aColumnWithManyValuesInAGroupIsAnErrorThatNamesIt() throws {
        let context = stack.otherContext()
        try context.run { () throws in
            let rows = NSFetchRequest<NSDictionary>(entityName: "Task")
            rows.resultType = .dictionaryResultType
            rows.propertiesToFetch = ["priority", "text"]
            rows.propertiesToGroupBy = ["priority"]
            var error = #expect(throws: NSError.self) { try context.fetch(rows) }
            expectEqual(error?.code, 134060)
            expectEqual(error?.localizedDescription.contains("text"), true)
            rows.propertiesToGroupBy = nil
            rows.havingPredicate = NSPredicate(format: "priority > 1")
            error = #expect(throws: NSError.self) { try context.fetch(rows) }
            expectEqual(error?.localizedDescription.contains("propertiesToGroupBy"), true)
            let objects = request()
            objects.propertiesToGroupBy = ["priority"]
            error = #expect(throws: NSError.self) { try context.fetch(objects) }
            expectEqual(error?.localizedDescription.contains("propertiesToGroupBy"), true)
        }
    }
}

/// A value that cannot be compared or hashed.
private struct Sign {
    let text: String
}

private final class SignTransformer: ValueTransformer {
    override func transformedValue(_ value: Any?) -> Any? { (value as? Sign).map { Data($0.text.utf8) } }
    override func reverseTransformedValue(_ value: Any?) -> Any? {
        (value as? Data).map { Sign(text: String(decoding: $0, as: UTF8.self)) }
    }
}
