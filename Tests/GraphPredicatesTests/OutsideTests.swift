// Tests predicates, descriptors, keys and archives from untrusted sources: none of them crashes the program.

import ExpectationSupport
import Foundation
import GraphPredicates
import Testing

@Suite("Untrusted input")
struct OutsideTests {
    private func decoded<T: NSObject & NSSecureCoding>(_ type: T.Type, _ data: Data) throws -> T {
        try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: T.self, from: data))
    }

    @Test("Before allowEvaluation(), decoded predicates give false, expressions nil, and descriptors keep the order")
    func forbidden() throws {
        let predicate = try decoded(
            NSPredicate.self,
            NSKeyedArchiver.archivedData(withRootObject: NSPredicate(format: "a == 1"), requiringSecureCoding: true)
        )
        #expect(!predicate.evaluate(with: ["a": 1]))
        predicate.allowEvaluation()
        #expect(predicate.evaluate(with: ["a": 1]))
        let data = try NSKeyedArchiver.archivedData(
            withRootObject: GraphPredicates.NSExpression(format: "1 + 1"),
            requiringSecureCoding: true
        )
        let expression = try #require(
            try NSKeyedUnarchiver.unarchivedObject(ofClass: GraphPredicates.NSExpression.self, from: data)
        )
        expectNil(expression.expressionValue(with: nil, context: nil))
        expression.allowEvaluation()
        expectEqual(expression.expressionValue(with: nil, context: nil) as? Int, 2)
        let sorting = try NSKeyedArchiver.archivedData(
            withRootObject: NSSortDescriptor(key: "self", ascending: false),
            requiringSecureCoding: true
        )
        let descriptor = try decoded(NSSortDescriptor.self, sorting)
        expectEqual(descriptor.compare(1, to: 2), .orderedSame)
        expectEqual([1, 3, 2].sorted(using: [descriptor]), [1, 3, 2])
        descriptor.allowEvaluation()
        expectEqual([1, 3, 2].sorted(using: [descriptor]), [3, 2, 1])
    }

    @Test("A key that a collection's objects cannot have reads as nil, and setting it does nothing")
    func collections() {
        let array = NSArray(array: [5, ["wings": 2]])
        expectEqual((array.value(forKey: "wings") as? [Any])?.last as? Int, 2)
        #expect((array.value(forKey: "wings") as? [Any])?.first is NSNull)
        expectEqual(NSSet(array: [5]).value(forKey: "wings") as? NSSet, NSSet())
        #expect((NSOrderedSet(array: [5]).value(forKey: "wings") as? NSOrderedSet)?.firstObject is NSNull)
        expectNil(array.value(forKeyPath: "@sum.wings.nothing"))
        expectNil(NSDictionary(dictionary: ["a": 5]).value(forKeyPath: "a.b.c"))
        array.setValue(1, forKey: "wings")
        NSSet(array: [5]).setValue(1, forKey: "wings")
        NSOrderedSet(array: [5]).setValue(1, forKey: "wings")
    }

    /// A class without an archived form.
    private final class Plain {}

    @Test("Predicates with closures, or with objects that cannot be archived, throw an error when archived")
    func archives() throws {
        let closure = NSPredicate { _, _ in true }
        let block = GraphPredicates.NSExpression(block: { _, _, _ in 1 }, arguments: nil)
        let predicates = [
            closure, NSCompoundPredicate(andPredicateWithSubpredicates: [closure, NSPredicate(format: "a == 1")]),
            NSPredicate(format: "a == %@", argumentArray: [Plain()]),
            NSPredicate(format: "a IN %@", argumentArray: [[Plain()]]),
            NSPredicate(format: "a == %@", argumentArray: [block]),
        ]
        for predicate in predicates {
            let error = #expect(throws: CocoaError.self) {
                try NSKeyedArchiver.archivedData(withRootObject: predicate, requiringSecureCoding: false)
            }
            expectEqual(error?.code, .coderInvalidValue)
        }
        #expect(throws: CocoaError.self) {
            try NSKeyedArchiver.archivedData(withRootObject: block, requiringSecureCoding: false)
        }
        let descriptor = NSSortDescriptor(key: "a", ascending: true) { _, _ in .orderedSame }
        #expect(throws: CocoaError.self) {
            try NSKeyedArchiver.archivedData(withRootObject: [descriptor], requiringSecureCoding: false)
        }
        let data = try NSKeyedArchiver.archivedData(
            withRootObject: NSPredicate(value: true),
            requiringSecureCoding: true
        )
        #expect(!data.isEmpty)
    }
}
