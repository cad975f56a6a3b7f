// Reads relationships, fetched properties and fetch requests. Called by the other parts of ContentsReader.
import GraphModel

extension ContentsReader {
    mutating func readRelationship(_ node: ModelNode) -> Relationship {
        let explicitMaximum = node.text("maxCount").map { _ in count(node, "maxCount", default: 1) }
        // Explicit, or implied by a maximum other than 1. With neither, the relationship is to-one.
        let isToMany = flag(node, "toMany", default: explicitMaximum.map { $0 != 1 } ?? false)
        // Some writers use -1 for "no limit".
        let maximum = max(0, explicitMaximum ?? (isToMany ? 0 : 1))
        let minimum = max(0, count(node, "minCount", default: 0))
        let relationship = Relationship(
            common: readCommon(node),
            destinationEntityName: node["destinationEntity"] ?? "",
            inverseName: node.text("inverseName"),
            minCount: minimum,
            maxCount: maximum,
            isToMany: isToMany,
            isOrdered: flag(node, "ordered"),
            deleteRule: readDeleteRule(node)
        )
        if let inverseEntity = node.text("inverseEntity"), relationship.inverseName == nil {
            report(
                .unknownInverse,
                level: .note,
                "the relationship names \(inverseEntity) as the entity of its inverse, but no inverse, and has none. "
                    + "Choose the inverse, or take inverseEntity away."
            )
        }
        return relationship
    }

    private mutating func readDeleteRule(_ node: ModelNode) -> DeleteRule {
        guard let ruleName = node.text("deletionRule") else { return .nullify }
        switch ruleName.lowercased().filter({ $0 != " " }) {
        case "nullify": return .nullify
        case "cascade": return .cascade
        case "deny": return .deny
        case "noaction": return .noAction
        default:
            report(
                .invalidValue,
                "deletionRule is \"\(ruleName)\", which does not exist and counts as Nullify. Write Nullify, Cascade, Deny "
                    + "or No Action."
            )
            return .nullify
        }
    }

    mutating func readFetchedProperty(_ node: ModelNode) -> FetchedProperty {
        var common = readCommon(node)
        // A fetched property has no column and is read-only, regardless of the file.
        common.isTransient = true
        common.isReadOnly = true
        // Without a request it fetches nothing, like a request without an entity.
        let request = node.children(named: "fetchRequest").first ?? ModelNode(name: "fetchRequest", attributes: [:])
        return FetchedProperty(common: common, request: readFetchRequest(request))
    }

    /// Reads a fetch request; a missing flag gets the default of a new fetch request.
    mutating func readFetchRequest(_ node: ModelNode) -> FetchRequestTemplate {
        var resultType = count(node, "resultType", default: 0)
        if !FetchRequestTemplate.resultTypes.contains(resultType) {
            report(.invalidValue, "there is no resultType \(resultType); it counts as 0, managed objects.")
            resultType = 0
        }
        let pending = node.text("includesPendingChanges") == nil ? "includePendingChanges" : "includesPendingChanges"
        return FetchRequestTemplate(
            name: node["name"] ?? "",
            entityName: node["entity"] ?? "",
            predicateFormat: node.text("predicateString"),
            fetchLimit: count(node, "fetchLimit", default: 0),
            fetchBatchSize: count(node, "fetchBatchSize", default: 0),
            resultType: resultType,
            includesSubentities: flag(node, "includeSubentities", default: true),
            // Object ID results have no values; dictionary results come from the store only.
            includesPropertyValues: flag(node, "includePropertyValues", default: resultType != 1),
            returnsObjectsAsFaults: flag(node, "returnObjectsAsFaults", default: true),
            returnsDistinctResults: flag(node, "returnDistinctResults", default: false),
            includesPendingChanges: flag(node, pending, default: resultType != 2)
        )
    }
}
