// One suite for every kind of store. StoreKind.reasonToLeaveOut gives the reasons for skipped tests.
import ExpectationSupport
import Foundation
import ManagedGraph
import Testing

struct StoreConformance {
    // MARK: Objects

    @Test(arguments: StoreKind.allCases) func objectsAreInsertedUpdatedAndDeleted(kind: StoreKind) throws {
        let world = try StoreWorld(kind)
        let stack = try world.open()
        try stack.run { (context) throws in
            let ann = context.make("Person", ["name": "Ann", "age": 30])
            context.make("Person", ["name": "Bob"])
            #expect(ann.objectID.isTemporaryID)
            try context.save()
            #expect(!ann.objectID.isTemporaryID && ann.objectID.persistentStore === stack.store)
            try expectEqual(context.names("Person"), ["Ann", "Bob"])
            ann.setValue("Anne", forKey: "name")
            try expectEqual(context.names("Person"), ["Anne", "Bob"])
            try context.save()
            context.delete(try #require(try context.all("Person", "name == 'Bob'").first))
            try expectEqual(context.names("Person"), ["Anne"])
            try context.save()
        }
        let other = stack.another()
        try other.performAndWait { () throws in
            let people = try other.all("Person")
            #expect(people.map(\.name) == ["Anne"] && people[0].value(forKey: "age") as? Int == 30)
        }
        guard kind.has(.reopening) else { return }
        let again = try world.open()
        try again.run { (context) throws in try expectEqual(context.names("Person"), ["Anne"]) }
        expectEqual(again.store.identifier, stack.store.identifier)
    }

    @Test(arguments: StoreKind.allCases) func faultsAreFilledAndMadeAgain(kind: StoreKind) throws {
        let stack = try StoreWorld(kind).open()
        try stack.run { (context) throws in
            let team = context.make("Team", ["name": "T"])
            context.make("Person", ["name": "Ann", "team": team])
            try context.save()
            let ann = try #require(try context.all("Person").first)
            context.refresh(ann, mergeChanges: false)
            #expect(ann.isFault)
            expectEqual(ann.name, "Ann")
            #expect(!ann.isFault)
            ann.setValue("X", forKey: "name")
            context.refresh(ann, mergeChanges: true)
            expectEqual(ann.name, "X")
            context.rollback()
            expectEqual(ann.name, "Ann")
            expectEqual(ann.names("team"), ["T"])
            context.reset()
            try expectEqual(context.existingObject(with: team.objectID).names("members"), ["Ann"])
            let person = try #require(try context.all("Person").first)
            let identifier = person.objectID
            context.delete(person)
            try context.save()
            #expect(throws: NSError.self) { () throws in try context.existingObject(with: identifier) }
        }
    }

    @Test(arguments: StoreKind.allCases) func anIdentifierIsFoundByItsURI(kind: StoreKind) throws {
        let world = try StoreWorld(kind)
        let stack = try world.open()
        let uri = try stack.run { context -> URL in
            let ann = context.make("Worker", ["name": "Ann"])
            try context.save()
            let uri = ann.objectID.uriRepresentation()
            #expect(uri.absoluteString.hasPrefix("x-coredata://\(stack.store.identifier ?? "")/Worker/p"))
            let identifier = try #require(stack.coordinator.managedObjectID(forURIRepresentation: uri))
            expectEqual(identifier, ann.objectID)
            #expect(context.object(with: identifier) === ann)
            return uri
        }
        guard kind.has(.reopening) else { return }
        let again = try world.open()
        try again.run { (context) throws in
            let identifier = try #require(again.coordinator.managedObjectID(forURIRepresentation: uri))
            expectEqual(identifier.uriRepresentation(), uri)
            try expectEqual(context.existingObject(with: identifier).name, "Ann")
        }
    }

    // MARK: Values

    @Test(arguments: StoreKind.allCases) func everyTypeOfAttributeKeepsItsValues(kind: StoreKind) throws {
        let world = try StoreWorld(kind)
        let stack = try world.open()
        let uuid = UUID()
        var sets: [[String: Any]] = [
            [
                "short": Int16.min, "middle": Int32.min, "long": Int64.min, "float": Float(0.1), "double": 0.1,
                "decimal": NSDecimalNumber(string: "123.45"), "flag": true,
                "text": "<a href=\"x\">&amp; \\u0041 \\\\ ]]>",
                "date": Date(timeIntervalSinceReferenceDate: 445_103_622.251), "data": Data([0, 1, 255]), "uuid": uuid,
                "url": URL(string: "https://example.org/ä?q=1#x") as Any, "large": Data(repeating: 7, count: 200_000),
            ],
            [
                "short": Int16.max, "middle": Int32.max, "long": Int64.max, "float": Float.greatestFiniteMagnitude,
                "double": -Double.greatestFiniteMagnitude, "decimal": NSDecimalNumber(string: "-0.0000001"),
                "flag": false, "text": "", "date": Date.distantPast, "data": Data(), "large": Data(),
            ],
            [
                "double": Double.leastNonzeroMagnitude,
                // PostgreSQL refuses U+0000 and names the character in the error.
                "text": "ß 👩‍👩‍👧 e\u{301}\r\n\t \u{1}\(kind.isPostgreSQL ? "" : "\u{0}") end ",
                "date": Date.distantFuture,
                "decimal": NSDecimalNumber(string: "9007199254740993"), "long": 0,
            ],
        ]
        if kind.has(.transformables) { sets[0]["list"] = ["a", "b"] }
        try stack.run { (context) throws in
            for (number, values) in sets.enumerated() {
                context.make("Item", values.merging(["name": "\(number)"]) { $1 })
            }
            try context.save()
        }
        func check(_ context: NSManagedObjectContext) throws {
            for (number, values) in sets.enumerated() {
                let item = try #require(try context.all("Item", "name == %@", "\(number)").first)
                for (key, value) in values {
                    let actual = item.value(forKey: key)
                    if let list = value as? [String] {
                        expectEqual(actual as? [String], list, "\(key)")
                    } else {
                        #expect(
                            actual as? AnyHashable == value as? AnyHashable || same(actual, value),
                            "\(number) \(key)"
                        )
                    }
                }
                for (name, attribute) in item.entity.attributesByName
                where values[name] == nil && name != "name" && !attribute.isTransient {
                    expectNil(item.value(forKey: name), "\(number) \(name)")
                }
            }
        }
        let other = stack.another()
        try other.performAndWait { () throws in try check(other) }
        guard kind.has(.reopening) else { return }
        let again = try world.open()
        try again.run { (context) throws in try check(context) }
    }

