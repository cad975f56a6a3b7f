// Saves of so many new rows that one statement writes several.
import ExpectationSupport
import Foundation
import GraphSupport
import Testing

@testable import ManagedGraph
@testable import StackSupport

@Suite("Many new rows") struct ManyRowsTests {
    /// The text of a row: some are missing, some empty, and some so long that those of one statement do not fit together.
    private static func text(_ number: Int) -> String? {
        switch number % 5 {
        case 0: nil
        case 1: ""
        case 2: "Grüße \(number) 👋🏽"
        case 3: String(repeating: "\(number) ä", count: 2_000)
        default: "a text that is not stored in its reference \(number)"
        }
    }

    private func insert(_ count: Int, into context: NSManagedObjectContext) throws {
        for number in 0..<count {
            let task = TestTask(context: context)
            task.text = Self.text(number)
            task.priority = 10 + Int16(number)
            if number.isMultiple(of: 2) { task.dueDate = Date(timeIntervalSinceReferenceDate: Double(number)) }
            task.setValue(number.isMultiple(of: 3), forKey: "done")
            task.setValue(number.isMultiple(of: 7) ? Double.nan : Double(number) / 4, forKey: "weight")
            task.setValue(Decimal(number) / 8, forKey: "price")
            task.setValue(UUID(), forKey: "identifier")
            task.setValue(URL(string: "https://example.com/\(number)"), forKey: "page")
            task.setValue(Data(repeating: UInt8(number), count: number), forKey: "picture")
        }
        try context.save()
    }

    private func values(_ context: NSManagedObjectContext) throws -> [[String: NSObject]] {
        try context.performAndWait { () throws in
            try context.tasks(sort: "priority").map { task in
                task.dictionaryWithValues(forKeys: Array(task.entity.attributesByName.keys)).compactMapValues {
                    $0 as? NSObject
                }
            }
        }
    }

    @Test("All values come back from the store", arguments: [true, false])
    func values(areAppended: Bool) throws {
        let stack = try Stack()
        if !areAppended {
            // The keys of the new rows do not follow the last row's.
            let task = try stack.context.saveTask("gone")
            try stack.context.run {
                stack.context.delete(task)
                try stack.context.save()
            }
        }
        let log = ActivityLog(stack.coordinator)
        try stack.context.run { try insert(150, into: stack.context) }
        log.cancel()
        let inserts = log.statements.filter { $0.text.hasPrefix("INSERT INTO ZTASK") }
        // Four statements of 32 rows, and 22 of one.
        expectEqual(inserts.count, 26)
        expectEqual(inserts.filter { $0.text.contains("Z_PK") }.count, areAppended ? 0 : 26)
        let written = try values(stack.context)
        let read = try values(stack.otherContext())
        expectEqual(written.count, 150)
        expectEqual(read, written)
        expectEqual(read.map { $0["text"] as? String }, (0..<150).map(Self.text))
        try expectEqual(
            stack.rows("SELECT count(*), min(Z_OPT), max(Z_OPT), max(Z_PK) - min(Z_PK) FROM ZTASK"),
            [[.integer(150), .integer(1), .integer(1), .integer(149)]]
        )
    }

    @Test("Few rows are written one by one")
    func few() throws {
        let stack = try Stack()
        let log = ActivityLog(stack.coordinator)
        try stack.context.saveTasks(63)
        log.cancel()
        expectEqual(log.statements.filter { $0.text.hasPrefix("INSERT INTO ZTASK") }.count, 63)
    }

    @Test("Rows of hundreds of columns are written, too", arguments: [70, 400, 1000])
    func wide(columns: Int) throws {
        let entity = NSEntityDescription("Sample")
        entity.properties = (0..<columns).map { NSAttributeDescription("v\($0)", .integer32AttributeType) }
        let stack = try Stack(model: NSManagedObjectModel([entity]))
        try stack.context.performAndWait { () throws in
            for number in 0..<70 {
                let sample = NSManagedObject(entity: entity, insertInto: stack.context)
                sample.setValue(number, forKey: "v0")
                sample.setValue(-number, forKey: "v\(columns - 1)")
            }
            try stack.context.save()
        }
        try expectEqual(
            stack.rows("SELECT count(*), sum(ZV0), sum(ZV\(columns - 1)) FROM ZSAMPLE"),
            [[.integer(70), .integer(2_415), .integer(-2_415)]]
        )
    }

