// The order in which Xcode writes attributes and elements, as seen in its files. Called by ContentsElement,
// ContentsPatch and ContentsWriter. The order of two attributes is a guess if no collected file contains both.

/// Xcode's order of attributes and elements in the files of models.
enum ContentsOrder {
    private static let property = [
        "indexed", "elementID", "spotlightIndexingEnabled", "storedInTruthFile", "versionHashModifier", "readOnly",
        "syncable",
    ]

    private static let attributes: [String: [String]] = [
        "model": [
            "name", "type", "documentVersion", "lastSavedToolsVersion", "systemVersion", "minimumToolsVersion",
            "macOSVersion", "iOSVersion", "sourceLanguage", "usedWithCloudKit", "usedWithSwiftData",
            "userDefinedModelVersionIdentifier",
        ],
        "entity": [
            "name", "representedClassName", "isAbstract", "parentEntity", "elementID", "versionHashModifier",
            "coreSpotlightDisplayNameExpression", "syncable", "codeGenerationType",
        ],
        "attribute": [
            "name", "optional", "transient", "attributeType", "composite", "valueTransformerName", "customClassName",
            "allowsExternalBinaryDataStorage", "minDateTimeInterval", "minValueString", "maxDateTimeInterval",
            "maxValueString", "defaultDateTimeInterval", "defaultValueString", "regularExpressionString", "derived",
            "derivationExpression", "allowsCloudEncryption", "usesScalarValueType", "preserveAfterDeletion",
        ] + property,
        "relationship": [
            "name", "optional", "transient", "toMany", "minCount", "maxCount", "deletionRule", "ordered",
            "destinationEntity", "inverseName", "inverseEntity",
        ] + property,
        "fetchedProperty": ["name", "optional", "transient"] + property,
        "fetchRequest": [
            "name", "entity", "predicateString", "resultType", "fetchLimit", "fetchBatchSize", "includeSubentities",
            "includePropertyValues", "includesPendingChanges", "returnObjectsAsFaults", "returnDistinctResults",
        ],
        "fetchIndex": ["name", "partialIndexPredicate"],
        "fetchIndexElement": ["property", "expression", "expressionType", "type", "order"],
        "element": ["name", "positionX", "positionY", "width", "height"],
        "entry": ["key", "value"],
    ]

    private static let children: [String: [String]] = [
        "model": ["entity", "fetchRequest", "configuration", "composite", "elements"],
        "entity": [
            "attribute", "relationship", "fetchedProperty", "compoundIndexes", "fetchIndex", "uniquenessConstraints",
            "userInfo",
        ],
        "fetchedProperty": ["fetchRequest", "userInfo"],
    ]

    /// The attributes that precede the given one; for an unknown attribute, all of the element's.
    static func attributesBefore(_ attribute: String, of element: String) -> Set<String> {
        guard let order = attributes[element], let place = order.firstIndex(of: attribute) else {
            return Set(attributes[element] ?? [])
        }
        return Set(order[..<place])
    }

    /// The kinds of elements up to and including the given one; nil if its order is unknown.
    static func elementsUpTo(_ child: String, in element: String) -> Set<String>? {
        guard let order = children[element], let place = order.firstIndex(of: child) else { return nil }
        return Set(order[...place])
    }

    /// Sorts attributes by Xcode's order; unknown ones go last and keep their order.
    static func sorted(_ list: [ContentsElement.Attribute], of element: String) -> [ContentsElement.Attribute] {
        var order = attributes[element] ?? []
        if element == "model", isOfOldTools(list) {
            // Until version 8, Xcode wrote the identifier first.
            order = ["name", "userDefinedModelVersionIdentifier"] + order
        }
        let places = Dictionary(zip(order, order.indices), uniquingKeysWith: { first, _ in first })
        return list.enumerated().sorted { left, right in
            (places[left.element.name] ?? order.count, left.offset)
                < (places[right.element.name] ?? order.count, right.offset)
        }
        .map(\.element)
    }

    private static func isOfOldTools(_ list: [ContentsElement.Attribute]) -> Bool {
        if list.contains(where: { $0.name == "macOSVersion" }) { return true }
        let version = list.first { $0.name == "lastSavedToolsVersion" }.flatMap { Double($0.value) } ?? 0
        // Version 1 was never released.
        return version > 1 && version < 11_000
    }

    /// Sorts elements by kind, unknown kinds last; elements of one kind keep their order.
    static func sorted(_ list: [ContentsElement.Child], in element: String) -> [ContentsElement.Child] {
        let order = children[element] ?? []
        return list.enumerated().sorted { left, right in
            let places = [left, right].map {
                $0.element.element.flatMap { order.firstIndex(of: $0.name) } ?? order.count
            }
            return (places[0], left.offset) < (places[1], right.offset)
        }
        .map(\.element)
    }
}
