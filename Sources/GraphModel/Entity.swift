/// An entity: a kind of object with its properties.
package struct Entity: Sendable, Hashable {
    package var name: String
    /// The class as the model spells it: `Task`, `App.Task`, `.Task`, or nil for `NSManagedObject`.
    package var className: String?
    package var codeGeneration: CodeGeneration
    package var superentityName: String?
    package var isAbstract: Bool
    /// The properties that the entity declares, without inherited ones, in the order of the file.
    package var properties: [Property]
    /// Each constraint is a list of attribute names.
    package var uniquenessConstraints: [[String]]
    package var indexes: [FetchIndex]
    /// The indexes over several properties in models older than fetch indexes: lists of property names.
    package var compoundIndexes: [[String]]
    package var renamingIdentifier: String?
    package var versionHashModifier: String?
    package var userInfo: [String: String]
    /// The expression for an object's name in Spotlight.
    package var spotlightNameFormat: String?

    package init(
        name: String,
        className: String? = nil,
        codeGeneration: CodeGeneration = .manual,
        superentityName: String? = nil,
        isAbstract: Bool = false,
        properties: [Property] = [],
        uniquenessConstraints: [[String]] = [],
        indexes: [FetchIndex] = [],
        compoundIndexes: [[String]] = [],
        renamingIdentifier: String? = nil,
        versionHashModifier: String? = nil,
        userInfo: [String: String] = [:],
        spotlightNameFormat: String? = nil
    ) {
        self.name = name
        self.className = className
        self.codeGeneration = codeGeneration
        self.superentityName = superentityName
        self.isAbstract = isAbstract
        self.properties = properties
        self.uniquenessConstraints = uniquenessConstraints
        self.indexes = indexes
        self.compoundIndexes = compoundIndexes
        self.renamingIdentifier = renamingIdentifier
        self.versionHashModifier = versionHashModifier
        self.userInfo = userInfo
        self.spotlightNameFormat = spotlightNameFormat
    }

    package var attributes: [Attribute] {
        properties.compactMap { if case .attribute(let attribute) = $0 { attribute } else { nil } }
    }
    /// Whether Apple's compiler marks an attribute as indexed: it is the only element of an index, ascending.
    package func marksAsIndexed(_ property: Property) -> Bool {
        guard case .attribute = property else { return false }
        return indexes.contains { index in
            guard index.elements.count == 1, index.partialPredicateFormat == nil, let element = index.elements.first
            else { return false }
            return element.propertyName == property.name && element.isAscending && !element.isRTree
        }
    }

    package var relationships: [Relationship] {
        properties.compactMap { if case .relationship(let relationship) = $0 { relationship } else { nil } }
    }
    package var fetchedProperties: [FetchedProperty] {
        properties.compactMap { if case .fetched(let fetched) = $0 { fetched } else { nil } }
    }
}
