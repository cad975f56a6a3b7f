// All validation codes, from the save and from validateValue(_:forKey:); validators of classes; costs.
import ExpectationSupport
import Foundation
import GraphSupport
import ManagedGraph
import Testing

@testable import StackSupport

struct ValidationCodes {
    // MARK: Attributes

    struct Rule: CustomStringConvertible, Sendable {
        let code: Int
        let type: NSAttributeType
        let format: String
        let bad: @Sendable () -> Any
        let good: @Sendable () -> Any
        var description: String { "\(code) \(format)" }
    }

    private static func date(_ seconds: Double) -> @Sendable () -> Any {
        { Date(timeIntervalSinceReferenceDate: seconds) }
    }

    static let rules: [Rule] = [
        Rule(code: 1550, type: .stringAttributeType, format: "SELF != 'x'", bad: { "x" }, good: { "y" }),
        Rule(code: 1551, type: .stringAttributeType, format: "SELF != 'x'", bad: { "x" }, good: { "y" }),
        Rule(code: 1610, type: .integer16AttributeType, format: "SELF <= 3", bad: { 4 }, good: { 3 }),
        Rule(code: 1610, type: .doubleAttributeType, format: "SELF <= 3.5", bad: { 3.6 }, good: { 3.5 }),
        Rule(code: 1620, type: .integer64AttributeType, format: "SELF >= 1", bad: { 0 }, good: { 1 }),
        // As Doubles, these limits are equal to the values that violate them.
        Rule(
            code: 1610,
            type: .integer64AttributeType,
            format: "SELF <= 9007199254740992",
            bad: { 9_007_199_254_740_993 },
            good: { 9_007_199_254_740_992 }
        ),
        Rule(
            code: 1620,
            type: .integer64AttributeType,
            format: "SELF >= 9007199254740993",
            bad: { 9_007_199_254_740_992 },
            good: { 9_007_199_254_740_993 }
        ),
        Rule(code: 1620, type: .decimalAttributeType, format: "SELF >= 1", bad: { Decimal(0) }, good: { Decimal(1) }),
        Rule(
            code: 1630,
            type: .dateAttributeType,
            format: "SELF <= CAST(2000.000000, \"NSDate\")",
            bad: date(2001),
            good: date(2000)
        ),
        Rule(
            code: 1640,
            type: .dateAttributeType,
            format: "SELF >= CAST(1000.000000, \"NSDate\")",
            bad: date(999),
            good: date(1000)
        ),
        Rule(
            code: 1650,
            type: .dateAttributeType,
            format: "SELF != CAST(0.000000, \"NSDate\")",
            bad: date(0),
            good: date(1)
        ),
        Rule(code: 1660, type: .stringAttributeType, format: "length <= 2", bad: { "abc" }, good: { "ab" }),
        Rule(code: 1670, type: .stringAttributeType, format: "length >= 2", bad: { "a" }, good: { "ab" }),
        Rule(code: 1680, type: .stringAttributeType, format: "SELF MATCHES '[0-9]+'", bad: { "1a" }, good: { "12" }),
        Rule(
            code: 1690,
            type: .URIAttributeType,
            format: "SELF.absoluteString BEGINSWITH 'https:'",
            bad: { URL(fileURLWithPath: "/a") as Any },
            good: { URL(string: "https://a.b") as Any }
        ),
    ]

    private func model(_ rule: Rule) -> NSManagedObjectModel {
        let entity = NSEntityDescription("Thing")
        let attribute = NSAttributeDescription("value", rule.type)
        attribute.setValidationPredicates(
            [NSPredicate(format: rule.format)],
            withValidationWarnings: [NSNumber(value: rule.code)]
        )
        entity.properties = [attribute, NSAttributeDescription("other")]
        return NSManagedObjectModel([entity])
    }

