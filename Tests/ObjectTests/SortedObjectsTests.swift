// Sorting of objects in memory: values are read by slot, and the order must be that of the values which
// value(forKey:) returns.
import ExpectationSupport
import Foundation
import GraphSupport
import ManagedGraph
import Testing

@testable import StackSupport

struct SortedObjectsTests {
    private static let types: [NSAttributeType] = [
        .integer16AttributeType, .integer64AttributeType, .doubleAttributeType, .floatAttributeType,
        .booleanAttributeType, .decimalAttributeType, .stringAttributeType, .dateAttributeType, .UUIDAttributeType,
        .URIAttributeType,
    ]

    private static func model() -> NSManagedObjectModel {
        let animal = NSEntityDescription("Animal", types.map { NSAttributeDescription("v\($0.rawValue)", $0) })
        let dog = NSEntityDescription("Dog", [NSAttributeDescription("rank", .integer32AttributeType)])
        let loud = NSEntityDescription("Loud", type: LoudAnimal.self)
        animal.subentities = [dog, loud]
        return NSManagedObjectModel([animal, dog, loud])
    }

    private static func value(_ type: NSAttributeType, _ number: Int) throws -> Any {
        switch type {
        case .booleanAttributeType: return number.isMultiple(of: 2)
        case .decimalAttributeType: return NSDecimalNumber(value: number)
        case .stringAttributeType: return ["b", "B", "a", "ä", "Z", "", "ab"][number % 7] + "\(number % 3)"
        case .dateAttributeType: return Date(timeIntervalSinceReferenceDate: Double(number))
        case .UUIDAttributeType:
            return try #require(UUID(uuidString: "00000000-0000-0000-0000-0000000000\(10 + number)"))
        case .URIAttributeType: return try #require(URL(string: "https://example.org/\(number)"))
        case .doubleAttributeType, .floatAttributeType: return Double(number) / 3
        default: return number
        }
    }

    @Test(
        "Objects of several classes, faults and unsaved ones among them, are sorted by the values that programs read",
        arguments: types
    )
    func order(type: NSAttributeType) throws {
        let stack = try Stack(model: Self.model())
        let context = stack.context
        try context.run { () throws in
            for number in 0..<60 {
                let name = ["Animal", "Dog", "Loud"][number % 3]
                let animal = NSEntityDescription.insertNewObject(forEntityName: name, into: context)
                if number % 8 == 0 { continue }
                animal.setValue(try Self.value(type, number * 37 % 60), forKey: "v\(type.rawValue)")
            }
            try context.save()
            context.reset()
            var animals = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Animal"))
            for number in stride(from: 0, to: 60, by: 5) {
                animals[number].setValue(try Self.value(type, number), forKey: "v\(type.rawValue)")
            }
            animals.append(NSEntityDescription.insertNewObject(forEntityName: "Animal", into: context))
            #expect(animals.contains { $0.isFault })
            for isAscending in [true, false] {
                let descriptors = [NSSortDescriptor(key: "v\(type.rawValue)", ascending: isAscending)]
                let sorted = animals.sorted(using: descriptors)
                // Dictionaries have no slots.
                let rows = animals.enumerated().map { place, animal in
                    ["v\(type.rawValue)": animal.value(forKey: "v\(type.rawValue)"), "place": place as Any?]
                }
                let expected = rows.map { $0.compactMapValues(\.self) }.sorted(using: descriptors)
                    .compactMap { ($0["place"] as? Int).map { animals[$0] } }
                expectEqual(sorted, expected)
                let byFoundation = (animals as NSArray).sortedArray(using: descriptors)
                expectEqual(byFoundation as? [NSManagedObject], expected)
            }
        }
    }
}

/// Objects that answer a key themselves.
private final class LoudAnimal: NSManagedObject {
    override func value(forKey key: String) -> Any? {
        let value = super.value(forKey: key)
        return (value as? String)?.uppercased() ?? value
    }
}
