// Tests the graph over an engine with tables and over one without: contexts behave the same.
import ExpectationSupport
import Foundation
import ManagedGraph
import Testing

@Suite("Engines: the graph")
struct EngineGraphTests {
    // MARK: Values

    @Test(arguments: StoreType.allCases)
    func savedObjectsAreFoundInAnotherContext(_ type: StoreType) throws {
        let stack = try EngineStack(type)
        let values: [String: Any] = [
            "boolean": true, "data": Data([0, 255]), "date": Date(timeIntervalSinceReferenceDate: 1.5),
            "decimal": NSDecimalNumber(string: "12.50"), "double": -0.1, "float": Float(0.5), "int16": -7,
            "int32": 1 << 30, "int64": Int64.max, "string": type.unusualText, "uri": URL(filePath: "/a b"),
            "uuid": UUID(),
        ]
        try stack.run { (context) throws in
            context.make("Thing", values)
            context.make("Thing")
            try context.save()
            #expect(!context.hasChanges)
        }
        try stack.elsewhere { (context) throws in
            let things = try context.fetch(context.request("Thing", sort: ["-int64"]))
            expectEqual(things.count, 2)
            for (key, value) in values {
                expectEqual((things[0].value(forKey: key) as? NSObject), (value as? NSObject), "\(key)")
                expectNil(things[1].value(forKey: key), "\(key)")
            }
        }
    }

    @Test(arguments: StoreType.allCases)
    func aLargeValueIsReadWhenItIsAskedFor(_ type: StoreType) throws {
        let stack = try EngineStack(type)
        let data = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        try stack.run { (context) throws in
            context.make("Thing", ["large": data, "int16": 1])
            context.make("Thing", ["large": Data([1]), "int16": 2])
            try context.save()
        }
        try stack.elsewhere { (context) throws in
            let things = try context.fetch(context.request("Thing", sort: ["int16"]))
            expectEqual(things.map { $0.value(forKey: "large") as? Data }, [data, Data([1])])
            things[0].setValue(Data([2, 1]), forKey: "large")
            try context.save()
        }
        try stack.elsewhere { (context) throws in
            let things = try context.fetch(context.request("Thing", sort: ["int16"]))
            expectEqual(things.map { $0.value(forKey: "large") as? Data }, [Data([2, 1]), Data([1])])
        }
    }

    // MARK: Fetches

    @Test(arguments: StoreType.allCases)
    func predicatesSortsAndLimitsAreAnswered(_ type: StoreType) throws {
        let stack = try EngineStack.filled(type)
        try stack.elsewhere { (context) throws in
            try expectEqual(context.names("Owner", "age BETWEEN {2, 4}"), ["o2", "o3", "o4"])
            try expectEqual(context.names("Owner", "name MATCHES 'o[13]'", sort: ["-age"]), ["o3", "o1"])
            try expectEqual(context.names("Owner", "ANY pets.name == 'd4'"), ["o4"])
            try expectEqual(context.names("Owner", "tags.@count == 3"), ["o3"])
            try expectEqual(context.names("Owner", "SUBQUERY(tags, $t, $t.name == 'y').@count == 1"), ["o2", "o3"])
            try expectEqual(context.names("Tag", "ANY owners.age == 5"), ["x"])
            try expectEqual(context.names("Dog", "tricks > 2 AND owner.age < 5"), ["d3", "d4"])
            try expectEqual(context.names("Puppy"), ["d1", "d3", "d5"])
            try expectEqual(context.names("Animal", sort: ["-owner.age", "name"]).prefix(3), ["a5", "d5", "a4"])
            let request = context.request("Animal", "owner.age > 0", sort: ["owner.age", "-name"])
            (request.fetchOffset, request.fetchLimit) = (1, 3)
            try expectEqual(context.fetch(request).map(\.name), ["a1", "d2", "a2"])
            request.includesSubentities = false
            try expectEqual(context.fetch(request).map(\.name), ["a2", "a3", "a4"])
            let owner = try context.one("Owner", "o2")
            let pets = context.request("Animal")
            pets.predicate = NSPredicate(format: "owner == %@", owner)
            try expectEqual(context.fetch(pets).map(\.name), ["a2", "d2"])
            pets.predicate = NSPredicate(format: "SELF IN %@", owner.value(forKey: "pets") as? NSSet ?? [])
            try expectEqual(context.fetch(pets).map(\.name), ["a2", "d2"])
            // Unsaved changes are included in the result.
            context.make("Owner", ["name": "new", "age": 9])
            owner.setValue(8, forKey: "age")
            let fresh = context.request("Owner", "age > 3", sort: ["-age"])
            fresh.fetchLimit = 3
            try expectEqual(context.fetch(fresh).map(\.name), ["new", "o2", "o5"])
        }
    }

