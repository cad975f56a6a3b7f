// Random batch deletes beside the deletion of the same objects in a context: both leave the same rows, and contexts into
// which the batch is merged show the objects that a new one reads. DELETE_SEED repeats a run, DELETE_CASES sets its length.
import ExpectationSupport
import Foundation
import GraphSQL
import GraphSupport
import ManagedGraph
import TestSupport
import Testing

@testable import StackSupport

struct BatchDeleteAgreementTests {
    /// A relationship of the random model.
    private struct Link {
        let name: String
        let inverse: String?
        let from: String
        let to: String
        let isMany: Bool
        let isInverseMany: Bool
        let isOrdered: Bool
        let isInverseOrdered: Bool
        let rule: NSDeleteRule
        let inverseRule: NSDeleteRule
    }

    @Test func `A batch delete leaves the rows that deleting the objects leaves`() throws {
        let environment = ProcessInfo.processInfo.environment
        let seed = environment["DELETE_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0...UInt64.max)
        let count = environment["DELETE_CASES"].flatMap { Int($0) } ?? 20
        for number in 0..<count {
            var random = SeededNumbers(run: seed &+ UInt64(number))
            let links = Self.links(&random)
            guard let failure = try Self.run(links, &random) else { continue }
            Issue.record(
                "DELETE_SEED=\(seed &+ UInt64(number)) DELETE_CASES=1\n\(failure)\n\(links.map { "\($0)" }.joined(separator: "\n"))"
            )
            return
        }
    }

    private static let entities = ["A", "B", "C"]

    private static func links(_ random: inout SeededNumbers) -> [Link] {
        let rules: [NSDeleteRule] = [.nullifyDeleteRule, .nullifyDeleteRule, .cascadeDeleteRule, .noActionDeleteRule]
        return (0..<random.pick([1, 2, 3])).map { number in
            let (isMany, isInverseMany) = (random.chance(50), random.chance(50))
            return Link(
                name: "own\(number)",
                inverse: random.chance(80) ? "inverse\(number)" : nil,
                from: random.pick(entities),
                to: random.pick(entities),
                isMany: isMany,
                isInverseMany: isInverseMany,
                isOrdered: isMany && random.chance(40),
                isInverseOrdered: isInverseMany && random.chance(40),
                rule: random.pick(rules),
                inverseRule: random.pick(rules)
            )
        }
    }

    /// C, and A with the subentity B.
    private static func model(_ links: [Link]) -> NSManagedObjectModel {
        let descriptions = Dictionary(uniqueKeysWithValues: entities.map { ($0, NSEntityDescription($0)) })
        for name in ["A", "C"] {
            descriptions[name]?.properties = [NSAttributeDescription("number", .integer64AttributeType)]
        }
        for link in links {
            guard let from = descriptions[link.from], let to = descriptions[link.to] else { continue }
            let own = NSRelationshipDescription(
                link.name,
                to: to,
                toMany: link.isMany,
                rule: link.rule,
                ordered: link.isOrdered
            )
            from.properties.append(own)
            guard let name = link.inverse else { continue }
            let inverse = NSRelationshipDescription(
                name,
                to: from,
                toMany: link.isInverseMany,
                rule: link.inverseRule,
                ordered: link.isInverseOrdered
            )
            own.pair(with: inverse)
            to.properties.append(inverse)
        }
        descriptions["A"]?.subentities = [descriptions["B"]].compactMap(\.self)
        return NSManagedObjectModel(entities.compactMap { descriptions[$0] })
    }

    private static func run(_ links: [Link], _ random: inout SeededNumbers) throws -> String? {
        let plan = random
        let (batch, plain) = (try Stack(model: model(links)), try Stack(model: model(links)))
        for stack in [batch, plain] {
            random = plan
            try stack.context.run { () throws in try fill(stack.context, links, &random) }
        }
        let before = try dump(batch)
        let beforePlain = try dump(plain)
        if before != beforePlain { return "not the same at the start:\n\(before)\n\(beforePlain)" }
        let (entity, least) = (random.pick(entities), random.pick([0, 3, 6]))
        let (usesIdentifiers, keeps, limit) = (random.chance(30), random.chance(50), random.chance(20) ? 2 : 0)
        let (isRead, read) = (random.chance(50), random.pick(entities))
        func request() -> NSFetchRequest<NSManagedObject> {
            let request = NSFetchRequest<NSManagedObject>(entityName: entity)
            request.predicate = NSPredicate(format: "number >= %d", least)
            request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
            request.fetchLimit = limit
            return request
        }
        var failure: String?
        try batch.context.performAndWait { () throws in
            if !keeps { batch.context.reset() }
            let objects = keeps ? try allObjects(batch.context) : []
            if isRead {
                for object in objects { _ = text(object, links) }
            } else {
                // Members whose rows are not in memory.
                batch.context.refreshAllObjects()
                for object in objects where object.entity.name == read {
                    for name in object.entity.relationshipsByName.keys {
                        _ = (object.value(forKey: name) as? NSSet)?.count;
                        _ = (object.value(forKey: name) as? NSOrderedSet)?.count
                    }
                }
            }
            let identifiers = try batch.context.fetch(request()).map(\.objectID)
            let delete =
                usesIdentifiers
                ? NSBatchDeleteRequest(objectIDs: identifiers)
                : NSBatchDeleteRequest(fetchRequest: erased(request()))
            if identifiers.isEmpty, usesIdentifiers { return }
            delete.mergesIntoContexts = true
            try batch.context.execute(delete)
            let fresh = batch.otherContext()
            let expected = try fresh.performAndWait { () throws in try allObjects(fresh).map { text($0, links) } }
            let shown = try allObjects(batch.context).map { text($0, links) }
            if keeps, shown != expected,
                !links.contains(where: {
                    $0.inverse == nil || $0.rule == .noActionDeleteRule || $0.inverseRule == .noActionDeleteRule
                })
            {
                failure =
                    "the context shows\n\(shown.joined(separator: "\n"))\nnot\n\(expected.joined(separator: "\n"))"
            }
        }
        if let failure { return "batch of \(entity) >= \(least): \(failure)" }
        try plain.context.performAndWait { () throws in
            plain.context.reset()
            for object in try plain.context.fetch(request()) { plain.context.delete(object) }
            try plain.context.save()
        }
        let (left, right) = (try dump(batch), try dump(plain))
        return left == right
            ? nil
            : "batch of \(entity) >= \(least), by identifiers \(usesIdentifiers), limit \(limit):\nbefore:\n\(before)\nbatch:\n\(left)\nobjects:\n\(right)"
    }

    private static func erased(_ request: NSFetchRequest<NSManagedObject>) -> NSFetchRequest<any NSFetchRequestResult> {
        let result = NSFetchRequest<any NSFetchRequestResult>(entityName: request.entityName ?? "")
        result.predicate = request.predicate
        result.sortDescriptors = request.sortDescriptors
        result.fetchLimit = request.fetchLimit
        return result
    }

    private static func allObjects(_ context: NSManagedObjectContext) throws -> [NSManagedObject] {
        try ["A", "C"].flatMap { name in
            let request = NSFetchRequest<NSManagedObject>(entityName: name)
            request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
            return try context.fetch(request)
        }
    }

    private static func number(_ object: Any?) -> Int {
        ((object as? NSManagedObject)?.value(forKey: "number") as? NSNumber)?.intValue ?? -1
    }

    private static func text(_ object: NSManagedObject, _ links: [Link]) -> String {
        let names = object.entity.relationshipsByName.keys.sorted()
        return "\(object.entity.name ?? "")\(number(object)) "
            + names.map { name in
                let value = object.value(forKey: name)
                if let set = value as? NSOrderedSet { return "\(name) \(set.array.map(number))" }
                if let set = value as? NSSet { return "\(name) \(set.allObjects.map(number).sorted())" }
                return "\(name) \(value.map(number) ?? -2)"
            }.joined(separator: ", ")
    }

    private static func fill(_ context: NSManagedObjectContext, _ links: [Link], _ random: inout SeededNumbers) throws {
        var objects: [NSManagedObject] = []
        for number in 0..<10 {
            let object = NSEntityDescription.insertNewObject(forEntityName: random.pick(entities), into: context)
            object.setValue(number, forKey: "number")
            objects.append(object)
            // Each has a key of its own, the same one in both stores.
            try context.save()
        }
        func kind(_ object: NSManagedObject, _ name: String) -> Bool {
            object.entity.name == name || (name == "A" && object.entity.name == "B")
        }
        for link in links {
            var destinations = objects.filter { kind($0, link.to) }
            for object in objects where kind(object, link.from) && random.chance(70) && !destinations.isEmpty {
                if link.isMany {
                    let members = destinations.filter { _ in random.chance(40) }
                    // A member has one owner if it has no relationship of its own.
                    if link.inverse == nil { destinations.removeAll(where: members.contains) }
                    object.setValue(
                        link.isOrdered ? NSOrderedSet(array: members) : NSSet(array: members),
                        forKey: link.name
                    )
                } else {
                    object.setValue(random.pick(destinations), forKey: link.name)
                }
            }
        }
        try context.save()
    }

    private static func text(_ value: SQLValue) -> String {
        switch value {
        case .null: "-"
        case .integer(let number): "\(number)"
        default: "\(value)"
        }
    }

    /// The rows of all tables of objects and pairs, without versions.
    private static func dump(_ stack: Stack) throws -> String {
        let tables = try stack.rows("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
        var result: [String] = []
        for case .text(let table) in tables.map({ $0[0] })
        where !["Z_METADATA", "Z_MODELCACHE", "Z_PRIMARYKEY"].contains(table) {
            let columns = try stack.rows("SELECT name FROM pragma_table_info('\(table)') ORDER BY name")
            var names: [String] = []
            for case .text(let name) in columns.map({ $0[0] }) where name != "Z_OPT" && !name.hasPrefix("Z_FOK") {
                names.append(name)
            }
            let list = names.joined(separator: ", ")
            result.append("\(table) (\(list))")
            for row in try stack.rows("SELECT \(list) FROM \(table) ORDER BY \(list)") {
                result.append("  \(row.map(text))")
            }
        }
        return result.joined(separator: "\n")
    }
}
