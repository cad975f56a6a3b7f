// Guesses which removed part an added one replaces: a renaming without a renaming identifier. Called by
// MigrationVerdict and its remedies. Migrations do not use the guesses.

struct LookAlikes {
    /// Old entity names by new ones, matched as in a migration.
    let entities: [String: String]
    /// Sentences about probable renamings and wrong renaming identifiers.
    private(set) var notes: [String] = []
    private var properties: [String: [String: String]] = [:]

    init(_ old: Model, _ new: Model) {
        entities = NameMatching.match(
            source: old.entities.map(\.versionedName),
            destination: new.entities.map(\.versionedName)
        )
        addEntities(old, new)
        let oldEntities = old.entitiesByName()
        for entity in new.entities {
            guard let name = entities[entity.name], let former = oldEntities[name], former != entity else { continue }
            addProperties(of: entity, former)
            checkIdentifiers(of: entity, old.allProperties(ofEntityNamed: name))
        }
    }

    /// The probable former name of a new property.
    func formerName(ofProperty name: String, entity: String) -> String? { properties[entity]?[name] }

    private mutating func addEntities(_ old: Model, _ new: Model) {
        var removed = old.entities.filter { !entities.values.contains($0.name) }
        for entity in new.entities where entities[entity.name] == nil {
            let best = removed.max { Self.likeness($0, entity) < Self.likeness($1, entity) }
            if let best, Self.likeness(best, entity) >= 0.6 {
                removed.removeAll { $0.name == best.name }
                notes.append(
                    "\(entity.name) looks like \(best.name), whose objects are removed: if it is the same, set the "
                        + "renaming identifier of \(entity.name) to \(best.name)."
                )
            } else if let identifier = entity.renamingIdentifier, identifier != entity.name {
                notes.append(
                    "The renaming identifier \(identifier) of \(entity.name) names no entity of the older version."
                )
            }
        }
    }

    private mutating func addProperties(of entity: Entity, _ former: Entity) {
        let names = ModelComparison.match(former.properties, entity.properties)
        let matchedNames = Set(names.values)
        var removed = former.properties.filter { !matchedNames.contains($0.place) && $0.isHashedByEntity }
        for property in entity.properties where names[property.place] == nil && property.isHashedByEntity {
            let scores = removed.map { Self.likeness($0, property) }
            guard let best = scores.indices.max(by: { scores[$0] < scores[$1] }) else { continue }
            let added = entity.properties.filter { names[$0.place] == nil && Self.isLike($0, property) }
            let isOnlyOne = added.count == 1 && removed.filter { Self.isLike($0, property) }.count == 1
            guard scores[best] >= 0.5 || (isOnlyOne && Self.isLike(removed[best], property)) else { continue }
            let match = removed.remove(at: best)
            properties[entity.name, default: [:]][property.name] = match.name
            notes.append(
                "\(entity.name).\(property.name) looks like \(match.name), whose values are removed: if it is the "
                    + "same, set the renaming identifier of \(property.name) to \(match.name)."
            )
        }
    }

    private mutating func checkIdentifiers(of entity: Entity, _ former: [Property]) {
        let names = ModelComparison.match(former, entity.properties)
        for property in entity.properties where names[property.place] == nil {
            guard let identifier = property.common.renamingIdentifier, identifier != property.name else { continue }
            notes.append(
                "The renaming identifier \(identifier) of \(entity.name).\(property.name) names no \(property.sort) of "
                    + "the older version."
            )
        }
    }

    // MARK: Likeness, from 0 to 1

    private static func likeness(_ old: Entity, _ new: Entity) -> Double {
        let (before, after) = (Set(old.properties.map(\.name)), Set(new.properties.map(\.name)))
        let all = before.union(after).count
        let shared = all == 0 ? 0 : Double(before.intersection(after).count) / Double(all)
        // Few properties are weak evidence, so the names must be similar too.
        return min(before.count, after.count) >= 3 ? shared : shared * likeness(old.name, new.name)
    }

    private static func likeness(_ old: Property, _ new: Property) -> Double {
        // A property of the same type ranks before others, even if the names have nothing in common.
        isLike(old, new) ? max(likeness(old.name, new.name), 0.01) : 0
    }

    /// Whether the two properties could hold the same values.
    private static func isLike(_ old: Property, _ new: Property) -> Bool {
        switch (old, new) {
        case (.attribute(let before), .attribute(let after)):
            before.type == after.type
        case (.relationship(let before), .relationship(let after)):
            before.destinationEntityName == after.destinationEntityName && before.isToMany == after.isToMany
        default:
            false
        }
    }

    /// The similarity of two names: the share of the longest common run of letters, ignoring case.
    static func likeness(_ first: String, _ second: String) -> Double {
        let (firstLetters, secondLetters) = (Array(first.lowercased()), Array(second.lowercased()))
        guard !firstLetters.isEmpty, !secondLetters.isEmpty else { return 0 }
        var longest = 0
        var row = [Int](repeating: 0, count: secondLetters.count + 1)
        for letter in firstLetters {
            var diagonal = 0
            for (index, candidate) in secondLetters.enumerated() {
                let above = row[index + 1]
                row[index + 1] = letter == candidate ? diagonal + 1 : 0
                longest = max(longest, row[index + 1])
                diagonal = above
            }
        }
        return longest < 3 ? 0 : Double(longest) / Double(min(firstLetters.count, secondLetters.count))
    }
}
