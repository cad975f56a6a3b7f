// Converts models to the elements of a `contents` file, in Xcode's order and with the attributes that Xcode writes.
// Called by ModelDocument; ContentsReader does the reverse. It leaves out parts that XML cannot represent;
// ModelDocument detects them by reading the result back.
import Foundation
import GraphModel

/// Creates the elements of a model.
struct ContentsWriter {
    /// Whether to write the `syncable` attribute of properties, as Xcode did until version 10.
    let saysSyncable: Bool
    /// The composite types by name, in the order in which attributes name them.
    private var composites: [(name: String, elements: [Attribute])] = []

    /// `<model>` with the whole content of a model; its only header attribute is the version identifier.
    static func root(of model: Model, saysSyncable: Bool = false) -> ContentsElement {
        var writer = ContentsWriter(saysSyncable: saysSyncable)
        return writer.root(model)
    }

    private init(saysSyncable: Bool) {
        self.saysSyncable = saysSyncable
    }

    private mutating func root(_ model: Model) -> ContentsElement {
        var root = ContentsElement("model", [("userDefinedModelVersionIdentifier", model.versionIdentifiers.first)])
        var elements: [ContentsElement] = []
        for entity in model.entities { elements.append(self.entity(entity)) }
        elements += model.fetchRequestTemplates.map { request($0, name: $0.name) }
        elements += model.configurations.map { configuration in
            var element = ContentsElement("configuration", [("name", configuration.name)])
            element.children = configuration.entityNames.map {
                .element(ContentsElement("memberEntity", [("name", $0)]))
            }
            return element
        }
        // A composite type may contain another, so the list grows during the loop.
        var index = 0
        while index < composites.count {
            var element = ContentsElement("composite", [("name", composites[index].name)])
            for attribute in composites[index].elements { element.add(self.attribute(attribute)) }
            elements.append(element)
            index += 1
        }
        root.children = elements.map { .element($0) }
        return root
    }

    private mutating func entity(_ entity: Entity) -> ContentsElement {
        var element = ContentsElement(
            "entity",
            [
                ("name", entity.name), ("representedClassName", entity.className),
                ("isAbstract", Self.flag(entity.isAbstract)), ("parentEntity", entity.superentityName),
                ("elementID", entity.renamingIdentifier), ("versionHashModifier", entity.versionHashModifier),
                ("coreSpotlightDisplayNameExpression", entity.spotlightNameFormat), ("syncable", "YES"),
                ("codeGenerationType", entity.codeGeneration == .manual ? nil : entity.codeGeneration.rawValue),
            ]
        )
        for property in entity.properties {
            switch property {
            case .attribute(let attribute): element.add(self.attribute(attribute))
            case .relationship(let relationship): element.add(self.relationship(relationship))
            case .fetched(let fetched): element.add(self.fetched(fetched))
            }
        }
        element.add(lists("compoundIndexes", "compoundIndex", "index", entity.compoundIndexes))
        for index in entity.indexes { element.add(self.index(index)) }
        element.add(
            lists("uniquenessConstraints", "uniquenessConstraint", "constraint", entity.uniquenessConstraints)
        )
        element.add(userInfo(entity.userInfo))
        // Attributes precede relationships, regardless of the order of the properties.
        element.children = ContentsOrder.sorted(element.children, in: "entity")
        return element
    }

    private func lists(_ outer: String, _ inner: String, _ leaf: String, _ lists: [[String]]) -> ContentsElement? {
        guard !lists.isEmpty else { return nil }
        var element = ContentsElement(outer)
        for names in lists {
            var list = ContentsElement(inner)
            for name in names { list.add(ContentsElement(leaf, [("value", name)])) }
            element.add(list)
        }
        return element
    }

    private func index(_ index: FetchIndex) -> ContentsElement {
        var element = ContentsElement(
            "fetchIndex",
            [("name", index.name), ("partialIndexPredicate", index.partialPredicateFormat)]
        )
        for part in index.elements {
            element.add(
                ContentsElement(
                    "fetchIndexElement",
                    [
                        ("property", part.propertyName), ("expression", part.expressionFormat),
                        ("type", part.isRTree ? "RTree" : "Binary"),
                        ("order", part.isAscending ? "ascending" : "descending"),
                    ]
                )
            )
        }
        return element
    }

    private func userInfo(_ entries: [String: String]) -> ContentsElement? {
        guard !entries.isEmpty else { return nil }
        var element = ContentsElement("userInfo")
        for (key, value) in entries.sorted(by: { $0.key < $1.key }) {
            element.add(ContentsElement("entry", [("key", key), ("value", value)]))
        }
        return element
    }

    // MARK: Properties

