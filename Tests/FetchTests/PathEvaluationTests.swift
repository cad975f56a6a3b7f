// Predicates and key paths that lead through relationships read members and values by slots: with the same results as
// through value(forKey:), and without making objects for a count.
import ExpectationSupport
import Foundation
import GraphSupport
import ManagedGraph
import Testing

@testable import StackSupport

struct PathEvaluation {
    /// The same entities twice: the objects of the second kind answer every key themselves, so that no slot is read.
    private static let kinds = ["Plain", "Asked"]

    private static let model: NSManagedObjectModel = {
        let model = RelationsModel.make(
            (.many("PlainFolder.items"), .one("PlainItem.folder")),
            (.many("AskedFolder.items"), .one("AskedItem.folder")),
            (.many("PlainFolder.list", ordered: true), .one("PlainItem.shelf")),
            (.many("AskedFolder.list", ordered: true), .one("AskedItem.shelf"))
        )
        for entity in model.entities {
            if entity.name?.hasPrefix("Asked") == true {
                entity.managedObjectClassName = NSStringFromClass(AskedEntry.self)
            }
            entity.properties += NSAttributeDescription.list([
                "price": .doubleAttributeType, "isDone": .booleanAttributeType, "date": .dateAttributeType,
                "cost": .decimalAttributeType, "key": .UUIDAttributeType,
            ])
        }
        return model
    }()

    private static let folderPredicates = [
        "ANY items.number > 3", "ALL items.number > 0", "NONE items.number == 2", "items.@count == 3",
        "items.@count > 1 AND name != 'b'", "items.@sum.number > 4", "items.@max.price < 2", "items.@avg.number >= 1",
        "ANY items.isDone == YES", "ALL items.isDone == NO", "ANY items.name IN {'a', 'c'}", "ANY items.price == NULL",
        "SUBQUERY(items, $i, $i.number > 1 AND $i.isDone == NO).@count > 0", "3 IN items.number", "list.@count > 0",
        "list[FIRST].number > 1", "ANY items.folder.name == 'b'", "items.folder.name.@count > 1",
        "ANY items.folder.items.number == 1", "items.@distinctUnionOfObjects.number.@count > 1", "items == list",
        "ANY items.date < CAST(2.0, 'NSDate')", "items.@min.cost > 1", "ANY items.key == NIL",
    ]
    private static let itemPredicates = [
        "folder.name == 'b'", "folder.items.@count > 2", "folder.number > number", "folder == NIL",
        "folder.folder == 1",
        "shelf.list.@count > 1", "ANY folder.items.number == 1", "folder.isDone == YES",
        "folder.price < 2 OR number == 1",
        "folder.name CONTAINS[cd] 'B'", "folder.name == shelf.name", "SELF IN folder.items",
    ]
    private static let folderPaths = [
        "items.@count", "items.number", "items.@sum.number", "items.@max.price", "items.@avg.price", "items.@min.date",
        "items.@distinctUnionOfObjects.isDone", "items.@unionOfObjects.name", "items.isDone", "list.number",
        "list.name", "items.folder.name", "items.@sum.cost", "list.@count", "list.@unionOfObjects.number",
        "items.@distinctUnionOfSets.folder.items.number",
    ]

    /// Some folders with items: one folder without any, items without values, and one item without a folder.
    private static func fill(_ context: NSManagedObjectContext, _ kind: String, _ numbers: [Int]) throws {
        let folders = try context.make("\(kind)Folder", names: "abcd")
        for (place, number) in numbers.enumerated() {
            let item = try context.make("\(kind)Item", String(Array("abcdefghijkl")[place % 12]))
            if place == 11 { continue }
            item.setValue(number % 6, forKey: "number")
            item.setValue(number % 4 == 0 ? nil : Double(number % 5) / 2, forKey: "price")
            item.setValue(number % 3 == 0 ? nil : number.isMultiple(of: 2), forKey: "isDone")
            item.setValue(Date(timeIntervalSinceReferenceDate: Double(number % 7)), forKey: "date")
            item.setValue(NSDecimalNumber(value: number % 3), forKey: "cost")
            item.setValue(folders[number % 3], forKey: "folder")
            if number % 2 == 0 { item.setValue(folders[place % 2], forKey: "shelf") }
        }
        for (place, folder) in folders.enumerated() {
            folder.setValue(place + 1, forKey: "number")
            folder.setValue(place == 1, forKey: "isDone")
            folder.setValue(Double(place), forKey: "price")
        }
    }

    /// The objects of an entity in the order of their names.
    private static func objects(_ entity: String, _ context: NSManagedObjectContext) throws -> [NSManagedObject] {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        return try context.fetch(request)
    }

