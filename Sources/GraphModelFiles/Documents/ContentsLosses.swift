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
        for (wantedTemplate, readTemplate) in zip(wanted.fetchRequestTemplates, read.fetchRequestTemplates)
        where wantedTemplate != readTemplate {
            lose("a part of the fetch request \(wantedTemplate.name)")
        }
        let entities = read.entitiesByName()
        for entity in wanted.entities {
            guard let readEntity = entities[entity.name] else { continue }
            let properties = Dictionary(readEntity.properties.map { ($0.name, $0) }) { first, _ in first }
            for property in entity.properties {
                guard let read = properties[property.name] else { continue }
                for part in parts(property, read) { lose(part, entity: entity.name, property: property.name) }
            }
            for (wantedIndex, readIndex) in zip(entity.indexes, readEntity.indexes) where wantedIndex != readIndex {
                lose("a part of the fetch index \(wantedIndex.name)", entity: entity.name)
            }
        }
        return losses
    }

    /// The parts of a property that differ after reading it back.
    private static func parts(_ property: Property, _ read: Property) -> [String] {
        var parts: [String] = []
        let (rules, readRules) = (property.common.validations, read.common.validations)
        // One rule may have been split into two bounds.
        if rules != readRules, rules.flatMap(\.bounds) != readRules.flatMap(\.bounds) {
            parts.append("a validation rule")
        }
        switch (property, read) {
        case (.attribute(let wanted), .attribute(let read)):
            if wanted.defaultValue != read.defaultValue { parts.append("the default value") }
            for (element, readElement) in zip(wanted.elements, read.elements) {
                parts += self.parts(.attribute(element), .attribute(readElement)).map { "\($0) of \(element.name)" }
            }
        case (.relationship(let wanted), .relationship(let read)):
            if (wanted.minCount, wanted.maxCount) != (read.minCount, read.maxCount) { parts.append("a negative count") }
        case (.fetched(let wanted), .fetched(let read)):
            var (wantedRequest, readRequest) = (wanted.request, read.request)
            (wantedRequest.name, readRequest.name) = ("", "")
            if wantedRequest != readRequest { parts.append("a part of the fetch request") }
        default: break
        }
        return parts
    }
}