    /// The parts common to all kinds of properties and the attributes of one kind, in Xcode's order.
    private func property(
        _ kind: String,
        _ common: PropertyCommon,
        _ ownAttributes: [(String, String?)] = [],
        isTransient: Bool,
        isReadOnly: Bool
    ) -> ContentsElement {
        var element = ContentsElement(
            kind,
            ownAttributes + [
                ("name", common.name), ("optional", Self.flag(common.isOptional)),
                ("transient", Self.flag(isTransient)), ("readOnly", Self.flag(isReadOnly)),
                ("indexed", Self.flag(common.isIndexed)), ("elementID", common.renamingIdentifier),
                ("spotlightIndexingEnabled", Self.flag(common.isIndexedBySpotlight)),
                ("storedInTruthFile", Self.flag(common.isStoredInExternalRecord)),
                ("versionHashModifier", common.versionHashModifier), ("syncable", saysSyncable ? "YES" : nil),
            ]
        )
        element.attributes = ContentsOrder.sorted(element.attributes, of: kind)
        return element
    }

    private mutating func attribute(_ attribute: Attribute) -> ContentsElement {
        let common = attribute.common
        let isDerived = attribute.derivationExpressionFormat != nil
        var ownAttributes: [(String, String?)] = [
            ("attributeType", attribute.type.fileName), ("valueTransformerName", attribute.valueTransformerName),
            ("customClassName", attribute.customClassName), ("composite", composite(of: attribute)),
            ("allowsExternalBinaryDataStorage", Self.flag(attribute.allowsExternalBinaryDataStorage)),
            ("derived", Self.flag(isDerived)), ("derivationExpression", attribute.derivationExpressionFormat),
            ("allowsCloudEncryption", Self.flag(attribute.allowsCloudEncryption)),
            ("preserveAfterDeletion", Self.flag(attribute.preservesValueInHistoryOnDeletion)),
            ("usesScalarValueType", scalar(attribute)),
        ]
        if let value = attribute.defaultValue {
            let isDate = attribute.type == .date
            ownAttributes.append((isDate ? "defaultDateTimeInterval" : "defaultValueString", Self.text(value)))
        }
        ownAttributes += common.validations.flatMap(\.bounds).compactMap { Self.bound($0, type: attribute.type) }
        var element = property(
            "attribute",
            common,
            ownAttributes,
            isTransient: common.isTransient,
            isReadOnly: common.isReadOnly && !isDerived
        )
        element.add(userInfo(common.userInfo))
        return element
    }

    /// The name of the composite type, which is enqueued for writing.
    private mutating func composite(of attribute: Attribute) -> String? {
        guard attribute.type == .composite, !attribute.elements.isEmpty else { return nil }
        // A compiled model has no names of composite types.
        let preferredName =
            attribute.compositeName ?? attribute.name.prefix(1).uppercased() + attribute.name.dropFirst()
        var name = preferredName
        var number = 2
        while let composite = composites.first(where: { $0.name == name }) {
            if composite.elements == attribute.elements { return name }
            name = "\(preferredName)\(number)"
            number += 1
        }
        composites.append((name, attribute.elements))
        return name
    }

    /// Whether generated code uses a scalar; Xcode writes this only for types that allow both.
    private func scalar(_ attribute: Attribute) -> String? {
        switch attribute.type {
        case .integer16, .integer32, .integer64, .double, .float, .boolean, .date, .uuid:
            attribute.usesScalarValue ? "YES" : "NO"
        default: Self.flag(attribute.usesScalarValue)
        }
    }

    private func relationship(_ relationship: Relationship) -> ContentsElement {
        let (minimum, maximum) = (relationship.minCount, relationship.maxCount)
        // Without a count, any maximum other than 1 implies to-many.
        let toMany: String? = relationship.isToMany ? "YES" : maximum == 1 ? nil : "NO"
        var element = property(
            "relationship",
            relationship.common,
            [
                ("toMany", toMany), ("minCount", minimum == 0 ? nil : "\(minimum)"),
                ("maxCount", maximum == 0 && relationship.isToMany ? nil : "\(maximum)"),
                ("deletionRule", relationship.deleteRule.fileName), ("ordered", Self.flag(relationship.isOrdered)),
                ("destinationEntity", relationship.destinationEntityName), ("inverseName", relationship.inverseName),
                ("inverseEntity", relationship.inverseName.map { _ in relationship.destinationEntityName }),
            ],
            isTransient: relationship.common.isTransient,
            isReadOnly: relationship.common.isReadOnly
        )
        element.add(userInfo(relationship.common.userInfo))
        return element
    }

