// Forms of predicates that apps write seldom: paths from variables, operators after operators, positions, keys of values,
// lists under quantifiers, URLs, data, entities and methods.
import Foundation
import GraphPredicates

extension RandomPredicates {
    /// A comparison of a rare form; nil if the entity has nothing for it.
    mutating func rareComparison(
        _ entity: String,
        _ kind: Kind,
        depth: Int,
        _ variables: [String: String]
    ) -> PredicateNode? {
        switch Int.random(in: 0..<12, using: &random) {
        case 0: return list(entity, kind, depth: depth, variables)
        case 1, 2: return member(entity, kind, depth: depth, variables)
        case 3: return entityName(entity, variables)
        case 4: return sample(entity)
        case 5:
            // Members of collections on the left of CONTAINS.
            guard let (path, target, _) = collection(entity, depth: depth, variables),
                let attribute = attribute(of: target, kind)
            else { return nil }
            return make(
                .keyPathOf(path, attribute),
                .contains,
                value(entity, kind, depth: 0, variables),
                .direct,
                options(kind)
            )
        case 6:
            let list = (0..<random.pick([0, 1, 3, 20])).map { _ in random.chance(10) ? NSNull() : plain(kind) as Any }
            return make(.constant(list), .contains, value(entity, kind, depth: 0, variables), .direct, options(kind))
        case 7, 8:
            guard depth > 0, let (path, target, _) = collection(entity, depth: depth, variables),
                let attribute = attribute(of: target, kind)
            else { return nil }
            return judged(
                .keyPathOf(path, attribute),
                kind,
                entity,
                depth: depth,
                modifier: random.pick([.any, .all]),
                variables
            )
        case 9:
            // An object by a position, a choice or a variable.
            guard let (object, target) = object(entity, depth: depth, variables) else { return nil }
            let right: ExpressionNode = random.chance(30) ? .constant(nil) : self.object(target)
            return make(object, random.pick([.equal, .notEqual]), right)
        case 10:
            guard kind == .text else { return nil }
            let right = value(entity, .text, depth: 0, variables)
            return make(
                value(entity, .text, depth: depth - 1, variables),
                .customSelector,
                right,
                selector: "UTI-EQUALS"
            )
        default:
            // One value under a quantifier.
            guard kind != .object else { return nil }
            return judged(
                value(entity, kind, depth: depth, variables),
                kind,
                entity,
                depth: depth,
                modifier: random.pick([.any, .all]),
                variables
            )
        }
    }

    private func make(
        _ left: ExpressionNode,
        _ op: ComparisonOperator,
        _ right: ExpressionNode,
        selector: String
    ) -> PredicateNode {
        .comparison(
            ComparisonNode(left: left, right: right, modifier: .direct, op: op, options: [], selector: selector)
        )
    }

