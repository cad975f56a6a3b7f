// Predicates that read values directly from slots give the same results as through value(forKey:); overridden keys of
// classes are still called.
import ExpectationSupport
import Foundation
import GraphSupport
import ManagedGraph
import Testing

@testable import StackSupport

/// Has a computed property for a key of the model.
private final class ComputingEntry: NSManagedObject {}

@Suite("Predicates on the slots of objects") struct SlotEvaluationTests {
    private static let keys = ["short", "long", "flag", "double", "float", "date", "text", "decimal", "uuid", "data"]

    private static let model: NSManagedObjectModel = {
        ManagedObjectRegistry.register(module: "SlotEvaluationTests") {
            ModuleRegistration(
                models: [],
                classes: [
                    ModuleRegistration.Class(
                        name: "SlotComputingEntry",
                        type: ComputingEntry.self,
                        computed: ["long": { (($0.primitiveValue(forKey: "long") as? Int) ?? 0) + 100 }]
                    )
                ]
            )
        }
        func entity(_ name: String, _ className: String) -> NSEntityDescription {
            let entity = NSEntityDescription(name)
            entity.managedObjectClassName = className
            entity.properties = NSAttributeDescription.list([
                "short": .integer16AttributeType, "long": .integer64AttributeType, "flag": .booleanAttributeType,
                "double": .doubleAttributeType, "float": .floatAttributeType, "date": .dateAttributeType,
                "text": .stringAttributeType, "decimal": .decimalAttributeType, "uuid": .UUIDAttributeType,
                "data": .binaryDataAttributeType,
            ])
            return entity
        }
        return NSManagedObjectModel([
            entity("Plain", NSStringFromClass(NSManagedObject.self)),
            entity("Asked", NSStringFromClass(AskedEntry.self)), entity("Loud", NSStringFromClass(LoudEntry.self)),
            entity("Computing", "SlotComputingEntry"),
        ])
    }()

    private static let uuid = UUID()
    private static let texts = ["", "a", "A", "ab", "Äb", "e\u{301}", "é", "ß", "ss", "a\0b", "1", "İ", "x*y", "日本"]
    private static let numbers: [any Sendable] = [
        0, 1, -1, 2, 3, 100, 1.0, 0.5, -0.0, 1.5, Double.infinity, Double.nan, true, false, Int64.min, Int64.max,
        Double(Int64.max), Decimal(1), Decimal(0.5), Float(0.1), 0.1,
    ]
    private static let others: [any Sendable] = [
        Date(timeIntervalSinceReferenceDate: 0), Date(timeIntervalSinceReferenceDate: 1.5), uuid, Data([1, 2]),
    ]

    private static func value(for key: String, _ random: inout SystemRandomNumberGenerator) -> Any? {
        switch Int.random(in: 0..<10, using: &random) {
        case 0: return nil
        // A value that the save rejects.
        case 1: return "short"
        default: break
        }
        switch key {
        case "short": return Int.random(in: -1...3, using: &random)
        case "long": return [-1, 0, 1, 2, 3, .min, .max].randomElement(using: &random)
        case "flag": return Bool.random(using: &random)
        case "double": return [0.0, -0.0, 0.5, 1, 2, .infinity, .nan, 0.1].randomElement(using: &random)
        case "float": return [Float(0), 0.5, 1, 0.1].randomElement(using: &random)
        case "date": return Date(timeIntervalSinceReferenceDate: [0, 1.5, 3].randomElement(using: &random) ?? 0)
        case "text": return texts.randomElement(using: &random)
        case "decimal": return Decimal(Int.random(in: 0...2, using: &random))
        case "uuid": return uuid
        default: return Data([1, 2])
        }
    }

    private static func constant(_ random: inout SystemRandomNumberGenerator) -> Any? {
        switch Int.random(in: 0..<9, using: &random) {
        case 0: nil
        case 1..<4: numbers.randomElement(using: &random)
        case 4..<7: texts.randomElement(using: &random)
        default: others.randomElement(using: &random)
        }
    }