    @Test
    func bothStoresAnswerAlike() throws {
        let stacks = try StoreType.allCases.map { try EngineStack($0) }
        for stack in stacks { try stack.fill() }
        let formats = [
            "name CONTAINS '3'", "name BEGINSWITH[cd] 'D'", "name IN {'a1', 'd1', 'o1'}", "NOT (name LIKE '*2')",
            "owner.name == 'o1' OR owner.age >= 4", "owner == nil", "owner.tags.@count > 1",
            "ANY owner.tags.name == 'z'",
            "ALL owner.tags.name < 'y'", "owner.age * 2 > 7", "name ENDSWITH '4' AND owner.pets.@count == 2",
            "SUBQUERY(owner.pets, $p, $p.name BEGINSWITH 'd' AND $p != SELF).@count == 1",
            "owner.pets.@max.name == 'd0'",
        ]
        for format in formats {
            for sort in [["name"], ["-owner.age", "-name"], ["owner.name", "name"]] {
                for (offset, limit) in [(0, 0), (1, 4)] {
                    let answers = try stacks.map { stack in
                        try stack.elsewhere { (context) throws in
                            let request = context.request("Animal", format, sort: sort)
                            (request.fetchOffset, request.fetchLimit) = (offset, limit)
                            let count = try context.count(for: request)
                            return try context.fetch(request).map(\.name) + ["\(count)"]
                        }
                    }
                    expectEqual(answers[0], answers[1], "\(format) by \(sort), \(limit) from \(offset)")
                }
            }
        }
    }

    @Test(arguments: StoreType.allCases)
    func unsavedValuesDoNotCountIfTheRequestLeavesThemOut(_ type: StoreType) throws {
        let stack = try EngineStack.filled(type)
        try stack.run { (context) throws in
            try context.one("Owner", "o1").setValue(100, forKey: "age")
            try context.one("Animal", "a5").setValue(try context.one("Owner", "o0"), forKey: "owner")
            context.make("Owner", ["name": "new", "age": 1])
            let owners = context.request("Owner", "age < 3", sort: ["-age"])
            owners.includesPendingChanges = false
            try expectEqual(context.fetch(owners).map(\.name), ["o2", "o1", "o0"])
            try expectEqual(context.count(for: owners), 3)
            try expectEqual(context.fetch(owners)[1].value(forKey: "age") as? Int, 100)
            let pets = context.request("Animal", "owner.age > 4")
            pets.includesPendingChanges = false
            try expectEqual(context.fetch(pets).map(\.name), ["a5", "d5"])
            pets.predicate = NSPredicate(format: "owner == %@", try context.one("Owner", "o5"))
            try expectEqual(context.fetch(pets).map(\.name), ["a5", "d5"])
            pets.predicate = NSPredicate(format: "SELF IN %@", [try context.one("Animal", "a5")])
            try expectEqual(context.fetch(pets).map(\.name), ["a5"])
        }
    }

    @Test(arguments: StoreType.allCases)
    func namesThatTheModelLacksAreRefused(_ type: StoreType) throws {
        let stack = try EngineStack(type)
        try stack.run { (context) throws in
            let wrongSort = context.request("Owner", sort: ["agee"])
            for request in [
                context.request("Owner", "agee > 3"), context.request("Owner", "pets.nam == 'x'"), wrongSort,
            ] {
                for body in [
                    { _ = try context.fetch(request) }, { _ = try context.count(for: request) },
                ] {
                    let error = #expect(throws: NSError.self) { () throws in try body() }
                    expectEqual(error?.code, NSCoreDataError)
                    expectEqual(error?.localizedDescription.contains("Owner"), true)
                }
            }
        }
    }

