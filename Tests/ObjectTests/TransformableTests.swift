// Transformable attributes: their transformers, by name and by default, and values that cannot be transformed.
import ExpectationSupport
import Foundation
import GraphSQL
import GraphSupport
import ManagedGraph
import Testing

@testable import StackSupport

struct Transformables {
    let things: Things

    init() throws { things = try Things() }

    @Test(arguments: ["plain", "secure"]) func collectionsAreArchived(key: String) throws {
        try things.make([key: ["names": ["a", "b"], "count": 2] as [String: Any]])
        for stored in try things.values(key) {
            let value = try #require(stored as? [String: Any])
            expectEqual(value["names"] as? [String], ["a", "b"])
            expectEqual(value["count"] as? Int, 2)
        }
    }

    @Test("Mistaken names in models, of constants and of a class, archive as with Apple's framework")
    func mistakenNames() throws {
        for name in [
            "NSSecureUnarchiveFromDataTransformerName", "NSKeyedUnarchiveFromDataTransformerName",
            "NSUnarchiveFromDataTransformerName", "NSSecureUnarchiveFromDataTransformer",
        ] {
            let attribute = NSAttributeDescription()
            (attribute.name, attribute.attributeType) = ("tags", .transformableAttributeType)
            attribute.valueTransformerName = name
            let entity = NSEntityDescription()
            (entity.name, entity.properties) = ("Note", [attribute])
            let model = NSManagedObjectModel([entity])
            let stack = try Stack(model: model)
            try stack.context.run { () throws in
                let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: stack.context)
                note.setValue(["a", "b"], forKey: "tags")
                try stack.context.save()
                stack.context.refreshAllObjects()
                expectEqual(note.value(forKey: "tags") as? [String], ["a", "b"])
            }
        }
    }

    @Test("A transformer that refreshes the object whose value it gets does not end the program")
    func refreshingTransformer() throws {
        let attributes = ["text", "other"].map { name in
            let attribute = NSAttributeDescription()
            (attribute.name, attribute.attributeType) = (name, .transformableAttributeType)
            attribute.valueTransformerName = CallingTransformer.name
            attribute.isOptional = true
            return attribute
        }
        let entity = NSEntityDescription()
        (entity.name, entity.properties) = ("Note", attributes)
        let stack = try Stack(model: NSManagedObjectModel([entity]))
        let context = stack.context
        let transformer = CallingTransformer()
        ValueTransformer.setValueTransformer(transformer, forName: NSValueTransformerName(CallingTransformer.name))
        try context.performAndWait { () throws in
            let notes = (0..<100).map { number in
                let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
                note.setValue("a\(number)", forKey: "text")
                return note
            }
            try context.save()
            for note in notes { for key in ["text", "other"] { note.setValue("b", forKey: key) } }
            transformer.call = { for note in notes { context.refresh(note, mergeChanges: false) } }
            try? context.save()
            transformer.call = {}
            context.refreshAllObjects()
            #expect(notes.allSatisfy { ["a", "b"].contains(($0.value(forKey: "text") as? String)?.prefix(1)) })
        }
    }

    @Test("Predicates evaluate archived collections")
    func members() throws {
        try things.make(["secure": [1.0, 2.0, 6.0]])
        try things.make(["secure": [20.0]])
        try things.stack.context.performAndWait { () throws in
            for (format, count) in [
                ("secure.@sum.self > 10", 1), ("average:(secure) == 3", 1), ("count:(secure) == 1", 1),
                ("max:(secure) == 20", 1), ("secure.@count >= 1", 2), ("ANY secure == 2", 1), ("ALL secure > 0", 2),
                ("NONE secure == 6", 1), ("ANY secure.self == 2", 1),
            ] {
                let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
                request.predicate = NSPredicate(format: format)
                try expectEqual(things.stack.context.fetch(request).count, count, "\(format)")
                things.stack.context.reset()
                try expectEqual(things.stack.context.count(for: request), count, "\(format)")
            }
        }
    }

    @Test func aTransformerOfOnesOwnMakesTheBytes() throws {
        try things.expect("abc", "backwards")
        let rows = try things.stack.rows("SELECT ZBACKWARDS FROM ZTHING")
        expectEqual(rows, [[.blob(Data("cba".utf8))]])
    }

    /// A value that is not an object, and that its transformer alone can convert.
    private enum Job: String { case engineer, doctor }

    private final class JobTransformer: ValueTransformer {
        override func transformedValue(_ value: Any?) -> Any? { (value as? Job).map { Data($0.rawValue.utf8) } }
        override func reverseTransformedValue(_ value: Any?) -> Any? {
            (value as? Data).flatMap { Job(rawValue: String(decoding: $0, as: UTF8.self)) }
        }
    }

    @Test("An enumeration in a transformable attribute stays one, for its readers and its transformer")
    func enumerations() throws {
        let name = NSValueTransformerName("JobTransformer")
        ValueTransformer.setValueTransformer(JobTransformer(), forName: name)
        let attribute = NSAttributeDescription()
        (attribute.name, attribute.attributeType) = ("job", .transformableAttributeType)
        attribute.valueTransformerName = name.rawValue
        let plain = NSAttributeDescription()
        (plain.name, plain.attributeType, plain.isTransient) = ("plain", .undefinedAttributeType, true)
        let entity = NSEntityDescription()
        (entity.name, entity.properties) = ("Person", [attribute, plain])
        let stack = try Stack(model: NSManagedObjectModel([entity]))
        try stack.context.run { () throws in
            let person = NSEntityDescription.insertNewObject(forEntityName: "Person", into: stack.context)
            person.setPrimitiveValue(Job.doctor, forKey: "job")
            expectEqual(person.value(forKey: "job") as? Job, .doctor)
            person.setValue(Optional(Job.engineer), forKey: "job")
            person.setValue(Job.engineer, forKey: "plain")
            expectEqual(person.value(forKey: "job") as? Job, .engineer)
            expectEqual(person.value(forKey: "plain") as? Job, .engineer)
            try stack.context.save()
            person.setValue(Job.engineer, forKey: "job")
            #expect(person.changedValues().isEmpty)
            stack.context.refreshAllObjects()
            expectEqual(person.value(forKey: "job") as? Job, .engineer)
        }
        try expectEqual(stack.rows("SELECT ZJOB FROM ZPERSON"), [[.blob(Data("engineer".utf8))]])
        // Without a transformer of its own an attribute archives the raw value.
        try things.make(["plain": Job.doctor])
        let other = things.stack.otherContext()
        try other.run { () throws in
            let thing = try #require(try other.fetch(NSFetchRequest<NSManagedObject>(entityName: "Thing")).first)
            expectEqual(thing.value(forKey: "plain") as? String, "doctor")
        }
    }

    @Test func secureTransformersReadOnlyAllowedClasses() throws {
        try things.expect(["a", "b"], "texts")
        try things.make(["texts": ["a", 1] as [Any]])
        let again = try Stack(model: Things.model, url: things.stack.url)
        try again.context.performAndWait { () throws in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
            let texts = try again.context.fetch(request).map { $0.value(forKey: "texts") as? [String] }
            #expect(texts.contains(["a", "b"]) && texts.contains(nil))
        }
    }

    @Test func aValueThatCannotBeStoredIsAnErrorOfTheSaveWithEntityAndProperty() throws {
        struct Opaque {}
        for (key, value) in [("plain", Opaque() as Any), ("secure", Opaque()), ("unknown", "x"), ("backwards", 5)] {
            let things = try Things()
            let context = things.stack.context
            try context.run { () throws in
                let thing = try things.new([key: value])
                let error = #expect(throws: NSError.self) { try context.save() }
                expectEqual(error?.localizedDescription.contains("Thing.\(key)"), true)
                thing.setValue(nil, forKey: key)
                try context.save()
            }
        }
    }

    @Test func anUnreadableValueShowsAsNilAndKeepsItsBytes() throws {
        try things.make(["plain": ["a"], "text": "one"])
        try things.stack.execute("UPDATE ZTHING SET ZPLAIN = x'00112233'")
        let other = things.stack.otherContext()
        try other.run { () throws in
            let thing = try #require(try other.fetch(NSFetchRequest<NSManagedObject>(entityName: "Thing")).first)
            expectNil(thing.value(forKey: "plain"))
            thing.setValue("two", forKey: "text")
            try other.save()
        }
        try expectEqual(things.stack.rows("SELECT ZPLAIN FROM ZTHING"), [[.blob(Data([0, 0x11, 0x22, 0x33]))]])
    }

    @Test func namesFindTransformers() throws {
        for name: NSValueTransformerName in [
            .secureUnarchiveFromDataTransformerName, .keyedUnarchiveFromDataTransformerName,
            .unarchiveFromDataTransformerName, .negateBooleanTransformerName, .isNilTransformerName,
            .isNotNilTransformerName,
        ] {
            #expect(ValueTransformer(forName: name) != nil)
            #expect(ValueTransformer.valueTransformerNames().contains(name))
        }
        expectNil(ValueTransformer(forName: NSValueTransformerName("NoSuchTransformer")))
        let negate = ValueTransformer(forName: .negateBooleanTransformerName)
        expectEqual(negate?.transformedValue(true) as? Bool, false)
        expectEqual(negate?.transformedValue(nil) as? Bool, true)
        expectEqual(ValueTransformer(forName: .isNilTransformerName)?.transformedValue(nil) as? Bool, true)
        expectEqual(ValueTransformer(forName: .isNotNilTransformerName)?.transformedValue("x") as? Bool, true)
        #expect(ValueTransformer(forName: NSValueTransformerName("Backwards")) is BackwardsTransformer)
    }

    // Like Apple's framework, finds a class with that name without registration.
    @Test func aClassIsFoundByItsBareName() throws {
        let name = NSValueTransformerName("UnregisteredTransformer")
        let transformer = try #require(
            ValueTransformer(forName: name) ?? ValueTransformer(forName: Self.withModule(name))
        )
        #expect(transformer is UnregisteredTransformer)
    }

    /// Qualifies a name with the tests' module, which is not the program's name.
    private static func withModule(_ name: NSValueTransformerName) -> NSValueTransformerName {
        NSValueTransformerName("ObjectTests." + name.rawValue)
    }

    @Test func objectsOfLocalClassesAreRefusedByTheSave() throws {
        final class Local: NSObject, NSSecureCoding {
            static let supportsSecureCoding = true
            override init() {}
            init?(coder: NSCoder) {}
            func encode(with coder: NSCoder) {}
        }
        let context = things.stack.context
        try context.run { () throws in
            let thing = try things.new(["plain": [Local()]])
            #expect(throws: NSError.self) { try context.save() }
            thing.setValue(nil, forKey: "plain")
        }
    }

    @Test func registrationsCanBeTakenOut() {
        let name = NSValueTransformerName("Passing")
        ValueTransformer.setValueTransformer(BackwardsTransformer(), forName: name)
        #expect(ValueTransformer(forName: name) is BackwardsTransformer)
        ValueTransformer.setValueTransformer(nil, forName: name)
        expectNil(ValueTransformer(forName: name))
    }

    @Test func classesOfOnesOwnAreArchived() throws {
        try things.expect(TestColor("red"), "plain")
        let (again, members) = (try Things(), [TestColor("red"), TestColor("blue", "green")])
        try again.expect(members, "colors")
    }

    // Objects of an allowed class may contain any class: the array in the color is not listed.
    @Test func allowedClassesMayHoldOthers() throws {
        try things.expect(TestColor("red", "green"), "color")
    }

    @Test func theSecureTransformerRefusesCollectionsOfOtherClasses() throws {
        let secure = NSSecureUnarchiveFromDataTransformer()
        let keyed = try #require(ValueTransformer(forName: .keyedUnarchiveFromDataTransformerName))
        for value: Any in [[TestColor("red")], ["key": [TestColor("red")]], TestColor("red")] {
            let archive = try #require(keyed.reverseTransformedValue(value) as? Data)
            #expect(keyed.transformedValue(archive) != nil)
            expectNil(secure.transformedValue(archive))
        }
        expectNil(secure.transformedValue(Data([1, 2, 3])))
        expectNil(secure.transformedValue("no data"))
    }

    // Does not contain both true and 1: Foundation's archiver writes equal values once.
    @Test func valuesOfEveryArchivableKindComeBack() throws {
        let value: [String: Any] = [
            "text": "x", "number": 5, "real": 1.5, "flag": true, "date": Date(timeIntervalSinceReferenceDate: 7),
            "data": Data([1]), "list": [3, [2]] as [Any], "url": try #require(URL(string: "https://a.b")),
            "none": NSNull(),
            "set": NSSet(array: ["a"]), "ordered": NSOrderedSet(array: ["b", "a"]), "uuid": UUID(),
        ]
        try things.make(["secure": value])
        for stored in try things.values("secure") {
            let dictionary = try #require(stored as? [String: Any])
            expectEqual(dictionary.count, value.count)
            let list = try #require(dictionary["list"] as? [Any])
            #expect(list.count == 2 && list[0] as? Int == 3 && list[1] as? [Int] == [2])
            for (key, member) in value where key != "list" {
                expectEqual((dictionary[key] as? NSObject)?.isEqual(member as? NSObject), true, "\(key)")
            }
        }
        let numbers = [NSNumber(value: 1): "one"] as NSDictionary
        let again = try Things()
        try again.make(["secure": numbers])
        for stored in try again.values("secure") { expectEqual((stored as? NSDictionary), numbers) }
    }

    @Test func aPropertyShowsOneObjectAsLongAsItHasOneValue() throws {
        try things.make(["color": TestColor("red")])
        let other = things.stack.otherContext()
        try other.run { () throws in
            let thing = try things.first(other)
            let color = thing.value(forKey: "color") as AnyObject
            #expect(thing.value(forKey: "color") as AnyObject === color)
            #expect(!thing.hasChanges)
        }
    }

    @Test func equalValuesAreNotAChange() throws {
        for (key, value, same, different) in [
            ("color", TestColor("red"), TestColor("red"), TestColor("blue")),
            ("plain", ["a": [1]] as [String: Any], ["a": [1]] as [String: Any], ["a": [2]] as [String: Any]),
            ("plain", [1, 2], [1, 2], [2, 1]),
            ("plain", [1, [2, ["a": 3]]] as [Any], [1, [2, ["a": 3]]] as [Any], [1, [2, ["a": 4]]] as [Any]),
        ] as [(String, Any, Any, Any)] {
            let things = try Things()
            try things.make([key: value])
            let other = things.stack.otherContext()
            try other.run { () throws in
                let thing = try things.first(other)
                thing.setValue(same, forKey: key)
                #expect(!thing.hasPersistentChangedValues && thing.changedValues().isEmpty)
                thing.setValue(different, forKey: key)
                #expect(thing.hasPersistentChangedValues)
            }
        }
    }

    @Test func settingAnUnreadableValueToNilRemovesItsBytes() throws {
        try things.make(["plain": ["a"]])
        try things.stack.execute("UPDATE ZTHING SET ZPLAIN = x'00112233'")
        let other = things.stack.otherContext()
        try other.run { () throws in
            let thing = try things.first(other)
            thing.setValue(nil, forKey: "plain")
            #expect(thing.changedValues()["plain"] is NSNull)
            try other.save()
        }
        try expectEqual(things.stack.rows("SELECT ZPLAIN FROM ZTHING"), [[.null]])
    }

    @Test func unreadableValuesPassThroughAChildContextUnharmed() throws {
        try things.make(["plain": ["a"], "color": TestColor("red"), "text": "one"])
        try things.stack.execute("UPDATE ZTHING SET ZPLAIN = x'00112233'")
        let parent = things.stack.otherContext()
        let child = parent.makeChild()
        try child.run { () throws in
            let thing = try things.first(child)
            expectNil(thing.value(forKey: "plain"))
            expectEqual(thing.value(forKey: "color") as? TestColor, TestColor("red"))
            thing.setValue("two", forKey: "text")
            try child.save()
        }
        try parent.run { () throws in try parent.save() }
        try expectEqual(
            things.stack.rows("SELECT ZPLAIN, ZTEXT FROM ZTHING"),
            [
                [.blob(Data([0, 0x11, 0x22, 0x33])), .text("two")]
            ]
        )
    }

    // A class without isEqual: two reads of one row are not a conflict.
    @Test func aChildSavesBesideValuesThatAreEqualToNone() throws {
        try things.make(["plain": TestStamp(), "text": "one"])
        let parent = things.stack.otherContext()
        let child = parent.makeChild()
        let parentThing = try parent.performAndWait { () throws in
            let thing = try things.first(parent)
            #expect(thing.value(forKey: "plain") is TestStamp)
            return thing
        }
        try child.run { () throws in
            let thing = try things.first(child)
            #expect(thing.value(forKey: "plain") is TestStamp)
            thing.setValue("two", forKey: "text")
            try child.save()
        }
        parent.performAndWait { expectEqual(parentThing.value(forKey: "text") as? String, "two") }
    }

    @Test func resultsAsDictionariesHaveTheValues() throws {
        try things.make(["color": TestColor("red"), "album": ["page": "x"], "picture": Data([4])])
        try things.stack.context.run { () throws in
            let request = NSFetchRequest<NSDictionary>(entityName: "Thing")
            request.resultType = .dictionaryResultType
            request.propertiesToFetch = ["color", "album", "picture"]
            let row = try #require(try things.stack.context.fetch(request).first)
            expectEqual(row["color"] as? TestColor, TestColor("red"))
            expectEqual(row["album"] as? [String: String], ["page": "x"])
            expectEqual(row["picture"] as? Data, Data([4]))
        }
    }

    @Test func predicatesCompareTheValueInMemory() throws {
        try things.make(["color": TestColor("red")])
        try things.make(["color": TestColor("blue")])
        let other = things.stack.otherContext()
        try other.run { () throws in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
            request.predicate = NSPredicate(format: "color == %@", argumentArray: [TestColor("blue")])
            try expectEqual(other.fetch(request).map { $0.value(forKey: "color") as? TestColor }, [TestColor("blue")])
            request.predicate = NSPredicate(format: "color == nil")
            try expectEqual(other.count(for: request), 0)
        }
    }
}
