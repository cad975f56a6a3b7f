// Reads entities, their constraints and indexes. Called by ContentsReader.readModel.
import GraphModel

extension ContentsReader {
    mutating func readEntity(_ node: ModelNode) -> Entity {
        let name = node["name"] ?? ""
        entity = name
        defer { entity = nil }
        var result = Entity(name: name)
        result.className = Self.className(node)
        result.codeGeneration = readCodeGeneration(node)
        if result.codeGeneration == .classDefinition, result.className == nil {
            // Xcode names the generated class after the entity.
            result.className = name
        }
        result.superentityName = node.text("parentEntity")
        result.isAbstract = flag(node, "isAbstract")
        result.renamingIdentifier = node.text("elementID")
        result.versionHashModifier = node.text("versionHashModifier")
        result.userInfo = readUserInfo(node)
        result.spotlightNameFormat = node.text("coreSpotlightDisplayNameExpression")
        result.properties = node.children.compactMap { readProperty($0) }
        result.uniquenessConstraints = node.children(named: "uniquenessConstraints")
            .flatMap { $0.children(named: "uniquenessConstraint") }
            .map { $0.children(named: "constraint").compactMap { $0["value"] } }
            .filter { !$0.isEmpty }
        result.compoundIndexes = node.children(named: "compoundIndexes")
            .flatMap { $0.children(named: "compoundIndex") }
            .map { $0.children(named: "index").compactMap { $0["value"] } }
            .filter { !$0.isEmpty }
        for index in node.children(named: "fetchIndex") {
            if let index = readFetchIndex(index) { result.indexes.append(index) }
        }
        return result
    }

    /// The custom class in the file; nil for `NSManagedObject` itself.
    private static func className(_ node: ModelNode) -> String? {
        guard let name = node.text("representedClassName"), name != "NSManagedObject" else { return nil }
        return name
    }

    private mutating func readCodeGeneration(_ node: ModelNode) -> CodeGeneration {
        guard let generationType = node.text("codeGenerationType") else { return .manual }
        switch generationType.lowercased() {
        case "class": return .classDefinition
        case "category", "extension": return .category
        case "none", "manual", "manual/none": return .manual
        default:
            report(
                .invalidValue,
                "codeGenerationType is \"\(generationType)\", which does not exist and counts as none. Write class or category, "
                    + "or leave it out to write the class by hand."
            )
            return .manual
        }
    }

    private mutating func readProperty(_ node: ModelNode) -> Property? {
        property = node["name"] ?? ""
        defer { property = nil }
        switch node.name {
        case "attribute": return .attribute(readAttribute(node))
        case "relationship": return .relationship(readRelationship(node))
        case "fetchedProperty": return .fetched(readFetchedProperty(node))
        default: return nil
        }
    }

    /// An index, or nil if an element has neither a property nor an expression.
    private mutating func readFetchIndex(_ node: ModelNode) -> FetchIndex? {
        let name = node["name"] ?? ""
        var index = FetchIndex(name: name, elements: [])
        index.partialPredicateFormat = node.text("partialIndexPredicate") ?? node.text("partialIndexPredicateString")
        for element in node.children(named: "fetchIndexElement") {
            var isRTree = false
            switch element.text("type")?.lowercased() {
            case nil, "binary": break
            case "rtree", "r-tree": isRTree = true
            case let type?:
                report(
                    .invalidValue,
                    "the fetch index \(name) has an element of type \(type), which counts as Binary. Write Binary or "
                        + "RTree."
                )
            }
            var isAscending = true
            switch element.text("order")?.lowercased() {
            case nil, "ascending": break
            case "descending": isAscending = false
            case let order?:
                report(
                    .invalidValue,
                    "the fetch index \(name) has an element in the order \(order), which counts as ascending. Write "
                        + "ascending or descending."
                )
            }
            if element.text("property") == nil, element.text("expression") == nil {
                report(
                    .invalidValue,
                    "the fetch index \(name) has an element without a property or an expression, and is not made. "
                        + "Choose one."
                )
                return nil
            }
            index.elements.append(
                FetchIndexElement(
                    propertyName: element.text("property"),
                    expressionFormat: element.text("expression"),
                    isRTree: isRTree,
                    isAscending: isAscending
                )
            )
        }
        return index
    }
}
