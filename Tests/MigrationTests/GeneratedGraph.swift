// Generated objects for any model: some of each entity, with all attributes and relationships in both directions. They
// are read back as text and compared across two versions by the names in the models, as simply as possible.
import Foundation
import GraphModel
import ManagedGraph

/// The objects of a store by entity and key.
struct GeneratedGraph {
    private struct Object {
        var values: [String: String] = [:]
        /// Keys as `Entity/key`, sorted if the relationship is unordered.
        var related: [String: [String]] = [:]
    }

    private var objects: [String: [Int: Object]] = [:]

    var count: Int { objects.values.map(\.count).reduce(0, +) }

    /// The model without classes and rules, which do not affect the version but would refuse generated values.
    static func plain(_ model: Model) -> Model {
        var model = model
        model.fetchRequestTemplates = []
        model.configurations = []
        for index in model.entities.indices {
            model.entities[index].className = nil
            for number in model.entities[index].properties.indices {
                guard case .attribute(var attribute) = model.entities[index].properties[number] else { continue }
                attribute.common.validations = []
                attribute.valueTransformerName = nil
                model.entities[index].properties[number] = .attribute(attribute)
            }
        }
        return model
    }

    // MARK: Making

    static func generate(_ model: Model, in context: NSManagedObjectContext) {
        var groups: [(entity: Entity, objects: [NSManagedObject])] = []
        // No value repeats, as some must be unique.
        var number = 0
        for entity in model.entities where !entity.isAbstract {
            let objects = (1...3).map { _ in
                number += 1
                let object = NSEntityDescription.insertNewObject(forEntityName: entity.name, into: context)
                for case .attribute(let attribute) in model.allProperties(ofEntityNamed: entity.name)
                where attribute.derivationExpressionFormat == nil {
                    if let value = value(attribute, number) { object.setValue(value, forKey: attribute.name) }
                }
                return object
            }
            groups.append((entity, objects))
        }
        for (entity, objects) in groups {
            for case .relationship(let relationship) in model.allProperties(ofEntityNamed: entity.name) {
                let targets = groups.filter { isFamily($0.entity.name, relationship.destinationEntityName, model) }
                    .flatMap(\.objects)
                guard !targets.isEmpty else { continue }
                for (index, object) in objects.enumerated() {
                    // The last object has no related objects.
                    guard index < 2 else { continue }
                    let others = [targets[index % targets.count], targets[(index + 3) % targets.count]]
                    if !relationship.isToMany {
                        object.setValue(others[0], forKey: relationship.name)
                    } else if relationship.isOrdered {
                        object.setValue(NSOrderedSet(array: others), forKey: relationship.name)
                    } else {
                        object.setValue(Set(others), forKey: relationship.name)
                    }
                }
            }
        }
    }

    private static func isFamily(_ name: String, _ ancestor: String, _ model: Model) -> Bool {
        var next: String? = name
        while let current = next {
            if current == ancestor { return true }
            next = model.entity(named: current)?.superentityName
        }
        return false
    }

    private static func value(_ attribute: Attribute, _ number: Int) -> Any? {
        switch attribute.type {
        case .integer16, .integer32, .integer64: number
        case .double, .float: Double(number) + 0.5
        case .decimal: Decimal(number)
        case .boolean: number % 2 == 0
        case .string: "text \(number)"
        case .date: Date(timeIntervalSinceReferenceDate: Double(number) * 1000)
        case .binary: Data(repeating: UInt8(number % 256), count: number % 3 == 1 ? 150_000 : 3)
        case .uuid: UUID()
        case .uri: URL(string: "https://example.org/\(number)")
        case .transformable: attribute.valueTransformerName == nil ? "transformed \(number)" as NSString : nil
        case .composite:
            Dictionary(
                attribute.elements.compactMap { element in value(element, number).map { (element.name, $0) } }
            ) { first, _ in first }
        case .undefined, .objectID: nil
        }
    }

    // MARK: Reading

    init(_ model: Model, in context: NSManagedObjectContext) throws {
        func key(_ object: NSManagedObject) -> String {
            "\(object.entity.name ?? "")/\(Self.key(object))"
        }
        for entity in model.entities where !entity.isAbstract {
            let request = NSFetchRequest<NSManagedObject>(entityName: entity.name)
            request.includesSubentities = false
            for managedObject in try context.fetch(request) {
                var object = Object()
                for property in model.allProperties(ofEntityNamed: entity.name) where !property.common.isTransient {
                    switch property {
                    case .attribute(let attribute):
                        object.values[attribute.name] = managedObject.value(forKey: attribute.name).map(Self.text)
                    case .relationship(let relationship):
                        let others: [NSManagedObject] =
                            switch managedObject.value(forKey: relationship.name) {
                            case let single as NSManagedObject: [single]
                            case let list as NSOrderedSet: list.array.compactMap { $0 as? NSManagedObject }
                            case let set as Set<NSManagedObject>: set.sorted { key($0) < key($1) }
                            default: []
                            }
                        object.related[relationship.name] = others.map(key)
                    case .fetched: continue
                    }
                }
                objects[entity.name, default: [:]][Self.key(managedObject)] = object
            }
        }
    }