    private func fetched(_ fetched: FetchedProperty) -> ContentsElement {
        var element = property("fetchedProperty", fetched.common, isTransient: false, isReadOnly: false)
        let name = fetched.request.name
        element.add(request(fetched.request, name: name.isEmpty ? "fetchedPropertyFetchRequest" : name))
        element.add(userInfo(fetched.common.userInfo))
        return element
    }

    private func request(_ request: FetchRequestTemplate, name: String) -> ContentsElement {
        func flag(_ value: Bool, unless usual: Bool) -> String? { value == usual ? nil : value ? "YES" : "NO" }
        return ContentsElement(
            "fetchRequest",
            [
                ("name", name), ("entity", request.entityName), ("predicateString", request.predicateFormat),
                ("resultType", request.resultType == 0 ? nil : "\(request.resultType)"),
                ("fetchLimit", request.fetchLimit == 0 ? nil : "\(request.fetchLimit)"),
                ("fetchBatchSize", request.fetchBatchSize == 0 ? nil : "\(request.fetchBatchSize)"),
                ("includeSubentities", flag(request.includesSubentities, unless: true)),
                ("includePropertyValues", flag(request.includesPropertyValues, unless: request.resultType != 1)),
                ("includesPendingChanges", flag(request.includesPendingChanges, unless: request.resultType != 2)),
                ("returnObjectsAsFaults", flag(request.returnsObjectsAsFaults, unless: true)),
                ("returnDistinctResults", flag(request.returnsDistinctResults, unless: false)),
            ]
        )
    }

    // MARK: Values

    /// A flag that is omitted if false.
    private static func flag(_ value: Bool) -> String? { value ? "YES" : nil }

    /// A default value as text, or nil if XML cannot represent it.
    static func text(_ value: DefaultValue) -> String? {
        switch value {
        case .string(let text): text
        case .integer(let number): "\(number)"
        case .double(let number): "\(number)"
        case .decimal(let number): "\(number)"
        case .boolean(let flag): flag ? "YES" : "NO"
        case .date(let date): number(date.timeIntervalSinceReferenceDate)
        case .uuid(let uuid): uuid.uuidString
        case .url(let url): url.absoluteString
        case .data, .archive: nil
        }
    }

    /// Seconds as Xcode writes them: whole numbers without a point.
    private static func number(_ seconds: Double) -> String {
        Int64(exactly: seconds).map { "\($0)" } ?? "\(seconds)"
    }

    /// The attribute for a bound, or nil for a rule that only code or a compiled model can have.
    static func bound(_ rule: String, type: AttributeType) -> (String, String?)? {
        var rule = rule
        func take(_ prefix: String) -> Bool {
            guard rule.unicodeScalars.starts(with: prefix.unicodeScalars) else { return false }
            rule.unicodeScalars.removeFirst(prefix.unicodeScalars.count)
            return true
        }
        if take("SELF MATCHES \"") {
            guard rule.unicodeScalars.last == "\"" else { return nil }
            return ("regularExpressionString", unescaped(rule.unicodeScalars.dropLast()))
        }
        guard take(type == .string ? "length " : "SELF ") else { return nil }
        let isMinimum = take(">= ")
        guard isMinimum || take("<= ") else { return nil }
        if type == .date {
            guard take("CAST("), let seconds = rule.split(separator: ",").first.flatMap({ Double($0) }) else {
                return nil
            }
            return (isMinimum ? "minDateTimeInterval" : "maxDateTimeInterval", number(seconds))
        }
        guard type == .string ? Int(rule) != nil : ContentsReader.decimal(rule) != nil else { return nil }
        return (isMinimum ? "minValueString" : "maxValueString", rule)
    }

    /// The text of a literal in a predicate, whose escapes are those of `quoted(escape:)`.
    private static func unescaped(_ literal: some Sequence<Unicode.Scalar>) -> String {
        var result = String.UnicodeScalarView()
        var isEscape = false
        for scalar in literal {
            if scalar == "\\", !isEscape {
                isEscape = true
                continue
            }
            switch scalar {
            case "n" where isEscape: result.append("\n")
            case "r" where isEscape: result.append("\r")
            case "t" where isEscape: result.append("\t")
            default: result.append(scalar)
            }
            isEscape = false
        }
        return String(result)
    }
}

extension ValidationRule {
    /// The bounds in the rule; a rule created in code may hold two.
    var bounds: [String] {
        guard !predicateFormat.contains("MATCHES") else { return [predicateFormat] }
        return predicateFormat.components(separatedBy: " AND ")
    }
}

extension ContentsElement {
    fileprivate mutating func add(_ element: ContentsElement?) {
        if let element { children.append(.element(element)) }
    }
}
