// The expected objects of a store: by a tag that every object has, with values as text and relationships as tags. They
// are written to a store through the framework, read back, and compared.
import Foundation
import ManagedGraph
import TestSupport

/// Objects by tag.
struct SketchContent {
    struct Object: Equatable {
        var entity: String
        /// Values as text; nil values are omitted.
        var values: [String: String] = [:]
        /// Tags, in ascending order if the relationship is unordered.
        var links: [String: [Int]] = [:]
    }

    var objects: [Int: Object] = [:]
    /// Relationships that have become ordered, in an undefined order.
    var looseRelations: Set<String> = []

    // MARK: Making

    /// Random objects for a model, with values for most attributes and consistent relationships.
    init(_ sketch: Sketch, perEntity count: Int, _ numbers: inout SeededNumbers) {
        var tag = 0
        for entity in sketch.concrete {
            for _ in 0..<count {
                tag += 1
                var object = Object(entity: entity.name)
                for attribute in sketch.attributes(entity.name) where attribute.name != "tag" {
                    if attribute.isOptional, numbers.chance(25) { continue }
                    object.values[attribute.name] = Self.value(attribute.type, &numbers)
                }
                objects[tag] = object
            }
        }
        for entity in sketch.entities {
            for relation in entity.relations { link(relation, entity.name, sketch, &numbers) }
        }
    }

    private init() {}

    static let types = [
        "String", "Integer 64", "Integer 16", "Double", "Boolean", "Date", "Binary", "UUID", "URI", "Decimal",
    ]

    /// A random value as text.
    static func value(_ type: String, _ numbers: inout SeededNumbers) -> String {
        let number = Int.random(in: 1...9_999, using: &numbers)
        return switch type {
        case "String": "text \(number)"
        case "Integer 64", "Integer 16": "\(number)"
        case "Double", "Decimal": "\(number).5"
        case "Boolean": number % 2 == 0 ? "1" : "0"
        case "Date": "\(number)000"
        case "Binary": Data("b\(number)".utf8).base64EncodedString()
        case "UUID": "00000000-0000-4000-8000-\(String(100_000_000_000 + number))"
        default: "https://example.org/\(number)"
        }
    }

    /// A value in the format of a default in Xcode's files; nil for types without defaults.
    static func defaultText(_ type: String, _ value: String) -> String? {
        switch type {
        case "Boolean": value == "1" ? "YES" : "NO"
        case "Binary", "UUID": nil
        default: value
        }
    }

    /// Links objects of an entity by a relationship and its inverse.
    private mutating func link(
        _ relation: Sketch.Relation,
        _ owner: String,
        _ sketch: Sketch,
        _ numbers: inout SeededNumbers
    ) {
        guard relation.name < relation.inverse,
            let inverse = sketch.entities.flatMap(\.relations).first(where: { $0.name == relation.inverse })
        else { return }
        let members = { (content: SketchContent, name: String) in
            let names = Set(sketch.family(name).map(\.name))
            return content.objects.filter { names.contains($0.value.entity) }.map(\.key).sorted()
        }
        let (owners, others) = (members(self, owner), members(self, relation.destination))
        guard !others.isEmpty else { return }
        for tag in owners {
            for _ in 0..<(relation.isMany ? 2 : 1) where !numbers.chance(25) {
                guard let partner = others.randomElement(using: &numbers) else { continue }
                let isFree = inverse.isMany || objects[partner]?.links[inverse.name] == nil
                guard isFree, objects[tag]?.links[relation.name]?.contains(partner) != true else { continue }
                objects[tag]?.links[relation.name, default: []].append(partner)
                objects[partner]?.links[inverse.name, default: []].append(tag)
            }
        }
        for tag in objects.keys {
            if !relation.isOrdered { objects[tag]?.links[relation.name]?.sort() }
            if !inverse.isOrdered { objects[tag]?.links[inverse.name]?.sort() }
        }
    }

    // MARK: Writing and reading stores