    @Test("A value that is not unique leaves nothing written")
    func constraint() throws {
        let model = TasksModel.make()
        model.entitiesByName["Tag"]?.uniquenessConstraints = [["name"]]
        let stack = try Stack(model: model)
        let context = stack.context
        func insert(_ names: [String]) throws {
            for name in names {
                NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context).setValue(name, forKey: "name")
            }
            try context.save()
        }
        try context.run { try insert(["77"]) }
        context.performAndWait {
            let error = #expect(throws: NSError.self) { try insert((0..<100).map { "\($0)" }) }
            expectEqual(error?.code, NSManagedObjectConstraintMergeError)
        }
        try expectEqual(stack.rows("SELECT count(*) FROM ZTAG"), [[.integer(1)]])
        try context.run {
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            try context.save()
        }
        try expectEqual(
            stack.rows("SELECT count(*), count(DISTINCT ZNAME) FROM ZTAG"),
            [[.integer(100), .integer(100)]]
        )
    }

    @Test("Rows of several entities of one table are mixed")
    func mixed() throws {
        let parent = NSEntityDescription("Animal")
        parent.properties = [NSAttributeDescription("name"), NSAttributeDescription("number", .integer32AttributeType)]
        let child = NSEntityDescription("Dog")
        child.properties = [NSAttributeDescription("breed")]
        parent.subentities = [child]
        let stack = try Stack(model: NSManagedObjectModel([parent, child]))
        try stack.context.performAndWait { () throws in
            // Runs of either length: written together and one by one.
            for number in 0..<300 {
                let isDog = number >= 200 || number.isMultiple(of: 90)
                let animal = NSManagedObject(entity: isDog ? child : parent, insertInto: stack.context)
                animal.setValue("\(number)", forKey: "name")
                animal.setValue(number, forKey: "number")
                if isDog { animal.setValue("b\(number)", forKey: "breed") }
            }
            try stack.context.save()
        }
        try expectEqual(
            stack.rows(
                """
                SELECT count(*), sum(CAST(ZNAME AS INTEGER) = ZNUMBER), count(DISTINCT Z_ENT),
                sum(ZBREED = 'b' || ZNUMBER), sum(ZBREED IS NULL) FROM ZANIMAL
                """
            ),
            [[.integer(300), .integer(300), .integer(2), .integer(103), .integer(197)]]
        )
    }

    @Test(
        "Changes of many rows come back from the store, and have new versions",
        arguments: [
            (["text"], 7), (["priority", "weight"], 10), (["location"], 7), (["text", "weight", "done"], 100),
        ]
    )
    func updates(keys: [String], statements: Int) throws {
        let stack = try Stack()
        let context = stack.context
        let log = ActivityLog(stack.coordinator)
        let written = try context.run { () throws in
            let place = TestLocation(context: context)
            place.name = "here"
            let tasks = (0..<100).map { context.task("\($0)", priority: 10 + Int16($0)) }
            try context.save()
            log.clear()
            for (number, task) in tasks.enumerated() {
                for key in keys {
                    switch key {
                    case "text": task.text = Self.text(number)
                    case "priority": task.priority = 200 + Int16(number)
                    case "weight": task.weight = number.isMultiple(of: 9) ? .nan : Double(number)
                    case "done": task.setValue(number.isMultiple(of: 2), forKey: key)
                    default: task.location = place
                    }
                }
            }
            try context.save()
            return try values(context)
        }
        log.cancel()
        expectEqual(log.statements.filter { $0.text.hasPrefix("UPDATE ZTASK") }.count, statements)
        let other = stack.otherContext()
        try expectEqual(values(other), written)
        try other.performAndWait { () throws in
            let places = try other.tasks(sort: "priority").map { $0.location?.name }
            expectEqual(places.filter { $0 == "here" }.count, keys == ["location"] ? 100 : 0)
        }
        try expectEqual(stack.rows("SELECT count(*) FROM ZTASK WHERE Z_OPT = 2"), [[.integer(100)]])
    }

    @Test("A conflict among many changed rows names the object, and nothing is written")
    func updateConflict() throws {
        let stack = try Stack()
        try stack.context.saveTasks(100)
        let other = stack.otherContext()
        let tasks = try stack.context.run { try stack.context.tasks() }
        // Faults would read the new row.
        stack.context.performAndWait { for task in tasks { expectEqual(task.weight, 0) } }
        try other.run { () throws in
            try #require(other.existingObject(with: tasks[50].objectID) as? TestTask).weight = 5
            try other.save()
        }
        stack.context.performAndWait {
            for task in tasks { task.weight = 7 }
            let error = #expect(throws: NSError.self) { try stack.context.save() }
            expectEqual(error?.code, NSManagedObjectMergeError)
            let conflicts = error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
            expectEqual(conflicts?.map(\.sourceObject), [tasks[50]])
        }
        try expectEqual(stack.rows("SELECT count(*) FROM ZTASK WHERE ZWEIGHT = 7"), [[.integer(0)]])
        try stack.context.run {
            stack.context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            try stack.context.save()
        }
        try expectEqual(
            stack.rows("SELECT count(*), sum(Z_OPT) FROM ZTASK WHERE ZWEIGHT = 7"),
            [[.integer(100), .integer(201)]]
        )
    }

    @Test("Many rows without a version are changed, and get one")
    func missingVersions() throws {
        let stack = try Stack()
        try stack.context.saveTasks(100)
        try stack.execute("UPDATE ZTASK SET Z_OPT = NULL")
        let other = stack.otherContext()
        try other.run {
            for task in try other.tasks() { task.weight = 7 }
            try other.save()
        }
        try expectEqual(
            stack.rows("SELECT count(*) FROM ZTASK WHERE ZWEIGHT = 7 AND Z_OPT = 1"),
            [[.integer(100)]]
        )
    }

    @Test("Objects exchange their unique values in one save of many")
    func exchange() throws {
        let model = TasksModel.make()
        model.entitiesByName["Task"]?.uniquenessConstraints = [["text"]]
        let stack = try Stack(model: model)
        try stack.context.saveTasks(100)
        try stack.context.run {
            let tasks = try stack.context.tasks()
            let texts = tasks.map(\.text)
            for (task, text) in zip(tasks, texts.reversed()) { task.text = text }
            try stack.context.save()
        }
        try expectEqual(
            stack.rows("SELECT count(DISTINCT ZTEXT), min(Z_OPT) FROM ZTASK"),
            [[.integer(100), .integer(2)]]
        )
    }

    @Test("Pairs of a many-to-many relationship are written together, and again if they are there")
    func pairs() throws {
        let stack = try Stack()
        let context = stack.context
        let log = ActivityLog(stack.coordinator)
        func inserts() -> Int { log.statements.filter { $0.text.hasPrefix("INSERT OR REPLACE INTO Z_") }.count }
        try context.run {
            let tags = (0..<10).map { _ in NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context) }
            for number in 0..<20 { context.task("\(number)").setValue(Set(tags), forKey: "tags") }
            try context.save()
            expectEqual(inserts(), 6 + 8)
            // From the other side.
            for task in try context.tasks() { task.setValue(Set(tags.prefix(3)), forKey: "tags") }
            try context.save()
            for tag in tags { tag.setValue(Set(try context.tasks()), forKey: "tagged") }
            try context.save()
        }
        log.cancel()
        try expectEqual(stack.rows("SELECT count(*) FROM \(try joinTable(stack))"), [[.integer(200)]])
        let other = stack.otherContext()
        try other.run { () throws in
            for task in try other.tasks() { expectEqual((task.value(forKey: "tags") as? NSSet)?.count, 10) }
        }
    }

    private func joinTable(_ stack: Stack) throws -> String {
        let names = try stack.rows("SELECT name FROM sqlite_master WHERE name GLOB 'Z_[0-9]*' AND type = 'table'")
        guard case .text(let name)? = names.first?.first else { return "" }
        return name
    }
}
