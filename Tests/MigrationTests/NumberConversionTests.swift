// Tests attributes that become numbers of another type: every pair of types in every kind of migration, boundary
// values, and the changes of type that are still refused.
import ExpectationSupport
import Foundation
import GraphSQLite
import ManagedGraph
import Testing

@Suite(.inDatabasesToo) struct NumberConversionTests {
    static let types = ["Integer 16", "Integer 32", "Integer 64", "Decimal", "Double", "Float", "Boolean"]

    private static func entity(_ type: String, _ more: String = "optional=\"YES\"") -> String {
        LightweightTests.entity(
            "Note",
            LightweightTests.title + "<attribute name=\"number\" attributeType=\"\(type)\" \(more)/>"
        )
    }

    private static func values(_ type: String) -> [NSNumber?] {
        switch type {
        case "Boolean": [true, false, nil]
        case "Double", "Float", "Decimal": [0, 1.5, -2.75, 300, nil]
        default: [0, 1, -7, 300, nil]
        }
    }

    private static func expected(_ number: NSNumber?, _ type: String) -> Double? {
        guard let value = number?.doubleValue else { return nil }
        return switch type {
        case "Boolean": value == 0 ? 0 : 1
        case "Integer 16", "Integer 32", "Integer 64": value.rounded(.towardZero)
        default: value
        }
    }

    private static func fill(_ versions: Versions, _ values: [NSNumber?]) throws {
        try versions.fill { context in
            for (place, value) in values.enumerated() {
                context.add("Note", ["title": "\(place)"]).setValue(value, forKey: "number")
            }
        }
    }

    private static func numbers(_ context: NSManagedObjectContext, _ key: String = "number") throws -> [Double?] {
        try context.performAndWait {
            let numbers: [NSNumber?] = try context.values(key, "Note")
            return numbers.map { $0?.doubleValue }
        }
    }

    enum Way: CaseIterable { case inPlace, deferred, objectByObject }

    /// An entity with an attribute for each of the other types, all of them of one type.
    private static func manyNumbers(_ types: [String], _ type: (String) -> String) -> String {
        let attributes = types.map { name in
            "<attribute name=\"\(key(name))\" attributeType=\"\(type(name))\" optional=\"YES\"/>"
        }
        return LightweightTests.entity("Note", LightweightTests.title + attributes.joined())
    }

    /// The name of the attribute that gets a type.
    private static func key(_ type: String) -> String { "to" + type.filter { $0 != " " } }

    /// One migration changes an attribute to each of the other types.
    @Test(arguments: types, Way.allCases)
    func aNumberStaysTheSameNumber(_ old: String, _ way: Way) throws {
        let others = Self.types.filter { $0 != old }
        let versions = try Versions(Self.manyNumbers(others) { _ in old }, Self.manyNumbers(others) { $0 })
        let values = Self.values(old)
        try versions.fill { context in
            for (place, value) in values.enumerated() {
                let note = context.add("Note", ["title": "\(place)"])
                for new in others { note.setValue(value, forKey: Self.key(new)) }
            }
        }
        let context: NSManagedObjectContext
        switch way {
        case .inPlace:
            context = try versions.open(2)
        case .deferred:
            context = try versions.open(2, options: [NSPersistentStoreDeferredLightweightMigrationOptionKey: true])
        case .objectByObject:
            let (source, destination) = (try versions.model(1), try versions.model(2))
            let mapping = try NSMappingModel.inferredMappingModel(
                forSourceModel: source,
                destinationModel: destination
            )
            let manager = NSMigrationManager(sourceModel: source, destinationModel: destination)
            let target = versions.folder.appending(path: "Target.sqlite")
            try manager.migrateStore(
                from: versions.store,
                type: versions.type,
                mapping: mapping,
                to: target,
                type: .sqlite
            )
            context = try versions.open(2, at: target, migrates: false)
        }
        for new in others {
            let expected = values.map { Self.expected($0, new) }
            try expectEqual(Self.numbers(context, Self.key(new)), expected, "\(old) to \(new), \(way)")
        }
    }

