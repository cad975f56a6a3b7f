// Writes the properties and fetch requests of a model's archive. Called by CompiledModelWriter.
import Foundation
import GraphArchives
import GraphModel
import GraphPredicates

extension CompiledModelWriter {
    mutating func fill(_ property: Property, of entity: Entity, at place: ListValue) throws {
        let owner = entities[entity.name] ?? KeyedArchiveWriter.null
        var entries = try common(property.common, of: owner)
        switch property {
        case .attribute(let attribute):
            if entity.marksAsIndexed(property) { entries["NSIsIndexed"] = .boolean(true) }
            archive.fill(place, classes: Self.classes(of: attribute), entries: try add(attribute, to: entries, owner))
        case .relationship(let relationship):
            add(relationship, to: &entries)
            archive.fill(place, classes: ["NSRelationshipDescription"] + Self.propertyClasses, entries: entries)
        case .fetched(let fetched):
            entries["NSFetchRequest"] = try request(fetched.request)
            entries["_NSFetchRequestEntityName"] = archive.text(fetched.request.entityName)
            archive.fill(place, classes: ["NSFetchedPropertyDescription"] + Self.propertyClasses, entries: entries)
        }
    }

    private static let propertyClasses = ["NSPropertyDescription", "NSObject"]

    private mutating func common(_ common: PropertyCommon, of owner: ListValue) throws -> [String: ListValue] {
        var entries: [String: ListValue] = [
            "NSPropertyName": archive.text(common.name), "NSEntity": owner,
            "NSRenamingIdentifier": archive.text(common.renamingIdentifier ?? common.name),
            "_P": .integer(Self.presence(of: common)),
        ]
        if common.isOptional { entries["NSIsOptional"] = .boolean(true) }
        if common.isTransient { entries["NSIsTransient"] = .boolean(true) }
        if common.isReadOnly { entries["NSIsReadOnly"] = .boolean(true) }
        if common.isIndexed { entries["NSIsIndexed"] = .boolean(true) }
        if common.isIndexedBySpotlight { entries[CompiledModelKeys.isIndexedBySpotlight] = .boolean(true) }
        if let modifier = common.versionHashModifier { entries["NSVersionHashModifier"] = archive.text(modifier) }
        if !common.userInfo.isEmpty { entries["NSUserInfo"] = textDictionary(common.userInfo) }
        if !common.validations.isEmpty {
            let predicates = try common.validations.map { try predicate($0.predicateFormat) }
            let warnings = common.validations.map { rule in
                rule.warning.map { archive.text($0) } ?? archive.plain(.integer(Int64(rule.errorCode ?? 1550)))
            }
            entries["NSValidationPredicates"] = archive.collection(predicates)
            entries["NSValidationWarnings"] = archive.collection(warnings)
        }
        return entries
    }

    /// `_P`: flags of the property, and which longer entries the archive leaves out.
    ///
    ///     BIT    MEANING
    ///     1      always
    ///     2      optional
    ///     4      read-only
    ///     8      transient
    ///     48     no validation predicates, no warnings
    ///     64     no user info
    ///     128    no modifier of the version hash
    ///     1024   ordered
    private static func presence(of common: PropertyCommon) -> Int64 {
        var bits: Int64 = 1
        if common.isOptional { bits |= 2 }
        if common.isReadOnly { bits |= 4 }
        if common.isTransient { bits |= 8 }
        if common.validations.isEmpty { bits |= 48 }
        if common.userInfo.isEmpty { bits |= 64 }
        if common.versionHashModifier == nil { bits |= 128 }
        return bits
    }

    // MARK: Attributes

    private static func classes(of attribute: Attribute) -> [String] {
        let plain = ["NSAttributeDescription"] + propertyClasses
        if attribute.derivationExpressionFormat != nil { return ["NSDerivedAttributeDescription"] + plain }
        return attribute.type == .composite ? ["NSCompositeAttributeDescription"] + plain : plain
    }

    private mutating func add(
        _ attribute: Attribute,
        to entries: [String: ListValue],
        _ owner: ListValue
    ) throws -> [String: ListValue] {
        var entries = entries
        var flags = 0
        if attribute.allowsExternalBinaryDataStorage { flags |= CompiledModelKeys.AttributeFlag.external }
        if attribute.preservesValueInHistoryOnDeletion { flags |= CompiledModelKeys.AttributeFlag.preservedOnDeletion }
        entries["NSAttributeType"] = .integer(Int64(attribute.type.rawValue))
        entries["NSFlagsKey"] = .integer(Int64(flags))
        entries["NSAttributeValueClassName"] = archive.text(attribute.customClassName ?? attribute.type.valueClassName)
        entries["NSValueTransformerName"] = archive.text(attribute.valueTransformerName)
        entries["NSDefaultValue"] = attribute.defaultValue.map { defaultValue($0) } ?? KeyedArchiveWriter.null
        if attribute.allowsCloudEncryption { entries[CompiledModelKeys.allowsCloudEncryption] = .boolean(true) }
        if let format = attribute.derivationExpressionFormat {
            entries["NSDerivationExpression"] = try expression(DerivationFormat.printed(format))
            entries["NSFilteringPredicate"] = KeyedArchiveWriter.null
        }
        if attribute.type == .composite {
            let elements = try attribute.elements.map { element in
                archive.object(
                    Self.classes(of: element),
                    try add(element, to: common(element.common, of: owner), owner)
                )
            }
            entries["NSCompositeElements"] = archive.collection(elements, .mutableArray)
        }
        return entries
    }

