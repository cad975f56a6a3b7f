// The model in a compiled .mom or in a store's model cache, as far as version hashes need it. For tests only.
import Foundation
import GraphModel

/// Reads what is hashed out of an archived `NSManagedObjectModel`.
struct ArchivedModel {
    private typealias Value = KeyedArchive.Value
    private let archive: KeyedArchive

    /// The model: entities with their stored properties, nothing else.
    static func read(_ data: Data) throws -> Model {
        let reader = ArchivedModel(archive: try KeyedArchive(data))
        let model = reader.dictionary(reader.archive.root)
        var result = Model(
            entities: reader.collection(model["NSEntities"]).map { reader.entity(reader.dictionary($0)) }
        )
        // An archived subentity holds copies of what it inherits.
        for index in result.entities.indices {
            guard let parent = result.entities[index].superentityName else { continue }
            let inherited = Set(result.allProperties(ofEntityNamed: parent).map(\.name))
            result.entities[index].properties.removeAll { inherited.contains($0.name) }
        }
        return result
    }

    private func entity(_ object: [String: Value]) -> Entity {
        let superentity = dictionary(object["NSSuperentity"])
        return Entity(
            name: string(object["NSEntityName"]) ?? "",
            superentityName: string(superentity["NSEntityName"]),
            isAbstract: flag(object["NSIsAbstract"]),
            properties: collection(object["NSProperties"]).map { property(dictionary($0)) },
            uniquenessConstraints: collection(object["NSUniqueTuples"]).map { tuple in
                collection(tuple).compactMap { string($0) }
            },
            versionHashModifier: string(object["NSVersionHashModifier"])
        )
    }

    private func property(_ object: [String: Value]) -> Property {
        let common = PropertyCommon(
            name: string(object["NSPropertyName"]) ?? "",
            isOptional: flag(object["NSIsOptional"]),
            isTransient: flag(object["NSIsTransient"]),
            isReadOnly: flag(object["NSIsReadOnly"]),
            versionHashModifier: string(object["NSVersionHashModifier"])
        )
        switch className(object) {
        case "NSRelationshipDescription":
            return .relationship(
                Relationship(
                    common: common,
                    destinationEntityName: string(object["_NSDestinationEntityName"]) ?? "",
                    inverseName: string(object["_NSInverseRelationshipName"]),
                    minCount: integer(object["NSMinCount"]),
                    maxCount: integer(object["NSMaxCount"]),
                    isOrdered: flag(object["NSIsOrdered"])
                )
            )
        case "NSFetchedPropertyDescription":
            return .fetched(FetchedProperty(common: common, request: FetchRequestTemplate(name: "", entityName: "")))
        default:
            return .attribute(attribute(object, common))
        }
    }

    private func attribute(_ object: [String: Value], _ common: PropertyCommon) -> Attribute {
        let flags = integer(object["NSFlagsKey"])
        var attribute = Attribute(
            common: common,
            type: AttributeType(rawValue: integer(object["NSAttributeType"])) ?? .undefined
        )
        attribute.preservesValueInHistoryOnDeletion = flags & 16 != 0
        if object["NSDerivationExpression"] != nil {
            attribute.derivationExpressionFormat = format(dictionary(object["NSDerivationExpression"]))
        }
        attribute.elements = collection(object["NSCompositeElements"]).compactMap { element in
            guard case .attribute(let attribute) = property(dictionary(element)) else { return nil }
            return attribute
        }
        return attribute
    }

    /// A derivation expression: a key path, or a function of one.
    private func format(_ expression: [String: Value]) -> String {
        switch className(expression) {
        case "NSFunctionExpression":
            let arguments = collection(expression["NSArguments"]).map { format(dictionary($0)) }
            return "\(string(expression["NSSelectorName"]) ?? "")(\(arguments.joined(separator: ", ")))"
        case "NSKeyPathExpression":
            return collection(expression["NSArguments"]).map { format(dictionary($0)) }.joined(separator: ".")
        default:
            return string(expression["NSKeyPath"]) ?? ""
        }
    }

    private func className(_ object: [String: Value]) -> String {
        string(dictionary(object["$class"])["$classname"]) ?? ""
    }

    private func dictionary(_ value: Value?) -> [String: Value] {
        if case .dictionary(let dictionary) = archive.resolved(value) { dictionary } else { [:] }
    }

    /// The members of an archived array, set or dictionary.
    private func collection(_ value: Value?) -> [Value] {
        switch archive.resolved(value) {
        case .array(let values): values
        case .dictionary(let object): collection(object["NS.objects"] ?? object["values"])
        default: []
        }
    }

    private func string(_ value: Value?) -> String? {
        switch archive.resolved(value) {
        case .string(let text): text == "$null" ? nil : text
        case .dictionary(let object): object["NS.string"].flatMap { string($0) }
        default: nil
        }
    }

    private func integer(_ value: Value?) -> Int {
        if case .integer(let number) = archive.resolved(value) { number } else { 0 }
    }

    private func flag(_ value: Value?) -> Bool {
        switch archive.resolved(value) {
        case .boolean(let flag): flag
        case .integer(let number): number != 0
        default: false
        }
    }
}
