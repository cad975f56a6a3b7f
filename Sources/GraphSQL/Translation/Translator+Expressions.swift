// Translation of each form of expression.
import GraphPredicates

extension Translator {
    func expression(_ node: ExpressionNode, _ environment: Environment) throws -> Operand {
        switch node {
        case .constant(let value):
            guard let hole = value as? Hole else {
                throw failure(.unsupported, node, "a constant reached the translation unread")
            }
            return .hole(hole)
        case .evaluatedObject: return environment.element.operand
        case .variable(let name): return try variable(name, environment, node)
        case .keyPath(let path): return try keyPath(path, environment, node)
        case .keyPathOf(let base, let path):
            return try walk(path[...], from: try expression(base, environment), node)
        case .function(let name, let target, let arguments):
            if let target { return try function(name, on: target, arguments, environment, node) }
            return try function(name, arguments, environment, node)
        case .aggregate(let elements):
            return .list(try elements.map { try expression($0, environment) })
        case .subquery(let collection, let variable, let condition):
            return try subquery(collection, variable, condition, environment, node)
        case .conditional(let condition, let left, let right):
            return .value(try conditional(condition, left, right, environment, node))
        case .symbolicIndex:
            throw failure(.unsupported, node, "an index needs a collection before it")
        case .union(let left, let right): return try set("UNION", left, right, environment, node)
        case .intersect(let left, let right): return try set("INTERSECT", left, right, environment, node)
        case .minus(let left, let right): return try set("EXCEPT", left, right, environment, node)
        case .assignment, .anyKey, .block:
            throw failure(.needsMemory, node, "it has no SQL form", "Filter the fetched objects in memory")
        case .fetch:
            throw failure(.needsMemory, node, "a fetch inside a fetch has no SQL form", "Use SUBQUERY or two fetches")
        }
    }

    private func variable(_ name: String, _ environment: Environment, _ node: ExpressionNode) throws -> Operand {
        if let element = environment.variables[name] { return element.operand }
        if let value = environment.named[name] { return .value(value) }
        throw failure(
            .unsupported,
            node,
            "the variable $\(name) has no value",
            "Give it one with withSubstitutionVariables(_:)"
        )
    }

    private func keyPath(_ path: [String], _ environment: Environment, _ node: ExpressionNode) throws -> Operand {
        if path.count == 1, let value = environment.named[path[0]] { return .value(value) }
        if environment.allowsAggregates, let name = path.first, name.hasPrefix("@"),
            let aggregate = Aggregate(rawValue: name)
        {
            let argument = try walk(path.dropFirst(), from: environment.element.operand, node)
            return .value(try rowAggregate(aggregate, of: argument, node))
        }
        return try walk(path[...], from: environment.element.operand, node)
    }

    private func conditional(
        _ condition: PredicateNode,
        _ left: ExpressionNode,
        _ right: ExpressionNode,
        _ environment: Environment,
        _ node: ExpressionNode
    ) throws -> SQLOperand {
        let condition = try predicate(condition, environment)
        let values = try values([try expression(left, environment), try expression(right, environment)], node)
        if values.kind == .unknown, dialect.hasStaticTypes { return .null }
        return SQLOperand(
            sql: "CASE WHEN \(sql(condition)) THEN \(values.operands[0].sql) ELSE \(values.operands[1].sql) END",
            kind: values.kind,
            isNullable: values.operands.contains { $0.isNullable },
            isCompound: true,
            isMixed: values.isMixed
        )
    }

    /// Operands that must be of one kind, constants among them bound as that kind.
    func values(
        _ operands: [Operand],
        _ node: ExpressionNode
    ) throws -> (operands: [SQLOperand], kind: ValueKind, isMixed: Bool) {
        var kind = ValueKind.unknown
        var isMixed = false
        for operand in operands {
            guard let next = self.kind(of: operand) else { continue }
            if case .value(let value) = operand, value.isMixed { isMixed = true }
            if kind != .unknown, next != .unknown, kind.isMixed(with: next) { isMixed = true }
            guard let merged = kind.merged(with: next) else {
                throw failure(.incomparable, node, "\(kind.name) and \(next.name) are of different kinds")
            }
            kind = merged
        }
        let values = try operands.map { operand in
            let value = try value(operand, beside: kind, node)
            return dialect.converted(value, to: kind) ?? value
        }
        return (values, kind, isMixed)
    }

    /// The kind of an operand; nil for NULL and for collections and lists.
    func kind(of operand: Operand) -> ValueKind? {
        switch operand {
        case .value(let value): value.kind
        case .row(let cursor): cursor.operand.kind
        case .hole(let hole): hole.shape.kind
        case .collection, .list: nil
        }
    }

    /// An operand as one value, a constant bound as `kind` stores it.
    func value(_ operand: Operand, beside kind: ValueKind, _ node: ExpressionNode) throws -> SQLOperand {
        switch operand {
        case .value(let value): return value
        case .row(let cursor): return cursor.operand
        case .hole(let hole):
            if hole.shape == .null { return .null }
            if case .unstored(let value) = hole.shape {
                throw requiresMemory(value, in: ConstantFolding.text(of: node))
            }
            let form = hole.shape.kind.flatMap { kind.storage(for: $0, in: dialect) }
            guard let form else {
                throw failure(.incomparable, node, "\(hole.shape.name) cannot be compared with \(kind.name)")
            }
            return SQLOperand(
                sql: .bind(.hole(hole.index, .value(form))),
                kind: form.numberKind ?? kind,
                isNullable: false
            )
        case .collection:
            throw failure(ofCollectionIn: ConstantFolding.text(of: node))
        case .list:
            throw failure(.unsupported, node, "a list is not one value")
        }
    }

    /// An operand as one value, a constant bound in its own kind.
    func value(_ operand: Operand, _ node: ExpressionNode) throws -> SQLOperand {
        try value(operand, beside: kind(of: operand) ?? .unknown, node)
    }
}
