// Edits that set one field of the model, an entity, a request or a configuration. Fields have the names that pages of
// the studio send.
import GraphModel

extension ModelEditor {
    mutating func set(
        _ field: String,
        of place: ModelPlace,
        to value: ModelEditValue
    ) throws(ModelSessionError) -> String {
        if place.property != nil {
            try setProperty(field, of: place, to: value)
        } else if let name = place.entity {
            try setEntity(field, of: try entityIndex(name), to: value, place)
        } else if place.request != nil {
            let index = try requestIndex(place.request)
            var request = model.fetchRequestTemplates[index]
            try set(field, of: &request, to: value, place)
            model.fetchRequestTemplates[index] = request
        } else if place.configuration != nil {
            try setConfiguration(field, to: value, place)
        } else {
            try setModel(field, to: value)
            return "Change the model's \(Self.words(field))"
        }
        return "Change \(Self.words(field)) of \(place.description)"
    }

    /// The name of a field in prose: `isOptional` as `optional`, `deleteRule` as `delete rule`.
    private static func words(_ field: String) -> String {
        let name = field.hasPrefix("is") ? field.dropFirst(2) : field[...]
        return name.map { $0.isUppercase ? " \($0.lowercased())" : String($0) }.joined()
            .trimmingPrefix(" ").description
    }

    private mutating func setModel(_ field: String, to value: ModelEditValue) throws(ModelSessionError) {
        let place = ModelPlace()
        switch field {
        case "identifier": model.versionIdentifiers = [try value.optionalText(field, place) ?? ""]
        case "language": setHeader("sourceLanguage", to: try value.optionalText(field, place))
        case "minimumTools": setHeader("minimumToolsVersion", to: try value.optionalText(field, place))
        case "isUsedWithCloudKit": setHeader("usedWithCloudKit", to: try value.flag(field, place) ? "YES" : nil)
        case "isUsedWithSwiftData": setHeader("usedWithSwiftData", to: try value.flag(field, place) ? "YES" : nil)
        default: throw ModelEditValue.unknown(field, place)
        }
    }

    private mutating func setConfiguration(
        _ field: String,
        to value: ModelEditValue,
        _ place: ModelPlace
    ) throws(ModelSessionError) {
        let index = try configurationIndex(place.configuration)
        switch field {
        case "entities":
            let names = try value.texts(field, place)
            for name in names { _ = try entityIndex(name) }
            var seen: Set<String> = []
            model.configurations[index].entityNames = names.filter { seen.insert($0).inserted }
        case "isUsedWithCloudKit":
            let name = model.configurations[index].name
            setConfiguration(name, "usedWithCloudKit", to: try value.flag(field, place) ? "YES" : nil)
        default: throw ModelEditValue.unknown(field, place)
        }
    }

    private mutating func setEntity(
        _ field: String,
        of index: Int,
        to value: ModelEditValue,
        _ place: ModelPlace
    ) throws(ModelSessionError) {
        var entity = model.entities[index]
        switch field {
        case "className":
            let module = EntityClassName(entity.className).module
            entity.className = EntityClassName(name: try value.optionalText(field, place), module: module).text
        case "module":
            let name = EntityClassName(entity.className).name
            let module: String? = if case .none = value { nil } else { try value.text(field, place) }
            entity.className = EntityClassName(name: name, module: module).text
        case "codeGeneration":
            let title = try value.text(field, place)
            let all: [CodeGeneration] = [.manual, .classDefinition, .category]
            guard let choice = all.first(where: { $0.title == title }) else {
                throw ModelEditValue.notAmong(all.map(\.title), field, place)
            }
            entity.codeGeneration = choice
        case "superentity":
            let name = try value.optionalText(field, place)
            if let name {
                _ = try entityIndex(name)
                guard !family(of: entity.name).contains(where: { model.entities[$0].name == name }) else {
                    throw ModelSessionError(
                        .invalidEdit,
                        "\(name) is \(entity.name) itself or inherits from it.",
                        remedy: "Choose an entity outside the hierarchy of \(entity.name).",
                        place: place
                    )
                }
            }
            entity.superentityName = name
        case "isAbstract": entity.isAbstract = try value.flag(field, place)
        case "renamingIdentifier": entity.renamingIdentifier = try value.optionalText(field, place)
        case "hashModifier": entity.versionHashModifier = try value.optionalText(field, place)
        case "spotlightName": entity.spotlightNameFormat = try value.optionalText(field, place)
        case "userInfo": entity.userInfo = try value.entries(field, place)
        case "constraints": entity.uniquenessConstraints = try value.lists(field, place)
        case "compoundIndexes": entity.compoundIndexes = try value.lists(field, place)
        case "indexes": entity.indexes = try indexes(value, field, place)
        default: throw ModelEditValue.unknown(field, place)
        }
        model.entities[index] = entity
    }

    private func indexes(
        _ value: ModelEditValue,
        _ field: String,
        _ place: ModelPlace
    ) throws(ModelSessionError) -> [FetchIndex] {
        var names: Set<String> = []
        var result: [FetchIndex] = []
        for index in try value.indexes(field, place) {
            guard !index.name.isEmpty, names.insert(index.name).inserted, !index.elements.isEmpty else {
                throw ModelSessionError(
                    .invalidEdit,
                    "A fetch index needs a name of its own and at least one element.",
                    remedy: "Name the index, and choose a property for it.",
                    place: place
                )
            }
            result.append(
                FetchIndex(
                    name: index.name,
                    elements: index.elements.map {
                        FetchIndexElement(
                            propertyName: $0.property,
                            expressionFormat: $0.expression,
                            isRTree: $0.isRTree,
                            isAscending: $0.isAscending
                        )
                    },
                    partialPredicateFormat: index.predicate?.isEmpty == true ? nil : index.predicate
                )
            )
        }
        return result
    }

    /// Sets a field of a stored request.
    func set(
        _ field: String,
        of request: inout FetchRequestTemplate,
        to value: ModelEditValue,
        _ place: ModelPlace
    ) throws(ModelSessionError) {
        switch field {
        case "entity":
            let name = try value.text(field, place)
            _ = try entityIndex(name)
            request.entityName = name
        case "predicate": request.predicateFormat = try value.optionalText(field, place)
        case "fetchLimit": request.fetchLimit = try value.count(field, place)
        case "batchSize": request.fetchBatchSize = try value.count(field, place)
        case "resultType":
            let title = try value.text(field, place)
            guard let type = RequestPicture.resultTypes.first(where: { $0.title == title }) else {
                throw ModelEditValue.notAmong(RequestPicture.resultTypes.map(\.title), field, place)
            }
            request.resultType = type.value
        case "includesSubentities": request.includesSubentities = try value.flag(field, place)
        case "includesPropertyValues": request.includesPropertyValues = try value.flag(field, place)
        case "returnsFaults": request.returnsObjectsAsFaults = try value.flag(field, place)
        case "returnsDistinct": request.returnsDistinctResults = try value.flag(field, place)
        case "includesPending": request.includesPendingChanges = try value.flag(field, place)
        default: throw ModelEditValue.unknown(field, place)
        }
    }
}