    private mutating func defaultValue(_ value: DefaultValue) -> ListValue {
        switch value {
        case .string(let text): return archive.text(text)
        case .integer(let number): return archive.plain(.integer(number))
        case .double(let number): return archive.plain(.real(number))
        case .boolean(let flag): return archive.plain(.boolean(flag))
        case .data(let data): return archive.plain(.data(data))
        case .date(let date): return archive.date(date)
        case .uuid(let uuid): return archive.uuid(uuid)
        case .url(let url):
            return archive.object(
                ["NSURL", "NSObject"],
                [
                    "NS.base": url.baseURL.map { defaultValue(.url($0)) } ?? KeyedArchiveWriter.null,
                    "NS.relative": archive.text(url.relativeString),
                ]
            )
        case .decimal(let decimal): return archive.decimal(decimal, isPlaceholder: true)
        case .archive(let data):
            guard let source = KeyedArchive(data), let root = source.top["root"] else { return KeyedArchiveWriter.null }
            return archive.graft(root, of: source)
        }
    }

    // MARK: Relationships

    private mutating func add(_ relationship: Relationship, to entries: inout [String: ListValue]) {
        let destination = relationship.destinationEntityName
        entries["NSDeleteRule"] = .integer(Int64(relationship.deleteRule.rawValue))
        entries["NSMinCount"] = .integer(Int64(relationship.minCount))
        entries["NSMaxCount"] = .integer(Int64(relationship.maxCount))
        entries["NSDestinationEntity"] = entities[destination] ?? KeyedArchiveWriter.null
        entries["_NSDestinationEntityName"] = archive.text(destination)
        entries["NSInverseRelationship"] = inverse(of: relationship) ?? KeyedArchiveWriter.null
        entries["_NSInverseRelationshipName"] = archive.text(relationship.inverseName)
        if relationship.isOrdered {
            entries["NSIsOrdered"] = .boolean(true)
            if case .integer(let bits)? = entries["_P"] { entries["_P"] = .integer(bits | 1024) }
        }
    }

    /// The inverse in the destination, or in the superentity that declares it.
    private func inverse(of relationship: Relationship) -> ListValue? {
        guard let name = relationship.inverseName else { return nil }
        var next = byName[relationship.destinationEntityName]
        var seen: Set<String> = []
        while let entity = next, seen.insert(entity.name).inserted {
            if let match = properties["\(entity.name).\(name)"] { return match }
            next = entity.superentityName.flatMap { byName[$0] }
        }
        return nil
    }

    // MARK: Fetch requests

    mutating func request(_ request: FetchRequestTemplate) throws -> ListValue {
        typealias Flag = CompiledModelKeys.RequestFlag
        var flags = 0
        if request.returnsDistinctResults { flags |= Flag.distinct }
        if request.includesSubentities { flags |= Flag.subentities }
        if request.includesPropertyValues { flags |= Flag.propertyValues }
        if request.returnsObjectsAsFaults { flags |= Flag.faults }
        if request.includesPendingChanges { flags |= Flag.pendingChanges }
        let descriptors = request.sortKeys.map { key in
            archive.object(
                ["NSSortDescriptor", "NSObject"],
                [
                    "NSKey": archive.text(key.key), "NSAscending": .boolean(key.ascending),
                    "NSReverseNullOrder": .boolean(false), "NSSelector": archive.text("compare:"),
                ]
            )
        }
        let null = KeyedArchiveWriter.null
        return archive.object(
            ["NSFetchRequest", "NSPersistentStoreRequest", "NSObject"],
            [
                "NSEntity": entities[request.entityName] ?? null, "NSPredicate": try predicate(request.predicateFormat),
                "NSSortDescriptors": descriptors.isEmpty ? null : archive.collection(descriptors),
                "NSHasFetchRequestFlags": .boolean(true), "NSFetchRequestFlags": .integer(Int64(flags)),
                "NSResultType": .integer(Int64(request.resultType)),
                "NSFetchLimit": .integer(Int64(request.fetchLimit)), "NSFetchOffset": .integer(0),
                "NSBatchSize": .integer(Int64(request.fetchBatchSize)), "NSAllocationType": .integer(0),
                "NSValuesToFetch": null, "NSValuesToGroupBy": null, "NSHavingPredicate": null,
                "NSRelationshipKeyPathsForPrefetching": null,
            ]
        )
    }
}