    private static func key(_ object: NSManagedObject) -> Int {
        Int(object.objectID.uriRepresentation().lastPathComponent.dropFirst()) ?? -1
    }

    private static func text(_ value: Any) -> String {
        switch value {
        case let data as Data: "\(data.count) bytes \(data.prefix(8).base64EncodedString())"
        case let values as [String: Any]:
            values.sorted { $0.key < $1.key }.map { "\($0.key): \(text($0.value))" }.joined()
        default: "\(value)"
        }
    }

    // MARK: Comparing

    /// The differences to a migrated store, and the number of values and related objects compared.
    func differences(from new: GeneratedGraph, _ old: Model, _ model: Model) -> ([String], values: Int, related: Int) {
        var result: [String] = []
        var (values, related) = (0, 0)
        let names = Self.match(
            old.entities.map { ($0.name, $0.renamingIdentifier) },
            model.entities.map { ($0.name, $0.renamingIdentifier) }
        )
        let became = Dictionary(names.map { ($1, $0) }) { first, _ in first }
        let families = model.familiesByEntity(model.entitiesByName())
        for entity in model.entities where !entity.isAbstract {
            let newObjects = new.objects[entity.name] ?? [:]
            guard let former = names[entity.name] else {
                if !newObjects.isEmpty { result.append("\(entity.name) is new and has objects") }
                continue
            }
            let before = objects[former] ?? [:]
            if Set(before.keys) != Set(newObjects.keys) {
                result.append("\(entity.name): \(newObjects.keys.sorted()) instead of \(before.keys.sorted())")
            }
            let (mine, theirs) = (
                old.allProperties(ofEntityNamed: former), model.allProperties(ofEntityNamed: entity.name)
            )
            let pairs = Self.match(
                mine.map { ($0.name, $0.common.renamingIdentifier) },
                theirs.map { ($0.name, $0.common.renamingIdentifier) }
            )
            for property in theirs where !property.common.isTransient {
                let source = pairs[property.name].flatMap { name in mine.first { $0.name == name } }
                for (key, object) in before.sorted(by: { $0.key < $1.key }) {
                    guard let newObject = newObjects[key] else { continue }
                    let place = "\(entity.name).\(property.name) of \(key)"
                    switch (source, property) {
                    case (.attribute(let from)?, .attribute(let to)) where !from.common.isTransient:
                        guard to.derivationExpressionFormat == nil, from.elements == to.elements else { continue }
                        let value = object.values[from.name]
                        // A missing value that is now required becomes the default.
                        if value == nil, !to.common.isOptional { continue }
                        values += 1
                        let isSame = Self.isSame(value, newObject.values[to.name], from.type, to.type)
                        if !isSame {
                            result.append(
                                "\(place): \(newObject.values[to.name] ?? "nil") instead of \(value ?? "nil")"
                            )
                        }
                    case (nil, .attribute(let to)):
                        guard to.derivationExpressionFormat == nil, to.type != .composite else { continue }
                        values += 1
                        if (newObject.values[to.name] == nil) != (to.defaultValue == nil) {
                            result.append("\(place): \(newObject.values[to.name] ?? "nil"), new")
                        }
                    case (.relationship(let from)?, .relationship(let to)):
                        // A relationship that leads to another entity is empty.
                        let family = families[to.destinationEntityName] ?? []
                        var expected = (object.related[from.name] ?? []).compactMap { name -> String? in
                            let parts = name.split(separator: "/")
                            return became[String(parts[0])].flatMap { family.contains($0) ? "\($0)/\(parts[1])" : nil }
                        }
                        var actual = newObject.related[to.name] ?? []
                        if !(from.isOrdered && to.isOrdered) {
                            (expected, actual) = (expected.sorted(), actual.sorted())
                        }
                        related += expected.count
                        if expected != actual { result.append("\(place): \(actual) instead of \(expected)") }
                    default: continue
                    }
                }
            }
        }
        return (result, values, related)
    }

    /// Whether a migrated value equals the former one, converted to its new type.
    private static func isSame(_ old: String?, _ new: String?, _ from: AttributeType, _ to: AttributeType) -> Bool {
        guard from != to, let old, let new else { return old == new }
        let flags = ["true": 1.0, "false": 0.0]
        guard let before = flags[old] ?? Double(old), let after = flags[new] ?? Double(new) else { return old == new }
        switch to {
        case .integer16, .integer32, .integer64: return after == before.rounded(.towardZero)
        case .boolean: return (after != 0) == (before != 0)
        case .float: return Float(after) == Float(before)
        default: return after == before
        }
    }

    /// The old names, by new name.
    private static func match(_ old: [(String, String?)], _ new: [(String, String?)]) -> [String: String] {
        var result: [String: String] = [:]
        for (name, identifier) in new {
            let canonical = identifier ?? name
            let oldEntry =
                old.first { ($0.1 ?? $0.0) == canonical } ?? old.first { $0.0 == canonical }
                ?? old.first { $0.0 == name }
            if let oldEntry, !result.values.contains(oldEntry.0) { result[name] = oldEntry.0 }
        }
        return result
    }
}