    @Test(arguments: rules.indices)
    func theModelsRulesGiveTheirCodes(index: Int) throws {
        let rule = Self.rules[index]
        let stack = try Stack(model: model(rule))
        try stack.context.run { () throws in
            let thing = NSEntityDescription.insertNewObject(forEntityName: "Thing", into: stack.context)
            func expect(_ error: NSError?, line: Int = #line) {
                expectEqual(error?.domain, NSCocoaErrorDomain, "\(rule), line \(line)")
                expectEqual(error?.code, rule.code, "\(rule), line \(line)")
                expectEqual(error?.userInfo[NSValidationKeyErrorKey] as? String, "value")
                #expect(error?.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === thing)
                expectEqual((error?.userInfo[NSValidationValueErrorKey] as? NSObject)?.isEqual(rule.bad()), true)
                let predicate = error?.userInfo[NSValidationPredicateErrorKey] as? NSPredicate
                expectEqual(predicate?.evaluate(with: rule.bad()), false)
                expectEqual(predicate?.evaluate(with: rule.good()), true)
                expectEqual(error?.localizedRecoverySuggestion?.isEmpty, false)
            }
            // Through validateValue(_:forKey:), regardless of the object's value.
            var value: Any? = rule.bad()
            expect(#expect(throws: NSError.self) { try thing.validateValue(&value, forKey: "value") })
            value = rule.good()
            try thing.validateValue(&value, forKey: "value")
            value = nil
            try thing.validateValue(&value, forKey: "value")
            // Through the save: at an insertion and at an update.
            thing.setValue(rule.bad(), forKey: "value")
            expect(#expect(throws: NSError.self) { try stack.context.save() })
            expectEqual(stack.context.insertedObjects, [thing])
            thing.setValue(rule.good(), forKey: "value")
            try stack.context.save()
            thing.setValue(rule.bad(), forKey: "value")
            expect(#expect(throws: NSError.self) { try stack.context.save() })
            expect(#expect(throws: NSError.self) { try thing.validateForUpdate() })
            stack.context.rollback()
            #expect(!stack.context.hasChanges)
        }
    }

    @Test func aTextBesideAPredicateIsTheErrorsText() throws {
        let model = TasksModel.make()
        model.entitiesByName["Task"]?.attributesByName["text"]?.setValidationPredicates(
            [NSPredicate(format: "SELF != 'x'"), NSPredicate(format: "length > 1")],
            withValidationWarnings: ["An x is not a task", 1670]
        )
        let stack = try Stack(model: model)
        try stack.context.run { () throws in
            _ = stack.context.task("x")
            let error = try #require(#expect(throws: NSError.self) { try stack.context.save() })
            // "several are wrapped in code 1560 with NSDetailedErrorsKey"
            expectEqual(error.code, NSValidationMultipleErrorsError)
            let details = try #require(error.userInfo[NSDetailedErrorsKey] as? [NSError])
            expectEqual(details.map(\.code), [1550, 1670])
            expectEqual(details[0].localizedDescription, "An x is not a task")
            var value: Any? = "x"
            let direct = #expect(throws: NSError.self) {
                try stack.context.task("yy").validateValue(&value, forKey: "text")
            }
            expectEqual(direct?.code, 1560)
        }
    }

    @Test func aMissingValueIsCode1570ForAttributesAndToOneRelationships() throws {
        let model = RelationsModel.make((.many("List.items"), .one("Item.list", optional: false)))
        model.entitiesByName["Item"]?.attributesByName["name"]?.isOptional = false
        let stack = try Stack(model: model)
        try stack.context.run { () throws in
            let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: stack.context)
            let error = #expect(throws: NSError.self) { try stack.context.save() }
            let details = error?.userInfo[NSDetailedErrorsKey] as? [NSError] ?? []
            expectEqual(details.map(\.code), [1570, 1570])
            expectEqual(Set(details.compactMap { $0.userInfo[NSValidationKeyErrorKey] as? String }), ["name", "list"])
            #expect(details.allSatisfy { $0.userInfo[NSValidationValueErrorKey] is NSNull })
            for key in ["name", "list"] {
                var value: Any? = nil
                expectEqual(#expect(throws: NSError.self) { try item.validateValue(&value, forKey: key) }?.code, 1570)
            }
            item.setValue("i", forKey: "name")
            item.relate("list", [try stack.context.make("List", "l")])
            try stack.context.save()
        }
    }

    /// A ride whose transient attributes are required; `isDriving`, `speed` and `mood` have defaults, `plan` has none.
    private static func rides(requiresPlan: Bool = false) -> NSManagedObjectModel {
        let ride = NSEntityDescription("Ride")
        var transients = [
            NSAttributeDescription("isDriving", .booleanAttributeType, optional: false, default: true),
            NSAttributeDescription("speed", .doubleAttributeType, optional: false, default: 2.5),
            NSAttributeDescription("mood", .stringAttributeType, optional: false, default: "calm"),
        ]
        if requiresPlan { transients.append(NSAttributeDescription("plan", .stringAttributeType, optional: false)) }
        for attribute in transients { attribute.isTransient = true }
        ride.properties = [NSAttributeDescription("name")] + transients
        return NSManagedObjectModel([ride])
    }

    @Test func aFetchedObjectWithRequiredTransientDefaultsCanBeChangedAndSaved() throws {
        let stack = try Stack(model: Self.rides())
        try stack.context.run { () throws in
            _ = try stack.context.make("Ride", "r")
            try stack.context.save()
        }
        let context = stack.otherContext()
        try context.run { () throws in
            let ride = try context.find("Ride", "r")
            expectEqual(ride.value(forKey: "isDriving") as? Bool, true)
            #expect(ride.managedValue(for: ManagedProperty("isDriving")) == true)
            #expect(ride.managedValue(for: ManagedProperty("speed")) == 2.5)
            expectEqual(ride.managedValue(for: ManagedProperty("mood")) as String?, "calm")
            ride.setValue("s", forKey: "name")
            try context.save()
            #expect(ride.changedValues().isEmpty && !ride.hasChanges)
            // A value set by the program stays, and counts as a change.
            ride.setValue("wild", forKey: "mood")
            #expect(ride.isUpdated && ride.changedValues().isEmpty && !ride.hasPersistentChangedValues)
            try context.save()
            expectEqual(ride.value(forKey: "mood") as? String, "wild")
            context.refresh(ride, mergeChanges: false)
            expectEqual(ride.value(forKey: "mood") as? String, "calm")
            // If the program sets nil, the value is missing, as for a stored attribute.
            ride.setValue(nil, forKey: "mood")
            expectEqual(#expect(throws: NSError.self) { try context.save() }?.code, 1570)
        }
    }

    @Test func aRequiredTransientWithoutADefaultIsMissingUntilItIsSet() throws {
        let stack = try Stack(model: Self.rides(requiresPlan: true))
        try stack.context.run { () throws in
            let ride = try stack.context.make("Ride", "r")
            expectEqual(#expect(throws: NSError.self) { try stack.context.save() }?.code, 1570)
            ride.setValue("home", forKey: "plan")
            try stack.context.save()
        }
    }

    // MARK: Counts

    private static func counted(optional: Bool = true, ordered: Bool = false) -> NSManagedObjectModel {
        RelationsModel.make(
            (.many("List.items", ordered: ordered, minimum: 2, maximum: 3, optional: optional), .one("Item.list"))
        )
    }

    @Test(arguments: [false, true], [false, true])
    func tooFewAndTooManyMembersAreCodes1580And1590(isOrdered: Bool, isOptional: Bool) throws {
        let stack = try Stack(model: Self.counted(optional: isOptional, ordered: isOrdered))
        let context = stack.context
        try context.run { () throws in
            let list = try context.make("List", "l")
            let items = try context.make("Item", names: "abcd")
            // An optional relationship may be empty.
            if isOptional {
                try context.save()
            } else {
                expectEqual(#expect(throws: NSError.self) { try context.save() }?.code, 1580)
            }
            list.relate("items", [items[0]])
            let few = #expect(throws: NSError.self) { try context.save() }
            expectEqual(few?.code, NSValidationRelationshipLacksMinimumCountError)
            expectEqual(few?.userInfo[NSValidationKeyErrorKey] as? String, "items")
            #expect(few?.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === list)
            list.relate("items", Array(items[..<2]))
            try context.save()
            // Change it from the other side.
            for item in items[2...] { item.relate("list", [list]) }
            let many = #expect(throws: NSError.self) { try context.save() }
            expectEqual(many?.code, NSValidationRelationshipExceedsMaximumCountError)
            expectEqual(many?.userInfo[NSValidationKeyErrorKey] as? String, "items")
            var value: Any? = list.value(forKey: "items")
            expectEqual(#expect(throws: NSError.self) { try list.validateValue(&value, forKey: "items") }?.code, 1590)
            value = isOrdered ? NSOrderedSet(object: items[0]) : NSSet(object: items[0])
            expectEqual(#expect(throws: NSError.self) { try list.validateValue(&value, forKey: "items") }?.code, 1580)
            context.delete(items[3])
            try context.save()
        }
    }

    // "0 means undefined": many models have required relationships whose owner begins empty.
    @Test(arguments: [false, true])
    func anEmptyRequiredToManyWithoutAMinimumIsValid(isOrdered: Bool) throws {
        let model = RelationsModel.make((.many("List.items", ordered: isOrdered, optional: false), .one("Item.list")))
        let stack = try Stack(model: model)
        try stack.context.run { () throws in
            let list = try stack.context.make("List", "l")
            try stack.context.save()
            list.relate("items", [try stack.context.make("Item", "i")])
            try stack.context.save()
            list.relate("items", [])
            try stack.context.save()
            var value: Any? = nil
            try list.validateValue(&value, forKey: "items")
        }
        #expect(try stack.stored("List", "l", "items").isEmpty)
    }

    @Test func countsAreReadOnlyIfARelationshipWasChanged() throws {
        let stack = try Stack(model: Self.counted(optional: false))
        try stack.context.run { () throws in
            let list = try stack.context.make("List", "l")
            list.relate("items", try stack.context.make("Item", names: "abc"))
            try stack.context.save()
        }
        let context = stack.otherContext()
        try context.run { () throws in
            let list = try context.find("List", "l")
            list.setValue("m", forKey: "name")
            let fetches = context.statistics.fetches
            try context.save()
            expectEqual(context.statistics.fetches, fetches)
            try context.make("Item", "d").relate("list", [list])
            let rows = context.statistics.rowsRead
            expectEqual(#expect(throws: NSError.self) { try context.save() }?.code, 1590)
            expectEqual(context.statistics.rowsRead, rows, "counting reads keys, not rows")
        }
    }

    // MARK: Classes

    private static func checked() -> NSManagedObjectModel {
        _ = CheckedTask.registered
        let model = RelationsModel.make((.many("Owner.tasks"), .one("Task.owner")))
        let task = model.entitiesByName["Task"]
        task?.managedObjectClassName = NSStringFromClass(CheckedTask.self)
        task?.properties += [
            NSAttributeDescription("text"),
            NSAttributeDescription("start", .integer16AttributeType),
            NSAttributeDescription("end", .integer16AttributeType),
        ]
        return model
    }

    private func task(_ context: NSManagedObjectContext) throws -> CheckedTask {
        try #require(try context.make("Task", "t") as? CheckedTask)
    }

    @Test func aValueThatAValidatorReplacesIsSaved() throws {
        let stack = try Stack(model: Self.checked())
        let context = stack.context
        try context.run { () throws in
            let task = try task(context)
            task.setValue("  spaced ", forKey: "text")
            task.relate("owner", [try context.make("Owner", "refused")])
            try context.save()
            expectEqual(task.value(forKey: "text") as? String, "spaced")
            expectNil(task.value(forKey: "owner"))
            #expect(!context.hasChanges)
            task.setValue(" twice", forKey: "text")
            try context.save()
            var value: Any? = " given "
            try task.validateValue(&value, forKey: "text")
            expectEqual(value as? String, "given")
            #expect(!task.hasChanges)
        }
        let other = stack.otherContext()
        try other.run { () throws in
            let task = try other.find("Task", "t")
            expectEqual(task.value(forKey: "text") as? String, "twice")
            expectNil(task.value(forKey: "owner"))
        }
    }

    // "Subclass overrides call super first and combine both errors"
    @Test func errorsOfOverridesAndValidatorsComeTogether() throws {
        let stack = try Stack(model: Self.checked())
        let context = stack.context
        try context.run { () throws in
            let task = try task(context)
            task.setValue("bad", forKey: "text")
            task.setValue(5, forKey: "start")
            let error = #expect(throws: NSError.self) { try context.save() }
            expectEqual(error?.code, 1560)
            let details = error?.userInfo[NSDetailedErrorsKey] as? [NSError] ?? []
            expectEqual(details.map(\.domain), ["checks", "checks"])
            expectEqual(details.map(\.code), [1, 2])
            // The errors of all objects are in one list.
            let secondTask = try self.task(context)
            secondTask.setValue(5, forKey: "start")
            let all = #expect(throws: NSError.self) { try context.save() }
            expectEqual((all?.userInfo[NSDetailedErrorsKey] as? [NSError])?.map(\.code), [1, 2, 2])
            task.setValue("good", forKey: "text")
            task.setValue(9, forKey: "end")
            secondTask.setValue(9, forKey: "end")
            try context.save()
            expectEqual(task.validations, ["insert", "insert", "insert"])
            task.validations = []
            task.setValue(10, forKey: "start")
            let single = #expect(throws: NSError.self) { try context.save() }
            expectEqual(single?.domain, "checks")
            expectEqual(single?.code, 2)
            context.delete(task)
            expectEqual(#expect(throws: NSError.self) { try context.save() }?.code, 2)
            expectEqual(task.validations, ["update", "delete"])
        }
    }

    // "validateForUpdate walks every property; for each it calls validateValue(_:forKey:)"
    @Test func aClassThatReplacesValidateValueIsAskedForEveryProperty() throws {
        let stack = try Stack(model: Self.checked())
        try stack.context.run { () throws in
            let task = try task(stack.context)
            try stack.context.save()
            expectEqual(task.asked.sorted(), task.entity.propertiesByName.keys.sorted())
            task.asked = []
            task.setValue("new", forKey: "name")
            try stack.context.save()
            expectEqual(task.asked.sorted(), task.entity.propertiesByName.keys.sorted())
            task.asked = []
            stack.context.delete(task)
            try stack.context.save()
            #expect(task.asked.isEmpty)
        }
    }

    @Test func objectsThatAreNotSavedAreNotValidated() throws {
        let stack = try Stack(model: Self.checked())
        let context = stack.context
        try context.run { () throws in
            let clean = try task(context)
            try context.save()
            clean.validations = []
            let dropped = try task(context)
            dropped.setValue("bad", forKey: "text")
            context.delete(dropped)
            _ = try context.make("Owner", "o")
            try context.save()
            #expect(clean.validations.isEmpty && dropped.validations.isEmpty)
        }
    }
}
