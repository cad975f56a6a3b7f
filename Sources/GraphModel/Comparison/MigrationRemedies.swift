// Remedies for changes that lightweight migration rejects. Called by MigrationVerdict. Determines the case from both
// versions, as the reasons are texts for people.

struct MigrationRemedies {
    let old: Model
    let new: Model
    let similar: LookAlikes

    func remedy(for problem: MappingProblems.Problem) -> String {
        guard let name = problem.property else {
            return "Leave the hierarchies apart, or migrate with a mapping model."
        }
        let property = property(name, of: problem.entity, in: new)
        if case .relationship(let relationship) = property { return remedy(for: relationship, of: problem.entity) }
        let former = formerAttribute(of: name, in: problem.entity)
        guard let former, case .attribute(let attribute)? = property else {
            return remedy(forNew: name, of: problem.entity)
        }
        if former.type != attribute.type, NumberConversion(from: former.type, to: attribute.type) == nil {
            return "Keep \(former.name) as \(former.type.title) and add an attribute of another name as "
                + "\(attribute.type.title), filled by a custom stage of a staged migration; or migrate with a mapping "
                + "model."
        }
        return "Give \(name) a default value, which objects without a value then get; or leave it optional."
    }

    private func remedy(forNew name: String, of entity: String) -> String {
        let plain = "Give \(name) a default value, or make it optional"
        guard let guess = similar.formerName(ofProperty: name, entity: entity) else { return plain + "." }
        return "\(plain); if it replaces \(guess), set its renaming identifier to \(guess)."
    }

    private func remedy(for relationship: Relationship, of entity: String) -> String {
        let byName = new.entitiesByName()
        let matches = similar.entities
        let former = matches[entity].map { old.allProperties(ofEntityNamed: $0) } ?? []
        let after = byName[entity].map { new.allProperties(ofEntityNamed: $0.name) } ?? []
        let place = ModelComparison.match(former, after)[.init(sort: "relationship", name: relationship.name)]
        guard case .relationship(let before)? = former.first(where: { $0.place == place }) else {
            return "Migrate with a mapping model."
        }
        if before.isToMany, !relationship.isToMany {
            return
                "Keep \(before.name) to-many and add a to-one relationship of another name, for which a custom stage "
                + "of a staged migration chooses the object; or migrate with a mapping model."
        }
        let target = relationship.destinationEntityName
        if matches[target] != before.destinationEntityName {
            let isFree = !matches.values.contains(before.destinationEntityName)
            let hint =
                isFree
                ? "If \(target) replaces \(before.destinationEntityName), set the renaming identifier of \(target) "
                    + "to \(before.destinationEntityName); else " : ""
            let rest =
                "give the new relationship another name, so that \(before.name) is removed; or migrate with a mapping "
                + "model."
            return hint.isEmpty ? rest.prefix(1).uppercased() + rest.dropFirst() : hint + rest
        }
        return "Keep \(before.inverseName ?? "the inverse") as the inverse, or set renaming identifiers that say which "
            + "relationship became which; or migrate with a mapping model."
    }

    private func property(_ path: String, of entity: String, in model: Model) -> Property? {
        let name = path.split(separator: ".").first.map(String.init) ?? path
        return model.allProperties(ofEntityNamed: entity).first { $0.name == name }
    }

    private func formerAttribute(of name: String, in entity: String) -> Attribute? {
        guard let formerEntity = similar.entities[entity] else { return nil }
        let former = old.allProperties(ofEntityNamed: formerEntity)
        let names = ModelComparison.match(former, new.allProperties(ofEntityNamed: entity))
        let place = names[.init(sort: "attribute", name: name)]
        guard case .attribute(let attribute)? = former.first(where: { $0.place == place }) else { return nil }
        return attribute
    }
}
