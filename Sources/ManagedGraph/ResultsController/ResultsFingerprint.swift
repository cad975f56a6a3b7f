// The request of a results controller as text. A cache file is valid only for an equal request. Used by SectionCache.
import Foundation
import GraphPredicates

/// A fetch and its arrangement as text; equal texts mean equal requests.
enum ResultsFingerprint {
    /// Returns the text; nil if a part of the request, such as a closure, has no textual form.
    static func make(_ configuration: ResultsConfiguration, store: NSPersistentStore) -> String? {
        let request = configuration.request
        var parts = [
            "store " + (store.identifier ?? ""),
            "entity " + configuration.layout.name,
            "hash " + configuration.layout.entity.versionHash.base64EncodedString(),
            "subentities \(request.includesSubentities)",
            "limit \(request.fetchLimit) \(request.fetchOffset)",
            "section " + (configuration.sectionNameKeyPath ?? "-"),
        ]
        // The definitions of entities in the key paths matter as much as that of the fetched entity.
        for related in configuration.relatedKeys {
            let entity = related.key.entity
            parts.append("over \(entity.name ?? "") \(entity.versionHash.base64EncodedString())")
        }
        for descriptor in request.sortDescriptors ?? [] {
            guard let key = descriptor.sortKey, !descriptor.hasComparator else { return nil }
            let selector = descriptor.sortSelector ?? "compare:"
            parts.append("sort \(key) \(descriptor.isAscending) \(selector)")
            if selector.hasPrefix("localized") { parts.append("locale " + Locale.current.identifier) }
        }
        if let predicate = request.predicate {
            guard let predicateText = text(of: predicate) else { return nil }
            parts.append("predicate " + predicateText)
        }
        return parts.map { "\($0.utf8.count) \($0)" }.joined(separator: "\n")
    }

    /// A predicate's text, with the URIs of the objects it names; nil if the text would not be complete.
    private static func text(of predicate: NSPredicate) -> String? {
        let reading = PredicateKeyPaths(predicate.node)
        guard reading.isComplete, !reading.dependsOnTime else { return nil }
        var objects: [String] = []
        for constant in reading.constants {
            guard let name = nameOfObjects(in: EvaluatedValue(constant)) else { return nil }
            objects.append(name)
        }
        // Objects are printed with their values, which change. Placeholders replace them in the text, and a list of
        // their URIs follows.
        return PredicatePrinter.print(predicate.node.withoutObjects) + " " + objects.joined(separator: " ")
    }

    /// The URIs of a constant's objects, empty for a plain value; nil if the constant has no textual form.
    private static func nameOfObjects(in value: EvaluatedValue) -> String? {
        switch value {
        case .null, .boolean, .integer, .real, .decimal, .text, .date, .uuid, .data, .url: return ""
        case .readable(let object): return name(of: (object as? NSManagedObject)?.objectID)
        case .other(let identifier): return name(of: identifier as? NSManagedObjectID)
        case .collection(let collection):
            var parts: [String] = []
            for element in collection.evaluatedElements() {
                guard let part = nameOfObjects(in: element) else { return nil }
                parts.append(part)
            }
            return "(" + (collection.isUnordered ? parts.sorted() : parts).joined(separator: ",") + ")"
        case .dictionary: return nil
        }
    }

    private static func name(of id: NSManagedObjectID?) -> String? {
        guard let id, !id.isTemporaryID else { return nil }
        return id.uriRepresentation().absoluteString
    }
}

extension PredicateNode {
    /// The predicate with "object" in place of objects and collections.
    fileprivate var withoutObjects: PredicateNode {
        switch self {
        case .constant, .block: return self
        case .comparison(var node):
            node.left = node.left.withoutObjects
            node.right = node.right.withoutObjects
            return .comparison(node)
        case .and(let nodes): return .and(nodes.map(\.withoutObjects))
        case .or(let nodes): return .or(nodes.map(\.withoutObjects))
        case .not(let node): return .not(node.withoutObjects)
        }
    }
}

extension ExpressionNode {
    fileprivate var withoutObjects: ExpressionNode {
        switch self {
        case .constant(let value):
            switch EvaluatedValue(value) {
            case .readable, .other: return .constant("object")
            case .collection(let collection):
                return .aggregate(
                    collection.evaluatedElements().map { ExpressionNode.constant($0.anyValue).withoutObjects }
                )
            default: return self
            }
        case .aggregate(let nodes): return .aggregate(nodes.map(\.withoutObjects))
        case .function(let name, let target, let arguments):
            return .function(name: name, target: target?.withoutObjects, arguments: arguments.map(\.withoutObjects))
        case .subquery(let collection, let variable, let predicate):
            return .subquery(
                collection: collection.withoutObjects,
                variable: variable,
                predicate: predicate.withoutObjects
            )
        case .keyPathOf(let base, let keys): return .keyPathOf(base.withoutObjects, keys)
        case .union(let left, let right): return .union(left.withoutObjects, right.withoutObjects)
        case .intersect(let left, let right): return .intersect(left.withoutObjects, right.withoutObjects)
        case .minus(let left, let right): return .minus(left.withoutObjects, right.withoutObjects)
        case .conditional(let condition, let trueValue, let falseValue):
            return .conditional(condition.withoutObjects, trueValue.withoutObjects, falseValue.withoutObjects)
        case .assignment(let name, let value): return .assignment(name, value.withoutObjects)
        case .evaluatedObject, .variable, .keyPath, .anyKey, .symbolicIndex, .block, .fetch: return self
        }
    }
}
