// Tests archives of predicates and sort descriptors in the form of Apple's systems.
import ExpectationSupport
import Foundation
import GraphPredicates
import GraphSupport
import ManagedGraph
import Testing

struct ArchiveTests {
    private static let formats = [
        "length > 20.5",
        "name BEGINSWITH[cd] \"sk\"",
        "ANY pilots.name == \"Ada\" AND (NOT berth.number != 1)",
        "crew BETWEEN {1, 4} OR registration == nil",
        "engine IN {\"diesel\", \"steam\"}",
        "name ENDSWITH \"x\"",
        "name LIKE[c] \"?sl*\"",
        "registration MATCHES \"[A-Z]+-[0-9]\"",
        "crew <= $MOST",
        "pilots.@count == 2",
        "uppercase:(name) CONTAINS \"SK\"",
        "TRUEPREDICATE",
        "FALSEPREDICATE",
    ]

    private static func predicates() throws -> [NSPredicate] {
        let read = try NSKeyedUnarchiver.unarchivedObject(
            ofClasses: [NSArray.self, NSPredicate.self],
            from: Fixture.data("Predicates.archive")
        )
        let predicates = try #require(read as? [NSPredicate])
        for predicate in predicates { predicate.allowEvaluation() }
        return predicates
    }

    @Test func everyPredicateIsDecoded() throws {
        let predicates = try Self.predicates()
        expectEqual(predicates.count, Self.formats.count)
        for (predicate, format) in zip(predicates, Self.formats) {
            expectEqual(predicate, NSPredicate(format: format), "\(predicate.formatText)")
            expectEqual(predicate.formatText, NSPredicate(format: format).formatText)
        }
    }

    /// Each predicate selects the same objects in memory, in SQL, and as its format.
    @Test func decodedPredicatesSelectObjects() throws {
        let expected: [[String]] = [
            ["Ferry 2", "Tug 3"], ["Vessel 1"], ["Ferry 2"], ["Tug 3", "Tug 5", "Vessel 1"], [], ["Tug 3"], [],
            ["Ferry 2", "Vessel 1"], ["Tug 3", "Tug 5", "Vessel 1"], ["Ferry 2"], ["Vessel 1"],
            ["Ferry 2", "Tug 3", "Tug 5", "Vessel 1"], [],
        ]
        try Fixture.withCopy(of: "Harbour1.sqlite") { url throws in
            try Fixture.harbour(1).withStore(at: url) { context throws in
                let vessels = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Vessel"))
                for (predicate, names) in zip(try Self.predicates(), expected) {
                    let bound = predicate.withSubstitutionVariables(["MOST": 4])
                    // Only ferries and tugs have an engine.
                    guard !bound.formatText.contains("engine") else { continue }
                    let request = NSFetchRequest<NSManagedObject>(entityName: "Vessel")
                    request.predicate = bound
                    try expectEqual(context.fetch(request).map(ObjectText.name).sorted(), names, "\(predicate)")
                    expectEqual(vessels.filter { bound.evaluate(with: $0) }.map(ObjectText.name).sorted(), names)
                }
            }
        }
    }

    @Test func everySortDescriptorIsDecoded() throws {
        let read = try NSKeyedUnarchiver.unarchivedObject(
            ofClasses: [NSArray.self, NSSortDescriptor.self],
            from: Fixture.data("SortDescriptors.archive")
        )
        let descriptors = try #require(read as? [NSSortDescriptor])
        expectEqual(descriptors.map(\.key), ["berth.number", "name", "crew"])
        expectEqual(descriptors.map(\.ascending), [false, true, true])
        expectEqual(
            descriptors,
            [
                NSSortDescriptor(key: "berth.number", ascending: false),
                NSSortDescriptor(key: "name", ascending: true, selector: "localizedStandardCompare:"),
                NSSortDescriptor(key: "crew", ascending: true),
            ]
        )
        try Fixture.withCopy(of: "Harbour1.sqlite") { url throws in
            try Fixture.harbour(1).withStore(at: url) { context throws in
                let request = NSFetchRequest<NSManagedObject>(entityName: "Vessel")
                request.sortDescriptors = descriptors
                let names = try context.fetch(request).map(ObjectText.name)
                expectEqual(names, ["Tug 5", "Ferry 2", "Tug 3", "Vessel 1"])
            }
        }
    }

    /// An archive that our writer makes of a decoded predicate has the classes of the file.
    @Test func aDecodedPredicateIsWrittenWithTheSameClasses() throws {
        let data = try NSKeyedArchiver.archivedData(withRootObject: Self.predicates(), requiringSecureCoding: true)
        let own = try Self.classes(PredicateArchive.withAppleNames(data))
        let file = try Self.classes(Fixture.data("Predicates.archive"))
        expectEqual(own.filter { $0.hasPrefix("NS") && !$0.contains("Array") }, file.filter { !$0.contains("Array") })
    }

    private static func classes(_ data: Data) throws -> Set<String> {
        let list = try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
        let objects = list?["$objects"] as? [Any] ?? []
        return Set(objects.compactMap { ($0 as? [String: Any])?["$classname"] as? String })
    }
}