    @Test func wholeNumbersOf64BitsStayExactAsDecimalsAndBack() throws {
        let large: [NSNumber] = [9_007_199_254_740_993, -9_223_372_036_854_775_807]
        for (old, new) in [("Integer 64", "Decimal"), ("Decimal", "Integer 64")] {
            let versions = try Versions(Self.entity(old), Self.entity(new))
            let values = large.map { number -> NSNumber? in
                old == "Decimal" ? NSDecimalNumber(string: "\(number)") : number
            }
            try Self.fill(versions, values)
            try versions.use(2) { context in
                let numbers: [NSNumber?] = try context.values("number", "Note")
                expectEqual(numbers.map { "\($0 ?? 0)" }, large.map { "\($0)" }, "\(old) to \(new)")
            }
        }
    }

    @Test func aDoubleBecomesTheNearestFloatInTheFile() throws {
        let versions = try Versions(Self.entity("Double"), Self.entity("Float"))
        try Self.fill(versions, [0.1])
        try versions.use(2) { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
            request.predicate = NSPredicate(format: "number == %@", NSNumber(value: Float(0.1)))
            let count = try context.count(for: request)
            expectEqual(count, 1)
        }
        try versions.expectTablesOfNewStore()
    }

    @Test(
        arguments: [
            ("Integer 64", "Integer 16", 40_000.0), ("Integer 32", "Integer 16", -32_769), ("Double", "Float", 1e300),
            ("Integer 64", "Integer 32", 3_000_000_000), ("Double", "Integer 16", 32_768),
            ("Double", "Integer 64", 1e19),
            ("Decimal", "Integer 32", 2_147_483_648),
        ]
    )
    func aNumberThatTheNewTypeCannotHoldRefusesTheMigration(_ old: String, _ new: String, _ value: Double) throws {
        let versions = try Versions(Self.entity(old), Self.entity(new))
        try Self.fill(versions, [1, NSNumber(value: value)])
        let before = try versions.content()
        let thrown = #expect(throws: (any Error).self) { _ = try versions.open(2) }
        let error = try #require(thrown) as NSError
        #expect(error.localizedDescription.contains("outside the range of \(new)"), "\(error)")
        expectEqual(error.userInfo["entity"] as? String, "Note")
        expectEqual(error.userInfo["property"] as? String, "number")
        try expectEqual(versions.content(), before)
    }

    @Test func numbersAtTheEndsOfATypeAreTaken() throws {
        for (new, ends) in [
            ("Integer 16", [32_767.9, -32_768.9]), ("Integer 32", [2_147_483_647.9, -2_147_483_648.9]),
        ] {
            let versions = try Versions(Self.entity("Double"), Self.entity(new))
            try Self.fill(versions, ends.map { NSNumber(value: $0) })
            try expectEqual(Self.numbers(try versions.open(2)), ends.map { $0.rounded(.towardZero) }, "\(new)")
        }
    }

    @Test func aConvertedNumberThatBecomesRequiredGetsTheDefaultInRowsWithoutAValue() throws {
        let versions = try Versions(Self.entity("Integer 16"), Self.entity("Double", "defaultValueString=\"2.5\""))
        try Self.fill(versions, [3, nil])
        try expectEqual(Self.numbers(try versions.open(2)), [3, 2.5])
    }

    @Test func aWidenedIntegerTouchesNoRow() throws {
        let versions = try Versions(Self.entity("Integer 16"), Self.entity("Integer 64"))
        try Self.fill(versions, [3])
        try expectEqual(Self.numbers(try versions.open(2)), [3])
        try versions.expectTablesOfNewStore()
    }

    @Test(arguments: [("String", "Date"), ("Integer 32", "String"), ("Double", "Date"), ("String", "Integer 16")])
    func otherChangesOfTypeStayRefusedWithTheTypesNames(_ old: String, _ new: String) throws {
        let versions = try Versions(Self.entity(old), Self.entity(new))
        let error = #expect(throws: NSError.self) {
            try NSMappingModel.inferredMappingModel(
                forSourceModel: try versions.model(1),
                destinationModel: try versions.model(2)
            )
        }
        expectEqual(error?.code, NSInferredMappingModelError)
        expectEqual(error?.localizedDescription.contains("\(old) cannot become \(new)"), true)
    }
}