    /// Inserts the objects into a store.
    func fill(_ sketch: Sketch, _ context: NSManagedObjectContext) {
        var inserted: [Int: NSManagedObject] = [:]
        for (tag, object) in objects.sorted(by: { $0.key < $1.key }) {
            let new = NSEntityDescription.insertNewObject(forEntityName: object.entity, into: context)
            new.setValue(tag, forKey: "tag")
            for attribute in sketch.attributes(object.entity) where attribute.name != "tag" {
                new.setValue(
                    object.values[attribute.name].flatMap { Self.object(attribute.type, $0) },
                    forKey: attribute.name
                )
            }
            inserted[tag] = new
        }
        for (tag, object) in objects {
            for relation in sketch.relations(object.entity) {
                let others = (object.links[relation.name] ?? []).compactMap { inserted[$0] }
                guard !others.isEmpty else { continue }
                if !relation.isMany {
                    inserted[tag]?.setValue(others[0], forKey: relation.name)
                } else if relation.isOrdered {
                    inserted[tag]?.setValue(NSOrderedSet(array: others), forKey: relation.name)
                } else {
                    inserted[tag]?.setValue(Set(others), forKey: relation.name)
                }
            }
        }
    }

    private static func object(_ type: String, _ text: String) -> Any? {
        switch type {
        case "String": text
        case "Integer 64", "Integer 16": Int(text)
        case "Double": Double(text)
        case "Decimal": Decimal(string: text)
        case "Boolean": text == "1"
        case "Date": Double(text).map { Date(timeIntervalSinceReferenceDate: $0) }
        case "Binary": Data(base64Encoded: text)
        case "UUID": UUID(uuidString: text)
        default: URL(string: text)
        }
    }

    private static func text(_ value: Any?) -> String? {
        switch value {
        case nil: nil
        case let data as Data: data.base64EncodedString()
        case let date as Date: "\(Int(date.timeIntervalSinceReferenceDate))"
        case let uuid as UUID: uuid.uuidString
        case let url as URL: url.absoluteString
        case let flag as Bool: flag ? "1" : "0"
        case let other?: "\(other)"
        }
    }

    /// Reads all objects of a store.
    init(_ sketch: Sketch, in context: NSManagedObjectContext) throws {
        self.init()
        func tag(_ object: NSManagedObject) -> Int { object.value(forKey: "tag") as? Int ?? -1 }
        for entity in sketch.concrete {
            let request = NSFetchRequest<NSManagedObject>(entityName: entity.name)
            request.includesSubentities = false
            for managedObject in try context.fetch(request) {
                var object = Object(entity: entity.name)
                for attribute in sketch.attributes(entity.name) where attribute.name != "tag" {
                    object.values[attribute.name] = Self.text(managedObject.value(forKey: attribute.name))
                }
                for relation in sketch.relations(entity.name) {
                    let tags: [Int] =
                        switch managedObject.value(forKey: relation.name) {
                        case let single as NSManagedObject: [tag(single)]
                        case let list as NSOrderedSet: list.array.compactMap { $0 as? NSManagedObject }.map(tag)
                        case let set as Set<NSManagedObject>: set.map(tag).sorted()
                        default: []
                        }
                    if !tags.isEmpty { object.links[relation.name] = tags }
                }
                objects[tag(managedObject)] = object
            }
        }
    }

    // MARK: Comparing

    /// Describes the first differences to the objects of a store.
    func differences(_ migrated: SketchContent) -> [String] {
        var result: [String] = []
        for tag in Set(objects.keys).union(migrated.objects.keys).sorted() {
            guard var expected = objects[tag], var actual = migrated.objects[tag] else {
                result.append("object \(tag): \(objects[tag] == nil ? "not expected" : "missing")")
                continue
            }
            for name in looseRelations {
                expected.links[name]?.sort()
                actual.links[name]?.sort()
            }
            if expected != actual { result.append("object \(tag): \(actual) instead of \(expected)") }
        }
        return Array(result.prefix(4))
    }
}
