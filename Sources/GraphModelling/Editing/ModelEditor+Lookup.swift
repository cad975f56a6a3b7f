// Finds the parts that an edit names, and free names for new ones.
import GraphModel
import GraphModelFiles

extension ModelEditor {
    func entityIndex(_ name: String?) throws(ModelSessionError) -> Int {
        guard let index = model.entities.firstIndex(where: { $0.name == name }) else {
            throw missing("The model has no entity \(name ?? "").")
        }
        return index
    }

    func propertyIndex(_ place: ModelPlace) throws(ModelSessionError) -> (entity: Int, property: Int) {
        let entity = try entityIndex(place.entity)
        guard let index = model.entities[entity].properties.firstIndex(where: { $0.name == place.property }) else {
            throw missing("The entity \(place.entity ?? "") has no property \(place.property ?? "").")
        }
        return (entity, index)
    }

    func requestIndex(_ name: String?) throws(ModelSessionError) -> Int {
        guard let index = model.fetchRequestTemplates.firstIndex(where: { $0.name == name }) else {
            throw missing("The model has no fetch request \(name ?? "").")
        }
        return index
    }

    func configurationIndex(_ name: String?) throws(ModelSessionError) -> Int {
        guard let index = model.configurations.firstIndex(where: { $0.name == name }) else {
            throw missing("The model has no configuration \(name ?? "").")
        }
        return index
    }

    private func missing(_ message: String) -> ModelSessionError {
        ModelSessionError(.missing, message, remedy: "Reload the model: it may have been changed in another window.")
    }

    /// The entity and its subentities of all levels, by index.
    func family(of name: String) -> [Int] {
        model.entities.indices.filter { index in
            var seen: Set<String> = []
            var current: String? = model.entities[index].name
            while let step = current, seen.insert(step).inserted {
                if step == name { return true }
                current = model.entity(named: step)?.superentityName
            }
            return false
        }
    }

    /// The names of the properties of an entity, of its superentities and of its subentities.
    func propertyNames(around entity: String) -> Set<String> {
        var names = Set(model.allProperties(ofEntityNamed: entity).map(\.name))
        for index in family(of: entity) { names.formUnion(model.entities[index].properties.map(\.name)) }
        return names
    }

    /// The name, if it is free and can be used in Swift and SQL; a free one like `stem` for nil or an empty text.
    func checked(
        _ name: String?,
        like stem: String,
        among usedNames: Set<String>,
        _ kind: String,
        isIdentifier: Bool = true
    ) throws(ModelSessionError) -> String {
        guard let name, !name.isEmpty else {
            var number = 0
            var free = stem
            while usedNames.contains(free) {
                number += 1
                free = "\(stem)\(number)"
            }
            return free
        }
        guard !usedNames.contains(name) else {
            throw ModelSessionError(
                .invalidEdit,
                "There is another \(kind) named \(name).",
                remedy: "Choose another name."
            )
        }
        let start = name.first.map { $0.isLetter || $0 == "_" } ?? false
        let isUsable = start && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
        guard !isIdentifier || isUsable else {
            throw ModelSessionError(
                .invalidEdit,
                "\"\(name)\" cannot name a \(kind) of a class.",
                remedy: "Use letters, digits and underscores, and begin with a letter."
            )
        }
        return name
    }

    /// The names of all entities.
    var entityNames: Set<String> { Set(model.entities.map(\.name)) }
}