    private mutating func options(_ kind: Kind) -> ComparisonOptions {
        guard kind == .text else { return [] }
        return random.pick([[], .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive]])
    }

    /// A list under a quantifier.
    private mutating func list(
        _ entity: String,
        _ kind: Kind,
        depth: Int,
        _ variables: [String: String]
    ) -> PredicateNode? {
        guard kind != .object else { return nil }
        let left: ExpressionNode
        if random.chance(50) {
            left = .aggregate((0..<random.pick([1, 2, 3])).map { _ in value(entity, kind, depth: 0, variables) })
        } else {
            left = .constant((0..<random.pick([1, 2, 5, 70])).map { _ in plain(kind) })
        }
        let right = value(entity, kind, depth: max(depth - 1, 0), variables)
        let operators: [ComparisonOperator] =
            kind == .text
            ? [.equal, .notEqual, .lessThan, .contains, .beginsWith, .endsWith, .like]
            : [.equal, .notEqual, .lessThan, .greaterThanOrEqual]
        return make(left, random.pick(operators), right, random.pick([.any, .all]), options(kind))
    }

    /// A value in the members of a collection, or an aggregate of them.
    private mutating func member(
        _ entity: String,
        _ kind: Kind,
        depth: Int,
        _ variables: [String: String]
    ) -> PredicateNode? {
        guard let (collection, target, _) = collection(entity, depth: depth, variables) else { return nil }
        if kind == .object {
            return random.chance(50)
                ? make(object(target), .in, collection)
                : make(collection, .contains, object(target))
        }
        guard let attribute = attribute(of: target, kind) else { return nil }
        let path: ExpressionNode
        switch Int.random(in: 0..<3, using: &random) {
        case 0: path = .keyPathOf(collection, attribute)
        case 1: path = .keyPathOf(collection, ["@distinctUnionOfObjects"] + attribute)
        default: path = .keyPathOf(collection, ["@unionOfObjects"] + attribute)
        }
        switch Int.random(in: 0..<4, using: &random) {
        case 0: return make(value(entity, kind, depth: 0, variables), .in, path, .direct, options(kind))
        case 1: return judged(path, kind, entity, depth: 0, modifier: random.pick([.any, .all]), variables)
        case 2:
            let count = ExpressionNode.function(name: "count:", target: nil, arguments: [path])
            return make(count, random.pick([.equal, .greaterThan, .lessThan]), .constant(random.pick([0, 1, 2, 3])))
        default:
            let names =
                kind == .number ? ["min:", "max:", "sum:", "average:", "median:", "stddev:"] : ["min:", "max:"]
            guard kind != .boolean || Bool.random(using: &random) else { return nil }
            let aggregate = ExpressionNode.function(name: random.pick(names), target: nil, arguments: [path])
            return judged(aggregate, kind, entity, depth: 0, variables)
        }
    }

    /// A collection of objects from the object, from a variable, by a subquery.
    private mutating func collection(
        _ entity: String,
        depth: Int,
        _ variables: [String: String]
    ) -> (ExpressionNode, String, Bool)? {
        var result: (ExpressionNode, String)
        if let name = variables.keys.sorted().last, random.chance(60), let variable = variables[name],
            let (path, target) = toManyPath(variable)
        {
            result = (.keyPathOf(.variable(name), path), target)
        } else {
            guard let (path, target) = toManyPath(entity) else { return nil }
            result = (.keyPath(path), target)
        }
        if random.chance(20) { result.0 = set(result.0, entity, result.1) }
        guard depth > 0, random.chance(30) else { return (result.0, result.1, false) }
        let name = "v\(variables.count)"
        var inner = variables
        inner[name] = result.1
        let condition = predicate(entity, depth: depth - 1, variables: inner)
        return (.subquery(collection: result.0, variable: name, predicate: condition), result.1, true)
    }

    /// An object that an expression gives.
    private mutating func object(
        _ entity: String,
        depth: Int,
        _ variables: [String: String]
    ) -> (ExpressionNode, String)? {
        switch Int.random(in: 0..<3, using: &random) {
        case 0:
            let orders = (graph.ordered[entity] ?? [])
            guard !orders.isEmpty else { return nil }
            let step = random.pick(orders)
            let index: ExpressionNode = random.pick([
                .symbolicIndex(.first), .symbolicIndex(.last), .constant(0), .constant(1), .constant(-1), .constant(9),
            ])
            let name = "objectFrom:withIndex:"
            return (.function(name: name, target: nil, arguments: [.keyPath([step.0]), index]), step.1)
        case 1:
            guard depth > 0, let first = objectPath(entity), let second = objectPath(entity), first.1 == second.1 else {
                return nil
            }
            return (.conditional(predicate(entity, depth: depth - 1, variables: variables), first.0, second.0), first.1)
        default:
            guard let name = variables.keys.sorted().last, let target = variables[name] else { return nil }
            let (path, last) = steps(target)
            return (path.isEmpty ? .variable(name) : .keyPathOf(.variable(name), path), last)
        }
    }

    private mutating func entityName(_ entity: String, _ variables: [String: String]) -> PredicateNode? {
        let (path, _) = steps(entity)
        let names = graph.attributes.keys.sorted() + ["Home", "Shop"]
        let key = ExpressionNode.keyPath(path + ["entity", "name"])
        switch Int.random(in: 0..<3, using: &random) {
        case 0:
            let name = random.pick(names)
            let text = random.chance(30) ? name.uppercased() : name
            return make(key, random.pick([.equal, .notEqual]), .constant(text), .direct, options(.text))
        case 1: return make(key, .in, .constant([random.pick(names), "HOME"]), .direct, options(.text))
        default:
            return make(
                key,
                random.pick([.beginsWith, .contains, .like]),
                .constant(random.pick(["H", "o", "?ome", "T*"]))
            )
        }
    }

    /// The attributes of the sample model that have kinds of their own.
    private mutating func sample(_ entity: String) -> PredicateNode? {
        guard entity == "Task", graph.attributes["Task"]?[.text] == ["text", "note"] else { return nil }
        let path = ExpressionNode.keyPath(random.chance(30) ? ["parent", "link"] : ["link"])
        switch Int.random(in: 0..<6, using: &random) {
        case 0:
            return make(
                path,
                random.pick([.equal, .notEqual, .lessThan]),
                .constant(SampleStore.url("http://\(random.pick(["a", "b"])).org/"))
            )
        case 1:
            return make(.keyPathOf(path, ["absoluteString"]), random.pick([.contains, .endsWith]), .constant("b.org/"))
        case 2:
            return make(
                .keyPath(["bytes"]),
                random.pick([.equal, .notEqual, .lessThan, .greaterThan]),
                .constant(random.pick([Data(), Data([1]), Data([1, 2])]))
            )
        case 3: return make(.keyPath(["bytes", "length"]), .greaterThan, .constant(random.pick([0, 1])))
        case 4: return make(.keyPath(["bytes"]), .in, .constant([random.pick([Data(), Data([1])]), Data([1, 2])]))
        default:
            return make(
                .keyPath(["size", "width"]),
                random.pick([.equal, .lessThan, .notEqual]),
                .keyPath(random.pick([["size", "height"], ["amount"]]))
            )
        }
    }

    // MARK: - Values

    /// A value of a rare form; nil if the entity has nothing for it.
    mutating func rareValue(
        _ entity: String,
        _ kind: Kind,
        depth: Int,
        _ variables: [String: String]
    ) -> ExpressionNode? {
        if random.chance(40), let (object, target) = object(entity, depth: depth, variables),
            let attribute = attribute(of: target, kind)
        {
            return .keyPathOf(object, attribute)
        }
        switch kind {
        case .number:
            switch Int.random(in: 0..<6, using: &random) {
            case 0:
                let text = value(entity, .text, depth: 0, variables)
                return .keyPathOf(
                    text,
                    [random.pick(["length", "count", "intValue", "integerValue", "doubleValue", "boolValue"])]
                )
            case 1:
                let number = value(entity, .number, depth: depth - 1, variables)
                return .keyPathOf(number, [random.pick(["intValue", "doubleValue"])])
            case 2:
                let date = value(entity, .date, depth: 0, variables)
                return .function(name: "castObject:toType:", target: nil, arguments: [date, .constant("NSNumber")])
            case 3:
                guard let (collection, target, _) = collection(entity, depth: depth, variables) else { return nil }
                if random.chance(40) { return .keyPathOf(collection, ["@count"]) }
                guard let attribute = attribute(of: target, .number) else { return nil }
                return .keyPathOf(collection, [random.pick(["@sum", "@avg", "@min", "@max"])] + attribute)
            case 4:
                let inner = value(entity, .number, depth: depth - 1, variables)
                return .function(name: "noindex:", target: nil, arguments: [inner])
            default:
                let elements = (0..<random.pick([1, 2, 3])).map { _ in value(entity, .number, depth: 0, variables) }
                let name = random.pick(["sum:", "average:", "min:", "max:", "median:", "stddev:", "count:"])
                return .function(name: name, target: nil, arguments: [.aggregate(elements)])
            }
        case .text:
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                let text = value(entity, .text, depth: 0, variables)
                return .keyPathOf(
                    text,
                    [random.pick(["uppercaseString", "lowercaseString", "capitalizedString", "pathExtension"])]
                )
            case 1:
                let text = value(entity, .text, depth: depth - 1, variables)
                return .function(name: random.pick(["uppercaseString", "lowercased"]), target: text, arguments: [])
            case 2:
                guard let (collection, target, _) = collection(entity, depth: depth, variables),
                    let attribute = attribute(of: target, .text)
                else { return nil }
                return .keyPathOf(collection, [random.pick(["@min", "@max"])] + attribute)
            default:
                let elements = (0..<random.pick([1, 2, 3])).map { _ in value(entity, .text, depth: 0, variables) }
                return .function(name: random.pick(["min:", "max:"]), target: nil, arguments: [.aggregate(elements)])
            }
        case .date:
            let number = value(entity, .number, depth: 0, variables)
            guard random.chance(50) else {
                return .function(name: "castObject:toType:", target: nil, arguments: [number, .constant("NSDate")])
            }
            guard let (collection, target, _) = collection(entity, depth: depth, variables),
                let attribute = attribute(of: target, .date)
            else { return nil }
            return .keyPathOf(collection, [random.pick(["@min", "@max"])] + attribute)
        default: return nil
        }
    }
}
