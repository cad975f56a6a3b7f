// Reads attributes, including derived and composite ones. Called for each <attribute> of an entity or a composite type.
import GraphModel

extension ContentsReader {
    mutating func readCommon(_ node: ModelNode) -> PropertyCommon {
        PropertyCommon(
            name: node["name"] ?? "",
            isOptional: flag(node, "optional"),
            isTransient: flag(node, "transient"),
            isReadOnly: flag(node, "readOnly"),
            isIndexed: flag(node, "indexed"),
            isIndexedBySpotlight: flag(node, "spotlightIndexingEnabled"),
            isStoredInExternalRecord: flag(node, "storedInTruthFile") || flag(node, "storedInExternalRecord"),
            renamingIdentifier: node.text("elementID"),
            versionHashModifier: node.text("versionHashModifier"),
            userInfo: readUserInfo(node)
        )
    }

    mutating func readAttribute(_ node: ModelNode) -> Attribute {
        let type = readAttributeType(node)
        var attribute = Attribute(common: readCommon(node), type: type)
        attribute.usesScalarValue = flag(node, "usesScalarValueType")
        attribute.allowsExternalBinaryDataStorage = flag(node, "allowsExternalBinaryDataStorage")
        attribute.preservesValueInHistoryOnDeletion = flag(node, "preserveAfterDeletion")
        attribute.allowsCloudEncryption = flag(node, "allowsCloudEncryption")
        attribute.valueTransformerName = node.text("valueTransformerName")
        attribute.customClassName = node.text("customClassName")
        attribute.defaultValue = readDefaultValue(node, type: type)
        attribute.common.validations = readValidations(node, type: type)
        if flag(node, "derived") {
            attribute.derivationExpressionFormat = node.text("derivationExpression")
            attribute.common.isReadOnly = true
            if attribute.derivationExpressionFormat == nil {
                report(
                    .missingDerivation,
                    "the attribute is derived, but has no derivation expression. Write one, such as now() or "
                        + "items.@count, or make the attribute a stored one."
                )
            }
        }
        if type == .composite {
            attribute.elements = readElements(node)
            attribute.compositeName = node.text("composite")
        }
        return attribute
    }

    private mutating func readAttributeType(_ node: ModelNode) -> AttributeType {
        // A transient attribute without a type has no attributeType.
        guard let typeName = node.text("attributeType") else { return .undefined }
        guard let type = Self.types[typeName.lowercased().filter { $0 != " " }] else {
            report(
                .unknownAttributeType,
                "the attribute type \"\(typeName)\" does not exist. Write one of Integer 16, Integer 32, Integer 64, "
                    + "Decimal, Double, Float, String, Boolean, Date, Binary, UUID, URI, Transformable, Composite."
            )
            return .undefined
        }
        return type
    }

    /// Types by name in the file, in lower case and without spaces.
    private static let types: [String: AttributeType] = [
        "undefined": .undefined, "integer16": .integer16, "integer32": .integer32, "integer64": .integer64,
        "int16": .integer16, "int32": .integer32, "int64": .integer64, "decimal": .decimal, "double": .double,
        "float": .float, "string": .string, "boolean": .boolean, "bool": .boolean, "date": .date, "binary": .binary,
        "binarydata": .binary, "uuid": .uuid, "uri": .uri, "transformable": .transformable, "objectid": .objectID,
        "composite": .composite,
    ]

    /// The attributes of the composite type named by a composite attribute.
    private mutating func readElements(_ node: ModelNode) -> [Attribute] {
        guard let name = node.text("composite"), let composite = composites[name] else {
            report(
                .unknownComposite,
                node.text("composite").map {
                    "its composite type \($0) is not in the model. Add it, or choose another type."
                } ?? "the composite attribute names no composite type. Choose one."
            )
            return []
        }
        guard !openComposites.contains(name) else {
            let circle = (openComposites + [name]).joined(separator: " -> ")
            report(.compositeCycle, "its composite types contain each other: \(circle). Take one of them out.")
            return []
        }
        let nodes = composite.children(named: "attribute")
        guard openComposites.count < CompositeBudget.depth, compositeBudget.take(nodes.count) else {
            report(.oversizedComposite, CompositeBudget.excess)
            return []
        }
        openComposites.append(name)
        defer { openComposites.removeLast() }
        var elements: [Attribute] = []
        for node in nodes { elements.append(readAttribute(node)) }
        return elements
    }
}
