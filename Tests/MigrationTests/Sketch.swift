// A model for the tests of random changes: entities, attributes and relationships as values, written as Xcode's XML. It
// is independent of the framework, so that expectations do not derive from the code under test.

/// A version of a model.
struct Sketch {
    struct Attribute {
        var name: String
        var type: String
        var isOptional = true
        var defaultText: String?
        /// The renaming identifier.
        var former: String?
        var more = ""
    }

    struct Relation {
        var name: String
        var destination: String
        var inverse: String
        var isMany: Bool
        var isOrdered = false
        var former: String?
    }

    struct Entity {
        var name: String
        var parent: String?
        var isAbstract = false
        var attributes: [Attribute] = []
        var relations: [Relation] = []
        var former: String?
    }

    var entities: [Entity] = []

    // MARK: Lookup

    func index(_ name: String) -> Int? { entities.firstIndex { $0.name == name } }

    /// The entity and its superentities, itself first.
    func lineage(_ name: String) -> [Entity] {
        var result: [Entity] = []
        var next: String? = name
        while let current = next, let place = index(current) {
            result.append(entities[place])
            next = entities[place].parent
        }
        return result
    }

    /// The entity and all its subentities.
    func family(_ name: String) -> [Entity] { entities.filter { lineage($0.name).contains { $0.name == name } } }

    func attributes(_ name: String) -> [Attribute] { lineage(name).flatMap(\.attributes) }
    func relations(_ name: String) -> [Relation] { lineage(name).flatMap(\.relations) }
    var concrete: [Entity] { entities.filter { !$0.isAbstract } }

    /// The declaration of a relationship: indexes of the entity and of the relationship.
    func place(ofRelation name: String) -> (entity: Int, relation: Int)? {
        for (index, entity) in entities.enumerated() {
            if let relation = entity.relations.firstIndex(where: { $0.name == name }) { return (index, relation) }
        }
        return nil
    }

    // MARK: Writing

    /// The content of `<model>`.
    var text: String { entities.map(Self.text).joined() }

    private static func text(_ entity: Entity) -> String {
        var head = "name=\"\(entity.name)\""
        if let parent = entity.parent { head += " parentEntity=\"\(parent)\"" }
        if entity.isAbstract { head += " isAbstract=\"YES\"" }
        if let former = entity.former { head += " elementID=\"\(former)\"" }
        return "<entity \(head)>" + entity.attributes.map(text).joined() + entity.relations.map(text).joined()
            + "</entity>"
    }

    private static func text(_ attribute: Attribute) -> String {
        var xml = "name=\"\(attribute.name)\" attributeType=\"\(attribute.type)\""
        if attribute.isOptional { xml += " optional=\"YES\"" }
        if let value = attribute.defaultText {
            xml += (attribute.type == "Date" ? " defaultDateTimeInterval=" : " defaultValueString=") + "\"\(value)\""
        }
        if let former = attribute.former { xml += " elementID=\"\(former)\"" }
        return "<attribute \(xml) \(attribute.more)/>"
    }

    private static func text(_ relation: Relation) -> String {
        var xml = "name=\"\(relation.name)\" optional=\"YES\" destinationEntity=\"\(relation.destination)\" "
        xml += "inverseName=\"\(relation.inverse)\" inverseEntity=\"\(relation.destination)\" "
        xml += relation.isMany ? "toMany=\"YES\"" : "maxCount=\"1\""
        if relation.isOrdered { xml += " ordered=\"YES\"" }
        if let former = relation.former { xml += " elementID=\"\(former)\"" }
        return "<relationship \(xml)/>"
    }
}