    private static func comparison(_ random: inout SystemRandomNumberGenerator) -> NSPredicate {
        let operators: [ManagedGraph.NSComparisonPredicate.Operator] = [
            .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo, .equalTo, .notEqualTo, .matches, .like,
            .beginsWith, .endsWith, .in, .contains, .between,
        ]
        let options: [ManagedGraph.NSComparisonPredicate.Options] = [
            [], [], .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive],
        ]
        let type = operators.randomElement(using: &random) ?? .equalTo
        var rightConstant = constant(&random)
        if type == .in || type == .between {
            let count = type == .between ? 2 : Int.random(in: 0...20, using: &random)
            let elements = (0..<count).map { _ in constant(&random) ?? NSNull() }
            switch Int.random(in: 0..<3, using: &random) {
            case 0: rightConstant = elements
            case 1: rightConstant = NSArray(array: elements)
            default: rightConstant = NSMutableArray(array: elements)
            }
        }
        return ManagedGraph.NSComparisonPredicate(
            leftExpression: NSExpression(forKeyPath: keys.randomElement(using: &random) ?? "long"),
            rightExpression: NSExpression(forConstantValue: rightConstant),
            modifier: .direct,
            type: type,
            options: options.randomElement(using: &random) ?? []
        )
    }

    private static func predicate(_ random: inout SystemRandomNumberGenerator, _ depth: Int = 0) -> NSPredicate {
        switch Int.random(in: 0..<8, using: &random) {
        case 0 where depth < 3:
            NSCompoundPredicate(andPredicateWithSubpredicates: (0..<2).map { _ in predicate(&random, depth + 1) })
        case 1 where depth < 3:
            NSCompoundPredicate(orPredicateWithSubpredicates: (0..<3).map { _ in predicate(&random, depth + 1) })
        case 2 where depth < 3: NSCompoundPredicate(notPredicateWithSubpredicate: predicate(&random, depth + 1))
        case 3 where depth < 3: NSPredicate { object, _ in object is NSManagedObject }
        default: comparison(&random)
        }
    }

    @Test("Random predicates on saved, changed and unsaved objects")
    func random() throws {
        let stack = try Stack(model: Self.model)
        try stack.context.run { () throws in
            var random = SystemRandomNumberGenerator()
            var pairs: [(NSManagedObject, NSManagedObject)] = []
            func make() -> NSManagedObject {
                NSEntityDescription.insertNewObject(forEntityName: "Plain", into: stack.context)
            }
            func twin() -> NSManagedObject {
                NSEntityDescription.insertNewObject(forEntityName: "Asked", into: stack.context)
            }
            func fill(_ pair: (NSManagedObject, NSManagedObject), refused: Bool) {
                for key in Self.keys where Bool.random(using: &random) {
                    var value = Self.value(for: key, &random)
                    if !refused, value as? String == "short", key != "text" { value = nil }
                    if !refused, (value as? Double)?.isNaN == true { value = nil }
                    pair.0.setValue(value, forKey: key)
                    pair.1.setValue(value, forKey: key)
                }
            }
            for _ in 0..<40 {
                let pair = (make(), twin())
                fill(pair, refused: false)
                pairs.append(pair)
            }
            try stack.context.save()
            // Some objects are read from rows, some have changes, some are faults.
            for (index, pair) in pairs.enumerated() {
                if index % 2 == 0 {
                    for object in [pair.0, pair.1] { stack.context.refresh(object, mergeChanges: false) }
                }
                if index % 4 == 1 { fill(pair, refused: true) }
            }
            for _ in 0..<10 {
                let pair = (make(), twin())
                fill(pair, refused: true)
                pairs.append(pair)
            }
            for _ in 0..<2_000 {
                let predicate = Self.predicate(&random)
                for pair in pairs {
                    let answers = (predicate.evaluate(with: pair.0), predicate.evaluate(with: pair.1))
                    guard answers.0 != answers.1 else { continue }
                    Issue.record("\(predicate) is \(answers.0), by its keys \(answers.1): \(pair.0)")
                }
            }
        }
    }

    @Test("A class that overrides value(forKey:) is called for every object, and its result counts")
    func replacedValueForKey() throws {
        let stack = try Stack(model: Self.model)
        try stack.context.run { () throws in
            let predicate = NSPredicate(format: "long == 3 AND text == 'A'")
            for name in ["Plain", "Asked", "Loud", "Plain"] {
                let object = NSEntityDescription.insertNewObject(forEntityName: name, into: stack.context)
                object.setValue(3, forKey: "long")
                object.setValue("a", forKey: "text")
                expectEqual(predicate.evaluate(with: object), (name == "Loud"), "\(name)")
                expectEqual(predicate.evaluate(with: object), (name == "Loud"), "\(name)")
                if let object = object as? AskedEntry { expectEqual(object.asked, 4) }
            }
        }
    }

    @Test("A computed property of a class is called")
    func computedProperty() throws {
        let stack = try Stack(model: Self.model)
        try stack.context.run { () throws in
            let predicate = NSPredicate(format: "long == 103 AND short == 1")
            let object = NSEntityDescription.insertNewObject(forEntityName: "Computing", into: stack.context)
            object.setValue(3, forKey: "long")
            object.setValue(1, forKey: "short")
            #expect(predicate.evaluate(with: object))
            object.setValue(4, forKey: "long")
            #expect(!predicate.evaluate(with: object))
        }
    }

    @Test("One predicate evaluates objects of several classes, other values and nil, on several threads")
    func manyKinds() async throws {
        let stack = try Stack(model: Self.model)
        nonisolated(unsafe) let predicate = NSPredicate(format: "long == 3")
        let context = stack.context
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    context.performAndWait {
                        ["Plain", "Asked", "Loud", "Computing"].allSatisfy { name in
                            let object = NSEntityDescription.insertNewObject(forEntityName: name, into: context)
                            object.setValue(name == "Computing" ? -97 : 3, forKey: "long")
                            return predicate.evaluate(with: object)
                        } && predicate.evaluate(with: ["long": 3]) && !predicate.evaluate(with: nil)
                    }
                }
                group.addTask {
                    (0..<100).allSatisfy { predicate.evaluate(with: ["long": $0]) == ($0 == 3) }
                }
            }
            for await isRight in group { #expect(isRight) }
        }
    }

    @Test("Evaluation includes the values in a mutable collection")
    func mutableCollections() throws {
        let stack = try Stack(model: Self.model)
        try stack.context.run { () throws in
            let numbers = NSMutableArray(array: [1, 2])
            let predicate = NSPredicate(format: "long IN %@", numbers)
            let object = NSEntityDescription.insertNewObject(forEntityName: "Plain", into: stack.context)
            object.setValue(3, forKey: "long")
            #expect(!predicate.evaluate(with: object))
            numbers.add(3)
            #expect(predicate.evaluate(with: object))
        }
    }
}
