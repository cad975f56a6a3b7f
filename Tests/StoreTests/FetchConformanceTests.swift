// Tests fetches with every kind of store: a part of the conformance suite.
import ExpectationSupport
import Foundation
import GraphSupport
import ManagedGraph
import Testing

struct FetchConformance {
    @Test(arguments: StoreKind.allCases) func predicatesSortsAndLimitsAreAnswered(kind: StoreKind) throws {
        let stack = try StoreWorld(kind).open()
        try stack.fill()
        let context = stack.another()
        try context.performAndWait { () throws in
            try expectEqual(context.names("Person", "age BETWEEN {2, 4}"), ["p2", "p3", "p4"])
            try expectEqual(context.names("Person", "team.name == 'red' AND age > 5"), ["p6", "p8"])
            try expectEqual(context.names("Team", "ANY members.age == 9"), ["blue"])
            try expectEqual(context.names("Team", "members.@count == 5"), ["blue", "red"])
            try expectEqual(context.names("Team", "SUBQUERY(members, $m, $m.age > 7).@count == 1"), ["blue", "red"])
            try expectEqual(
                context.names("Person", "name MATCHES 'p[13]' OR name LIKE[c] 'P?' AND age == 5"),
                [
                    "p1", "p3", "p5",
                ]
            )
            try expectEqual(context.names("Worker"), ["p0", "p3", "p6", "p9"])
            try expectEqual(context.names("Worker", "salary >= 60"), ["p6", "p9"])
            let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
            request.sortDescriptors = [
                NSSortDescriptor(key: "team.name", ascending: true), NSSortDescriptor(key: "age", ascending: false),
            ]
            request.fetchOffset = 1
            request.fetchLimit = 6
            try expectEqual(context.fetch(request).map(\.name), ["p7", "p5", "p3", "p1", "p8", "p6"])
            request.includesSubentities = false
            try expectEqual(context.fetch(request).map(\.name), ["p5", "p1", "p8", "p4", "p2"])
            try expectEqual(context.count(for: request), 5)
            // Unsaved changes are included in the result.
            context.make("Person", ["name": "new", "age": 100])
            let fresh = NSFetchRequest<NSManagedObject>(entityName: "Person")
            fresh.sortDescriptors = [NSSortDescriptor(key: "age", ascending: false)]
            fresh.fetchLimit = 2
            try expectEqual(context.fetch(fresh).map(\.name), ["new", "p9"])
            try expectEqual(context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Person")), 11)
        }
    }

    @Test(arguments: StoreKind.allCases) func everyTypeOfResultIsGiven(kind: StoreKind) throws {
        let stack = try StoreWorld(kind).open()
        try stack.fill()
        let context = stack.another()
        try context.performAndWait { () throws in
            let identifiers = NSFetchRequest<NSManagedObjectID>(entityName: "Person")
            identifiers.resultType = .managedObjectIDResultType
            identifiers.predicate = NSPredicate(format: "age < 2")
            try expectEqual(Set(try context.fetch(identifiers).map { context.object(with: $0).name }), ["p0", "p1"])
            let count = NSFetchRequest<NSNumber>(entityName: "Person")
            count.resultType = .countResultType
            try expectEqual(context.fetch(count).first, 10)
            let dictionaries = NSFetchRequest<NSDictionary>(entityName: "Person")
            dictionaries.resultType = .dictionaryResultType
            dictionaries.propertiesToFetch = ["name", "age"]
            dictionaries.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            dictionaries.fetchLimit = 2
            let rows = try context.fetch(dictionaries)
            #expect(rows.map { $0["name"] as? String } == ["p0", "p1"] && rows[1]["age"] as? Int == 1)
            let batches = NSFetchRequest<NSManagedObject>(entityName: "Person")
            batches.fetchBatchSize = 3
            batches.relationshipKeyPathsForPrefetching = ["team"]
            try expectEqual(Set(try context.fetch(batches).map(\.name)).count, 10)
            batches.returnsObjectsAsFaults = false
            batches.fetchBatchSize = 0
            #expect(try context.fetch(batches).allSatisfy { !$0.isFault })
            guard kind.has(.aggregates) else { return }
            let sum = NSExpressionDescription()
            sum.name = "sum"
            sum.expression = NSExpression(format: "sum:(age)")
            dictionaries.fetchLimit = 0
            dictionaries.sortDescriptors = nil
            dictionaries.propertiesToGroupBy = ["team.name"]
            dictionaries.propertiesToFetch = ["team.name", sum]
            let groups = try context.fetch(dictionaries)
            expectEqual(Set(groups.map { "\($0["team.name"] ?? "") \($0["sum"] ?? "")" }), ["red 20", "blue 25"])
        }
    }

    @Test(arguments: StoreKind.allCases) func aChildContextWorksOnTheStore(kind: StoreKind) throws {
        let stack = try StoreWorld(kind).open()
        try stack.fill()
        let child = stack.context.makeChild()
        try child.performAndWait { () throws in
            let p1 = try #require(try child.all("Person", "name == 'p1'").first)
            p1.setValue("q1", forKey: "name")
            child.make("Person", ["name": "q2"])
            try child.save()
        }
        try stack.run { (context) throws in try context.save() }
        let other = stack.another()
        try other.performAndWait { () throws in
            try expectEqual(other.names("Person", "name BEGINSWITH 'q'"), ["q1", "q2"])
        }
    }
}
