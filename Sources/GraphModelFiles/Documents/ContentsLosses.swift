// Lists the parts of a model that a `contents` file cannot represent: default values of classes, sort orders of stored
// requests, rules that are not bounds. Compiled models and models built in code may have them. Called by ModelDocument
// with a model and the result of reading it back.
import GraphModel

enum ContentsLosses {
    /// The parts of a model that are missing from the model read back from its text.
    ///
    /// O(n) in its properties.
    static func list(of wanted: Model, writtenAs read: Model) -> [ModelProblem] {
        var losses: [ModelProblem] = []
        func lose(_ what: String, entity: String? = nil, property: String? = nil) {
            losses.append(
                ModelProblem(
                    .invalidValue,
                    entity: entity,
                    property: property,
                    reason: "\(what) cannot be written as XML and is left out."
                )
            )
        }
        if wanted.versionIdentifiers != read.versionIdentifiers {
            lose("the version identifiers \(wanted.versionIdentifiers.dropFirst().joined(separator: ", "))")
        }
        for (one, other) in zip(wanted.fetchRequestTemplates, read.fetchRequestTemplates) where one != other {
            lose("a part of the fetch request \(one.name)")
        }
        let entities = read.entitiesByName()
        for entity in wanted.entities {
            guard let other = entities[entity.name] else { continue }
            let properties = Dictionary(other.properties.map { ($0.name, $0) }) { first, _ in first }
            for property in entity.properties {
                guard let read = properties[property.name] else { continue }
                for part in parts(property, read) { lose(part, entity: entity.name, property: property.name) }
            }
            for (one, other) in zip(entity.indexes, other.indexes) where one != other {
                lose("a part of the fetch index \(one.name)", entity: entity.name)
            }
        }
        return losses
    }

    /// The parts of a property that differ after reading it back.
    private static func parts(_ property: Property, _ read: Property) -> [String] {
        var parts: [String] = []
        let (rules, others) = (property.common.validations, read.common.validations)
        // One rule may have been split into two bounds.
        if rules != others, rules.flatMap(\.bounds) != others.flatMap(\.bounds) { parts.append("a validation rule") }
        switch (property, read) {
        case (.attribute(let one), .attribute(let other)):
            if one.defaultValue != other.defaultValue { parts.append("the default value") }
            for (element, other) in zip(one.elements, other.elements) {
                parts += self.parts(.attribute(element), .attribute(other)).map { "\($0) of \(element.name)" }
            }
        case (.relationship(let one), .relationship(let other)):
            if (one.minCount, one.maxCount) != (other.minCount, other.maxCount) { parts.append("a negative count") }
        case (.fetched(let one), .fetched(let other)):
            var (one, other) = (one.request, other.request)
            (one.name, other.name) = ("", "")
            if one != other { parts.append("a part of the fetch request") }
        default: break
        }
        return parts
    }
}