    @Test(arguments: StoreType.allCases)
    func countsAndIdentifiersAreGiven(_ type: StoreType) throws {
        let stack = try EngineStack.filled(type)
        try stack.elsewhere { (context) throws in
            try expectEqual(context.count(for: context.request("Animal")), 12)
            try expectEqual(context.count(for: context.request("Animal", "owner.age < 2")), 4)
            let limited = context.request("Animal", "owner.age < 2")
            limited.fetchLimit = 3
            try expectEqual(context.count(for: limited), 3)
            let count = NSFetchRequest<NSNumber>(entityName: "Dog")
            count.resultType = .countResultType
            try expectEqual(context.fetch(count), [6])
            let identifiers = NSFetchRequest<NSManagedObjectID>(entityName: "Animal")
            identifiers.resultType = .managedObjectIDResultType
            identifiers.predicate = NSPredicate(format: "name == 'd3'")
            let objectIDs = try context.fetch(identifiers)
            expectEqual(objectIDs.map(\.entity.name), ["Puppy"])
            expectEqual(objectIDs.map { context.object(with: $0).name }, ["d3"])
            identifiers.predicate = nil
            try expectEqual(Set(context.fetch(identifiers)).count, 12)
        }
    }

    @Test(arguments: StoreType.allCases)
    func dictionariesAreGivenAlsoInGroups(_ type: StoreType) throws {
        let stack = try EngineStack.filled(type)
        try stack.elsewhere { (context) throws in
            let request = NSFetchRequest<NSDictionary>(entityName: "Animal")
            request.resultType = .dictionaryResultType
            request.propertiesToFetch = ["name", "owner.age"]
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: false)]
            request.fetchLimit = 2
            try expectEqual(context.fetch(request).map { $0["name"] as? String }, ["d5", "d4"])
            try expectEqual(context.fetch(request).map { $0["owner.age"] as? Int }, [5, 4])
            let sum = NSExpressionDescription()
            sum.name = "sum"
            sum.expression = NSExpression(format: "sum:(age)")
            let groups = NSFetchRequest<NSDictionary>(entityName: "Owner")
            groups.resultType = .dictionaryResultType
            groups.propertiesToFetch = ["name", sum]
            groups.propertiesToGroupBy = ["name"]
            groups.havingPredicate = NSPredicate(format: "sum:(age) > 3")
            let rows = try context.fetch(groups).map { "\($0["name"] ?? "") \($0["sum"] ?? "")" }
            expectEqual(Set(rows), ["o4 4", "o5 5"])
            groups.propertiesToGroupBy = nil
            groups.havingPredicate = nil
            groups.propertiesToFetch = [sum]
            try expectEqual(context.fetch(groups).map { $0["sum"] as? Int }, [15])
        }
    }

    @Test(arguments: StoreType.allCases)
    func groupsHaveTheirSums(_ type: StoreType) throws {
        let stack = try EngineStack(type)
        try stack.run { (context) throws in
            for (name, age) in [("a", 1), ("b", 2), ("a", 3), ("b", 5)] {
                context.make("Owner", ["name": name, "age": age])
            }
            try context.save()
            let sum = NSExpressionDescription()
            sum.name = "sum"
            sum.expression = NSExpression(format: "sum:(age)")
            let request = NSFetchRequest<NSDictionary>(entityName: "Owner")
            request.resultType = .dictionaryResultType
            request.propertiesToGroupBy = ["name"]
            request.propertiesToFetch = ["name", sum]
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: false)]
            try expectEqual(context.fetch(request).map { "\($0["name"] ?? "") \($0["sum"] ?? "")" }, ["b 7", "a 4"])
            request.propertiesToFetch = ["name"]
            request.propertiesToGroupBy = nil
            request.returnsDistinctResults = true
            try expectEqual(context.fetch(request).map { $0["name"] as? String }, ["b", "a"])
        }
    }

    @Test(arguments: StoreType.allCases)
    func faultsFireOneByOneOrArePrefetched(_ type: StoreType) throws {
        let stack = try EngineStack.filled(type)
        try stack.elsewhere { (context) throws in
            let owners = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Owner"))
            #expect(owners.allSatisfy { $0.isFault })
            let owner = try #require(owners.first { $0.name == "o1" })
            #expect(!owner.isFault && owner.hasFault(forRelationshipNamed: "pets"))
            expectEqual(owner.names("pets"), ["a1", "d1"])
        }
        try stack.elsewhere { (context) throws in
            let request = context.request("Owner")
            request.relationshipKeyPathsForPrefetching = ["pets", "tags"]
            request.returnsObjectsAsFaults = false
            let owners = try context.fetch(request)
            #expect(owners.allSatisfy { !$0.isFault })
            for (number, owner) in owners.enumerated() {
                #expect(!owner.hasFault(forRelationshipNamed: "pets"))
                #expect(!owner.hasFault(forRelationshipNamed: "tags"))
                expectEqual(owner.names("pets"), ["a\(number)", "d\(number)"])
                expectEqual(owner.names("tags"), Array(["x", "y", "z"].prefix(number % 4)))
            }
            let pets = context.request("Animal")
            pets.relationshipKeyPathsForPrefetching = ["owner.tags"]
            pets.fetchBatchSize = 5
            try expectEqual(context.fetch(pets).map { $0.names("owner") }.filter { $0 == ["o2"] }.count, 2)
        }
    }

    @Test(arguments: StoreType.allCases)
    func someValuesArePartOfAnObject(_ type: StoreType) throws {
        let stack = try EngineStack.filled(type)
        try stack.elsewhere { (context) throws in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Owner")
            request.propertiesToFetch = ["name"]
            let owners = try context.fetch(request)
            expectEqual(Set(owners.map(\.name)).count, 6)
            expectEqual(owners.compactMap { $0.value(forKey: "age") as? Int }.sorted(), Array(0..<6))
        }
        try stack.elsewhere { (context) throws in
            let request = context.request("Dog", "tricks > 0", sort: ["-tricks"])
            request.includesPropertyValues = false
            try expectEqual(context.fetch(request).map(\.name), ["d5", "d4", "d3", "d2", "d1"])
            request.sortDescriptors = nil
            request.predicate = nil
            request.fetchBatchSize = 2
            try expectEqual(Set(try context.fetch(request).map(\.name)).count, 6)
        }
    }

    @Test(arguments: StoreType.allCases)
    func anAsynchronousFetchHasTheSameResult(_ type: StoreType) async throws {
        let stack = try EngineStack.filled(type)
        let context = stack.context
        for format in ["TRUEPREDICATE", "owner.age > 3"] {
            let names: [String] = try await withCheckedThrowingContinuation { continuation in
                context.perform {
                    let request = NSAsynchronousFetchRequest(fetchRequest: context.request("Animal", format)) {
                        result in
                        if let error = result.operationError {
                            continuation.resume(throwing: error)
                        } else {
                            continuation.resume(returning: (result.finalResult ?? []).map(\.name))
                        }
                    }
                    do { try context.execute(request) } catch { continuation.resume(throwing: error) }
                }
            }
            try expectEqual(names, (try context.performAndWait { () throws in try context.names("Animal", format) }))
        }
    }

    @Test
    func storesOfTwoEnginesAnswerTogether() throws {
        let stack = try EngineStack(.sqlite)
        try stack.fill()
        let second = try stack.add(.dictionary)
        try stack.run { (context) throws in
            for number in 6..<9 {
                let owner = context.make("Owner", ["name": "o\(number)", "age": number])
                context.assign(owner, to: second)
                context.assign(context.make("Dog", ["name": "d\(number)", "owner": owner]), to: second)
            }
            try context.save()
        }
        try stack.elsewhere { (context) throws in
            try expectEqual(context.names("Owner", "age > 3", sort: ["-age"]), ["o8", "o7", "o6", "o5", "o4"])
            try expectEqual(context.count(for: context.request("Owner", "age > 3")), 5)
            try expectEqual(context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Dog")), 9)
            try expectEqual(context.one("Owner", "o7").names("pets"), ["d7"])
            let request = context.request("Owner", sort: ["-name"])
            (request.fetchOffset, request.fetchLimit) = (1, 3)
            try expectEqual(context.fetch(request).map(\.name), ["o7", "o6", "o5"])
            request.affectedStores = [second]
            try expectEqual(context.fetch(request).map(\.name), ["o7", "o6"])
        }
    }

    // MARK: Relationships

    @Test(arguments: StoreType.allCases)
    func aToOneRelationshipIsFoundFromBothSides(_ type: StoreType) throws {
        let stack = try EngineStack.filled(type)
        try stack.run { (context) throws in
            let (o0, o1) = (try context.one("Owner", "o0"), try context.one("Owner", "o1"))
            try context.one("Animal", "a0").setValue(o1, forKey: "owner")
            o0.mutableSetValue(forKey: "pets").add(try context.one("Animal", "d5"))
            try context.one("Animal", "a2").setValue(nil, forKey: "owner")
            o0.setValue(try context.one("Animal", "d3"), forKey: "favourite")
            try context.save()
        }
        try stack.elsewhere { (context) throws in
            try expectEqual(context.one("Owner", "o0").names("pets"), ["d0", "d5"])
            try expectEqual(context.one("Owner", "o1").names("pets"), ["a0", "a1", "d1"])
            try expectEqual(context.one("Owner", "o2").names("pets"), ["d2"])
            try expectEqual(context.one("Owner", "o5").names("pets"), ["a5"])
            try expectEqual(context.one("Animal", "d5").names("owner"), ["o0"])
            try expectNil(context.one("Animal", "a2").value(forKey: "owner"))
            let favourite = try context.one("Owner", "o0").value(forKey: "favourite") as? NSManagedObject
            expectEqual(favourite?.entity.name, "Puppy")
            expectEqual(favourite?.name, "d3")
        }
    }

    @Test(arguments: StoreType.allCases)
    func aManyToManyRelationshipIsFoundFromBothSides(_ type: StoreType) throws {
        let stack = try EngineStack.filled(type)
        try stack.run { (context) throws in
            let (o0, o1) = (try context.one("Owner", "o0"), try context.one("Owner", "o1"))
            o0.mutableSetValue(forKey: "tags").add(try context.one("Tag", "z"))
            try context.one("Tag", "x").mutableSetValue(forKey: "owners").remove(o1)
            o0.mutableSetValue(forKey: "friends").add(o1)
            try context.save()
        }
        try stack.elsewhere { (context) throws in
            try expectEqual(context.one("Tag", "z").names("owners"), ["o0", "o3"])
            try expectEqual(context.one("Tag", "x").names("owners"), ["o2", "o3", "o5"])
            try expectEqual(context.one("Owner", "o0").names("tags"), ["z"])
            #expect(try context.one("Owner", "o1").names("tags").isEmpty)
            try expectEqual(context.one("Owner", "o0").names("friends"), ["o1"])
            try expectEqual(context.one("Owner", "o1").names("friends"), ["o0"])
            try context.one("Owner", "o1").mutableSetValue(forKey: "friends").removeAllObjects()
            try context.save()
        }
        try stack.elsewhere { (context) throws in #expect(try context.one("Owner", "o0").names("friends").isEmpty) }
    }

    @Test(arguments: StoreType.allCases)
    func aRelationshipWithoutAnInverseIsKept(_ type: StoreType) throws {
        let stack = try EngineStack(type)
        try stack.run { (context) throws in
            let things = (1...3).map { context.make("Thing", ["int16": $0]) }
            context.make("Owner", ["name": "a"]).setValue(NSSet(array: things), forKey: "things")
            context.make("Owner", ["name": "b"])
            try context.save()
        }
        func numbers(_ name: String) throws -> [Int] {
            try stack.elsewhere { (context) throws in
                let things = try context.one("Owner", name).value(forKey: "things") as? Set<NSManagedObject>
                return (things ?? []).compactMap { $0.value(forKey: "int16") as? Int }.sorted()
            }
        }
        try expectEqual(numbers("a"), [1, 2, 3])
        try stack.run { (context) throws in
            let a = try context.one("Owner", "a")
            let two = try #require(try context.fetch(context.request("Thing", "int16 == 2", sort: ["int16"])).first)
            a.mutableSetValue(forKey: "things").remove(two)
            try context.one("Owner", "b").mutableSetValue(forKey: "things").add(two)
            try context.save()
        }
        try expectEqual(numbers("a"), [1, 3])
        try expectEqual(numbers("b"), [2])
    }

    @Test(arguments: StoreType.allCases)
    func anOrderIsKeptAndChanged(_ type: StoreType) throws {
        let stack = try EngineStack.filled(type)
        try stack.run { (context) throws in
            let owner = try context.one("Owner", "o0")
            let queue = owner.mutableOrderedSetValue(forKey: "queue")
            for name in ["d3", "a1", "d2"] { queue.add(try context.one("Animal", name)) }
            let ranks = owner.mutableOrderedSetValue(forKey: "ranks")
            for name in ["z", "x", "y"] { ranks.add(try context.one("Tag", name)) }
            try context.save()
        }
        func expect(_ queue: [String], _ ranks: [String]) throws {
            try stack.elsewhere { (context) throws in
                let owner = try context.one("Owner", "o0")
                expectEqual(owner.names("queue"), queue)
                expectEqual(owner.names("ranks"), ranks)
                let request = context.request("Owner")
                request.relationshipKeyPathsForPrefetching = ["queue", "ranks"]
                context.reset()
                try expectEqual(context.fetch(request).first?.names("queue"), queue)
                try expectEqual(context.fetch(request).first?.names("ranks"), ranks)
            }
        }
        try expect(["d3", "a1", "d2"], ["z", "x", "y"])
        try stack.run { (context) throws in
            let owner = try context.one("Owner", "o0")
            let queue = owner.mutableOrderedSetValue(forKey: "queue")
            queue.insert(try context.one("Animal", "a5"), at: 1)
            queue.remove(try context.one("Animal", "d3"))
            owner.mutableOrderedSetValue(forKey: "ranks").moveObjects(at: [2], to: 0)
            try context.save()
        }
        try expect(["a5", "a1", "d2"], ["y", "z", "x"])
        try stack.run { (context) throws in
            let owner = try context.one("Owner", "o0")
            owner.mutableOrderedSetValue(forKey: "queue").add(try context.one("Animal", "d3"))
            owner.mutableOrderedSetValue(forKey: "ranks").remove(try context.one("Tag", "z"))
            try context.save()
        }
        try expect(["a5", "a1", "d2", "d3"], ["y", "x"])
        // A member added from the other side comes last.
        try stack.elsewhere { (context) throws in
            try context.one("Animal", "a0").setValue(try context.one("Owner", "o0"), forKey: "keeper")
            try context.save()
        }
        try expect(["a5", "a1", "d2", "d3", "a0"], ["y", "x"])
    }

    @Test(arguments: StoreType.allCases)
    func aDeletionNullifiesRelationshipsToTheObject(_ type: StoreType) throws {
        let stack = try EngineStack.filled(type)
        try stack.run { (context) throws in
            context.delete(try context.one("Owner", "o3"))
            context.delete(try context.one("Tag", "x"))
            context.delete(try context.one("Animal", "d2"))
            try context.save()
        }
        try stack.elsewhere { (context) throws in
            try expectEqual(context.names("Owner"), ["o0", "o1", "o2", "o4", "o5"])
            try expectEqual(context.names("Animal", "owner == nil"), ["a3", "d3"])
            try expectEqual(context.one("Owner", "o2").names("tags"), ["y"])
            try expectEqual(context.one("Tag", "y").names("owners"), ["o2"])
            try expectEqual(context.one("Owner", "o2").names("pets"), ["a2"])
        }
    }
}