    /// A value of key-value coding, to compare with another one; the order of values reached through a set is not defined.
    private static func text(_ value: Any?, _ path: String) -> String {
        switch value {
        case nil: "nil"
        case let set as NSSet: "{" + set.allObjects.map { text($0, path) }.sorted().joined(separator: ", ") + "}"
        case let array as [Any] where path.hasPrefix("items"):
            "(" + array.map { text($0, path) }.sorted().joined(separator: ", ") + ")"
        case let array as [Any]: "(" + array.map { text($0, path) }.joined(separator: ", ") + ")"
        case let value?: "\(type(of: value)) \(value)"
        }
    }

    @Test("Objects in rows, changed, unsaved, and faults", arguments: [false, true])
    func sameAsByKeys(isSaved: Bool) throws {
        let stack = try Stack(model: Self.model)
        let context = isSaved ? stack.otherContext() : stack.context
        try stack.context.run { () throws in
            let numbers = (0..<12).map { _ in Int.random(in: 0..<60) }
            for kind in Self.kinds { try Self.fill(stack.context, kind, numbers) }
            if isSaved { try stack.context.save() }
        }
        try context.run { () throws in
            for round in 0..<2 {
                for (part, predicates) in [("Folder", Self.folderPredicates), ("Item", Self.itemPredicates)] {
                    let plain = try Self.objects("Plain" + part, context)
                    let asked = try Self.objects("Asked" + part, context)
                    expectEqual(plain.count, asked.count)
                    for format in predicates {
                        let predicate = NSPredicate(format: format)
                        for (one, other) in zip(plain, asked) {
                            let name = "\(format) of \(one.value(forKey: "name") ?? "")"
                            expectEqual(predicate.evaluate(with: one), predicate.evaluate(with: other), "\(name)")
                        }
                    }
                    for path in part == "Folder" ? Self.folderPaths : ["folder.name", "folder.items.@count"] {
                        for (one, other) in zip(plain, asked) {
                            expectEqual(
                                Self.text(one.value(forKeyPath: path), path),
                                Self.text(other.value(forKeyPath: path), path),
                                "\(path)"
                            )
                        }
                    }
                    let descriptors = [
                        NSSortDescriptor(key: part == "Folder" ? "items.@count" : "folder.name", ascending: false),
                        NSSortDescriptor(key: "name", ascending: true),
                    ]
                    expectEqual(
                        plain.sorted(using: descriptors).map { $0.value(forKey: "name") as? String },
                        asked.sorted(using: descriptors).map { $0.value(forKey: "name") as? String }
                    )
                }
                // The second round sees changes.
                guard round == 0 else { continue }
                for kind in Self.kinds {
                    let items = try Self.objects("\(kind)Item", context)
                    let folders = try Self.objects("\(kind)Folder", context)
                    items[3].setValue(folders[2], forKey: "folder")
                    items[4].setValue(5, forKey: "number")
                    context.delete(items[5])
                    folders[1].setValue("bb", forKey: "name")
                }
            }
        }
    }

    @Test func countingMembersMakesNoObjects() throws {
        let stack = try Stack(model: Self.model)
        try stack.context.run { () throws in
            try Self.fill(stack.context, "Plain", Array(0..<11))
            try stack.context.save()
        }
        let context = stack.otherContext()
        try context.run { () throws in
            let folder = try #require(try Self.objects("PlainFolder", context).first)
            let count = context.registeredObjects.count
            #expect(NSPredicate(format: "items.@count == 4 AND name == 'a'").evaluate(with: folder))
            expectEqual(folder.value(forKeyPath: "items.@count") as? Int, 4)
            expectEqual(context.registeredObjects.count, count)
            expectEqual(folder.value(forKeyPath: "items.@sum.number") as? Int, 6)
            expectEqual(context.registeredObjects.count, count + 4)
        }
    }

    @Test func aPathThatLeadsToMembersShowsTheSetOfTheRelationship() throws {
        let stack = try Stack(model: Self.model)
        try stack.context.run { () throws in
            try Self.fill(stack.context, "Plain", Array(0..<11))
            let item = try #require(try Self.objects("PlainItem", stack.context).first)
            let folder = try #require(item.value(forKey: "folder") as? NSManagedObject)
            let set = try #require(item.value(forKeyPath: "folder.items") as? NSSet)
            expectEqual(set, folder.value(forKey: "items") as? NSSet)
            let shown = NSExpression(forKeyPath: "folder.items").expressionValue(with: item, context: nil)
            expectEqual(shown as? NSSet, set)
        }
    }
}
