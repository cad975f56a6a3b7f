// Reads the properties and fetch requests of compiled models. Called by CompiledModelReader.
import Foundation
import GraphArchives
import GraphModel

extension CompiledModelReader {
    func property(_ object: KeyedArchive.Object, entity: String) throws(ModelFileError) -> Property {
        guard let name = archive.text("NSPropertyName", of: object), !name.isEmpty else {
            throw damaged("a property has no name", entity: entity)
        }
        let findingCount = findings.all.count
        defer { findings.locate(after: findingCount, entity: entity, property: name) }
        do throws(ModelFileError) {
            let common = try common(object, name: name)
            switch object.className {
            case "NSRelationshipDescription": return .relationship(try relationship(object, common))
            case "NSFetchedPropertyDescription":
                // Without a request, or with an unreadable one, the property fetches nothing.
                let stored = archive.object("NSFetchRequest", of: object).flatMap { request($0, name: "") }
                let empty = FetchRequestTemplate(name: "", entityName: "")
                return .fetched(FetchedProperty(common: common, request: stored ?? empty))
            case "NSAttributeDescription", "NSDerivedAttributeDescription", "NSCompositeAttributeDescription":
                return .attribute(try attribute(object, common, depth: 0))
            default: throw damaged("\(object.className) is not a kind of property")
            }
        } catch {
            var error = error
            error.entity = error.entity ?? entity
            error.property = error.property ?? name
            throw error
        }
    }

    private func common(_ object: KeyedArchive.Object, name: String) throws(ModelFileError) -> PropertyCommon {
        PropertyCommon(
            name: name,
            isOptional: archive.flag("NSIsOptional", of: object),
            isTransient: archive.flag("NSIsTransient", of: object),
            isReadOnly: archive.flag("NSIsReadOnly", of: object),
            isIndexed: archive.flag("NSIsIndexed", of: object),
            isIndexedBySpotlight: archive.flag(CompiledModelKeys.isIndexedBySpotlight, of: object),
            renamingIdentifier: renamingIdentifier(object, name: name),
            versionHashModifier: archive.text("NSVersionHashModifier", of: object),
            userInfo: userInfo(object),
            validations: validations(object)
        )
    }

    private func validations(_ object: KeyedArchive.Object) -> [ValidationRule] {
        let warnings = members(of: "NSValidationWarnings", in: object)
        var rules: [ValidationRule] = []
        for (index, reference) in members(of: "NSValidationPredicates", in: object).enumerated() {
            guard let format = PredicateDecoder.predicateFormat(reference, of: archive) else {
                findings.add(.unreadableFormat, "a validation predicate cannot be read and is not checked")
                continue
            }
            var rule = ValidationRule(predicateFormat: format)
            if warnings.indices.contains(index) {
                if case .integer(let code)? = archive.resolve(warnings[index]) {
                    rule.errorCode = Int(code)
                } else {
                    rule.warning = archive.text(warnings[index])
                }
            }
            rules.append(rule)
        }
        return rules
    }

    // MARK: Attributes

    private func attribute(
        _ object: KeyedArchive.Object,
        _ common: PropertyCommon,
        depth: Int
    ) throws(ModelFileError) -> Attribute {
        let number = archive.integer("NSAttributeType", of: object) ?? 0
        guard let type = AttributeType(rawValue: number) else { throw damaged("there is no attribute type \(number)") }
        let flags = archive.integer("NSFlagsKey", of: object) ?? 0
        var attribute = Attribute(common: common, type: type)
        attribute.allowsExternalBinaryDataStorage = flags & CompiledModelKeys.AttributeFlag.external != 0
        attribute.preservesValueInHistoryOnDeletion = flags & CompiledModelKeys.AttributeFlag.preservedOnDeletion != 0
        attribute.allowsCloudEncryption = archive.flag(CompiledModelKeys.allowsCloudEncryption, of: object)
        attribute.valueTransformerName = archive.text("NSValueTransformerName", of: object)
        let className = archive.text("NSAttributeValueClassName", of: object)
        attribute.customClassName = className == type.valueClassName ? nil : className
        attribute.defaultValue = defaultValue(object.entries["NSDefaultValue"], type: type)
        if object.className == "NSDerivedAttributeDescription" {
            guard let derivation = archive.object("NSDerivationExpression", of: object) else {
                throw damaged("it is derived, but has no expression")
            }
            attribute.derivationExpressionFormat = try expression(derivation)
        }
        let members = members(of: "NSCompositeElements", in: object)
        // A composite that contains itself would recurse forever.
        guard members.isEmpty || depth < CompositeBudget.depth && compositeBudget.take(members.count) else {
            throw damaged(
                "its composite types contain each other, or have more than \(CompositeBudget.elements) elements"
            )
        }
        for member in members {
            guard let element = archive.object(member), let name = archive.text("NSPropertyName", of: element) else {
                throw damaged("an element of it is missing")
            }
            let elementCommon = try self.common(element, name: name)
            attribute.elements.append(try self.attribute(element, elementCommon, depth: depth + 1))
        }
        return attribute
    }

