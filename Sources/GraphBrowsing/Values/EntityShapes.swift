// The entities of a model as a browser needs them: properties in order, titles, key paths. Created once for a session;
// values only.
import Foundation
import GraphModel
import ManagedGraph

/// The shapes of all entities of a model.
struct EntityShapes: Sendable {
    /// An entity.
    struct Shape: Sendable {
        let name: String
        let isAbstract: Bool
        let parent: String?
        let subentities: [String]
        /// Own and inherited properties, then those of subentities.
        let properties: [PropertySummary]
        /// Text attributes by which people recognize an object, the best first.
        let titleProperties: [String]

        var titleProperty: String? { titleProperties.first }

        func property(_ name: String) -> PropertySummary? { properties.first { $0.name == name } }
    }

    private let shapes: [String: Shape]
    /// The names of the entities, sorted.
    let names: [String]

    init(_ model: NSManagedObjectModel) {
        var shapes: [String: Shape] = [:]
        for entity in model.entities { shapes[entity.name ?? ""] = Self.shape(entity) }
        self.shapes = shapes
        names = shapes.keys.sorted()
    }

    subscript(name: String) -> Shape? { shapes[name] }

    /// The entity with a name.
    ///
    /// Throws an error that suggests the nearest name.
    func required(_ name: String) throws -> Shape {
        if let shape = shapes[name] { return shape }
        throw CoreDataError.make(
            NSCoreDataError,
            "The model has no entity \(name).",
            remedy: "Use one of: \(names.joined(separator: ", "))."
        )
    }

    /// The property at the end of a key path of to-one relationships.
    func property(_ path: String, of entity: String) -> PropertySummary? {
        var shape = shapes[entity]
        let names = path.split(separator: ".").map(String.init)
        if let property = shape?.property(path) { return property }
        for name in names.dropLast() {
            guard let relationship = shape?.property(name), let destination = relationship.destination else {
                return nil
            }
            shape = shapes[destination]
        }
        return names.last.flatMap { shape?.property($0) }
    }

    /// The columns of a request.
    func columns(_ paths: [String], of entity: String) throws -> [PropertySummary] {
        let shape = try required(entity)
        guard !paths.isEmpty else { return shape.properties.filter { $0.subentity == nil } }
        return try paths.map { path in
            guard var property = property(path, of: entity) else {
                throw CoreDataError.make(
                    NSCoreDataError,
                    "\(entity) has no property \(path).",
                    remedy: "Choose columns among: \(shape.properties.map(\.name).joined(separator: ", "))."
                )
            }
            if path.contains("."), shape.property(path) == nil {
                property.name = path
                property.refusal = "Open the related object to edit it."
                // Through a relationship to many objects there is no single value.
                let steps = path.split(separator: ".").dropLast().map(String.init)
                for count in steps.indices {
                    let prefix = steps[...count].joined(separator: ".")
                    guard self.property(prefix, of: entity)?.kind != .toMany else {
                        throw CoreDataError.make(
                            NSCoreDataError,
                            "\(path) leads through \(prefix), which has many objects, and a cell shows one value.",
                            remedy: "Show \(prefix), and open its objects from there."
                        )
                    }
                }
            }
            return property
        }
    }

    private static func shape(_ entity: NSEntityDescription) -> Shape {
        var properties = summaries(entity.properties, subentity: nil)
        var names = Set(properties.map(\.name))
        let titles = titleProperties(entity)
        if let title = titles.first, let place = properties.firstIndex(where: { $0.name == title }) {
            properties.insert(properties.remove(at: place), at: 0)
        }
        for subentity in descendants(of: entity) {
            let added = subentity.properties.filter { names.insert($0.name).inserted }
            properties += summaries(added, subentity: subentity.name ?? "")
        }
        return Shape(
            name: entity.name ?? "",
            isAbstract: entity.isAbstract,
            parent: entity.superentity?.name,
            subentities: entity.subentities.compactMap(\.name).sorted(),
            properties: properties,
            titleProperties: titles
        )
    }

    private static func descendants(of entity: NSEntityDescription) -> [NSEntityDescription] {
        entity.subentities.sorted { ($0.name ?? "") < ($1.name ?? "") }.flatMap { [$0] + descendants(of: $0) }
    }

