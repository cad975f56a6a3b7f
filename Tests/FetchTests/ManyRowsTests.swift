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
        try context.performAndWait {
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