    private func defaultValue(_ reference: ListValue?, type: AttributeType) -> DefaultValue? {
        guard let reference, archive.resolve(reference) != nil else { return nil }
        switch type {
        case .undefined, .transformable, .objectID, .composite: return archivedDefault(reference)
        default: break
        }
        guard let value = ArchivedPlainValue.value(reference, of: archive) else {
            findings.add(.invalidValue, "its default value cannot be read and does not count")
            return nil
        }
        switch (type, value) {
        case (.integer16, let number as NSNumber), (.integer32, let number as NSNumber),
            (.integer64, let number as NSNumber):
            return .integer(number.int64Value)
        case (.boolean, let number as NSNumber): return .boolean(number.boolValue)
        case (.decimal, let number as NSDecimalNumber): return .decimal(number.decimalValue)
        case (.decimal, let number as NSNumber): return .decimal(number.finiteDecimal)
        case (.double, let number as NSNumber), (.float, let number as NSNumber): return .double(number.doubleValue)
        case (.string, let text as String): return .string(text)
        case (.date, let date as Date): return .date(date)
        case (.binary, let data as Data): return .data(data)
        case (.uuid, let uuid as UUID): return .uuid(uuid)
        case (.uri, let url as URL): return .url(url)
        default:
            findings.add(.invalidValue, "its default value is of another type and does not count")
            return nil
        }
    }

    /// Keeps a value that a `contents` file cannot hold in its archived form.
    private func archivedDefault(_ reference: ListValue) -> DefaultValue? {
        var writer = KeyedArchiveWriter()
        let copy = writer.graft(reference, of: archive)
        return .archive(writer.data(top: ["root": copy]))
    }

    // MARK: Relationships

    private func relationship(
        _ object: KeyedArchive.Object,
        _ common: PropertyCommon
    ) throws(ModelFileError) -> Relationship {
        let destination =
            archive.text("_NSDestinationEntityName", of: object) ?? entityName(object.entries["NSDestinationEntity"])
        let inverse =
            archive.text("_NSInverseRelationshipName", of: object)
            ?? propertyObject(object.entries["NSInverseRelationship"])
            .flatMap { archive.text("NSPropertyName", of: $0) }
        let maxCount = archive.integer("NSMaxCount", of: object) ?? 0
        let rule = archive.integer("NSDeleteRule", of: object) ?? DeleteRule.nullify.rawValue
        if DeleteRule(rawValue: rule) == nil {
            findings.add(.invalidValue, "there is no delete rule \(rule); it counts as Nullify")
        }
        return Relationship(
            common: common,
            destinationEntityName: destination ?? "",
            inverseName: inverse,
            minCount: archive.integer("NSMinCount", of: object) ?? 0,
            maxCount: maxCount,
            isToMany: maxCount != 1,
            isOrdered: archive.flag("NSIsOrdered", of: object),
            deleteRule: DeleteRule(rawValue: rule) ?? .nullify
        )
    }

    // MARK: Fetch requests

    /// A stored request, or nil if its predicate is unreadable: without the predicate it would fetch everything.
    func request(_ object: KeyedArchive.Object, name: String) -> FetchRequestTemplate? {
        typealias Flag = CompiledModelKeys.RequestFlag
        let flags = archive.integer("NSFetchRequestFlags", of: object) ?? 30
        var request = FetchRequestTemplate(name: name, entityName: entityName(object.entries["NSEntity"]) ?? "")
        switch predicate("NSPredicate", of: object) {
        case .none: break
        case .text(let format): request.predicateFormat = format
        case .unreadable:
            let request = name.isEmpty ? "its fetch request" : "the fetch request template \(name)"
            findings.add(.unreadableFormat, "the predicate of \(request) cannot be read, so that there is no request")
            return nil
        }
        request.sortKeys = members(of: "NSSortDescriptors", in: object).compactMap { member in
            guard let descriptor = archive.object(member), let key = archive.text("NSKey", of: descriptor) else {
                return nil
            }
            return SortKey(key: key, ascending: archive.flag("NSAscending", of: descriptor))
        }
        request.fetchLimit = archive.integer("NSFetchLimit", of: object) ?? 0
        request.fetchBatchSize = archive.integer("NSBatchSize", of: object) ?? 0
        let resultType = archive.integer("NSResultType", of: object) ?? 0
        if FetchRequestTemplate.resultTypes.contains(resultType) {
            request.resultType = resultType
        } else {
            findings.add(.invalidValue, "there is no result type \(resultType); the request fetches managed objects")
        }
        request.includesSubentities = flags & Flag.subentities != 0
        request.includesPropertyValues = flags & Flag.propertyValues != 0
        request.returnsObjectsAsFaults = flags & Flag.faults != 0
        request.returnsDistinctResults = flags & Flag.distinct != 0
        request.includesPendingChanges = flags & Flag.pendingChanges != 0
        return request
    }
}

extension AttributeType {
    /// The class that Apple's archives name for values of the type.
    var valueClassName: String? {
        switch self {
        case .integer16, .integer32, .integer64, .double, .float, .boolean: "NSNumber"
        case .decimal: "NSDecimalNumber"
        case .string: "NSString"
        case .date: "NSDate"
        case .binary: "NSData"
        case .uuid: "NSUUID"
        case .uri: "NSURL"
        case .composite: "NSDictionary"
        case .objectID: "NSManagedObjectID"
        case .undefined, .transformable: nil
        }
    }
}