    /// Names of attributes by which people usually recognize an object, the best first.
    private static let titles = [
        "name", "title", "label", "displayname", "fullname", "lastname", "firstname", "subject", "question", "summary",
        "text", "caption", "username", "email", "code",
    ]

    private static func titleProperties(_ entity: NSEntityDescription) -> [String] {
        let texts = entity.attributesByName.values.filter {
            $0.attributeType == .stringAttributeType && !$0.isTransient
        }
        .map(\.name).sorted()
        func rank(_ name: String) -> Int {
            let name = name.lowercased()
            if let place = titles.firstIndex(of: name) { return place }
            return titles.firstIndex { name.hasSuffix($0) }.map { $0 + titles.count } ?? 2 * titles.count
        }
        return texts.map { (rank($0), $0) }.sorted { $0 < $1 }.map(\.1)
    }

    private static func summaries(_ properties: [NSPropertyDescription], subentity: String?) -> [PropertySummary] {
        let sorted = properties.sorted { $0.name < $1.name }
        let attributes = sorted.compactMap { $0 as? NSAttributeDescription }.map { summary($0, subentity) }
        let relationships = sorted.compactMap { $0 as? NSRelationshipDescription }.map { summary($0, subentity) }
        return attributes + relationships.filter { $0.kind == .toOne } + relationships.filter { $0.kind == .toMany }
    }

    private static func summary(_ attribute: NSAttributeDescription, _ subentity: String?) -> PropertySummary {
        let (type, cell) = kind(attribute.attributeType)
        let isStored = !attribute.isTransient
        var refusal: String?
        if attribute is NSDerivedAttributeDescription {
            refusal = "The store computes it from other values."
        } else if cell == .transformable {
            refusal = "Its class has no text form. It can be set to no value."
        } else if cell == .composite {
            refusal = "Edit its elements one by one, as \(attribute.name).ELEMENT."
        } else if attribute.attributeType == .objectIDAttributeType
            || attribute.attributeType == .undefinedAttributeType
        {
            refusal = "Attributes of this type have no text form."
        }
        return PropertySummary(
            name: attribute.name,
            kind: .attribute,
            type: type,
            cell: cell,
            isOptional: attribute.isOptional,
            isSortable: isStored && ![.transformable, .composite, .binary].contains(cell),
            isOrdered: false,
            subentity: subentity,
            refusal: refusal
        )
    }

    private static func summary(_ relationship: NSRelationshipDescription, _ subentity: String?) -> PropertySummary {
        let rule =
            switch relationship.deleteRule {
            case .noActionDeleteRule: "no action"
            case .nullifyDeleteRule: "nullify"
            case .cascadeDeleteRule: "cascade"
            case .denyDeleteRule: "deny"
            }
        let destination = relationship.destinationEntity?.name ?? ""
        return PropertySummary(
            name: relationship.name,
            kind: relationship.isToMany ? .toMany : .toOne,
            type: destination,
            cell: relationship.isToMany ? .toMany : .toOne,
            isOptional: relationship.isOptional,
            isSortable: false,
            isOrdered: relationship.isOrdered,
            destination: destination,
            inverse: relationship.inverseRelationship?.name,
            deleteRule: rule,
            subentity: subentity
        )
    }

    private static func kind(_ type: NSAttributeType) -> (String, CellKind) {
        switch type {
        case .integer16AttributeType: ("Integer 16", .number)
        case .integer32AttributeType: ("Integer 32", .number)
        case .integer64AttributeType: ("Integer 64", .number)
        case .decimalAttributeType: ("Decimal", .number)
        case .doubleAttributeType: ("Double", .number)
        case .floatAttributeType: ("Float", .number)
        case .stringAttributeType: ("String", .text)
        case .booleanAttributeType: ("Boolean", .boolean)
        case .dateAttributeType: ("Date", .date)
        case .binaryDataAttributeType: ("Binary", .binary)
        case .UUIDAttributeType: ("UUID", .uuid)
        case .URIAttributeType: ("URI", .uri)
        case .transformableAttributeType: ("Transformable", .transformable)
        case .objectIDAttributeType: ("Object ID", .text)
        case .compositeAttributeType: ("Composite", .composite)
        case .undefinedAttributeType: ("Undefined", .text)
        }
    }
}