    private func same(_ actual: Any?, _ value: Any) -> Bool {
        switch value {
        case let number as Int: (actual as? NSNumber)?.intValue == number
        case let number as Int16: (actual as? NSNumber)?.int16Value == number
        case let number as Int32: (actual as? NSNumber)?.int32Value == number
        case let number as Int64: (actual as? NSNumber)?.int64Value == number
        case let number as Float: (actual as? NSNumber)?.floatValue == number
        case let number as Double: (actual as? NSNumber)?.doubleValue == number
        case let flag as Bool: (actual as? NSNumber)?.boolValue == flag
        case let number as NSDecimalNumber: (actual as? NSDecimalNumber)?.compare(number) == .orderedSame
        default: false
        }
    }

    // MARK: Relationships

    @Test(arguments: StoreKind.allCases) func relationshipsOfEveryShapeAreKept(kind: StoreKind) throws {
        let world = try StoreWorld(kind)
        let stack = try world.open()
        try stack.run { (context) throws in
            let team = context.make("Team", ["name": "T"])
            let people = ["a", "b", "c"].map { context.make($0 == "b" ? "Worker" : "Person", ["name": $0]) }
            let tags = ["x", "y"].map { context.make("Tag", ["name": $0]) }
            for person in people { person.setValue(team, forKey: "team") }
            team.setValue(people[1], forKey: "leader")
            people[0].setValue(NSSet(array: tags), forKey: "tags")
            people[1].setValue(NSSet(array: [tags[1]]), forKey: "tags")
            people[0].setValue(NSSet(array: [people[1], people[2]]), forKey: "friends")
            let steps = ["3", "1", "2"].map { context.make("Step", ["name": $0]) }
            team.setValue(NSOrderedSet(array: steps), forKey: "steps")
            try context.save()
        }
        func check(_ context: NSManagedObjectContext, _ order: [String]) throws {
            let team = try #require(try context.all("Team").first)
            expectEqual(team.names("members"), ["a", "b", "c"])
            expectEqual(team.names("leader"), ["b"])
            expectEqual(team.names("steps"), order)
            let a = try #require(try context.all("Person", "name == 'a'").first)
            expectEqual(a.names("tags"), ["x", "y"])
            expectEqual(a.names("friends"), ["b", "c"])
            expectEqual(a.names("friendOf"), [])
            let y = try #require(try context.all("Tag", "name == 'y'").first)
            expectEqual(y.names("people"), ["a", "b"])
            let b = try #require(try context.all("Worker").first)
            expectEqual(b.names("leads"), ["T"])
            expectEqual(b.names("friendOf"), ["a"])
        }
        let other = stack.another()
        try other.performAndWait { () throws in
            try check(other, ["3", "1", "2"])
            let team = try #require(try other.all("Team").first)
            let steps = try #require(team.value(forKey: "steps") as? NSOrderedSet)
            team.setValue(NSOrderedSet(array: steps.array.reversed()), forKey: "steps")
            try other.save()
        }
        guard kind.has(.reopening) else { return }
        let again = try world.open()
        try again.run { (context) throws in
            try check(context, ["2", "1", "3"])
            let a = try #require(try context.all("Person", "name == 'a'").first)
            a.setValue(NSSet(), forKey: "tags")
            a.setValue(nil, forKey: "team")
            try context.save()
        }
        let last = try world.open()
        try last.run { (context) throws in
            try expectEqual(context.all("Team").first?.names("members"), ["b", "c"])
            try expectEqual(context.all("Tag").map { $0.names("people") }, [[], ["b"]])
        }
    }

    @Test(arguments: StoreKind.allCases) func deleteRulesHold(kind: StoreKind) throws {
        let stack = try StoreWorld(kind).open()
        try stack.run { (context) throws in
            let team = context.make("Team", ["name": "T"])
            context.make("Person", ["name": "a", "team": team])
            context.make("Step", ["name": "s", "team": team])
            let room = context.make("Room", ["name": "r", "team": team])
            try context.save()
            context.delete(team)
            let error = #expect(throws: NSError.self) { () throws in try context.save() }
            expectEqual(error?.code, NSValidationRelationshipDeniedDeleteError)
            context.rollback()
            room.setValue(nil, forKey: "team")
            try context.save()
            context.delete(team)
            try context.save()
            try expectEqual(context.names("Team"), [])
            try expectEqual(context.names("Step"), [])
            try expectNil(context.all("Person").first?.value(forKey: "team"))
        }
        let other = stack.another()
        try other.performAndWait { () throws in
            try expectEqual(other.names("Step"), [])
            try expectEqual(other.names("Room"), ["r"])
            try expectNil(other.all("Person").first?.value(forKey: "team"))
        }
    }
}
